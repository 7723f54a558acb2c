/**
 * Reads the numbers of a stream over a span as buckets for aggregates and charts: from samples or from frames, which are
 * the platform's aggregates of 10 to 60 minutes, whichever takes fewer bytes.
 */
import { hasCode } from '../../errors.js';
import { MINUTE_MS, SECOND_MS } from '../../lib/clock.js';
import {
  nextTurn,
  ROWS_PER_SLICE,
  runInSlices,
  type SlicedComputation,
} from '../../lib/slicedComputation.js';
import { type ColumnTable, joinColumns } from '../../timeseries/columnTable.js';
import type { Buckets } from '../../timeseries/downsample.js';
import { gapsBefore, type SampleSpacing, spacingOf, toSpacing } from '../../timeseries/sampleSpacing.js';
import { isEndpointFailure } from '../core/collectionFallback.js';
import { MIN_DATE_MS } from '../core/wireValues.js';
import { MAX_PAGE_LENGTH } from '../samples/samplePages.js';
import type { TimeSpan } from '../timeline/dayPages.js';
import {
  COUNT_COLUMN,
  MAX_COLUMN,
  MIN_COLUMN,
  PLATFORM_FRAMES,
  SUM_COLUMN,
} from '../timeline/frameSource.js';
import { numbersOf } from '../timeline/sampleTable.js';
import {
  BYTES_PER_FRAME,
  BYTES_PER_SAMPLE,
  type CachedCoverage,
  missingFrameBytes,
  missingSampleBytes,
  type Timeline,
} from '../timeline/timeline.js';
import type { RowCount, Timelines } from '../timeline/timelines.js';

/** The longest frame in minutes that divides all these instants and widths; undefined if none does. */
export function largestFrame(multiplesMs: readonly number[]): number | undefined {
  return PLATFORM_FRAMES.findLast((minutes) => multiplesMs.every((ms) => ms % (minutes * MINUTE_MS) === 0));
}

/** The whole frames of a span, and the two ends that only samples cover. Undefined for a span without a whole frame. */
function splitByFrames({ fromMs, toMs }: TimeSpan, minutes: number, framesEndMs: number) {
  const frameMs = minutes * MINUTE_MS;
  // Timelines begin at the first date, so the samples from there to a whole frame belong to the head.
  const firstMs = Math.ceil(Math.max(fromMs, MIN_DATE_MS) / frameMs) * frameMs;
  const endMs = Math.floor(Math.min(toMs, framesEndMs) / frameMs) * frameMs;
  if (firstMs >= endMs) return undefined;
  return {
    minutes,
    head: { fromMs, toMs: firstMs },
    frames: { fromMs: firstMs, toMs: endMs },
    tail: { fromMs: endMs, toMs },
  };
}

/** Whether frames take fewer bytes than samples, by the missing part of each and the density of cached samples. */
function areFramesLighter(samples: CachedCoverage, frames: CachedCoverage, minutes: number): boolean {
  return missingFrameBytes(samples, frames, minutes) < missingSampleBytes(samples);
}

type FrameParts = NonNullable<ReturnType<typeof splitByFrames>>;

/**
 * One call returns all samples of a span of this length, even if the stream sends one every second. Frames would take an
 * additional call for each end of the span that lies within a frame.
 */
const MAX_SINGLE_CALL_MS = MAX_PAGE_LENGTH * SECOND_MS;

/**
 * Whether to read the frames of a span instead of its samples. Samples that another field is reading take no call, so they
 * are preferred.
 */
function shouldReadFrames(
  timelines: Timelines,
  streamId: number,
  span: TimeSpan,
  { minutes, head, frames: framesSpan, tail }: FrameParts,
): boolean {
  if (timelines.sampleReads.has(toReadKey(streamId, span))) return false;
  const hasEnds = head.fromMs < head.toMs || tail.fromMs < tail.toMs;
  if (hasEnds && span.toMs - span.fromMs <= MAX_SINGLE_CALL_MS) return false;
  const framed = { ...span, toMs: Math.min(span.toMs, timelines.framesEndMs()) };
  const samples = timelines.samples(streamId).cachedCoverage(framed);
  const frames = timelines.frames(streamId, minutes).cachedCoverage(framesSpan);
  if (frames.missingMs > 0 && timelines.areFramesFailing()) return false;
  return areFramesLighter(samples, frames, minutes);
}

