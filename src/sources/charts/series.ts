/** The numbers of a stream as columns for a chart, reduced to the points that it can show. */
import { createBadInputError } from '../../errors.js';
import { MINUTE_MS, SECOND_MS } from '../../lib/clock.js';
import { nextTurn, runInSlices } from '../../lib/slicedComputation.js';
import {
  type Buckets,
  bucketWidthFor,
  downsampleLttb,
  downsampleMean,
  downsampleMinMax,
  type Point,
  toPoints,
} from '../../timeseries/downsample.js';
import { coverageOf } from '../../timeseries/sampleSpacing.js';
import { settleEach } from '../core/batches.js';
import type { StreamReference } from '../entities/streams.js';
import type { TimeSpan } from '../timeline/dayPages.js';
import type { Timelines } from '../timeline/timelines.js';
import { largestFrame, readSeriesInput, type SeriesInput } from './readBuckets.js';

export type SeriesMethod = 'LTTB' | 'MIN_MAX' | 'MEAN';
export interface Series {
  times: number[];
  /** Null for a gap between two points; `min` and `max` too. */
  values: (number | null)[];
  min: (number | null)[];
  max: (number | null)[];
  /** The number of samples behind the series, without samples whose text is not a number. */
  sourceCount: number;
  coverage: number;
  reduced: boolean;
  method: SeriesMethod;
  source: 'SAMPLES' | 'AGGREGATES';
}

interface SeriesRequest {
  stream: StreamReference;
  span: TimeSpan;
  /** At least 3. */
  maxPoints: number;
  method: SeriesMethod;
}

export type SeriesLoader = ReturnType<typeof createSeries>;

export function createSeries(timelines: Timelines, nowMs: () => number) {
  return {
    ofStream: (request: SeriesRequest) => loadSeries(timelines, request, nowMs()),
    ofStreams: (request: SharedSeriesRequest) => loadSharedSeries(timelines, request, nowMs()),
  };
}

async function loadSeries(timelines: Timelines, request: SeriesRequest, nowMs: number): Promise<Series> {
  const { stream, span } = request;
  const readReduced = async (frameMinutes: number | undefined) => {
    const input = await timelines.runPrefetched({ stream, span, frameMinutes }, () =>
      readSeriesInput(timelines, stream.id, span, frameMinutes),
    );
    return reduce(input, request);
  };
  // Frames can be too coarse for the data. Samples can always be reduced.
  const series = (await readReduced(chooseFrameFor(request, nowMs))) ?? (await readReduced(undefined));
  if (series === undefined) throw new Error('Samples can always be reduced.');
  return series;
}

const MAX_STREAMS = 50;

/** Throws BAD_USER_INPUT for more streams, or sites, than a chart of several streams may have. */
export function checkStreamCount(argument: string, count: number, counted = 'streams'): void {
  if (count <= MAX_STREAMS) return;
  throw createBadInputError(argument, `${count} ${counted} exceed the limit of ${MAX_STREAMS}.`);
}

/** LTTB selects real samples, which frames do not have. */
function chooseFrameFor({ method, span, maxPoints }: SeriesRequest, nowMs: number): number | undefined {
  if (method === 'LTTB') return undefined;
  return longestFrame(span, Math.floor(maxPoints / pointsPerBucket(method)), nowMs);
}

/** The longest frame that fits the width of a bucket if the whole span until now has data. */
function longestFrame({ fromMs, toMs }: TimeSpan, maxBuckets: number, nowMs: number): number | undefined {
  const extent = { firstMs: fromMs, lastMs: Math.max(fromMs, Math.min(toMs, nowMs)) };
  return largestFrame([bucketWidthFor(extent, maxBuckets)]);
}

