/** The usual interval of a series, and its gaps. Pure. */
import { ROWS_PER_SLICE, type SlicedComputation } from '../lib/slicedComputation.js';
import type { Buckets } from './downsample.js';

export interface SampleSpacing {
  /** The median interval between two samples in milliseconds. */
  medianMs: number;
  /** A longer interval between two samples is a gap: several samples are missing. */
  gapMs: number;
}

/** The default of the platform's devices; used with fewer than two samples. */
export const DEFAULT_INTERVAL_MS = 300_000;
/** One missed sample doubles the interval and does not count as a gap; two in a row do. */
const MEDIAN_INTERVALS_PER_GAP = 2.5;
/** The median of this many evenly chosen intervals is close enough to that of all, and takes a millisecond. */
const MAX_COMPARED_INTERVALS = 10_000;

export function toSpacing(medianMs: number): SampleSpacing {
  return { medianMs, gapMs: medianMs * MEDIAN_INTERVALS_PER_GAP };
}

/** Ignores samples of the same instant. */
export function spacingOf(times: Float64Array): SampleSpacing {
  const step = Math.max(1, Math.floor((times.length - 1) / MAX_COMPARED_INTERVALS));
  const spacings: number[] = [];
  for (let index = step; index < times.length; index += step) {
    const spacing = (times[index] ?? 0) - (times[index - 1] ?? 0);
    if (spacing > 0) spacings.push(spacing);
  }
  const sorted = Float64Array.from(spacings).sort();
  return toSpacing(sorted[Math.floor((sorted.length - 1) / 2)] ?? DEFAULT_INTERVAL_MS);
}

type TimeExtents = Pick<Buckets, 'starts' | 'ends'>;

/** The indexes of the buckets after a gap. */
export function* gapsBefore(
  { starts, ends }: TimeExtents,
  { gapMs }: SampleSpacing,
): SlicedComputation<number[]> {
  const gaps: number[] = [];
  for (let index = 1; index < starts.length; index++) {
    if (index % ROWS_PER_SLICE === 0) yield;
    if ((starts[index] ?? 0) - (ends[index - 1] ?? 0) > gapMs) gaps.push(index);
  }
  return gaps;
}

/**
 * The share of the span with data, 0 to 1: the whole span minus gaps, and minus the ends of the span if they are
 * longer than a gap. Each sample covers its usual interval.
 */
export function coverageOf(
  { starts, ends }: TimeExtents,
  { spacing, gaps }: { spacing: SampleSpacing; gaps: readonly number[] },
  { fromMs, toMs }: { fromMs: number; toMs: number },
): number {
  const last = starts.length - 1;
  if (last < 0) return 0;
  let missingMs = 0;
  const addMissing = (ms: number) => {
    if (ms > spacing.gapMs) missingMs += ms - spacing.medianMs;
  };
  for (const index of gaps) addMissing((starts[index] ?? 0) - (ends[index - 1] ?? 0));
  addMissing((starts[0] ?? 0) - fromMs);
  addMissing(toMs - (ends[last] ?? 0));
  return Math.min(1, Math.max(0, 1 - missingMs / (toMs - fromMs)));
}
