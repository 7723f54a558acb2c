/** Devices of the account: by id, by serial number, and those at a site. */
import DataLoader from 'dataloader';
import { settleEach } from '../lib/settleEach.js';
import type { CallOptions } from '../rest/restCaller.js';
import type { RestClient } from '../rest/restClient.js';
import type { RowOf } from '../rest/rowDecoder.js';
import type { deviceRow } from '../rest/rows.js';
import { createCollection } from './collection.js';
import { createByIdLoader, createOfParentLoader } from './loaders.js';
import { toOptionalText } from './wireValues.js';

export interface Device {
  __typename: 'Device';
  id: number;
  name: string;
  serialNumber: string;
  modelNumber: string;
  firmwareVersion: string;
  akid: string | null;
  iccid: string | null;
  iccid2: string | null;
  meid: string | null;
  siteId: number | null;
}

export function toDevice(row: RowOf<typeof deviceRow>): Device {
  return {
    __typename: 'Device',
    id: row.id,
    name: row.display_name,
    serialNumber: row.serial_number,
    modelNumber: row.model_number,
    firmwareVersion: row.firmware_version,
    akid: toOptionalText(row.akid),
    iccid: toOptionalText(row.iccid),
    iccid2: toOptionalText(row.iccid2),
    meid: toOptionalText(row.meid),
    siteId: row.site_id ?? null,
  };
}

export type Devices = ReturnType<typeof createDevices>;

export function createDevices(rest: RestClient, options: CallOptions) {
  const collection = createCollection(async () => (await rest.devices(options)).map(toDevice));
  const byId = createByIdLoader(collection, async (id) => {
    const row = await rest.device(id, options);
    return row && toDevice(row);
  });
  const bySerialNumber = new DataLoader<string, Device | null>((serialNumbers) =>
    settleEach(serialNumbers, async (serialNumber) => {
      const row = await rest.deviceBySerialNumber(serialNumber, options);
      return row && toDevice(row);
    }),
  );
  const ofSite = createOfParentLoader<Device>({
    collection,
    parentIdOf: (device) => device.siteId,
    fetchOfParent: async (siteId) => (await rest.siteDevices(siteId, options)).map(toDevice),
  });

  return {
    all: async () => (await collection.load()).items,
    byId: (id: number) => byId.load(id),
    bySerialNumber: (serialNumber: string) => bySerialNumber.load(serialNumber),
    ofSite: (siteId: number) => ofSite.load(siteId),
  };
}