/** Undefined if frames are not exact: too few samples to reduce, or buckets that the frame does not divide. */
async function reduce(
  input: SeriesInput,
  { span, maxPoints, method }: SeriesRequest,
): Promise<Series | undefined> {
  const { buckets, gaps, frameMinutes, sampleCount } = input;
  const reduced = sampleCount + gaps.length > maxPoints;
  if (frameMinutes !== undefined && !reduced && sampleCount > 0) return undefined;
  const points = reduced
    ? await reducePoints(input, method, pointsWithoutGaps(gaps, maxPoints))
    : toPoints(buckets);
  await nextTurn();
  return (
    points && {
      ...withGaps(points, gaps, buckets, span),
      ...{ sourceCount: sampleCount, coverage: coverageOf(buckets, input, span), reduced, method },
      source: frameMinutes === undefined ? 'SAMPLES' : 'AGGREGATES',
    }
  );
}

/** A gap takes a point for its null. At most one gap is shown between two points. */
function pointsWithoutGaps(gaps: readonly number[], maxPoints: number): number {
  return maxPoints - Math.min(gaps.length, Math.floor(maxPoints / 2));
}

async function reducePoints({ buckets, frameMinutes }: SeriesInput, method: SeriesMethod, maxPoints: number) {
  await nextTurn();
  if (method === 'LTTB') return runInSlices(downsampleLttb(buckets, maxPoints));
  const { starts } = buckets;
  const extent = { firstMs: starts[0] ?? 0, lastMs: starts.at(-1) ?? 0 };
  const widthMs = bucketWidthFor(extent, Math.floor(maxPoints / pointsPerBucket(method)));
  if (frameMinutes !== undefined && widthMs % (frameMinutes * MINUTE_MS) !== 0) return undefined;
  return runInSlices(
    method === 'MEAN' ? downsampleMean(buckets, widthMs) : downsampleMinMax(buckets, widthMs),
  );
}

function pointsPerBucket(method: SeriesMethod): number {
  return method === 'MIN_MAX' ? 2 : 1;
}

/** Adds a null in the middle of each gap between two points. */
function withGaps(
  points: readonly Point[],
  gaps: readonly number[],
  { starts, ends }: Buckets,
  span: TimeSpan,
) {
  const columns: Pick<Series, 'times' | 'values' | 'min' | 'max'> = {
    times: [],
    values: [],
    min: [],
    max: [],
  };
  const add = (time: number, value: number | null, min: number | null, max: number | null) => {
    columns.times.push(Math.round(Math.min(span.toMs - 1, Math.max(span.fromMs, time))));
    columns.values.push(value);
    columns.min.push(min);
    columns.max.push(max);
  };
  let gap = 0;
  for (const [index, { time, value, min, max, first, last }] of points.entries()) {
    const from = gap;
    gap = gapAfter(gaps, gap, first);
    if (gap > from && index > 0) {
      const widest = gaps[gap - 1] ?? 0;
      const middle = ((ends[widest - 1] ?? 0) + (starts[widest] ?? 0)) / 2;
      add(between(columns.times.at(-1) ?? middle, middle, time), null, null, null);
    }
    // A gap within the range of one point cannot be shown.
    gap = gapAfter(gaps, gap, last);
    add(time, value, min, max);
  }
  return columns;
}

/** The index of the first gap after the bucket `last`, searched from `gap`. */
function gapAfter(gaps: readonly number[], gap: number, last: number): number {
  let next = gap;
  while (next < gaps.length && (gaps[next] ?? 0) <= last) next += 1;
  return next;
}

/**
 * The middle of the gap; or the middle of the two points if the gap's middle is not between them, because means
 * lie in the middle of a bucket.
 */
function between(low: number, middle: number, high: number): number {
  return middle > low && middle < high ? middle : (low + high) / 2;
}

interface SharedSeriesRequest {
  streams: readonly StreamReference[];
  span: TimeSpan;
  maxPoints: number;
}

export type SeriesLine = ReturnType<typeof toLine>;

export interface SharedSeries {
  times: number[];
  intervalSeconds: number;
  /** In the order of the requested streams; an error for a stream that cannot be read. */
  lines: (SeriesLine | Error)[];
}

interface LineInput extends SeriesInput {
  stream: StreamReference;
}

/**
 * A stream with a long sampling interval lengthens the intervals of all streams, but a chart has at least this
 * many intervals.
 */
