/**
 * Chooses how to load a batch of keys: one by one, by a call for each parent, or from the whole collection. Pure: takes
 * the expected cost of each strategy, returns the cheapest.
 */

/** Expected cost of a call to an endpoint. */
export interface ExpectedCost {
  bytes: number;
  durationMs: number;
}

export interface FetchStrategy<Name extends string> {
  name: Name;
  /** Number of REST calls: Infinity if the strategy cannot serve the keys, 0 if the values are cached or in flight. */
  callCount: number;
  costPerCall: ExpectedCost;
}

export interface FetchPlan<Name extends string> {
  strategy: Name;
  callCount: number;
  compared: readonly FetchStrategy<Name>[];
}

/** This many bytes cost as much as one more call, so that a large collection is not loaded for two rows. */
const BYTES_PER_CALL_COST = 256 * 1024;
/** This time costs as much as one more call. */
const MS_PER_CALL_COST = 1000;

/** Returns the cheapest strategy; among equals the first, so callers list the narrowest first. */
export function planFetch<Name extends string>(
  strategies: readonly [FetchStrategy<Name>, ...FetchStrategy<Name>[]],
): FetchPlan<Name> {
  const best = strategies.reduce((cheapest, one) => (costOf(one) < costOf(cheapest) ? one : cheapest));
  return { strategy: best.name, callCount: best.callCount, compared: strategies };
}

/** The reason of a plan for explanations: all strategies with their costs. */
export function describePlan({ compared }: FetchPlan<string>): string {
  return compared.map((one) => `${one.name} ${describeCost(costOf(one))}`).join(', ');
}

/** In calls. The calls of one strategy run in parallel: their time counts once, their bytes add up. */
export function costOf({ callCount, costPerCall }: FetchStrategy<string>): number {
  if (callCount === 0 || callCount === Number.POSITIVE_INFINITY) return callCount;
  return (
    callCount +
    (callCount * costPerCall.bytes) / BYTES_PER_CALL_COST +
    costPerCall.durationMs / MS_PER_CALL_COST
  );
}

function describeCost(cost: number): string {
  return cost === Number.POSITIVE_INFINITY ? 'impossible' : cost.toFixed(2);
}

/** The platform silently truncates lists to this length, so a list of this length counts as truncated. */
export const MAX_LIST_LENGTH = 10_000;

export function isTruncated(length: number, maxLength = MAX_LIST_LENGTH): boolean {
  return length >= maxLength;
}
