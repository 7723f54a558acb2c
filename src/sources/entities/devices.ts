/** Devices of the account: by id, by serial number, and those at a site. */
import { whenReady } from '../../lib/maybePromise.js';
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { deviceRow } from '../../rest/decode/rows.js';
import type { RestClient } from '../../rest/restClient.js';
import { readCollection, readList, readOne } from '../core/collections.js';
import { createByIdLoader, createByParentLoader, createKeyedLoader } from '../core/loaders.js';
import type { Reader } from '../core/reader.js';
import { toOptionalText } from '../core/wireValues.js';

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

type DeviceRow = RowOf<typeof deviceRow>;

export function toDevice(row: DeviceRow): Device {
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

export function createDevices(rest: RestClient, reader: Reader) {
  const collection = readCollection(reader, {
    kind: 'device',
    endpoint: rest.devices,
    toItem: toDevice,
    parentIdOf: (device) => device.siteId,
  });
  const one = readOne(reader, 'device', rest.device, toDevice);
  const byParent = readList(reader, 'device', rest.siteDevices, toDevice);
  const byId = createByIdLoader(reader, { name: 'devices', collection, one });
  const ofSite = createByParentLoader<Device>(reader, {
    name: 'devices of sites',
    collection,
    byParent,
    byId,
  });
  const bySerialNumber = createKeyedLoader(
    readOne<string, DeviceRow, Device>(reader, 'device', rest.deviceBySerialNumber, toDevice),
  );

  return {
    /** So many of them, or of their parents, are about to be asked for. */
    prefetch: (count: number) => collection.prefetch(count, { ...byParent, name: 'devices of sites' }),
    all: () => whenReady(collection.load(), ({ items }) => items),
    isWhole: () => whenReady(collection.load(), ({ isComplete }) => isComplete),
    byId: (id: number) => byId.load(id),
    bySerialNumber: (serialNumber: string) => bySerialNumber.load(serialNumber),
    ofSite: (siteId: number) => ofSite.load(siteId),
  };
}
