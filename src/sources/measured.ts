/** A stream's numbers with what can be told of them as a whole: how regular they are, and how many. */
import type { Entries } from '../lib/downsample.js';
import { nextTurn } from '../lib/inSlices.js';
import { type Spacing, spacingOf, toSpacing } from '../lib/spacing.js';
import type { TimeSpan } from './dayPages.js';
import { readEntries } from './entries.js';
import type { Timelines } from './timelines.js';

const MINUTE_MS = 60_000;

/** What frames can tell of a stream, or its samples. */
export interface Measured {
  entries: Entries;
  spacing: Spacing;
  /** The frame that entries were read by, in minutes; undefined where they are samples. */
  frame: number | undefined;
  sampleCount: number;
}

export async function readMeasured(
  timelines: Timelines,
  streamId: number,
  span: TimeSpan,
  frame: number | undefined,
): Promise<Measured> {
  const entries = await readEntries(timelines, streamId, span, frame);
  await nextTurn();
  const sampleCount = entries.counts.reduce((total, count) => total + count, 0);
  return { entries, spacing: spacingWithin(entries, frame), frame, sampleCount };
}

/** Of frames, the usual interval is a frame's length over how many samples one usually holds. */
function spacingWithin({ starts, ends, counts }: Entries, frame: number | undefined): Spacing {
  if (frame === undefined) return spacingOf(starts);
  const perFrame = counts.filter((_, index) => ends[index] !== starts[index]).sort();
  return toSpacing((frame * MINUTE_MS) / (perFrame[Math.floor(perFrame.length / 2)] ?? 1));
}
