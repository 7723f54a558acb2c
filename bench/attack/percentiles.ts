/** Percentiles of the times of a normal caller. Pure. */

/** The percentile of each phase, and of those the median: other load on the machine stops one phase or another. */
export function typical(phases: readonly number[][], part: number): number {
  return percentile(
    phases.map((times) => percentile(times, part)),
    50,
  );
}

export function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * part) / 100))] ?? 0;
}
