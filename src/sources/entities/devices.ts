/** Loads devices: by id, by serial number, and those of a site. */
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { deviceRow } from '../../rest/decode/rows.js';
import { buildPath } from '../../rest/path.js';
import type { RestClient } from '../../rest/restClient.js';
import { groupBy, type LoadedCollection } from '../core/collections.js';
import { createChildEntitySource } from '../core/entitySource.js';
import { readOne } from '../core/keyedSource.js';
import { createPlannedLoader } from '../core/loaders.js';
import type { Reader } from '../core/reader.js';
import { emptyToNull } from '../core/wireValues.js';

export type Device = ReturnType<typeof toDevice>;

function toDevice(row: RowOf<typeof deviceRow>) {
  return {
    __typename: 'Device' as const,
    id: row.id,
    name: row.display_name,
    serialNumber: row.serial_number,
    modelNumber: row.model_number,
    firmwareVersion: row.firmware_version,
    akid: emptyToNull(row.akid),
    iccid: emptyToNull(row.iccid),
    iccid2: emptyToNull(row.iccid2),
    meid: emptyToNull(row.meid),
    siteId: row.site_id ?? null,
  };
}

/** The devices of a list by their serial numbers, built once while the list is cached. */
const serialNumbers = new WeakMap<LoadedCollection<Device>, ReadonlyMap<string, readonly Device[]>>();

/** Undefined if several devices have the number: the platform then chooses one. */
function findBySerialNumber(list: LoadedCollection<Device>, serialNumber: string): Device | null | undefined {
  const devices = serialNumbers.get(list) ?? groupBy(list.items, (device) => device.serialNumber);
  serialNumbers.set(list, devices);
  const [device, ...others] = devices.get(serialNumber) ?? [];
  if (device === undefined) return list.isComplete ? null : undefined;
  return others.length === 0 ? device : undefined;
}

export type Devices = ReturnType<typeof createDevices>;

export function createDevices(rest: RestClient, reader: Reader) {
  const { source, collection, ofParent } = createChildEntitySource(reader, {
    name: 'devices',
    kind: 'device',
    toItem: toDevice,
    list: rest.devices,
    one: readOne(reader, 'device', rest.device, toDevice),
    parent: { name: 'sites', idOf: ({ siteId }) => siteId, list: rest.siteDevices },
  });
  const bySerialNumber = createPlannedLoader<string, Device | null, Device>(reader, {
    name: 'devices by serial number',
    strategy: 'singles',
    collection,
    source: readOne(reader, 'device', rest.deviceBySerialNumber, toDevice),
    loadOne: ({ lookup }) => reader.load(lookup),
    pick: findBySerialNumber,
  });
  const { list, isTruncated, byId, prefetch } = source;
  return {
    list,
    isTruncated,
    byId,
    prefetch,
    ofSite: ofParent,
    /** Throws BAD_USER_INPUT for an impossible number, whether the list of devices is cached or not. */
    bySerialNumber(serialNumber: string) {
      buildPath(rest.deviceBySerialNumber.template, serialNumber);
      return bySerialNumber.load(serialNumber);
    },
  };
}
