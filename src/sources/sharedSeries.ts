/** Several streams on one time column, for a chart of several lines. */
import { widthFor } from '../lib/bucketWidth.js';
import { means, type Points } from '../lib/downsample.js';
import { runInSlices } from '../lib/inSlices.js';
import { settleEach } from '../lib/settleEach.js';
import { coverageOf } from '../lib/spacing.js';
import type { TimeSpan } from './dayPages.js';
import { chooseFrame, largestFrame } from './entries.js';
import { type Measured, readMeasured } from './measured.js';
import type { Timelines } from './timelines.js';

export interface SharedSeriesRequest {
  streamIds: readonly number[];
  span: TimeSpan;
  maxPoints: number;
}

/** Of one stream; an item goes with the item of the time column at the same place. */
export interface SeriesLine {
  streamId: number;
  /** Null where the stream has no number. */
  values: (number | null)[];
  min: (number | null)[];
  max: (number | null)[];
  sourceCount: number;
  coverage: number;
}

export interface SharedSeries {
  times: number[];
  intervalSeconds: number;
  /** In the order of the streams asked for; what failed of one is its own. */
  lines: (SeriesLine | Error)[];
}

interface Line extends Measured {
  streamId: number;
}

const MINUTE_MS = 60_000;
/** A slow stream among faster ones makes the intervals longer, though not so long that no chart is left. */
const LEAST_INTERVALS = 24;

export async function loadSharedSeries(
  timelines: Timelines,
  { streamIds, span, maxPoints }: SharedSeriesRequest,
  nowMs: number,
): Promise<SharedSeries> {
  const extent = { firstMs: span.fromMs, lastMs: Math.max(span.fromMs, Math.min(span.toMs, nowMs)) };
  const minutes = largestFrame([widthFor(extent, maxPoints)]);
  const read = await settleEach(streamIds, (streamId) =>
    timelines.inTurn(async (): Promise<Line> => {
      const frame = chooseFrame(timelines, streamId, span, minutes);
      return { streamId, ...(await readMeasured(timelines, streamId, span, frame)) };
    }),
  );
  const widthMs = sharedWidth(read.filter(isLine), maxPoints);
  const reduced = await settleEach(read, (line) => reduceLine(line, widthMs));
  const times = [...new Set(reduced.flatMap((one) => (one instanceof Error ? [] : one.points.times)))];
  times.sort((one, other) => one - other);
  return {
    times: times.map((time) => Math.round(Math.min(span.toMs - 1, Math.max(span.fromMs, time)))),
    intervalSeconds: widthMs / 1000,
    lines: reduced.map((one) => (one instanceof Error ? one : toLine(one, times, span))),
  };
}

function isLine(read: Line | Error): read is Line {
  return !(read instanceof Error);
}

/** Long enough for every stream to have a number in each interval; a multiple of what any was read by. */
function sharedWidth(lines: readonly Line[], maxPoints: number): number {
  const filled = lines.filter(({ sampleCount }) => sampleCount > 0);
  const firstMs = Math.min(...filled.map(({ entries }) => entries.starts[0] ?? 0));
  const lastMs = Math.max(...filled.map(({ entries }) => entries.starts.at(-1) ?? 0));
  if (filled.length === 0) return MINUTE_MS;
  const slowestMs = Math.max(...filled.map(({ spacing }) => spacing.usualMs));
  const leastMs = Math.min(slowestMs, (lastMs - firstMs) / LEAST_INTERVALS);
  const unitMs = Math.max(...filled.map(({ frame }) => (frame === undefined ? 1000 : frame * MINUTE_MS)));
  return widthFor({ firstMs, lastMs }, maxPoints, { leastMs, unitMs });
}

async function reduceLine(line: Line | Error, widthMs: number) {
  if (line instanceof Error) throw line;
  return { line, points: await runInSlices(means(line.entries, widthMs)) };
}

function toLine(
  { line, points }: { line: Line; points: Points },
  times: readonly number[],
  span: TimeSpan,
): SeriesLine {
  const placeOf = new Map(points.times.map((time, index) => [time, index]));
  const column = (numbers: readonly number[]) =>
    times.map((time) => numbers[placeOf.get(time) ?? -1] ?? null);
  return {
    streamId: line.streamId,
    ...{ values: column(points.values), min: column(points.min), max: column(points.max) },
    sourceCount: line.sampleCount,
    coverage: coverageOf(line.entries, line, span),
  };
}
