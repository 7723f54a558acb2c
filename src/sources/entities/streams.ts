/** Loads streams: by id, and those of a site. */
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { streamRow } from '../../rest/decode/rows.js';
import type { RestClient } from '../../rest/restClient.js';
import { createChildEntitySource } from '../core/entitySource.js';
import { readOne } from '../core/keyedSource.js';
import type { Reader } from '../core/reader.js';
import { toClassification, toDateTime, toFloat } from '../core/wireValues.js';

export type Stream = ReturnType<typeof toStream>;

/** A stream and its site, because one call returns the attributes of all streams of a site. */
export type StreamReference = Pick<Stream, 'id' | 'siteId'>;

function toStream(row: RowOf<typeof streamRow>) {
  return {
    __typename: 'Stream' as const,
    id: row.id,
    siteId: row.site_id ?? null,
    name: row.display_name,
    createdAt: toDateTime(row.creation_date),
    type: toClassification(row.type_id, row.type_display_name),
    units: row.units,
    valueScale: toFloat(row.value_scale),
    status: toClassification(row.status_id),
    /** Id of the channel, if the platform names one; today it does not. */
    wireChannelId: row.channel_id ?? null,
  };
}

/** Only numbers have units. A stream with units has no images and no RFID reads, so no call is made for them. */
export function measuresNumbers({ units }: Pick<Stream, 'units'>): boolean {
  return units !== '';
}

/** The sites of the streams, each once. */
export function siteIdsOf(streams: readonly StreamReference[]): number[] {
  return [...new Set(streams.map(({ siteId }) => siteId))].filter((siteId) => siteId !== null);
}

export type Streams = ReturnType<typeof createStreams>;

export function createStreams(rest: RestClient, reader: Reader) {
  const { source, ofParent, loadedOfParent } = createChildEntitySource(reader, {
    name: 'streams',
    kind: 'stream',
    toItem: toStream,
    list: rest.streams,
    one: readOne(reader, 'stream', rest.stream, toStream),
    parent: { name: 'sites', idOf: ({ siteId }) => siteId, list: rest.siteStreams },
  });
  const { list, isTruncated, byId, prefetch } = source;
  return { list, isTruncated, byId, prefetch, ofSite: ofParent, loadedOfSite: loadedOfParent };
}
