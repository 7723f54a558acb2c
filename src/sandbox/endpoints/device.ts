/** Devices, their health and their logs. */
import type { WireDevice } from '../../rest/wire.js';
import { LIST_LIMIT, requireOwned } from '../database/owned.js';
import { CHANNEL_FIELDS, toChannel, toHealth, toLog } from '../database/rows.js';
import { createNotFoundError } from '../server/httpError.js';
import { createEndpoint, type RequestContext, type SandboxEndpoint } from './endpoint.js';
import { optionalId, pathId, pathText } from './parameter.js';

const tag = 'Device';
const deviceId = pathId('The device.');
const lastDeliveredId = optionalId(
  'Only records with a greater id, oldest first. Without it: the newest records.',
);
const NEW_RECORDS = 100;

/** Devices of an account, with the name of the site they stand at; conditions are appended with AND. */
export const DEVICE_QUERY = `SELECT d.id AS id, d.serial_number AS serial_number, d.display_name AS display_name,
  d.model_number AS model_number, d.site_id AS site_id, s.display_name AS site_display_name, d.akid AS akid,
  d.iccid AS iccid, d.iccid2 AS iccid2, d.meid AS meid, d.firmware_version AS firmware_version
  FROM device d JOIN site s ON s.id = d.site_id WHERE d.account_id = ?`;

const HEALTH_FIELDS = 'id, device_id, sample_date, counter_type_id, value';
const LOG_FIELDS = 'id, device_id, log_date, source, message';

function oneDevice(
  context: RequestContext,
  condition: string,
  wanted: number | string,
  what: string,
): WireDevice {
  const sql = `${DEVICE_QUERY} AND ${condition}`;
  const device = context.db.one<WireDevice>(sql, context.client.accountId, wanted);
  if (device === undefined) throw createNotFoundError(`There is no device with ${what} ${wanted}.`);
  return device;
}

/** Up to 100 records by id: those after `lastId`, or the newest where it is not given. */
function newRecords<Row>(
  context: RequestContext,
  table: 'device_health' | 'device_log',
  fields: string,
  id: number,
  lastId: number | undefined,
): Row[] {
  const from = `SELECT ${fields} FROM ${table} WHERE device_id = ?`;
  if (lastId === undefined) {
    return context.db.all<Row>(`${from} ORDER BY id DESC LIMIT ${NEW_RECORDS}`, id).reverse();
  }
  return context.db.all<Row>(`${from} AND id > ? ORDER BY id LIMIT ${NEW_RECORDS}`, id, lastId);
}

const LAST_HEALTH = `SELECT ${HEALTH_FIELDS} FROM (
  SELECT *, row_number() OVER (PARTITION BY counter_type_id ORDER BY sample_date DESC, id DESC) AS place
  FROM device_health WHERE device_id = ?) WHERE place = 1 ORDER BY counter_type_id`;
const LAST_LOG = `SELECT ${LOG_FIELDS} FROM device_log WHERE device_id = ? ORDER BY log_date DESC, id DESC LIMIT 1`;

export const deviceEndpoints: readonly SandboxEndpoint[] = [
  createEndpoint({
    method: 'GET',
    path: '/v2.0/device',
    operationId: 'listDevices',
    tag,
    summary: 'All devices of the account',
    parameters: {},
    response: { kind: 'list', schema: 'Device' },
    handle: (_, { db, client }) =>
      db.all<WireDevice>(`${DEVICE_QUERY} ORDER BY d.id LIMIT ${LIST_LIMIT}`, client.accountId),
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/device/{serialNumber}',
    operationId: 'getDeviceBySerialNumber',
    tag,
    summary: 'One device, by its serial number',
    parameters: { serialNumber: pathText('The serial number, as printed on the device.', 256) },
    response: { kind: 'one', schema: 'Device' },
    handle: ({ serialNumber }, context) =>
      oneDevice(context, 'd.serial_number = ?', serialNumber, 'serial number'),
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/device/id/{deviceId}',
    operationId: 'getDevice',
    tag,
    summary: 'One device, by its id',
    parameters: { deviceId },
    response: { kind: 'one', schema: 'Device' },
    handle: (values, context) => oneDevice(context, 'd.id = ?', values.deviceId, 'id'),
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/device/{deviceId}/channels',
    operationId: 'listDeviceChannels',
    tag,
    summary: 'The channels of a device',
    parameters: { deviceId },
    response: { kind: 'list', schema: 'Channel' },
    handle: (values, context) => {
      requireOwned(context, 'device', values.deviceId);
      const sql = `SELECT ${CHANNEL_FIELDS} FROM channel WHERE device_id = ? ORDER BY id LIMIT ${LIST_LIMIT}`;
      return context.db.all<Parameters<typeof toChannel>[0]>(sql, values.deviceId).map(toChannel);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/device/{deviceId}/health',
    operationId: 'listDeviceHealth',
    tag,
    summary: 'New health counters of a device, at most 100',
    parameters: { deviceId, lastDeliveredId },
    response: { kind: 'list', schema: 'DeviceHealth' },
    handle: (values, context) => {
      requireOwned(context, 'device', values.deviceId);
      const { deviceId: id, lastDeliveredId: last } = values;
      const rows = newRecords<Parameters<typeof toHealth>[0]>(
        context,
        'device_health',
        HEALTH_FIELDS,
        id,
        last,
      );
      return rows.map(toHealth);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/device/{deviceId}/lastHealth',
    operationId: 'listDeviceLastHealth',
    tag,
    summary: 'The last known health counters of a device, one per counter type',
    parameters: { deviceId },
    response: { kind: 'list', schema: 'DeviceHealth' },
    handle: (values, context) => {
      requireOwned(context, 'device', values.deviceId);
      return context.db.all<Parameters<typeof toHealth>[0]>(LAST_HEALTH, values.deviceId).map(toHealth);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/device/{deviceId}/log',
    operationId: 'listDeviceLog',
    tag,
    summary: 'New log records of a device, at most 100',
    parameters: { deviceId, lastDeliveredId },
    response: { kind: 'list', schema: 'DeviceLog' },
    handle: (values, context) => {
      requireOwned(context, 'device', values.deviceId);
      const { deviceId: id, lastDeliveredId: last } = values;
      return newRecords<Parameters<typeof toLog>[0]>(context, 'device_log', LOG_FIELDS, id, last).map(toLog);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/device/{deviceId}/lastLog',
    operationId: 'listDeviceLastLog',
    tag,
    summary: 'The last known log record of a device: a list of one, or empty',
    parameters: { deviceId },
    response: { kind: 'list', schema: 'DeviceLog' },
    handle: (values, context) => {
      requireOwned(context, 'device', values.deviceId);
      return context.db.all<Parameters<typeof toLog>[0]>(LAST_LOG, values.deviceId).map(toLog);
    },
  }),
];
