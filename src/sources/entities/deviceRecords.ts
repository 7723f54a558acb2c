/** Loads health counters and log records of devices. */
import { quoteText } from '../../errors.js';
import { whenReady } from '../../lib/maybePromise.js';
import { readCounted } from '../../rest/callRecord.js';
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { deviceHealthRow, deviceLogRow } from '../../rest/decode/rows.js';
import type { TypedEndpoint } from '../../rest/endpointKinds.js';
import type { RestClient } from '../../rest/restClient.js';
import { readKeyed } from '../core/keyedSource.js';
import { createKeyedLoader } from '../core/loaders.js';
import { withoutRepeats } from '../core/paginator.js';
import type { Reader } from '../core/reader.js';
import { isIdentified, isListOfIdentified } from '../core/storedShape.js';
import { convert, toDateTime } from '../core/wireValues.js';
import { createRecordPaginator } from './recordPaginator.js';

/** The name and the unit of a type of health counter. They come from the settings, since the platform sends none. */
export interface HealthCounter {
  name: string;
  units: string | null;
}

/** By the platform's number of the counter type. */
export type HealthCounters = ReadonlyMap<number, HealthCounter>;

export type DeviceHealth = NonNullable<ReturnType<typeof toDeviceHealth>>;
export type DeviceLog = NonNullable<ReturnType<typeof toDeviceLog>>;

/** Null for a record without a readable date. */
function toDeviceHealth(row: HealthRow, counters: HealthCounters) {
  const sampledAt = toDateTime(row.sample_date);
  if (sampledAt === null) return null;
  // A counter that the settings do not name has neither.
  const { name = null, units = null } = counters.get(row.counter_type_id) ?? {};
  return { id: row.id, counterTypeId: row.counter_type_id, name, units, value: row.value, sampledAt };
}

/** More than the name of a counter, or the number of its type. */
const MAX_NAME_CHARACTERS = 100;

/** `wanted`: names, in any case, or numbers of types. */
function selectCounters(records: readonly DeviceHealth[], wanted: readonly string[] | undefined) {
  if (wanted === undefined) return records;
  const names = new Set(wanted.map((name) => name.trim().toLowerCase()));
  return records.filter(
    ({ counterTypeId, name }) =>
      names.has(String(counterTypeId)) || (name !== null && names.has(name.toLowerCase())),
  );
}

/** Null for a record without a readable date. */
function toDeviceLog(row: LogRow) {
  const loggedAt = toDateTime(row.log_date);
  return loggedAt === null ? null : { id: row.id, source: row.source, message: row.message, loggedAt };
}

export type DeviceRecords = ReturnType<typeof createDeviceRecords>;

export function createDeviceRecords(rest: RestClient, reader: Reader, counters: HealthCounters) {
  const toHealth = (row: HealthRow) => toDeviceHealth(row, counters);
  const lastHealth = createKeyedLoader(
    reader,
    readKeyed<number, HealthRow[], readonly DeviceHealth[]>(reader, {
      kind: 'deviceRecords',
      endpoint: rest.deviceLastHealth,
      toValue: (rows) => withoutRepeats(convert(rows, toHealth)),
      isValue: isListOfIdentified,
    }),
  );
  const lastLog = createKeyedLoader(
    reader,
    readKeyed<number, LogRow[], DeviceLog | null>(reader, {
      kind: 'deviceRecords',
      endpoint: rest.deviceLastLog,
      toValue: (rows) => newest(convert(rows, toDeviceLog)),
      isValue: (stored) => stored === null || isIdentified(stored),
    }),
  );

  return {
    /** Returns an error message if the text is neither the name of a counter in the settings nor a number. */
    findCounterProblem(text: string): string | undefined {
      const wanted = text.length > MAX_NAME_CHARACTERS ? '' : text.trim().toLowerCase();
      const names = [...counters.values()].map(({ name }) => name);
      if (/^\d+$/.test(wanted) || names.some((name) => name.toLowerCase() === wanted)) return undefined;
      const listed = names.map((name) => JSON.stringify(name)).join(', ') || 'none';
      return `${quoteText(text)} is neither a number nor a name in the setting HEALTH_COUNTERS (${listed}).`;
    },
    /**
     * Returns without a promise if the record is cached. `wanted`: names or numbers of counter types; all if absent.
     */
    lastHealth: (deviceId: number, wanted?: readonly string[]) =>
      whenReady(lastHealth.load(deviceId), (records) => selectCounters(records, wanted)),
    lastLog: (deviceId: number) => lastLog.load(deviceId),
    health: createRecordPaginator(readUncached(reader, rest.deviceHealth), toHealth),
    logs: createRecordPaginator(readUncached(reader, rest.deviceLogs), toDeviceLog),
  };
}

function readUncached<Row>(
  reader: Reader,
  endpoint: TypedEndpoint<[number, number | undefined], readonly Row[]>,
) {
  return (deviceId: number, afterId: number | undefined) =>
    reader.readUncached((options) => readCounted((counted) => endpoint(deviceId, afterId, counted), options));
}

type HealthRow = RowOf<typeof deviceHealthRow>;
type LogRow = RowOf<typeof deviceLogRow>;

/** The platform returns `lastLog` as a list. The newest of its records is the one with the highest id. */
function newest<Item extends { id: number }>(items: readonly Item[]): Item | null {
  return items.reduce<Item | null>((best, item) => (best && best.id > item.id ? best : item), null);
}
