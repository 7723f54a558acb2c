/** Tells how long a time range is, and how many intervals it may hold at most, as a caller wrote both. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The shortest that one of each unit can be: clocks change by an hour. */
const shortestMs: ReadonlyMap<string, number> = new Map(
  Object.entries({
    minutes: 60_000,
    hours: HOUR_MS,
    days: DAY_MS - HOUR_MS,
    weeks: 7 * DAY_MS - HOUR_MS,
    months: 28 * DAY_MS - HOUR_MS,
  }),
);

/** Undefined where it can't be told. Those of minutes and hours begin anew each day, with a shorter one before. */
export function countIntervals(range: unknown, every: unknown): number | undefined {
  const rangeMs = msOf(range);
  const [unit = '', count] = Object.entries(toRecord(every)).find(([, value]) => value != null) ?? [];
  const lengthMs = (shortestMs.get(unit) ?? Number.NaN) * toNumber(count);
  const cutByDays = unit === 'minutes' || unit === 'hours' ? Math.ceil(rangeMs / DAY_MS) : 0;
  const intervals = Math.ceil(rangeMs / lengthMs) + cutByDays + 2;
  return intervals > 0 && Number.isFinite(intervals) ? intervals : undefined;
}

/** How many days a range reaches into at most; 0 where it is none. */
export function daysOf(range: unknown): number {
  const days = Math.ceil(msOf(range) / DAY_MS) + 1;
  return days > 0 ? days : 0;
}

/** Not a number where it is no range. */
function msOf(range: unknown): number {
  const { from, to } = toRecord(range);
  return toMs(to) - toMs(from);
}

/** What came as a variable may be anything, objects that are no text or number included. */
function toMs(date: unknown): number {
  return typeof date === 'string' ? Date.parse(date) : Number.NaN;
}

/** Whole numbers of a document are read as numbers, too. */
function toNumber(count: unknown): number {
  return typeof count === 'number' ? count : Number.NaN;
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
