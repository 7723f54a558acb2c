/** A stream's numbers with what can be told of them as a whole: how regular they are, and how many. */

import {
  nextTurn,
  ROWS_PER_SLICE,
  runInSlices,
  type SlicedComputation,
} from '../../lib/slicedComputation.js';
import type { Buckets } from '../../timeseries/downsample.js';
import { gapsBefore, type SampleSpacing, spacingOf, toSpacing } from '../../timeseries/sampleSpacing.js';
import type { TimeSpan } from '../timeline/dayPages.js';
import type { Timelines } from '../timeline/timelines.js';
import { readBuckets } from './readBuckets.js';

const MINUTE_MS = 60_000;

/** What frames can tell of a stream, or its samples. */
export interface SeriesInput {
  buckets: Buckets;
  spacing: SampleSpacing;
  /** The entries that a gap comes before. */
  gaps: readonly number[];
  /** The frame that entries were read by, in minutes; undefined where they are samples. */
  frameMinutes: number | undefined;
  sampleCount: number;
}

export async function readSeriesInput(
  timelines: Timelines,
  streamId: number,
  span: TimeSpan,
  frameMinutes: number | undefined,
): Promise<SeriesInput> {
  const buckets = await readBuckets(timelines, streamId, span, frameMinutes);
  await nextTurn();
  const spacing = spacingWithin(buckets, frameMinutes);
  const gaps = await runInSlices(gapsBefore(buckets, spacing));
  return { buckets, spacing, gaps, frameMinutes, sampleCount: await runInSlices(countOf(buckets)) };
}

function* countOf({ counts }: Buckets): SlicedComputation<number> {
  let total = 0;
  for (let index = 0; index < counts.length; index++) {
    if (index % ROWS_PER_SLICE === 0) yield;
    total += counts[index] ?? 0;
  }
  return total;
}

/** Of frames, the usual interval is a frame's length over how many samples one usually holds. */
function spacingWithin({ starts, ends, counts }: Buckets, frame: number | undefined): SampleSpacing {
  if (frame === undefined) return spacingOf(starts);
  const perFrame = counts.filter((_, index) => ends[index] !== starts[index]).sort();
  return toSpacing((frame * MINUTE_MS) / (perFrame[Math.floor(perFrame.length / 2)] ?? 1));
}
