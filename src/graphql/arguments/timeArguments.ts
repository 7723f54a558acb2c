/** Reads arguments about time. Functions that read one throw BAD_USER_INPUT with its name. */
import { type ASTNode, GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { createBadInputError, quoteText } from '../../errors.js';
import { IS_PLAIN_TEXT } from '../../execution/text/leafSerializer.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/clock.js';
import { toRecord } from '../../lib/records.js';
import { type EarlierResult, parseDeltaCursor } from '../../sources/charts/deltas.js';
import type { TimeSpan } from '../../sources/timeline/dayPages.js';
import {
  type CalendarInterval,
  countIntervals,
  MAX_TIME_MS,
  MIN_TIME_MS,
} from '../../timeseries/calendarIntervals.js';
import type { HoursOfDay } from '../../timeseries/intervalDetails.js';
import { getTimeZone, type TimeZone } from '../../timeseries/timeZone.js';
import { checkBetween } from './bounds.js';

const MIN_POINTS = 3;
const MAX_POINTS = 10_000;
const DEFAULT_POINTS = 500;
const DAY_MINUTES = 1440;

/** The unit and the bounds of each field. Minutes and hours restart at midnight, so a day is their maximum. */
const intervalUnitTable = {
  minutes: { unit: 'minutes', max: 1440, factor: 1 },
  hours: { unit: 'minutes', max: 24, factor: 60 },
  days: { unit: 'days', max: 10_000, factor: 1 },
  weeks: { unit: 'weeks', max: 1000, factor: 1 },
  months: { unit: 'months', max: 1000, factor: 1 },
} as const;

/** An input with `@oneOf`: validation refuses it unless exactly one field is set. */
type OneOf<Unit extends string> = { readonly [Name in Unit]?: number | null | undefined };

/** The unit that is set, and its number. */
function readUnit<Unit extends string>(
  input: OneOf<Unit>,
  units: Readonly<Record<Unit, unknown>>,
  argument: string,
): [unit: Unit, count: number] {
  const names = Object.keys(units) as Unit[];
  const unit = names.find((name) => input[name] != null);
  if (unit === undefined) throw createBadInputError(argument, `set one of ${names.join(', ')}.`);
  return [unit, input[unit] ?? 0];
}

/** The input `TimeRange` in Unix milliseconds. */
export interface TimeRangeArgument {
  from: number;
  to: number;
}

export function readRange({ from, to }: TimeRangeArgument): TimeSpan {
  if (from >= to) throw createBadInputError('range', '`from` must be before `to`.');
  return { fromMs: from, toMs: to };
}

export function readInterval(interval: OneOf<keyof typeof intervalUnitTable>): CalendarInterval {
  const [name, count] = readUnit(interval, intervalUnitTable, 'every');
  const { unit, max, factor } = intervalUnitTable[name];
  checkBetween(`every.${name}`, count, 1, max);
  return unit === 'minutes' && factor * count === DAY_MINUTES
    ? { unit: 'days', count: 1 }
    : { unit, count: factor * count };
}

const durationUnitTable = { minutes: MINUTE_MS, hours: HOUR_MS, days: DAY_MS } as const;
/** A century, because no platform has older samples. */
const MAX_DURATION_MS = 36_525 * durationUnitTable.days;

/** Reads the condition `silentFor` of a filter. Returns milliseconds. */
export function readSilentFor(duration: OneOf<keyof typeof durationUnitTable>): number {
  const [unit, count] = readUnit(duration, durationUnitTable, 'filter.silentFor');
  const durationMs = count * durationUnitTable[unit];
  if (durationMs > 0 && durationMs <= MAX_DURATION_MS) return durationMs;
  throw createBadInputError(`filter.silentFor.${unit}`, `${count} is less than 1, or longer than 100 years.`);
}

/** Undefined for all hours: `delta` and `integral` then also count from one day to the next. */
export function readHoursOfDay(hours: HoursOfDay | null | undefined): HoursOfDay | undefined {
  if (hours == null) return undefined;
  const { from, to } = hours;
  if (from === 0 && to === 24) return undefined;
  const isValid = from >= 0 && from <= 23 && to >= 0 && to <= 24;
  if (isValid && from !== to) return hours;
  throw createBadInputError('hoursOfDay', `${from} to ${to} is not a part of the day from 0 to 24.`);
}

const MAX_ZONE_CHARACTERS = 64;

export function readTimeZone(provided: string | null | undefined): TimeZone {
  const name = provided ?? 'UTC';
  const zone = name.length > MAX_ZONE_CHARACTERS ? undefined : getTimeZone(name);
  if (zone) return zone;
  throw createBadInputError(
    'timeZone',
    `${quoteText(name)} is not an IANA time zone such as "Europe/Zurich".`,
  );
}

export function readMaxPoints(maxPoints: number | null | undefined): number {
  const points = maxPoints ?? DEFAULT_POINTS;
  checkBetween('maxPoints', points, MIN_POINTS, MAX_POINTS);
  return points;
}

/** Undefined without a cursor: the result is then complete. */
export function readDeltaCursor(after: string | null | undefined): EarlierResult | undefined {
  if (after == null) return undefined;
  const earlier = parseDeltaCursor(after);
  if (earlier) return earlier;
  const message = `${quoteText(after)} is not a cursor of a chart; use the \`cursor\` of an earlier result.`;
  throw createBadInputError('after', message);
}

/** A hundred years. */
const MAX_BACKFILL_HOURS = 876_000;

export function readBackfillHours(hours: number | null | undefined): number | undefined {
  if (hours == null) return undefined;
  checkBetween('backfillHours', hours, 1, MAX_BACKFILL_HOURS);
  return hours;
}

/** Unix milliseconds as text, as tools insert them: the years 1973 to 5138. Seconds have fewer digits. */
const UNIX_MS = /^\d{12,14}$/;
/** RFC 3339, section 5.6: full date, full time and offset. Hours end at 23, while `Date.parse` also accepts 24:00:00. */
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ](?!24)\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** The DateTime scalar: RFC 3339 text in results, Unix milliseconds for resolver arguments. */
export const DateTime = new GraphQLScalarType<number, string>({
  name: 'DateTime',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: (value) => value as string,
  // Sources rewrite each date that the platform writes in another form.
  extensions: { [IS_PLAIN_TEXT]: true },
  parseValue: (value) => parseTime(value),
  parseLiteral(node) {
    if (node.kind === Kind.INT) return parseTime(Number(node.value), node);
    return parseTime(node.kind === Kind.STRING ? node.value : undefined, node);
  },
});

