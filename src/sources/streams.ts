/** Streams of the account: by id, and those of a site. */
import type { CallOptions } from '../rest/restCaller.js';
import type { RestClient } from '../rest/restClient.js';
import type { RowOf } from '../rest/rowDecoder.js';
import type { streamRow } from '../rest/rows.js';
import { createCollection } from './collection.js';
import { createByIdLoader, createOfParentLoader } from './loaders.js';
import { type Classification, toClassification, toDateTime, toFloat } from './wireValues.js';

export interface Stream {
  __typename: 'Stream';
  id: number;
  siteId: number | null;
  name: string;
  createdAt: string | null;
  type: Classification | null;
  units: string;
  valueScale: number | null;
  status: Classification | null;
  /** The channel, where the platform names one; it does not today. */
  wireChannelId: number | null;
}

export function toStream(row: RowOf<typeof streamRow>): Stream {
  return {
    __typename: 'Stream',
    id: row.id,
    siteId: row.site_id ?? null,
    name: row.display_name,
    createdAt: toDateTime(row.creation_date),
    type: toClassification(row.type_id, row.type_display_name),
    units: row.units,
    valueScale: toFloat(row.value_scale),
    status: toClassification(row.status_id),
    wireChannelId: row.channel_id ?? null,
  };
}

export type Streams = ReturnType<typeof createStreams>;

export function createStreams(rest: RestClient, options: CallOptions) {
  const collection = createCollection(async () => (await rest.streams(options)).map(toStream));
  const byId = createByIdLoader(collection, async (id) => {
    const row = await rest.stream(id, options);
    return row && toStream(row);
  });
  const ofSite = createOfParentLoader<Stream>({
    collection,
    parentIdOf: (stream) => stream.siteId,
    fetchOfParent: async (siteId) => (await rest.siteStreams(siteId, options)).map(toStream),
  });

  return {
    all: async () => (await collection.load()).items,
    byId: (id: number) => byId.load(id),
    ofSite: (siteId: number) => ofSite.load(siteId),
  };
}
