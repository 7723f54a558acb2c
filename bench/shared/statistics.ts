/** Medians, percentiles and orders. Pure. */

/** Returns 0 for no values. */
export function median(values: readonly number[]): number {
  return percentile(sortedCopy(values), 0.5);
}

/** @param sorted values in ascending order. @param share from 0 to 1. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  const position = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(position)] ?? 0, sorted[Math.ceil(position)] ?? 0];
  return below + (above - below) * (position % 1);
}

/** The median of the phases' percentiles, because other load on the machine disturbs single phases. */
export function medianPercentile(phases: readonly number[][], share: number): number {
  return median(phases.map((values) => percentile(sortedCopy(values), share)));
}

function sortedCopy(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other);
}

/** Every order once, so that each operation follows each other one equally often. */
export function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first) =>
    orders(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}
