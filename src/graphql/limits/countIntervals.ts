/** Bounds the number of days and intervals in a time range, from arguments that have not been validated. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The minimum length of each unit. Clock changes shorten days, weeks and months by an hour. */
const shortestMs: ReadonlyMap<string, number> = new Map(
  Object.entries({
    minutes: 60_000,
    hours: HOUR_MS,
    days: DAY_MS - HOUR_MS,
    weeks: 7 * DAY_MS - HOUR_MS,
    months: 28 * DAY_MS - HOUR_MS,
  }),
);

/**
 * The maximum number of intervals; undefined if an argument is invalid. Intervals of minutes and hours restart at midnight,
 * so each day can add a shorter one.
 */
export function countIntervals(range: unknown, every: unknown): number | undefined {
  const rangeMs = msOf(range);
  const [unit = '', count] = Object.entries(toRecord(every)).find(([, value]) => value != null) ?? [];
  const lengthMs = (shortestMs.get(unit) ?? Number.NaN) * toNumber(count);
  const cutByDays = unit === 'minutes' || unit === 'hours' ? Math.ceil(rangeMs / DAY_MS) : 0;
  const intervals = Math.ceil(rangeMs / lengthMs) + cutByDays + 2;
  return intervals > 0 && Number.isFinite(intervals) ? intervals : undefined;
}

/** The maximum number of calendar days that a range touches; 0 if the range is invalid. */
export function daysOf(range: unknown): number {
  const days = Math.ceil(msOf(range) / DAY_MS) + 1;
  return days > 0 ? days : 0;
}

/** NaN if the range is invalid. */
function msOf(range: unknown): number {
  const { from, to } = toRecord(range);
  return toMs(to) - toMs(from);
}

/** NaN for values other than strings: a variable can contain any JSON. */
function toMs(date: unknown): number {
  return typeof date === 'string' ? Date.parse(date) : Number.NaN;
}

function toNumber(count: unknown): number {
  return typeof count === 'number' ? count : Number.NaN;
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
