/** Reads the state of an answer in the cache: the one decision for loaders, fetch plans and prefetches. */

/**
 * `fresh`: the cache serves the value. `inFlight`: a load in progress will bring it. `stale` and `missing`: it takes a
 * REST call. Every lookup of the cache is one of these.
 */
export type Lookup<Value> =
  | { readonly state: 'fresh'; readonly value: Value }
  | { readonly state: 'stale' | 'inFlight' | 'missing' };

/** How many REST calls it takes to read the answer now. */
export function restCallsFor({ state }: Lookup<unknown>): 0 | 1 {
  return state === 'fresh' || state === 'inFlight' ? 0 : 1;
}

/** How many REST calls it takes to read the answers to all keys now. */
export function countRestCalls<Key>(
  keys: readonly Key[],
  source: { lookup(key: Key): Lookup<unknown> },
): number {
  return keys.reduce((calls, key) => calls + restCallsFor(source.lookup(key)), 0);
}