const MIN_INTERVALS = 24;

/** Several streams on one time column, for a chart of several lines. */
async function loadSharedSeries(
  timelines: Timelines,
  { streams, span, maxPoints }: SharedSeriesRequest,
  nowMs: number,
): Promise<SharedSeries> {
  const read = (stream: StreamReference, frameMinutes: number | undefined) =>
    timelines.runPrefetched({ stream, span, frameMinutes }, async (): Promise<LineInput> => {
      return { stream, ...(await readSeriesInput(timelines, stream.id, span, frameMinutes)) };
    });
  const minutes = longestFrame(span, maxPoints, nowMs);
  const found = await settleEach(streams, (stream) => read(stream, minutes));
  // The width if every line were read as samples.
  const sampleWidthMs = sharedWidth(found.filter(hasNumbers), maxPoints, SECOND_MS);
  const inputs = await settleEach(found, async (line) => {
    if (line instanceof Error) throw line;
    // If all numbers lie in a small part of the span, the intervals can be shorter than the frames.
    const isTooCoarse = hasNumbers(line) && sampleWidthMs % frameMsOf(line) !== 0;
    if (!isTooCoarse) return line;
    // If this read fails, the chart has longer intervals.
    return read(line.stream, largestFrame([sampleWidthMs])).catch(() => line);
  });
  const widthMs = sharedWidth(inputs.filter(hasNumbers), maxPoints);
  const reduced = await settleEach(inputs, (line) => reduceLine(line, widthMs));
  const times = [
    ...new Set(reduced.flatMap((one) => (one instanceof Error ? [] : one.points.map(({ time }) => time)))),
  ];
  times.sort((one, other) => one - other);
  return {
    times: times.map((time) => Math.round(Math.min(span.toMs - 1, Math.max(span.fromMs, time)))),
    intervalSeconds: widthMs / 1000,
    lines: reduced.map((one) => (one instanceof Error ? one : toLine(one, times, span))),
  };
}

function hasNumbers(input: LineInput | Error): input is LineInput {
  return !(input instanceof Error) && input.sampleCount > 0;
}

/** Intervals of samples can have any whole number of seconds. */
function frameMsOf({ frameMinutes }: LineInput): number {
  return frameMinutes === undefined ? SECOND_MS : frameMinutes * MINUTE_MS;
}

/** Long enough for every stream to have a number in each interval; a multiple of `unitMs`, by default the longest frame. */
function sharedWidth(
  lines: readonly LineInput[],
  maxPoints: number,
  unitMs = Math.max(...lines.map(frameMsOf)),
): number {
  if (lines.length === 0) return MINUTE_MS;
  const firstMs = Math.min(...lines.map(({ buckets }) => buckets.starts[0] ?? 0));
  const lastMs = Math.max(...lines.map(({ buckets }) => buckets.starts.at(-1) ?? 0));
  const slowestMs = Math.max(...lines.map(({ spacing }) => spacing.medianMs));
  const minWidthMs = Math.min(slowestMs, (lastMs - firstMs) / MIN_INTERVALS);
  return bucketWidthFor({ firstMs, lastMs }, maxPoints, { minWidthMs, unitMs });
}

async function reduceLine(line: LineInput | Error, widthMs: number) {
  if (line instanceof Error) throw line;
  return { line, points: await runInSlices(downsampleMean(line.buckets, widthMs)) };
}

/** The columns of one stream, with one item for each item of the time column: null if it has no number at that time. */
function toLine(
  { line, points }: { line: LineInput; points: readonly Point[] },
  times: readonly number[],
  span: TimeSpan,
) {
  const byTime = new Map(points.map((point) => [point.time, point]));
  const column = (name: 'value' | 'min' | 'max') => times.map((time) => byTime.get(time)?.[name] ?? null);
  return {
    streamId: line.stream.id,
    ...{ values: column('value'), min: column('min'), max: column('max') },
    sourceCount: line.sampleCount,
    coverage: coverageOf(line.buckets, line, span),
  };
}
