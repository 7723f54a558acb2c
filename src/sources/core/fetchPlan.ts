/**
 * Decides how a batch of keys is answered: one by one, a call for each parent, or from the whole collection.
 * Pure: what is known of each way goes in, the cheapest and the reason come out.
 */
import type { ExpectedCost } from './endpointStats.js';

export interface FetchStrategy<Name extends string> {
  name: Name;
  /** How many REST calls it takes; Infinity where it can't answer, 0 where the answer is at hand or on its way. */
  callCount: number;
  /** What each of these calls is expected to take. */
  costPerCall: ExpectedCost;
}

export interface FetchPlan<Name extends string> {
  strategy: Name;
  callCount: number;
  /** For whoever asks why: the ways weighed, with their costs. */
  reason: string;
}

/** As many bytes weigh as much as one call more: a collection is not fetched whole for the sake of two of its rows. */
const BYTES_WORTH_A_CALL = 256 * 1024;
/** As much waiting weighs as much as one call more. */
const MS_WORTH_A_CALL = 1000;

/** The cheapest way; of equals, the one named first, so name the narrowest first. */
export function planFetch<Name extends string>(
  ways: readonly [FetchStrategy<Name>, ...FetchStrategy<Name>[]],
): FetchPlan<Name> {
  const best = ways.reduce((cheapest, way) => (costOf(way) < costOf(cheapest) ? way : cheapest));
  const reason = ways.map((way) => `${way.name} ${describeCost(costOf(way))}`).join(', ');
  return { strategy: best.name, callCount: best.callCount, reason };
}

/** In calls. Calls of one way run side by side: their time counts once, their bytes add up. */
export function costOf({ callCount, costPerCall }: FetchStrategy<string>): number {
  if (callCount === 0 || callCount === Number.POSITIVE_INFINITY) return callCount;
  return (
    callCount +
    (callCount * costPerCall.bytes) / BYTES_WORTH_A_CALL +
    costPerCall.durationMs / MS_WORTH_A_CALL
  );
}

function describeCost(cost: number): string {
  return cost === Number.POSITIVE_INFINITY ? 'impossible' : cost.toFixed(2);
}

/** A list on the wire ends here without saying so: one of this length has to be taken as cut off. */
export const MAX_LIST_LENGTH = 10_000;

export function isCutOff(length: number): boolean {
  return length >= MAX_LIST_LENGTH;
}
