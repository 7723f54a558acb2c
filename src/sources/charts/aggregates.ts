/** Count, minimum, maximum, average and sum of each interval: minutes, or days, weeks and months of a calendar. */
import { createBadInputError } from '../../errors.js';
import { ROWS_PER_SLICE, runInSlices, type SlicedComputation } from '../../lib/slicedComputation.js';
import { type CalendarInterval, countIntervals, intervalStarts } from '../../timeseries/calendarIntervals.js';
import type { Buckets } from '../../timeseries/downsample.js';
import type { TimeZone } from '../../timeseries/timeZone.js';
import { formatDateTime } from '../core/wireValues.js';
import type { TimeSpan } from '../timeline/dayPages.js';
import type { Timelines } from '../timeline/timelines.js';
import { chooseFrame, largestFrame, MINUTE_MS, readBuckets } from './readBuckets.js';

export interface Aggregate {
  startAt: string;
  endAt: string;
  count: number;
  min: number | null;
  max: number | null;
  avg: number | null;
  sum: number | null;
}

interface AggregateRequest {
  span: TimeSpan;
  every: CalendarInterval;
  zone: TimeZone;
  /** Whether to return intervals without numbers. */
  includesEmpty: boolean;
}

export type Aggregates = ReturnType<typeof createAggregates>;

export function createAggregates(timelines: Timelines, nowMs: () => number) {
  function read(streamId: number, span: TimeSpan, minutes: number | undefined): Promise<Buckets> {
    const frame = chooseFrame(timelines, streamId, span, minutes);
    return timelines.runLimited(() => readBuckets(timelines, streamId, span, frame));
  }

  /** Throws BAD_USER_INPUT where the range has more than MAX_INTERVALS intervals. */
  async function ofStream(streamId: number, request: AggregateRequest): Promise<Aggregate[]> {
    const { span, every, zone, includesEmpty } = request;
    if (includesEmpty) checkIntervalCount(span, every);
    const frame = likelyFrame(request, nowMs());
    const buckets = await read(streamId, span, frame);
    const extent = includesEmpty ? span : extentOf(buckets);
    if (extent === undefined) return [];
    checkIntervalCount(extent, every);
    const starts = intervalStarts(extent.fromMs, extent.toMs, every, zone);
    const inner = starts.filter((ms) => ms > span.fromMs && ms < span.toMs);
    const isFramed = frame === undefined || inner.every((ms) => ms % (frame * MINUTE_MS) === 0);
    // Rare: the zone changed its clock at an odd minute. Then the bounds of the intervals determine the frame.
    const exact = isFramed ? buckets : await read(streamId, span, largestFrame(inner));
    const folded = await runInSlices(foldBuckets(exact, starts));
    return includesEmpty ? folded : folded.filter(({ count }) => count > 0);
  }

  return { ofStream };
}

const DAY_MS = 86_400_000;
/** Equals the maximum number of rows in one response of the platform. */
const MAX_INTERVALS = 10_000;

function checkIntervalCount({ fromMs, toMs }: TimeSpan, every: CalendarInterval): void {
  const count = countIntervals(fromMs, toMs, every);
  if (count <= MAX_INTERVALS) return;
  throw createBadInputError(
    'range',
    `has about ${count} intervals, more than ${MAX_INTERVALS}; use a shorter range or longer intervals.`,
  );
}

/** The longest frame that divides the interval and starts at the zone's midnights, up to a day ahead of now. */
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

/** The dates and rounding of an interval take as long as ten rows. */
const INTERVALS_PER_SLICE = ROWS_PER_SLICE / 10;

/** One aggregate from each start to the next. No bucket may lie across a start. */
function* foldBuckets(buckets: Buckets, starts: readonly number[]): SlicedComputation<Aggregate[]> {
  const aggregates: Aggregate[] = [];
  let index = 0;
  for (let interval = 0; interval + 1 < starts.length; interval++) {
    if (interval % INTERVALS_PER_SLICE === 0) yield;
    const endMs = starts[interval + 1] ?? 0;
    const total: Total = { count: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, sum: 0 };
    for (; index < buckets.starts.length && (buckets.starts[index] ?? 0) < endMs; index++) {
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

/** The average weighted by count is the total sum divided by the total count. */
function toAggregate(startMs: number, endMs: number, { count, min, max, sum }: Total): Aggregate {
  const numbers =
    count === 0
      ? { min: null, max: null, avg: null, sum: null }
      : { min, max, avg: roundToSignificantDigits(sum / count), sum: roundToSignificantDigits(sum) };
  return { startAt: formatDateTime(startMs), endAt: formatDateTime(endMs), count, ...numbers };
}

/** Removes the rounding error of sums in binary: 4.199999999999999 becomes 4.2. No device measures that precisely. */
function roundToSignificantDigits(number: number): number {
  return Number(number.toPrecision(SIGNIFICANT_DIGITS));
}

const SIGNIFICANT_DIGITS = 12;
