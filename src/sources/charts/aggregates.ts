/** Count, minimum, maximum, average and sum of each interval: minutes, or days, weeks and months of a calendar. */
import { createBadInputError } from '../../errors.js';
import { DAY_MS, MINUTE_MS } from '../../lib/clock.js';
import { ROWS_PER_SLICE, runInSlices, type SlicedComputation } from '../../lib/slicedComputation.js';
import {
  type CalendarInterval,
  countIntervals,
  intervalStarts,
  MAX_TIME_MS,
  MIN_TIME_MS,
} from '../../timeseries/calendarIntervals.js';
import type { Buckets } from '../../timeseries/downsample.js';
import { createDayWindows, type HoursOfDay, type WindowOf } from '../../timeseries/intervalDetails.js';
import type { TimeZone } from '../../timeseries/timeZone.js';
import { formatDateTime, MIN_DATE_MS } from '../core/wireValues.js';
import type { StreamReference } from '../entities/streams.js';
import type { TimeSpan } from '../timeline/dayPages.js';
import type { Timelines } from '../timeline/timelines.js';
import {
  type AggregateDetails,
  createDetailLoader,
  type DetailLoader,
  roundFinite,
} from './aggregateDetails.js';
import { largestFrame, readBuckets, readFromEither } from './readBuckets.js';

export interface Aggregate {
  startAt: string;
  endAt: string;
  count: number;
  min: number | null;
  max: number | null;
  avg: number | null;
  sum: number | null;
  /** Statistics that need the samples: only for a request with `needsSamples`. */
  details: () => Promise<AggregateDetails>;
}

interface AggregateRequest {
  span: TimeSpan;
  every: CalendarInterval;
  zone: TimeZone;
  includesEmpty: boolean;
  /** Leaves out numbers at other hours of the day. */
  hoursOfDay?: HoursOfDay | undefined;
  units: string;
  /** Whether to read only samples, so that the statistics that frames also have agree with those that need samples. */
  needsSamples?: boolean;
}

type TotalRequest = Pick<AggregateRequest, 'span' | 'units' | 'needsSamples'>;

export type Aggregates = ReturnType<typeof createAggregates>;

export function createAggregates(timelines: Timelines, nowMs: () => number) {
  async function read(
    stream: StreamReference,
    span: TimeSpan,
    frameMinutes: number | undefined,
    windowOf?: WindowOf,
  ): Promise<Buckets> {
    const buckets = await timelines.runPrefetched({ stream, span, frameMinutes }, () =>
      readFromEither(timelines, stream.id, span, frameMinutes, readBuckets),
    );
    return windowOf ? runInSlices(filterBuckets(buckets, windowOf)) : buckets;
  }

  /** Throws BAD_USER_INPUT if the range has more than MAX_INTERVALS intervals. */
  async function ofStream(stream: StreamReference, request: AggregateRequest): Promise<Aggregate[]> {
    const { span, every, zone, includesEmpty, hoursOfDay, units, needsSamples } = request;
    if (includesEmpty) checkIntervalCount(span, every);
    const windowOf = hoursOfDay && createDayWindows(hoursOfDay, zone);
    // Frames do not show at which time of the day their numbers were measured.
    const canBeFramed = windowOf === undefined && !needsSamples;
    const frame = canBeFramed ? await runInSlices(likelyFrame(request, nowMs())) : undefined;
    const buckets = await read(stream, span, frame, windowOf);
    const extent = includesEmpty ? span : extentOf(buckets);
    if (extent === undefined) return [];
    checkIntervalCount(extent, every);
    const starts = await runInSlices(intervalStarts(extent.fromMs, extent.toMs, every, zone));
    checkYears(starts);
    const inner = starts.filter((ms) => ms > span.fromMs && ms < span.toMs);
    const isFramed = frame === undefined || inner.every((ms) => ms % (frame * MINUTE_MS) === 0);
    // Rare: the zone changed its clock within a frame. The longest frame that divides all bounds is read instead.
    const exact = isFramed ? buckets : await read(stream, span, largestFrame(inner));
    const load = createDetailLoader({ samples: exact, starts, windowOf, units });
    const folded = await runInSlices(foldBuckets(exact, starts, load));
    return includesEmpty ? folded : folded.filter(({ count }) => count > 0);
  }

  /** One aggregate of the whole span; null without numbers. */
  async function total(stream: StreamReference, request: TotalRequest): Promise<Aggregate | null> {
    const { span, units, needsSamples } = request;
    const exact = await read(stream, span, needsSamples ? undefined : largestFrame([]));
    const starts = [span.fromMs, span.toMs];
    const load = createDetailLoader({ samples: exact, starts, windowOf: undefined, units });
    const [aggregate] = await runInSlices(foldBuckets(exact, starts, load));
    return aggregate && aggregate.count > 0 ? aggregate : null;
  }

  return { ofStream, total };
}

