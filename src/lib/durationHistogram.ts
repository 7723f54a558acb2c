/** Histogram of durations with fixed buckets. */

/** Upper bounds in seconds. A longer duration is in `count` and in no bucket. */
export const DURATION_BOUNDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
] as const;

export type DurationHistogram = ReturnType<typeof createDurationHistogram>;

export interface DurationCounts {
  /** For each bound, the durations above the previous bound and up to this one; not cumulative. */
  buckets: readonly number[];
  count: number;
  sumSeconds: number;
}

export function createDurationHistogram() {
  const buckets = DURATION_BOUNDS.map(() => 0);
  let count = 0;
  let sumSeconds = 0;
  return {
    observe(durationMs: number): void {
      const seconds = durationMs / 1000;
      count += 1;
      sumSeconds += seconds;
      const bucket = DURATION_BOUNDS.findIndex((bound) => seconds <= bound);
      if (bucket >= 0) buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    },
    counts: (): DurationCounts => ({ buckets, count, sumSeconds }),
  };
}
