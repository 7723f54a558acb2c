/**
 * Decides how a batch of keys is answered: one by one, a call for each parent, or from the whole collection.
 * Pure: what is known of each way goes in, the cheapest and the reason come out.
 */
import type { Expectation } from '../lib/endpointStats.js';

export interface Way<Name extends string> {
  name: Name;
  /** How many REST calls it takes; Infinity where it can't answer, 0 where the answer is at hand or on its way. */
  calls: number;
  /** What each of these calls is expected to take. */
  each: Expectation;
}

export interface Plan<Name extends string> {
  way: Name;
  calls: number;
  /** For whoever asks why: the ways weighed, with their costs. */
  because: string;
}

/** As many bytes weigh as much as one call more: a collection is not fetched whole for the sake of two of its rows. */
const BYTES_WORTH_A_CALL = 256 * 1024;
/** As much waiting weighs as much as one call more. */
const MS_WORTH_A_CALL = 1000;

/** The cheapest way; of equals, the one named first, so name the narrowest first. */
export function planFetch<Name extends string>(ways: readonly [Way<Name>, ...Way<Name>[]]): Plan<Name> {
  const best = ways.reduce((cheapest, way) => (costOf(way) < costOf(cheapest) ? way : cheapest));
  const because = ways.map((way) => `${way.name} ${describeCost(costOf(way))}`).join(', ');
  return { way: best.name, calls: best.calls, because };
}

/** In calls. Calls of one way run side by side: their time counts once, their bytes add up. */
export function costOf({ calls, each }: Way<string>): number {
  if (calls === 0 || calls === Number.POSITIVE_INFINITY) return calls;
  return calls + (calls * each.bytes) / BYTES_WORTH_A_CALL + each.durationMs / MS_WORTH_A_CALL;
}

function describeCost(cost: number): string {
  return cost === Number.POSITIVE_INFINITY ? 'impossible' : cost.toFixed(2);
}

/** A list on the wire ends here without saying so: one of this length has to be taken as cut off. */
export const LONGEST_LIST = 10_000;

export function isCutOff(length: number): boolean {
  return length >= LONGEST_LIST;
}
