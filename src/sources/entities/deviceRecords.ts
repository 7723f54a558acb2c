/** Loads health counters and log records of devices. */

import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { deviceHealthRow, deviceLogRow } from '../../rest/decode/rows.js';
import type { RestClient } from '../../rest/restClient.js';
import { readKeyed } from '../core/collections.js';
import { createKeyedLoader } from '../core/loaders.js';
import type { Reader } from '../core/reader.js';
import { isIdentified, isListOfIdentified } from '../core/storedShape.js';
import { toDateTime } from '../core/wireValues.js';
import { createRecordPaginator } from './recordPaginator.js';

export interface DeviceHealth {
  id: number;
  counterTypeId: number;
  value: number;
  sampledAt: string;
}

export interface DeviceLog {
  id: number;
  source: string;
  message: string;
  loggedAt: string;
}

/** Null for a record without a readable date. */
function toDeviceHealth(row: RowOf<typeof deviceHealthRow>): DeviceHealth | null {
  const sampledAt = toDateTime(row.sample_date);
  return sampledAt === null
    ? null
    : { id: row.id, counterTypeId: row.counter_type_id, value: row.value, sampledAt };
}

/** Null for a record without a readable date. */
function toDeviceLog(row: RowOf<typeof deviceLogRow>): DeviceLog | null {
  const loggedAt = toDateTime(row.log_date);
  return loggedAt === null ? null : { id: row.id, source: row.source, message: row.message, loggedAt };
}

export type DeviceRecords = ReturnType<typeof createDeviceRecords>;

export function createDeviceRecords(rest: RestClient, reader: Reader) {
  const lastHealth = createKeyedLoader(
    readKeyed<number, HealthRow[], DeviceHealth[]>(
      reader,
      'deviceRecords',
      rest.deviceLastHealth,
      (rows) => convert(rows, toDeviceHealth),
      (stored): stored is DeviceHealth[] => isListOfIdentified(stored),
    ),
  );
  const lastLog = createKeyedLoader(
    readKeyed<number, LogRow[], DeviceLog | null>(
      reader,
      'deviceRecords',
      rest.deviceLastLog,
      (rows) => newest(convert(rows, toDeviceLog)),
      (stored): stored is DeviceLog | null => stored === null || isIdentified(stored),
    ),
  );

  return {
    lastHealth: (deviceId: number) => lastHealth.load(deviceId),
    lastLog: (deviceId: number) => lastLog.load(deviceId),
    health: createRecordPaginator(
      (deviceId, afterId) => reader.readUncached((options) => rest.deviceHealth(deviceId, afterId, options)),
      toDeviceHealth,
    ),
    logs: createRecordPaginator(
      (deviceId, afterId) => reader.readUncached((options) => rest.deviceLogs(deviceId, afterId, options)),
      toDeviceLog,
    ),
  };
}

type HealthRow = RowOf<typeof deviceHealthRow>;
type LogRow = RowOf<typeof deviceLogRow>;

function convert<Row, Model>(rows: readonly Row[], toModel: (row: Row) => Model | null): Model[] {
  return rows.map(toModel).filter((model) => model !== null);
}

/** The platform returns `lastLog` as a list. Of several records the newest is the one with the highest id. */
function newest<Item extends { id: number }>(items: readonly Item[]): Item | null {
  return items.reduce<Item | null>((best, item) => (best && best.id > item.id ? best : item), null);
}
