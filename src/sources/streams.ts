/** Streams of the account: by id, and those of a site. */
import { whenReady } from '../lib/maybePromise.js';
import type { RestClient } from '../rest/restClient.js';
import type { RowOf } from '../rest/rowDecoder.js';
import type { streamRow } from '../rest/rows.js';
import { readCollection, readList, readOne } from './answers.js';
import { createByIdLoader, createOfParentLoader } from './loaders.js';
import type { Reader } from './reader.js';
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
  const ofParent = readList(reader, 'stream', rest.siteStreams, toStream);
  const byId = createByIdLoader(reader, { name: 'streams', collection, one });
  const ofSite = createOfParentLoader<Stream>(reader, {
    name: 'streams of sites',
    collection,
    ofParent,
    byId,
  });

  return {
    /** So many of them, or of their parents, are about to be asked for. */
    expect: (count: number) => collection.expect(count, { ...ofParent, name: 'streams of sites' }),
    all: () => whenReady(collection.load(), ({ items }) => items),
    isWhole: () => whenReady(collection.load(), ({ isComplete }) => isComplete),
    byId: (id: number) => byId.load(id),
    ofSite: (siteId: number) => ofSite.load(siteId),
  };
}