/** `parts`: the division of the span if frames are read; undefined if only samples are read. */
type ReadParts<Result> = (
  timelines: Timelines,
  streamId: number,
  span: TimeSpan,
  parts: FrameParts | undefined,
) => Promise<Result>;

/**
 * Reads frames of this many minutes, or samples if they take fewer bytes. If the endpoint of one fails while the other one
 * works, the other one replaces it.
 */
export async function readFromEither<Result>(
  timelines: Timelines,
  streamId: number,
  span: TimeSpan,
  minutes: number | undefined,
  readParts: ReadParts<Result>,
): Promise<Result> {
  const read = (parts: FrameParts | undefined) => readParts(timelines, streamId, span, parts);
  const parts = minutes === undefined ? undefined : splitByFrames(span, minutes, timelines.framesEndMs());
  if (parts === undefined) return read(undefined);
  // Other fields of the object may need the samples, and begin to read them in the same turn.
  await Promise.resolve();
  const [first, second] = shouldReadFrames(timelines, streamId, span, parts)
    ? [parts, undefined]
    : [undefined, parts];
  try {
    return await read(first);
  } catch (error) {
    if (!isReplaceable(error)) throw error;
    const result = await read(second).catch(() => {
      throw error;
    });
    if (second === undefined && isEndpointFailure(error)) timelines.markFramesFailing(error);
    return result;
  }
}

/**
 * Whether samples may replace frames after this error, and the other way round. Includes 204 and 404, which are not
 * failures of the endpoint because they may concern this stream only.
 */
function isReplaceable(error: unknown): boolean {
  return (
    isEndpointFailure(error) || hasCode(error, 'PLATFORM_REFUSED') || hasCode(error, 'PLATFORM_BAD_RESPONSE')
  );
}

/** The buckets of a span: from the platform's frames and samples at both ends, or from samples if `parts` is undefined. */
export const readBuckets: ReadParts<Buckets> = async (timelines, streamId, span, parts) => {
  if (parts === undefined) return readSamples(timelines, streamId, span);
  const rows = timelines.startRead();
  const samplesIn = (part: TimeSpan) => collect(timelines.samples(streamId), part, toSampleBuckets, rows);
  const frameTimeline = timelines.frames(streamId, parts.minutes);
  const toBuckets = (table: ColumnTable) => toFrameBuckets(table, parts.minutes * MINUTE_MS);
  const [head, frames, tail] = await Promise.all([
    samplesIn(parts.head),
    collect(frameTimeline, parts.frames, toBuckets, rows),
    samplesIn(parts.tail),
  ]);
  return joinBuckets([...head, ...frames, ...tail]);
};

function toReadKey(streamId: number, { fromMs, toMs }: TimeSpan): string {
  return `${streamId} ${fromMs}-${toMs}`;
}

/**
 * The samples of a span. Fields that read them at the same time share them, as the chart and the statistics of a page
 * do.
 */
function readSamples(timelines: Timelines, streamId: number, span: TimeSpan): Promise<Buckets> {
  const { samples, sampleReads, startRead } = timelines;
  const key = toReadKey(streamId, span);
  const begun = sampleReads.get(key);
  if (begun !== undefined) return begun;
  const reading = collect(samples(streamId), span, toSampleBuckets, startRead())
    .then(joinBuckets)
    .finally(() => sampleReads.delete(key));
  sampleReads.set(key, reading);
  return reading;
}

/** Converts each table of a span to buckets immediately, so that its other columns can be garbage collected. */
async function collect(
  timeline: Timeline,
  span: TimeSpan,
  toBuckets: (table: ColumnTable) => Buckets,
  rows: RowCount,
): Promise<Buckets[]> {
  const parts: Buckets[] = [];
  try {
    for await (const { table } of timeline.readSegments(span)) {
      if (table.times.length === 0) continue;
      rows.add(table.times.length);
      parts.push(toBuckets(table));
    }
  } catch (error) {
    rows.discard();
    throw error;
  }
  return parts;
}

function toSampleBuckets(table: ColumnTable): Buckets {
  const { times, values } = numbersOf(table);
  const counts = new Float64Array(times.length).fill(1);
  return { starts: times, ends: times, counts, lows: values, highs: values, sums: values };
}

