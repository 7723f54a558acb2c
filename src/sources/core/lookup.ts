/** The one answer to "Is this cached, stale, in flight or missing?", for loaders and for fetch plans. */

/**
 * State of one answer of the platform. `fresh`: the cache serves it. `inFlight`: a load that is in progress will bring
 * it. `stale` and `missing`: it takes a REST call.
 */
export type Lookup<Value> =
  | { readonly state: 'fresh'; readonly value: Value }
  | { readonly state: 'stale' | 'inFlight' | 'missing' };

/** The states without a value, shared by all keys. */
export const lookupsWithoutValue = {
  stale: { state: 'stale' },
  inFlight: { state: 'inFlight' },
  missing: { state: 'missing' },
} as const satisfies Record<string, Lookup<never>>;

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
