/** Reads the arguments that speak of time; each names itself in its error. */
import { createBadInputError } from '../../errors.js';
import type { TimeSpan } from '../../sources/timeline/dayPages.js';
import type { CalendarInterval } from '../../timeseries/calendarIntervals.js';
import { createTimeZone, type TimeZone } from '../../timeseries/timeZone.js';

const MIN_POINTS = 3;
const MAX_POINTS = 10_000;
const DEFAULT_POINTS = 500;
const DAY_MINUTES = 1440;

const intervalUnits = ['minutes', 'hours', 'days', 'weeks', 'months'] as const;

/** As the input `AggregateInterval`. */
type IntervalArgument = { readonly [Unit in (typeof intervalUnits)[number]]?: number | null | undefined };

/** How each unit of an interval is counted. Minutes and hours begin anew each day, so a day is their most. */
const intervalUnitTable = {
  minutes: { unit: 'minutes', most: 1440, each: 1 },
  hours: { unit: 'minutes', most: 24, each: 60 },
  days: { unit: 'days', most: 10_000, each: 1 },
  weeks: { unit: 'weeks', most: 1000, each: 1 },
  months: { unit: 'months', most: 1000, each: 1 },
} as const;

/** As the input `TimeRange`: Unix milliseconds. */
export interface TimeRangeArgument {
  from: number;
  to: number;
}

export function readRange({ from, to }: TimeRangeArgument): TimeSpan {
  if (from >= to) throw createBadInputError('range', '`from` has to lie before `to`.');
  return { fromMs: from, toMs: to };
}

/** Exactly one of the units. */
export function readInterval(interval: IntervalArgument): CalendarInterval {
  const given = intervalUnits.filter((name) => interval[name] != null);
  const [name] = given;
  if (name === undefined || given.length > 1)
    throw createBadInputError('every', `give one of ${intervalUnits.join(', ')}.`);
  const count = interval[name] ?? 0;
  const { unit, most, each } = intervalUnitTable[name];
  if (count >= 1 && count <= most)
    return unit === 'minutes' && each * count === DAY_MINUTES
      ? { unit: 'days', count: 1 }
      : { unit, count: each * count };
  throw createBadInputError(`every.${name}`, `${count} is not between 1 and ${most}.`);
}

/** Throws BAD_USER_INPUT for what is no IANA time zone. */
export function readTimeZone(name: string | null | undefined): TimeZone {
  const zone = createTimeZone(name ?? 'UTC');
  if (zone) return zone;
  throw createBadInputError(
    'timeZone',
    `${JSON.stringify(name)} is no IANA time zone; write one such as "Europe/Zurich".`,
  );
}

export function readMaxPoints(maxPoints: number | null | undefined): number {
  const points = maxPoints ?? DEFAULT_POINTS;
  if (points >= MIN_POINTS && points <= MAX_POINTS) return points;
  throw createBadInputError('maxPoints', `${points} is not between ${MIN_POINTS} and ${MAX_POINTS}.`);
}

export function readBackfillHours(hours: number | null | undefined): number | undefined {
  if (hours == null) return undefined;
  if (hours < 1) throw createBadInputError('backfillHours', `${hours} is not at least 1.`);
  return hours;
}
