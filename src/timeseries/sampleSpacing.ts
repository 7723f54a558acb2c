/** How regularly a series was measured, and where it has gaps. Pure. */
import { ROWS_PER_SLICE, type SlicedComputation } from '../lib/slicedComputation.js';

export interface SampleSpacing {
  /** The median of the milliseconds between two samples. */
  medianMs: number;
  /** More milliseconds than this between two samples are a gap: several samples are missing. */
  gapMs: number;
}

/** What the platform's devices do unless told otherwise; taken where fewer than two samples tell nothing. */
export const DEFAULT_INTERVAL_MS = 300_000;
/** A single missed sample leaves twice the usual interval and is no gap; two in a row are. */
const MEDIAN_INTERVALS_PER_GAP = 2.5;
/** The median of so many, spread evenly, is the median of all for every purpose here, and takes a millisecond. */
const MAX_COMPARED_INTERVALS = 10_000;

export function toSpacing(medianMs: number): SampleSpacing {
  return { medianMs, gapMs: medianMs * MEDIAN_INTERVALS_PER_GAP };
}

/** Samples of the same instant say nothing about the interval. */
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

/** What a series is made of: each entry reaches from `starts[i]` to `ends[i]`, which are equal for a sample. */
export interface TimeExtents {
  starts: Float64Array;
  ends: Float64Array;
}

/** The entries that a gap comes before. */
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
 * The share of the span, 0 to 1, that has data: all of it but gaps and the span's own ends where nothing was
 * measured for longer than a gap. Behind its last sample a series is taken to go on for its usual interval.
 */
export function coverageOf(
  { starts, ends }: TimeExtents,
  { spacing, gaps }: { spacing: SampleSpacing; gaps: readonly number[] },
  { fromMs, toMs }: { fromMs: number; toMs: number },
): number {
  const last = starts.length - 1;
  if (last < 0) return 0;
  let missingMs = 0;
  const miss = (ms: number) => {
    if (ms > spacing.gapMs) missingMs += ms - spacing.medianMs;
  };
  for (const index of gaps) miss((starts[index] ?? 0) - (ends[index - 1] ?? 0));
  miss((starts[0] ?? 0) - fromMs);
  miss(toMs - (ends[last] ?? 0));
  return Math.min(1, Math.max(0, 1 - missingMs / (toMs - fromMs)));
}
