/** Channels of the account: by id, and those of a device. */
import type { CallOptions } from '../rest/restCaller.js';
import type { RestClient } from '../rest/restClient.js';
import type { RowOf } from '../rest/rowDecoder.js';
import type { channelRow } from '../rest/rows.js';
import { createCollection } from './collection.js';
import { createByIdLoader, createOfParentLoader } from './loaders.js';
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

export function createChannels(rest: RestClient, options: CallOptions) {
  const collection = createCollection(async () => (await rest.channels(options)).map(toChannel));
  const byId = createByIdLoader(collection, async (id) => {
    const row = await rest.channel(id, options);
    return row && toChannel(row);
  });
  const ofDevice = createOfParentLoader<Channel>({
    collection,
    parentIdOf: (channel) => channel.deviceId,
    fetchOfParent: async (deviceId) => (await rest.deviceChannels(deviceId, options)).map(toChannel),
  });

  return {
    all: async () => (await collection.load()).items,
    byId: (id: number) => byId.load(id),
    ofDevice: (deviceId: number) => ofDevice.load(deviceId),
  };
}