/** `node` is the location of the value in the document, for the error. */
function parseTime(value: unknown, node?: ASTNode): number {
  const ms = toUnixMs(value);
  if (Number.isNaN(ms)) {
    const isString = typeof value === 'string';
    const received = isString ? JSON.stringify(value) : 'The value';
    const expected = 'an RFC 3339 date-time such as "2020-11-19T18:29:42Z" or Unix milliseconds';
    const isSeconds = (isString || typeof value === 'number') && isUnixSeconds(Number(value));
    const hint = isSeconds ? ' Multiply Unix seconds by 1000.' : '';
    const extensions = { code: 'BAD_USER_INPUT' };
    const message = `${received} is not ${expected}.${hint}`;
    throw new GraphQLError(message, { ...(node && { nodes: node }), extensions });
  }
  return ms;
}

/**
 * Whether a number is a time from 2001 on in Unix seconds. As milliseconds it would be in the first months of 1970, for
 * which no platform has samples: a chart would be empty, and its user would not know why.
 */
function isUnixSeconds(value: number): boolean {
  return value >= 1e9 && value < 1e10;
}

/** The time of an argument in Unix milliseconds; NaN if it is not a time. */
export function toUnixMs(value: unknown): number {
  if (typeof value === 'number') {
    const isTime = Number.isInteger(value) && value >= MIN_TIME_MS && value <= MAX_TIME_MS;
    return isTime && !isUnixSeconds(value) ? value : Number.NaN;
  }
  if (typeof value !== 'string') return Number.NaN;
  if (UNIX_MS.test(value)) return Number(value);
  const isTime = RFC_3339.test(value) && isCalendarDay(value.slice(0, 10));
  return isTime ? Date.parse(value.replace(' ', 'T').toUpperCase()) : Number.NaN;
}

/**
 * Whether a string such as `2027-02-31` is a day of the calendar. `Date.parse` reads February 31st as March 3rd, so the
 * date is compared after a round trip.
 */
export function isCalendarDay(day: string): boolean {
  const midnightMs = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(midnightMs) && new Date(midnightMs).toISOString().startsWith(day);
}

/** The maximum number of intervals, before the arguments are checked; undefined if one is invalid. */
export function estimateIntervals(range: unknown, every: unknown): number | undefined {
  try {
    const { from, to } = toRecord(range);
    // A range that cuts intervals has up to two more.
    const intervals = countIntervals(toUnixMs(from), toUnixMs(to), readInterval(toRecord(every))) + 2;
    return intervals > 2 ? intervals : undefined;
  } catch {
    return undefined;
  }
}

/** The maximum number of calendar days that a range touches; 0 if the range is invalid. */
export function countDays(range: unknown): number {
  const { from, to } = toRecord(range);
  // NaN if the range is invalid.
  const days = Math.ceil((toUnixMs(to) - toUnixMs(from)) / DAY_MS) + 1;
  return days > 0 ? days : 0;
}
