/** Channels of the account: by id, and those of a device. */
import { whenReady } from '../../lib/maybePromise.js';
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { channelRow } from '../../rest/decode/rows.js';
import type { RestClient } from '../../rest/restClient.js';
import { readCollection, readList, readOne } from '../core/collections.js';
import { createByIdLoader, createByParentLoader } from '../core/loaders.js';
import type { Reader } from '../core/reader.js';
import { type Classification, toClassification, toDateTime } from '../core/wireValues.js';

export interface Channel {
  __typename: 'Channel';
  id: number;
  deviceId: number | null;
  name: string;
  createdAt: string | null;
  numberOnDevice: number | null;
  type: Classification | null;
  status: Classification | null;
}

export function toChannel(row: RowOf<typeof channelRow>): Channel {
  return {
    __typename: 'Channel',
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
  const collection = readCollection(reader, {
    kind: 'channel',
    endpoint: rest.channels,
    toItem: toChannel,
    parentIdOf: (channel) => channel.deviceId,
  });
  const one = readOne(reader, 'channel', rest.channel, toChannel);
  const byParent = readList(reader, 'channel', rest.deviceChannels, toChannel);
  const byId = createByIdLoader(reader, { name: 'channels', collection, one });
  const ofDevice = createByParentLoader<Channel>(reader, {
    name: 'channels of devices',
    collection,
    byParent,
    byId,
  });

  return {
    /** So many of them, or of their parents, are about to be asked for. */
    prefetch: (count: number) => collection.prefetch(count, { ...byParent, name: 'channels of devices' }),
    all: () => whenReady(collection.load(), ({ items }) => items),
    isWhole: () => whenReady(collection.load(), ({ isComplete }) => isComplete),
    byId: (id: number) => byId.load(id),
    ofDevice: (deviceId: number) => ofDevice.load(deviceId),
  };
}
