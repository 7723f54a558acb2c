/** Several streams on one time column, for a chart of several lines. */
import { runInSlices } from '../../lib/slicedComputation.js';
import { bucketWidthFor } from '../../timeseries/bucketWidth.js';
import { downsampleMean, type Points } from '../../timeseries/downsample.js';
import { coverageOf } from '../../timeseries/sampleSpacing.js';
import { settleEach } from '../core/settleEach.js';
import type { TimeSpan } from '../timeline/dayPages.js';
import type { Timelines } from '../timeline/timelines.js';
import { chooseFrame, largestFrame } from './readBuckets.js';
import { readSeriesInput, type SeriesInput } from './seriesInput.js';

export interface SharedSeriesRequest {
  streamIds: readonly number[];
  span: TimeSpan;
  maxPoints: number;
}

/** The columns of one stream, with one item for each item of the time column. */
export interface SeriesLine {
  streamId: number;
  /** Null where the stream has no number at that time. */
  values: (number | null)[];
  min: (number | null)[];
  max: (number | null)[];
  sourceCount: number;
  coverage: number;
}

export interface SharedSeries {
  times: number[];
  intervalSeconds: number;
  /** In the order of the requested streams; an error for a stream that cannot be read. */
  lines: (SeriesLine | Error)[];
}

interface LineInput extends SeriesInput {
  streamId: number;
}

const MINUTE_MS = 60_000;
/** A slow stream makes the intervals of all longer, but a chart has at least this many intervals. */
const MIN_INTERVALS = 24;

export async function loadSharedSeries(
  timelines: Timelines,
  { streamIds, span, maxPoints }: SharedSeriesRequest,
  nowMs: number,
): Promise<SharedSeries> {
  const extent = { firstMs: span.fromMs, lastMs: Math.max(span.fromMs, Math.min(span.toMs, nowMs)) };
  const minutes = largestFrame([bucketWidthFor(extent, maxPoints)]);
  const inputs = await settleEach(streamIds, (streamId) =>
    timelines.runLimited(async (): Promise<LineInput> => {
      const frame = chooseFrame(timelines, streamId, span, minutes);
      return { streamId, ...(await readSeriesInput(timelines, streamId, span, frame)) };
    }),
  );
  const widthMs = sharedWidth(inputs.filter(isLine), maxPoints);
  const reduced = await settleEach(inputs, (line) => reduceLine(line, widthMs));
  const times = [...new Set(reduced.flatMap((one) => (one instanceof Error ? [] : one.points.times)))];
  times.sort((one, other) => one - other);
  return {
    times: times.map((time) => Math.round(Math.min(span.toMs - 1, Math.max(span.fromMs, time)))),
    intervalSeconds: widthMs / 1000,
    lines: reduced.map((one) => (one instanceof Error ? one : toLine(one, times, span))),
  };
}

function isLine(input: LineInput | Error): input is LineInput {
  return !(input instanceof Error);
}

/** Long enough for every stream to have a number in each interval; a multiple of the longest frame. */
function sharedWidth(lines: readonly LineInput[], maxPoints: number): number {
  const nonEmpty = lines.filter(({ sampleCount }) => sampleCount > 0);
  const firstMs = Math.min(...nonEmpty.map(({ buckets }) => buckets.starts[0] ?? 0));
  const lastMs = Math.max(...nonEmpty.map(({ buckets }) => buckets.starts.at(-1) ?? 0));
  if (nonEmpty.length === 0) return MINUTE_MS;
  const slowestMs = Math.max(...nonEmpty.map(({ spacing }) => spacing.medianMs));
  const minWidthMs = Math.min(slowestMs, (lastMs - firstMs) / MIN_INTERVALS);
  const unitMs = Math.max(
    ...nonEmpty.map(({ frameMinutes }) => (frameMinutes === undefined ? 1000 : frameMinutes * MINUTE_MS)),
  );
  return bucketWidthFor({ firstMs, lastMs }, maxPoints, { minWidthMs, unitMs });
}

async function reduceLine(line: LineInput | Error, widthMs: number) {
  if (line instanceof Error) throw line;
  return { line, points: await runInSlices(downsampleMean(line.buckets, widthMs)) };
}

function toLine(
  { line, points }: { line: LineInput; points: Points },
  times: readonly number[],
  span: TimeSpan,
): SeriesLine {
  const indexOf = new Map(points.times.map((time, index) => [time, index]));
  const column = (numbers: readonly number[]) =>
    times.map((time) => numbers[indexOf.get(time) ?? -1] ?? null);
  return {
    streamId: line.streamId,
    ...{ values: column(points.values), min: column(points.min), max: column(points.max) },
    sourceCount: line.sampleCount,
    coverage: coverageOf(line.buckets, line, span),
  };
}
