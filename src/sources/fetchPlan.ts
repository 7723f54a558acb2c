/**
 * Decides how a batch of keys is answered: one by one, a call for each parent, or from the whole collection.
 * Pure: what is known of each way goes in, the name of the cheapest comes out.
 */

export interface Way<Name extends string> {
  name: Name;
  /** How many REST calls it takes; Infinity where it can't answer. */
  calls: number;
}

/** The way with the fewest calls; of equals, the one named first, so name the narrowest first. */
export function cheapestWay<Name extends string>(ways: readonly [Way<Name>, ...Way<Name>[]]): Name {
  return ways.reduce((best, way) => (way.calls < best.calls ? way : best)).name;
}

/** A list on the wire ends here without saying so: one of this length has to be taken as cut off. */
export const LONGEST_LIST = 10_000;

export function isCutOff(length: number): boolean {
  return length >= LONGEST_LIST;
}
