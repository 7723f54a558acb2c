/** Decides whether a figure that was measured in regular rounds grows. */

export interface GrowthBound {
  /** Growth that is still accepted, as a part of the earlier value. */
  relative: number;
  /** Growth that is accepted in addition, in the figure's unit. */
  absolute: number;
}

interface Growth {
  earlier: number;
  later: number;
  isGrowing: boolean;
}

/**
 * Leaves out the first quarter, in which caches fill, and compares the medians of the two halves of the rest. Undefined
 * with less than 8 rounds.
 */
export function findGrowth(
  values: readonly number[],
  { relative, absolute }: GrowthBound,
): Growth | undefined {
  if (values.length < 8) return undefined;
  const rest = values.slice(Math.ceil(values.length / 4));
  const middle = Math.floor(rest.length / 2);
  const [earlier, later] = [median(rest.slice(0, middle)), median(rest.slice(middle))];
  return { earlier, later, isGrowing: later > earlier * (1 + relative) + absolute };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