function toFrameBuckets({ times, columns }: ColumnTable, frameMs: number): Buckets {
  const column = (index: number) => columns[index] ?? new Float64Array(0);
  const ends = times.map((ms) => ms + frameMs);
  return {
    ...{ starts: times, ends, counts: column(COUNT_COLUMN) },
    ...{ lows: column(MIN_COLUMN), highs: column(MAX_COLUMN), sums: column(SUM_COLUMN) },
  };
}

/** Columns that share one array in every part also share it in the result, as three of the six columns of samples do. */
function joinBuckets(parts: readonly Buckets[]): Buckets {
  const join = (name: keyof Buckets) => joinColumns(parts.map((part) => part[name]));
  const [starts, counts, sums] = [join('starts'), join('counts'), join('sums')];
  const isAll = (is: (part: Buckets) => boolean) => parts.every(is);
  return {
    ...{ starts, counts, sums },
    ends: isAll((part) => part.ends === part.starts) ? starts : join('ends'),
    lows: isAll((part) => part.lows === part.sums) ? sums : join('lows'),
    highs: isAll((part) => part.highs === part.sums) ? sums : join('highs'),
  };
}

export interface SeriesInput {
  buckets: Buckets;
  spacing: SampleSpacing;
  /** The indexes of the buckets after a gap. */
  gaps: readonly number[];
  /** The frame of the buckets in minutes; undefined if they are samples. */
  frameMinutes: number | undefined;
  sampleCount: number;
}

/**
 * Reads the buckets of a stream with their count, spacing and gaps: from frames of this many minutes if they have fewer
 * bytes than the samples. A stream that usually has one sample in a frame is read as samples: its frames do not show its
 * interval, which may be longer than a frame.
 */
export function readSeriesInput(
  timelines: Timelines,
  streamId: number,
  span: TimeSpan,
  minutes: number | undefined,
): Promise<SeriesInput> {
  return readFromEither(timelines, streamId, span, minutes, readChosenInput);
}

const readChosenInput: ReadParts<SeriesInput> = async (timelines, streamId, span, parts) => {
  const rows = timelines.startRead();
  const buckets = await readBuckets({ ...timelines, startRead: () => rows }, streamId, span, parts);
  await nextTurn();
  const frameMinutes = parts?.minutes;
  const usualCount = frameMinutes === undefined ? undefined : usualCountOf(buckets);
  if (frameMinutes !== undefined && (usualCount === 1 || (await runInSlices(areFramesHeavier(buckets))))) {
    rows.discard();
    return readChosenInput(timelines, streamId, span, undefined);
  }
  const spacing = spacingWithin(buckets, frameMinutes, usualCount);
  const gaps = await runInSlices(gapsBefore(buckets, spacing));
  return { buckets, spacing, gaps, frameMinutes, sampleCount: await runInSlices(countOf(buckets)) };
};

/** Whether the frames took more bytes than their samples do: those of a slow stream have about one sample each. */
function* areFramesHeavier({ starts, ends, counts }: Buckets): SlicedComputation<boolean> {
  let excessBytes = 0;
  for (let index = 0; index < counts.length; index++) {
    if (index % ROWS_PER_SLICE === 0) yield;
    if (ends[index] === starts[index]) continue;
    excessBytes += BYTES_PER_FRAME - (counts[index] ?? 0) * BYTES_PER_SAMPLE;
  }
  return excessBytes > 0;
}

function* countOf({ counts }: Buckets): SlicedComputation<number> {
  let total = 0;
  for (let index = 0; index < counts.length; index++) {
    if (index % ROWS_PER_SLICE === 0) yield;
    total += counts[index] ?? 0;
  }
  return total;
}

/** The median count of the samples in a frame. Undefined if all buckets are samples at the ends of the span. */
function usualCountOf({ starts, ends, counts }: Buckets): number | undefined {
  const perFrame = counts.filter((_, index) => ends[index] !== starts[index]).sort();
  return perFrame[Math.floor(perFrame.length / 2)];
}

/** The interval of frames is estimated as the length of a frame divided by its usual count of samples. */
function spacingWithin(
  { starts }: Buckets,
  frame: number | undefined,
  usualCount: number | undefined,
): SampleSpacing {
  if (frame === undefined || usualCount === undefined) return spacingOf(starts);
  return toSpacing((frame * MINUTE_MS) / usualCount);
}