/** The buckets of samples that lie in a window. */
function* filterBuckets({ starts, counts, sums }: Buckets, windowOf: WindowOf): SlicedComputation<Buckets> {
  const selected: number[] = [];
  for (let index = 0; index < starts.length; index++) {
    if (index % ROWS_PER_SLICE === 0) yield;
    if (windowOf(starts[index] ?? 0) !== null) selected.push(index);
  }
  const select = (column: Float64Array) => Float64Array.from(selected, (index) => column[index] ?? 0);
  const [times, values] = [select(starts), select(sums)];
  return { starts: times, ends: times, counts: select(counts), lows: values, highs: values, sums: values };
}

/** Equals the maximum number of rows in one response of the platform. */
const MAX_INTERVALS = 10_000;

function checkIntervalCount({ fromMs, toMs }: TimeSpan, every: CalendarInterval): void {
  const count = countIntervals(fromMs, toMs, every);
  if (count <= MAX_INTERVALS) return;
  const problem = `has about ${count} intervals, more than ${MAX_INTERVALS}; use a shorter range or longer intervals.`;
  throw createBadInputError('range', problem);
}

/** A long interval can begin or end in a year that no date-time can represent. */
function checkYears(starts: readonly number[]): void {
  const [first = 0, end = 0] = [starts[0], starts.at(-1)];
  if (first >= MIN_TIME_MS && end <= MAX_TIME_MS) return;
  const problem = 'has intervals that begin before the year 0 or end after the year 9999.';
  throw createBadInputError('range', problem);
}

/** The longest frame that divides the interval and starts at the zone's midnights, from 2000 up to a day ahead of now. */
function* likelyFrame(
  { span, every, zone }: AggregateRequest,
  nowMs: number,
): SlicedComputation<number | undefined> {
  const fromMs = Math.max(span.fromMs, MIN_DATE_MS);
  const toMs = Math.max(fromMs + 1, Math.min(span.toMs, nowMs + DAY_MS));
  const isWithinDays = every.unit === 'minutes';
  const interval = isWithinDays ? ({ unit: 'days', count: 1 } as const) : every;
  const bounds = yield* intervalStarts(fromMs, toMs, interval, zone);
  return largestFrame(isWithinDays ? [...bounds, every.count * MINUTE_MS] : bounds);
}

function extentOf({ starts }: Buckets): TimeSpan | undefined {
  const [first, last] = [starts[0], starts.at(-1)];
  return first === undefined || last === undefined ? undefined : { fromMs: first, toMs: last + 1 };
}

/** The dates and rounding of an interval take as long as ten rows. */
const INTERVALS_PER_SLICE = ROWS_PER_SLICE / 10;

/** One aggregate from each start to the next. No bucket may lie across a start. */
function* foldBuckets(
  buckets: Buckets,
  starts: readonly number[],
  load: DetailLoader,
): SlicedComputation<Aggregate[]> {
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
    const details = () => load(interval);
    aggregates.push({ details, ...toAggregate(starts[interval] ?? 0, endMs, total) });
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
function toAggregate(startMs: number, endMs: number, { count, min, max, sum }: Total) {
  const numbers =
    count === 0
      ? { min: null, max: null, avg: null, sum: null }
      : { min, max, avg: roundFinite(sum / count), sum: roundFinite(sum) };
  return { startAt: formatDateTime(startMs), endAt: formatDateTime(endMs), count, ...numbers };
}
