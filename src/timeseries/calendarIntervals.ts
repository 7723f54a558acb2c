/** Splits a span of time into calendar intervals of a time zone. Pure. */
import { DAY_MS, MINUTE_MS } from '../lib/clock.js';
import type { SlicedComputation } from '../lib/slicedComputation.js';
import type { TimeZone } from './timeZone.js';

export interface CalendarInterval {
  /** `minutes` are at most a day, and restart at each midnight. */
  unit: 'minutes' | 'days' | 'weeks' | 'months';
  /** At least 1. */
  count: number;
}

const HOUR_MINUTES = 60;
const DAY_MINUTES = 1440;
/** 1970-01-05, the first Monday. */
const FIRST_MONDAY = 4;

/** The start of the year 0, which RFC 3339 can represent, in Unix milliseconds. */
export const MIN_TIME_MS = -62_167_219_200_000;
/** The end of the year 9999, the last that RFC 3339 can represent, in Unix milliseconds. */
export const MAX_TIME_MS = 253_402_300_799_999;

/** An estimate of the intervals in a span, for rejecting too many. A span that cuts intervals can have two more. */
export function countIntervals(fromMs: number, toMs: number, { unit, count }: CalendarInterval): number {
  // Intervals of minutes restart at midnight, so each day has a whole number of them.
  const perDay = {
    minutes: Math.ceil(DAY_MINUTES / count),
    days: 1 / count,
    weeks: 1 / (7 * count),
    months: 1 / (28 * count),
  };
  return Math.ceil(((toMs - fromMs) / DAY_MS) * perDay[unit]);
}

/** The first offset of each day takes about 10 microseconds. */
const DAYS_PER_SLICE = 500;

/** The starts of the intervals, from the interval of `fromMs` to the end of the interval of `toMs`. */
export function* intervalStarts(
  fromMs: number,
  toMs: number,
  interval: CalendarInterval,
  zone: TimeZone,
): SlicedComputation<number[]> {
  const starts = interval.unit === 'minutes' ? minuteStarts : dateStarts;
  const all = yield* starts(fromMs, toMs, interval, zone);
  const first = all.findLastIndex((start) => start <= fromMs);
  const last = all.findIndex((start) => start >= toMs);
  return all.slice(Math.max(first, 0), last === -1 ? undefined : last + 1);
}

/** Days are counted from 1970-01-01, weeks from 1970-01-05 (Monday), months from January 1970. */
function* dateStarts(
  fromMs: number,
  toMs: number,
  { unit, count }: CalendarInterval,
  zone: TimeZone,
): SlicedComputation<number[]> {
  const [origin, size] = unit === 'weeks' ? [FIRST_MONDAY, 7 * count] : [0, count];
  const numberOf = unit === 'months' ? monthOf : dayOf;
  // A month beyond 12 or below 0 is a month of another year.
  const wallOf = (number: number) => (unit === 'months' ? Date.UTC(1970, number) : number * DAY_MS);
  const first = Math.floor((numberOf(zone.toWall(fromMs)) - origin) / size) - 1;
  const starts: number[] = [];
  for (let index = first; starts.length === 0 || (starts.at(-1) ?? 0) < toMs; index++) {
    append(starts, zone.toInstant(wallOf(origin + index * size)));
    if (zone.isSlow && starts.length % DAYS_PER_SLICE === 0) yield;
  }
  return starts;
}

/** Intervals from midnight on: by elapsed time, or by wall time on days with a clock change. */
function* minuteStarts(
  fromMs: number,
  toMs: number,
  { count }: CalendarInterval,
  zone: TimeZone,
): SlicedComputation<number[]> {
  const starts: number[] = [];
  let day = dayOf(zone.toWall(fromMs)) - 1;
  let midnight = zone.toInstant(day * DAY_MS);
  while (midnight < toMs) {
    const next = zone.toInstant((day + 1) * DAY_MS);
    const isRegular = next - midnight === DAY_MS && zone.changeWithin(midnight, next - 1) === undefined;
    const dayStarts = isRegular
      ? regularStarts(midnight, next, count)
      : wallStarts(day, midnight, next, count, zone);
    for (const start of dayStarts) append(starts, start);
    midnight = next;
    day += 1;
    if (zone.isSlow && day % DAYS_PER_SLICE === 0) yield;
  }
  append(starts, midnight);
  return starts;
}

function regularStarts(fromMs: number, toMs: number, minutes: number): number[] {
  const step = minutes * MINUTE_MS;
  const length = Math.max(0, Math.ceil((toMs - fromMs) / step));
  return Array.from({ length }, (_, index) => fromMs + index * step);
}

/**
 * On the day of a clock change, intervals longer than an hour follow wall time, so that the interval with the change is
 * shorter or longer. Intervals of an hour or less end at the change, and the repeated hour has separate intervals.
 */
function wallStarts(day: number, midnight: number, next: number, minutes: number, zone: TimeZone): number[] {
  const dayWall = day * DAY_MS;
  if (minutes > HOUR_MINUTES) {
    const walls = regularStarts(dayWall, dayWall + DAY_MS, minutes);
    return walls.map((wall) => zone.toInstant(wall)).filter((start) => start < next);
  }
  const change = zone.changeWithin(midnight, next - 1) ?? next;
  const startsWithin = (fromMs: number, toMs: number) => {
    const [wall, step] = [zone.toWall(fromMs), minutes * MINUTE_MS];
    // A change soon after midnight can lead back to the day before.
    const behind = wall - dayOf(wall) * DAY_MS;
    return [fromMs, ...regularStarts(fromMs + step - (behind % step), toMs, minutes)];
  };
  return [...startsWithin(midnight, change), ...(change < next ? startsWithin(change, next) : [])];
}

/** Skips a second start at the same instant: the clock has jumped over the first interval. */
function append(starts: number[], start: number): void {
  if (start > (starts.at(-1) ?? Number.NEGATIVE_INFINITY)) starts.push(start);
}

function dayOf(wallMs: number): number {
  return Math.floor(wallMs / DAY_MS);
}

function monthOf(wallMs: number): number {
  const date = new Date(wallMs);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}
