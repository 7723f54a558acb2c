/**
 * The single lookup of a value, which the loader, the fetch plan and the load share, so that an operation reads
 * the memory only once for each missing value.
 */
import type { CacheKey } from '../../cache/cacheKey.js';
import type { ResourceKind } from '../../cache/policies.js';
import type { CallOptions } from '../../rest/callRecord.js';
import type { PathValue } from '../../rest/path.js';

/** One response of the platform, converted to a model. */
export interface ReadRequest<Value> {
  kind: ResourceKind;
  template: string;
  /** Distinguishes this value from others of the same endpoint. */
  parameter?: PathValue;
  /**
   * Estimated size of the value, in bytes on the wire. Set it for values that are much smaller than the response;
   * by default, the size of the response.
   */
  bytesOf?(value: Value): number;
  /** Shares the load with concurrent requests and stores nothing: the caller stores the parts elsewhere. */
  isUncached?: boolean;
  /** See `CacheRequest`. */
  changedAtMs?: number | undefined;
  load(options: CallOptions): Promise<Value>;
  /**
   * Returns the value for a body that is equal to the one that `previous` was made from. Set it only for loads of a single
   * call. If absent, each body is parsed.
   */
  reuse?(previous: Value): Value;
  /** To and from JSON, for values that are not JSON already. */
  serialize?(value: Value): unknown;
  deserialize?(stored: unknown): Value;
}

/**
 * `fresh`: the cache serves the value. `inFlight`: a load in progress will return it. `stale` and `missing`:
 * reading it takes a REST call. Every lookup of the cache returns one of these.
 */
export type LookupResult<Value> =
  | { readonly state: 'fresh'; readonly value: Value }
  | { readonly state: 'stale' | 'inFlight' | 'missing' };

/** The number of REST calls that reading the value takes now. */
export function restCallsFor({ state }: LookupResult<unknown>): 0 | 1 {
  return state === 'fresh' || state === 'inFlight' ? 0 : 1;
}

/** The number of REST calls that reading all values takes now. */
export function countRestCalls(found: readonly LookupResult<unknown>[]): number {
  return found.reduce<number>((calls, one) => calls + restCallsFor(one), 0);
}

/** The lookup of one value, for one operation. */
export interface Lookup<Value> {
  readonly request: ReadRequest<Value>;
  readonly key: CacheKey;
  /** The content version of the cache when the value was missing; undefined if it was not missing. */
  missingSince: number | undefined;
  /** See `Reader.recall`. */
  recalling?: Promise<void>;
}
