/** Reads the buckets of a stream with their count, spacing and gaps. */
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
import { MINUTE_MS, readBuckets } from './readBuckets.js';

export interface SeriesInput {
  buckets: Buckets;
  spacing: SampleSpacing;
  /** The indexes of the buckets behind a gap. */
  gaps: readonly number[];
  /** The frame of the buckets in minutes; undefined where they are samples. */
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

/** The interval of frames is estimated as the length of a frame divided by its median count of samples. */
function spacingWithin({ starts, ends, counts }: Buckets, frame: number | undefined): SampleSpacing {
  if (frame === undefined) return spacingOf(starts);
  const perFrame = counts.filter((_, index) => ends[index] !== starts[index]).sort();
  return toSpacing((frame * MINUTE_MS) / (perFrame[Math.floor(perFrame.length / 2)] ?? 1));
}
