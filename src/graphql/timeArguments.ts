/** Reads the arguments that speak of time; each names itself in its error. */
import { badInput } from '../errors.js';
import { PLATFORM_FRAMES, type TimeSpan } from '../sources/aggregates.js';
import type { AggregateInterval, TimeRange } from './generated/resolverTypes.js';

const LEAST_POINTS = 3;
const MOST_POINTS = 10_000;
const DEFAULT_POINTS = 500;

export function readRange({ from, to }: TimeRange): TimeSpan {
  if (from >= to) throw badInput('range', '`from` has to lie before `to`.');
  return { fromMs: from, toMs: to };
}

export function readFrameMinutes({ minutes }: AggregateInterval): number {
  if (PLATFORM_FRAMES.includes(minutes)) return minutes;
  throw badInput('every.minutes', `${minutes} is none of ${PLATFORM_FRAMES.join(', ')}.`);
}

export function readMaxPoints(maxPoints: number | null | undefined): number {
  const points = maxPoints ?? DEFAULT_POINTS;
  if (points >= LEAST_POINTS && points <= MOST_POINTS) return points;
  throw badInput('maxPoints', `${points} is not between ${LEAST_POINTS} and ${MOST_POINTS}.`);
}

export function readBackfillHours(hours: number | null | undefined): number | undefined {
  if (hours == null) return undefined;
  if (hours < 1) throw badInput('backfillHours', `${hours} is not at least 1.`);
  return hours;
}
