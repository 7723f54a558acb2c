/** A stream's numbers with what can be told of them as a whole: how regular they are, and how many. */
import type { Entries } from '../lib/downsample.js';
import { nextTurn, ROWS_PER_SLICE, runInSlices, type Sliced } from '../lib/inSlices.js';
import { gapsBefore, type Spacing, spacingOf, toSpacing } from '../lib/spacing.js';
import type { TimeSpan } from './dayPages.js';
import { readEntries } from './entries.js';
import type { Timelines } from './timelines.js';

const MINUTE_MS = 60_000;

/** What frames can tell of a stream, or its samples. */
export interface Measured {
  entries: Entries;
  spacing: Spacing;
  /** The entries that a gap comes before. */
  gaps: readonly number[];
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
  const spacing = spacingWithin(entries, frame);
  const gaps = await runInSlices(gapsBefore(entries, spacing));
  return { entries, spacing, gaps, frame, sampleCount: await runInSlices(countOf(entries)) };
}

function* countOf({ counts }: Entries): Sliced<number> {
  let total = 0;
  for (let index = 0; index < counts.length; index++) {
    if (index % ROWS_PER_SLICE === 0) yield;
    total += counts[index] ?? 0;
  }
  return total;
}

/** Of frames, the usual interval is a frame's length over how many samples one usually holds. */
function spacingWithin({ starts, ends, counts }: Entries, frame: number | undefined): Spacing {
  if (frame === undefined) return spacingOf(starts);
  const perFrame = counts.filter((_, index) => ends[index] !== starts[index]).sort();
  return toSpacing((frame * MINUTE_MS) / (perFrame[Math.floor(perFrame.length / 2)] ?? 1));
}
