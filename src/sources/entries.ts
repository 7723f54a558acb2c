/**
 * A stream's numbers over a span as entries for folds and charts: the samples themselves or the platform's frames,
 * whichever takes fewer bytes.
 */
import type { Entries } from '../lib/downsample.js';
import { DEFAULT_INTERVAL_MS } from '../lib/spacing.js';
import { joinColumns, type TimeTable } from '../lib/timeTable.js';
import type { TimeSpan } from './dayPages.js';
import { COUNT, MAX, MIN, PLATFORM_FRAMES, SUM } from './frameSource.js';
import { LARGEST_PAGE } from './samplePages.js';
import { numbersOf } from './sampleTable.js';
import type { Survey, Timeline } from './timeline.js';
import type { Timelines } from './timelines.js';

/** Both measured on answers of the platform's shape. */
const BYTES_PER_SAMPLE = 95;
const BYTES_PER_FRAME = 175;
const MINUTE_MS = 60_000;

/** The longest frame that divides all these instants and widths, in minutes; undefined where none does. */
export function largestFrame(multiplesMs: readonly number[]): number | undefined {
  return PLATFORM_FRAMES.findLast((minutes) => multiplesMs.every((ms) => ms % (minutes * MINUTE_MS) === 0));
}

/** The whole frames of a span, and the odd ends that only the samples themselves can tell about. */
export function splitAtFrames({ fromMs, toMs }: TimeSpan, minutes: number) {
  const frameMs = minutes * MINUTE_MS;
  const firstMs = Math.ceil(fromMs / frameMs) * frameMs;
  const endMs = Math.floor(toMs / frameMs) * frameMs;
  if (firstMs >= endMs) return undefined;
  return {
    head: { fromMs, toMs: firstMs },
    frames: { fromMs: firstMs, toMs: endMs },
    tail: { fromMs: endMs, toMs },
  };
}

/** Whether frames take fewer bytes than samples, by what is at hand of each and how dense the samples seem to be. */
export function areFramesLighter(samples: Survey, frames: Survey, minutes: number): boolean {
  const perMs = samples.heldMs > 0 ? samples.heldRows / samples.heldMs : 1 / DEFAULT_INTERVAL_MS;
  // A frame without a sample is not sent.
  const framesPerMs = Math.min(1 / (minutes * MINUTE_MS), perMs);
  return frames.missingMs * framesPerMs * BYTES_PER_FRAME < samples.missingMs * perMs * BYTES_PER_SAMPLE;
}

/** The frame to read a span by, in minutes; undefined where the samples themselves are the better choice. */
export function chooseFrame(
  timelines: Timelines,
  streamId: number,
  span: TimeSpan,
  minutes: number | undefined,
): number | undefined {
  const parts = minutes === undefined ? undefined : splitAtFrames(span, minutes);
  if (minutes === undefined || parts === undefined) return undefined;
  const samples = timelines.samples(streamId).survey(span);
  const frames = timelines.frames(streamId, minutes).survey(parts.frames);
  return areFramesLighter(samples, frames, minutes) ? minutes : undefined;
}

/** The entries of a span, from the platform's frames where `minutes` says so. */
export async function readEntries(
  timelines: Timelines,
  streamId: number,
  span: TimeSpan,
  minutes: number | undefined,
): Promise<Entries> {
  const { admitRows } = timelines;
  const samplesIn = (part: TimeSpan) => collect(timelines.samples(streamId), part, ofSamples, admitRows);
  const parts = minutes === undefined ? undefined : splitAtFrames(span, minutes);
  if (minutes === undefined || parts === undefined) return joinEntries(await samplesIn(span));
  const [head, frames, tail] = await Promise.all([
    samplesIn(parts.head),
    collect(timelines.frames(streamId, minutes), parts.frames, ofFrames(minutes * MINUTE_MS), admitRows),
    samplesIn(parts.tail),
  ]);
  return joinEntries([...head, ...frames, ...tail]);
}

/** What a span holds, as entries: the rest of each table is let go at once. */
async function collect(
  timeline: Timeline,
  span: TimeSpan,
  toEntries: (table: TimeTable) => Entries,
  admitRows: (count: number) => void,
): Promise<Entries[]> {
  const parts: Entries[] = [];
  for await (const { table } of timeline.walk(span, LARGEST_PAGE)) {
    if (table.times.length === 0) continue;
    admitRows(table.times.length);
    parts.push(toEntries(table));
  }
  return parts;
}

function ofSamples(table: TimeTable): Entries {
  const { times, values } = numbersOf(table);
  const counts = new Float64Array(times.length).fill(1);
  return { starts: times, ends: times, counts, lows: values, highs: values, sums: values };
}

function ofFrames(frameMs: number): (table: TimeTable) => Entries {
  return ({ times, columns }) => {
    const column = (index: number) => columns[index] ?? new Float64Array(0);
    const ends = times.map((ms) => ms + frameMs);
    return {
      ...{ starts: times, ends, counts: column(COUNT) },
      ...{ lows: column(MIN), highs: column(MAX), sums: column(SUM) },
    };
  };
}

/** Columns that are one and the same in every part stay so: of samples, three of six. */
function joinEntries(parts: readonly Entries[]): Entries {
  const join = (name: keyof Entries) => joinColumns(parts.map((part) => part[name]));
  const [starts, counts, sums] = [join('starts'), join('counts'), join('sums')];
  const isAll = (is: (part: Entries) => boolean) => parts.every(is);
  return {
    ...{ starts, counts, sums },
    ends: isAll((part) => part.ends === part.starts) ? starts : join('ends'),
    lows: isAll((part) => part.lows === part.sums) ? sums : join('lows'),
    highs: isAll((part) => part.highs === part.sums) ? sums : join('highs'),
  };
}
