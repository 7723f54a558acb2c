/** Channels of the account: by id, and those of a device. */
import { whenReady } from '../lib/maybePromise.js';
import type { RestClient } from '../rest/restClient.js';
import type { RowOf } from '../rest/rowDecoder.js';
import type { channelRow } from '../rest/rows.js';
import { readCollection, readList, readOne } from './answers.js';
import { createByIdLoader, createOfParentLoader } from './loaders.js';
import type { Reader } from './reader.js';
import { type Classification, toClassification, toDateTime } from './wireValues.js';

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
  const ofParent = readList(reader, 'channel', rest.deviceChannels, toChannel);
  const byId = createByIdLoader(reader, { name: 'channels', collection, one });
  const ofDevice = createOfParentLoader<Channel>(reader, {
    name: 'channels of devices',
    collection,
    ofParent,
    byId,
  });

  return {
    /** So many of them, or of their parents, are about to be asked for. */
    expect: (count: number) => collection.expect(count, { ...ofParent, name: 'channels of devices' }),
    all: () => whenReady(collection.load(), ({ items }) => items),
    isWhole: () => whenReady(collection.load(), ({ isComplete }) => isComplete),
    byId: (id: number) => byId.load(id),
    ofDevice: (deviceId: number) => ofDevice.load(deviceId),
  };
}
