/** Loads devices: by id, by serial number, and those of a site. */
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { deviceRow } from '../../rest/decode/rows.js';
import type { RestClient } from '../../rest/restClient.js';
import { createChildEntitySource } from '../core/entitySource.js';
import { readOne } from '../core/keyedSource.js';
import { createKeyedLoader } from '../core/loaders.js';
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

export type Devices = ReturnType<typeof createDevices>;

export function createDevices(rest: RestClient, reader: Reader) {
  const { source, ofParent } = createChildEntitySource(reader, {
    name: 'devices',
    kind: 'device',
    toItem: toDevice,
    list: rest.devices,
    one: readOne(reader, 'device', rest.device, toDevice),
    parent: { name: 'sites', idOf: ({ siteId }) => siteId, list: rest.siteDevices },
  });
  const bySerialNumber = createKeyedLoader(
    reader,
    readOne(reader, 'device', rest.deviceBySerialNumber, toDevice),
  );
  const { list, byId, prefetch } = source;
  return {
    list,
    byId,
    prefetch,
    ofSite: ofParent,
    bySerialNumber: (serialNumber: string) => bySerialNumber.load(serialNumber),
  };
}
