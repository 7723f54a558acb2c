/** What the numbers of each interval come to: of minutes, or of a calendar's days, weeks and months. */
import { createBadInputError } from '../../errors.js';
import { ROWS_PER_SLICE, runInSlices, type SlicedComputation } from '../../lib/slicedComputation.js';
import { type CalendarInterval, countIntervals, intervalStarts } from '../../timeseries/calendarIntervals.js';
import type { Buckets } from '../../timeseries/downsample.js';
import type { TimeZone } from '../../timeseries/timeZone.js';
import { formatDateTime } from '../core/wireValues.js';
import type { TimeSpan } from '../timeline/dayPages.js';
import type { Timelines } from '../timeline/timelines.js';
import { chooseFrame, largestFrame, readBuckets } from './readBuckets.js';

export interface Aggregate {
  startAt: string;
  endAt: string;
  count: number;
  min: number | null;
  max: number | null;
  avg: number | null;
  sum: number | null;
}

export interface AggregateRequest {
  span: TimeSpan;
  every: CalendarInterval;
  zone: TimeZone;
  /** Whether intervals without a number are answered. */
  includesEmpty: boolean;
}

export type Aggregates = ReturnType<typeof createAggregates>;

export function createAggregates(timelines: Timelines, nowMs: () => number) {
  function read(streamId: number, span: TimeSpan, minutes: number | undefined): Promise<Buckets> {
    const frame = chooseFrame(timelines, streamId, span, minutes);
    return timelines.runLimited(() => readBuckets(timelines, streamId, span, frame));
  }

  /** Throws BAD_USER_INPUT where there are more intervals than an answer can hold. */
  async function ofStream(streamId: number, request: AggregateRequest): Promise<Aggregate[]> {
    const { span, every, zone, includesEmpty } = request;
    if (includesEmpty) checkIntervalCount(span, every);
    const frame = likelyFrame(request, nowMs());
    const buckets = await read(streamId, span, frame);
    const shown = includesEmpty ? span : extentOf(buckets);
    if (shown === undefined) return [];
    checkIntervalCount(shown, every);
    const starts = intervalStarts(shown.fromMs, shown.toMs, every, zone);
    const inner = starts.filter((ms) => ms > span.fromMs && ms < span.toMs);
    const isFramed = frame === undefined || inner.every((ms) => ms % (frame * MINUTE_MS) === 0);
    // A clock that was changed at an odd minute: hardly ever, and then the interval's own bounds tell which frame fits.
    const exact = isFramed ? buckets : await read(streamId, span, largestFrame(inner));
    const folded = await runInSlices(foldBuckets(exact, starts));
    return includesEmpty ? folded : folded.filter(({ count }) => count > 0);
  }

  return { ofStream };
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** As many as the platform answers at once. */
const MAX_INTERVALS = 10_000;

function checkIntervalCount({ fromMs, toMs }: TimeSpan, every: CalendarInterval): void {
  const count = countIntervals(fromMs, toMs, every);
  if (count <= MAX_INTERVALS) return;
  throw createBadInputError(
    'range',
    `has about ${count} intervals, more than ${MAX_INTERVALS}; take a shorter range or longer intervals.`,
  );
}

/** The frame that divides the interval and fits the zone's midnights, as far as there can be samples. */
function likelyFrame({ span, every, zone }: AggregateRequest, nowMs: number): number | undefined {
  const toMs = Math.max(span.fromMs + 1, Math.min(span.toMs, nowMs + DAY_MS));
  const isWithinDays = every.unit === 'minutes';
  const bounds = intervalStarts(span.fromMs, toMs, isWithinDays ? { unit: 'days', count: 1 } : every, zone);
  return largestFrame(isWithinDays ? [...bounds, every.count * MINUTE_MS] : bounds);
}

function extentOf({ starts }: Buckets): TimeSpan | undefined {
  const [first, last] = [starts[0], starts.at(-1)];
  return first === undefined || last === undefined ? undefined : { fromMs: first, toMs: last + 1 };
}

/** An interval's dates and rounding take as long as ten rows. */
const INTERVALS_PER_SLICE = ROWS_PER_SLICE / 10;

/** One aggregate from each start to the next. No entry may lie across a start. */
function* foldBuckets(buckets: Buckets, starts: readonly number[]): SlicedComputation<Aggregate[]> {
  const { starts: at } = buckets;
  const aggregates: Aggregate[] = [];
  let index = 0;
  for (let interval = 0; interval + 1 < starts.length; interval++) {
    if (interval % INTERVALS_PER_SLICE === 0) yield;
    const endMs = starts[interval + 1] ?? 0;
    const total: Total = { count: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, sum: 0 };
    for (; index < at.length && (at[index] ?? 0) < endMs; index++) {
      if (index % ROWS_PER_SLICE === 0) yield;
      addBucket(total, buckets, index);
    }
    aggregates.push(toAggregate(starts[interval] ?? 0, endMs, total));
  }
  return aggregates;
}

interface Total {
  count: number;
  min: number;
  max: number;
  sum: number;
}

function addBucket(total: Total, { counts, lows, highs, sums }: Buckets, index: number): void {
  total.count += counts[index] ?? 0;
  total.min = Math.min(total.min, lows[index] ?? 0);
  total.max = Math.max(total.max, highs[index] ?? 0);
  total.sum += sums[index] ?? 0;
}

/** The average weighted by count is the sum of all sums over the count of all samples. */
function toAggregate(startMs: number, endMs: number, { count, min, max, sum }: Total): Aggregate {
  const numbers =
    count === 0
      ? { min: null, max: null, avg: null, sum: null }
      : { min, max, avg: roundToSignificantDigits(sum / count), sum: roundToSignificantDigits(sum) };
  return { startAt: formatDateTime(startMs), endAt: formatDateTime(endMs), count, ...numbers };
}

/** Adding up leaves a dust of binary fractions, 4.199999999999999 for 4.2: no device measures so finely. */
function roundToSignificantDigits(number: number): number {
  return Number(number.toPrecision(SIGNIFICANT_DIGITS));
}

const SIGNIFICANT_DIGITS = 12;
