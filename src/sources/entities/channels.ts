/** Loads channels: by id, and those of a device. */
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { channelRow } from '../../rest/decode/rows.js';
import type { RestClient } from '../../rest/restClient.js';
import { createChildEntitySource } from '../core/entitySource.js';
import { readOne } from '../core/keyedSource.js';
import type { Reader } from '../core/reader.js';
import { toClassification, toDateTime } from '../core/wireValues.js';

export type Channel = ReturnType<typeof toChannel>;

function toChannel(row: RowOf<typeof channelRow>) {
  return {
    __typename: 'Channel' as const,
    id: row.id,
    deviceId: row.device_id ?? null,
    name: row.display_name,
    createdAt: toDateTime(row.creation_date),
    numberOnDevice: row.on_device_num ?? null,
    type: toClassification(row.type_id, row.type_display_name),
    status: toClassification(row.status_id, row.display_status_name),
  };
}

export type Channels = ReturnType<typeof createChannels>;

export function createChannels(rest: RestClient, reader: Reader) {
  const { source, ofParent } = createChildEntitySource(reader, {
    name: 'channels',
    kind: 'channel',
    toItem: toChannel,
    list: rest.channels,
    one: readOne(reader, 'channel', rest.channel, toChannel),
    parent: { name: 'devices', idOf: ({ deviceId }) => deviceId, list: rest.deviceChannels },
  });
  const { list, isTruncated, byId, prefetch } = source;
  return { list, isTruncated, byId, prefetch, ofDevice: ofParent };
}
