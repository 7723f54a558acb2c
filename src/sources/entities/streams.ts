/** Streams of the account: by id, and those of a site. */
import { whenReady } from '../../lib/maybePromise.js';
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { streamRow } from '../../rest/decode/rows.js';
import type { RestClient } from '../../rest/restClient.js';
import { readCollection, readList, readOne } from '../core/collections.js';
import { createByIdLoader, createByParentLoader } from '../core/loaders.js';
import type { Reader } from '../core/reader.js';
import { type Classification, toClassification, toDateTime, toFloat } from '../core/wireValues.js';

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

/** Only numbers have units: such a stream has no images and no RFID reads, and need not be asked for them. */
export function measuresNumbers({ units }: Pick<Stream, 'units'>): boolean {
  return units !== '';
}

export type Streams = ReturnType<typeof createStreams>;

export function createStreams(rest: RestClient, reader: Reader) {
  const collection = readCollection(reader, {
    kind: 'stream',
    endpoint: rest.streams,
    toItem: toStream,
    parentIdOf: (stream) => stream.siteId,
  });
  const one = readOne(reader, 'stream', rest.stream, toStream);
  const byParent = readList(reader, 'stream', rest.siteStreams, toStream);
  const byId = createByIdLoader(reader, { name: 'streams', collection, one });
  const ofSite = createByParentLoader<Stream>(reader, {
    name: 'streams of sites',
    collection,
    byParent,
    byId,
  });

  return {
    /** So many of them, or of their parents, are about to be asked for. */
    prefetch: (count: number) => collection.prefetch(count, { ...byParent, name: 'streams of sites' }),
    all: () => whenReady(collection.load(), ({ items }) => items),
    isWhole: () => whenReady(collection.load(), ({ isComplete }) => isComplete),
    byId: (id: number) => byId.load(id),
    ofSite: (siteId: number) => ofSite.load(siteId),
  };
}
