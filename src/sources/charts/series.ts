/** The numbers of a stream as columns for a chart, reduced to as many points as it can show. */

import { nextTurn, runInSlices } from '../../lib/slicedComputation.js';
import { bucketWidthFor } from '../../timeseries/bucketWidth.js';
import {
  type Buckets,
  downsampleLttb,
  downsampleMean,
  downsampleMinMax,
  type Points,
  toPoints,
} from '../../timeseries/downsample.js';
import { coverageOf } from '../../timeseries/sampleSpacing.js';
import type { TimeSpan } from '../timeline/dayPages.js';
import type { Timelines } from '../timeline/timelines.js';
import { chooseFrame, largestFrame } from './readBuckets.js';
import { readSeriesInput, type SeriesInput } from './seriesInput.js';
import { loadSharedSeries, type SharedSeriesRequest } from './sharedSeries.js';

export type SeriesMethod = 'LTTB' | 'MIN_MAX' | 'MEAN';
export type SeriesSource = 'SAMPLES' | 'AGGREGATES';

export interface Series {
  times: number[];
  /** Null, as min and max, between two points that a gap lies between. */
  values: (number | null)[];
  min: (number | null)[];
  max: (number | null)[];
  /** How many samples the series stands for; texts that are no number do not count. */
  sourceCount: number;
  coverage: number;
  reduced: boolean;
  method: SeriesMethod;
  source: SeriesSource;
}

export interface SeriesRequest {
  streamId: number;
  span: TimeSpan;
  /** At least 3. */
  maxPoints: number;
  method: SeriesMethod;
}

const MINUTE_MS = 60_000;

export type SeriesLoader = ReturnType<typeof createSeries>;

export function createSeries(timelines: Timelines, nowMs: () => number) {
  return {
    ofStream: (request: SeriesRequest) => loadSeries(timelines, request, nowMs()),
    ofStreams: (request: SharedSeriesRequest) => loadSharedSeries(timelines, request, nowMs()),
  };
}

async function loadSeries(timelines: Timelines, request: SeriesRequest, nowMs: number): Promise<Series> {
  const { streamId, span } = request;
  const frame = chooseFrame(timelines, streamId, span, chooseFrameFor(request, nowMs));
  const input = await timelines.runLimited(() => readSeriesInput(timelines, streamId, span, frame));
  return (await reduce(input, request)) ?? reduceSamples(timelines, request);
}

/** Frames turned out too coarse for what there is: samples can always serve. */
async function reduceSamples(timelines: Timelines, request: SeriesRequest): Promise<Series> {
  const { streamId, span } = request;
  const samples = await timelines.runLimited(() => readSeriesInput(timelines, streamId, span, undefined));
  const series = await reduce(samples, request);
  if (series === undefined) throw new Error('Samples can always be reduced.');
  return series;
}

/**
 * The frame that could serve, judged by how long a point would stand for if there were data all along. LTTB keeps
 * real samples: no frame has those.
 */
function chooseFrameFor({ method, span, maxPoints }: SeriesRequest, nowMs: number): number | undefined {
  if (method === 'LTTB') return undefined;
  const extent = { firstMs: span.fromMs, lastMs: Math.max(span.fromMs, Math.min(span.toMs, nowMs)) };
  return largestFrame([bucketWidthFor(extent, Math.floor(maxPoints / pointsPerBucket(method)))]);
}

/** Undefined where frames can't answer exactly: too few samples to reduce, or buckets that they do not divide. */
async function reduce(
  input: SeriesInput,
  { span, maxPoints, method }: SeriesRequest,
): Promise<Series | undefined> {
  const { buckets, gaps, frameMinutes, sampleCount } = input;
  const reduced = sampleCount + gaps.length > maxPoints;
  if (frameMinutes !== undefined && !reduced) return undefined;
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

/** Each gap may take a point for its null; no more than one lies between any two points. */
function pointsWithoutGaps(gaps: readonly number[], maxPoints: number): number {
  return maxPoints - Math.min(gaps.length, Math.floor(maxPoints / 2));
}

async function reducePoints({ buckets, frameMinutes }: SeriesInput, method: SeriesMethod, most: number) {
  await nextTurn();
  if (method === 'LTTB') return runInSlices(downsampleLttb(buckets, most));
  const { starts } = buckets;
  const extent = { firstMs: starts[0] ?? 0, lastMs: starts.at(-1) ?? 0 };
  const widthMs = bucketWidthFor(extent, Math.floor(most / pointsPerBucket(method)));
  if (frameMinutes !== undefined && widthMs % (frameMinutes * MINUTE_MS) !== 0) return undefined;
  return runInSlices(
    method === 'MEAN' ? downsampleMean(buckets, widthMs) : downsampleMinMax(buckets, widthMs),
  );
}

function pointsPerBucket(method: SeriesMethod): number {
  return method === 'MIN_MAX' ? 2 : 1;
}

/** Points with a null between those that a gap lies between, in the middle of the gap. */
function withGaps(points: Points, gaps: readonly number[], { starts, ends }: Buckets, span: TimeSpan) {
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
  for (const [index, time] of points.times.entries()) {
    const first = points.first[index] ?? 0;
    const from = gap;
    gap = gapAfter(gaps, gap, first);
    if (gap > from && index > 0) {
      const widest = gaps[gap - 1] ?? 0;
      const middle = ((ends[widest - 1] ?? 0) + (starts[widest] ?? 0)) / 2;
      add(between(columns.times.at(-1) ?? middle, middle, time), null, null, null);
    }
    // Gaps inside one point's own range can't be shown.
    gap = gapAfter(gaps, gap, points.last[index] ?? first);
    add(time, points.values[index] ?? 0, points.min[index] ?? 0, points.max[index] ?? 0);
  }
  return columns;
}

/** The first gap behind the bucket `last`, from the gap at `gap` on. */
function gapAfter(gaps: readonly number[], gap: number, last: number): number {
  let next = gap;
  while (next < gaps.length && (gaps[next] ?? 0) <= last) next += 1;
  return next;
}

/** Means stand in the middle of their bucket: where the gap's own middle is not between the two, theirs is. */
function between(low: number, middle: number, high: number): number {
  return middle > low && middle < high ? middle : (low + high) / 2;
}
