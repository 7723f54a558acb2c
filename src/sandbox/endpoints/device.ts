/** Devices, their health and their logs. */
import type { WireDevice } from '../../rest/wire.js';
import { toWire } from '../database/rows.js';
import { createNotFoundError } from '../httpError.js';
import type { RequestContext } from '../requestContext.js';
import { createEndpoint, list, one, withTag } from './endpoint.js';
import { fieldsOf, MAX_LIST_ROWS } from './owned.js';
import { optionalId, ownedId, pathId, pathText } from './parameter.js';

const deviceId = ownedId('device');
const lastDeliveredId = optionalId(
  'Only records with a greater id, oldest first. Without it: the newest records.',
);
const NEW_RECORDS = 100;

/** Devices of an account with the names of their sites. Append further conditions with AND. */
export const DEVICE_QUERY = `SELECT d.id AS id, d.serial_number AS serial_number, d.display_name AS display_name,
  d.model_number AS model_number, d.site_id AS site_id, s.display_name AS site_display_name, d.akid AS akid,
  d.iccid AS iccid, d.iccid2 AS iccid2, d.meid AS meid, d.firmware_version AS firmware_version
  FROM device d JOIN site s ON s.id = d.site_id WHERE d.account_id = ?`;

function requireDevice(
  context: RequestContext,
  column: 'id' | 'serial_number',
  value: number | string,
): WireDevice {
  const sql = `${DEVICE_QUERY} AND d.${column} = ?`;
  const device = context.db.one<WireDevice>(sql, context.client.accountId, value);
  if (device) return device;
  throw createNotFoundError(`There is no device with ${column.replace('_', ' ')} ${value}.`);
}

const LAST_HEALTH = `SELECT ${fieldsOf('DeviceHealth')} FROM (
  SELECT *, row_number() OVER (PARTITION BY counter_type_id ORDER BY sample_date DESC, id DESC) AS rank
  FROM device_health WHERE device_id = ?) WHERE rank = 1 ORDER BY counter_type_id`;
const LAST_LOG = `SELECT ${fieldsOf('DeviceLog')} FROM device_log WHERE device_id = ? ORDER BY log_date DESC, id DESC LIMIT 1`;
const DEVICE_CHANNELS = `SELECT ${fieldsOf('Channel')} FROM channel WHERE device_id = ? ORDER BY id LIMIT ${MAX_LIST_ROWS}`;

interface RecordOptions {
  /** In paths, operation ids, the schema and the name of the table. */
  name: 'Health' | 'Log';
  /** In the plural. */
  noun: string;
  summaryOfLast: string;
  last: string;
}

/** The new records of a device (those after `lastDeliveredId`, or the newest without it), and the last known ones. */
function recordEndpoints({ name, noun, summaryOfLast, last }: RecordOptions) {
  const table = `device_${name.toLowerCase()}`;
  const fields = fieldsOf(`Device${name}`);
  const newest = `SELECT ${fields} FROM ${table} WHERE device_id = ? ORDER BY id DESC LIMIT ${NEW_RECORDS}`;
  const after = `SELECT ${fields} FROM ${table} WHERE device_id = ? AND id > ? ORDER BY id LIMIT ${NEW_RECORDS}`;
  return [
    createEndpoint({
      path: `/v2.0/device/{deviceId}/${name.toLowerCase()}`,
      operationId: `listDevice${name}`,
      summary: `New ${noun} of a device, at most ${NEW_RECORDS}`,
      parameters: { deviceId, lastDeliveredId },
      response: list(`Device${name}`),
      handle: ({ deviceId: id, lastDeliveredId: lastId }, { db }) =>
        (lastId === undefined ? db.all<object>(newest, id).reverse() : db.all<object>(after, id, lastId)).map(
          toWire,
        ),
    }),
    createEndpoint({
      path: `/v2.0/device/{deviceId}/last${name}`,
      operationId: `listDeviceLast${name}`,
      summary: summaryOfLast,
      parameters: { deviceId },
      response: list(`Device${name}`),
      handle: (values, { db }) => db.all<object>(last, values.deviceId).map(toWire),
    }),
  ];
}

export const deviceEndpoints = withTag('Device', [
  createEndpoint({
    path: '/v2.0/device',
    operationId: 'listDevices',
    summary: 'All devices of the account',
    response: list('Device'),
    handle: (_, { db, client }) =>
      db.all<WireDevice>(`${DEVICE_QUERY} ORDER BY d.id LIMIT ${MAX_LIST_ROWS}`, client.accountId),
  }),
  createEndpoint({
    path: '/v2.0/device/{serialNumber}',
    operationId: 'getDeviceBySerialNumber',
    summary: 'One device, by its serial number',
    parameters: { serialNumber: pathText('The serial number, as printed on the device.') },
    response: one('Device'),
    handle: ({ serialNumber }, context) => requireDevice(context, 'serial_number', serialNumber),
  }),
  createEndpoint({
    path: '/v2.0/device/id/{deviceId}',
    operationId: 'getDevice',
    summary: 'One device, by its id',
    parameters: { deviceId: pathId('The device.') },
    response: one('Device'),
    handle: (values, context) => requireDevice(context, 'id', values.deviceId),
  }),
  createEndpoint({
    path: '/v2.0/device/{deviceId}/channels',
    operationId: 'listDeviceChannels',
    summary: 'The channels of a device',
    parameters: { deviceId },
    response: list('Channel'),
    handle: (values, { db }) => db.all<object>(DEVICE_CHANNELS, values.deviceId).map(toWire),
  }),
  ...recordEndpoints({
    ...{ name: 'Health', noun: 'health counters', last: LAST_HEALTH },
    summaryOfLast: 'The last known health counters of a device, one per counter type',
  }),
  ...recordEndpoints({
    ...{ name: 'Log', noun: 'log records', last: LAST_LOG },
    summaryOfLast: 'The last known log record of a device: a list of one, or empty',
  }),
]);
