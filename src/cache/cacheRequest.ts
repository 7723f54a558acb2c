/** A request to the cache, its result, and an entry of its stores. */
import type { Cancellation, Waiter } from '../lib/cancellation.js';
import type { CacheKey } from './cacheKey.js';
import type { ResourceKind } from './policies.js';

/** An entry as the stores hold it. */
export interface StoredEntry {
  /** The loaded value; JSON in a store outside the process. Shared by all callers: never modify it. */
  value: unknown;
  /** Time of the load, milliseconds since the Unix epoch. */
  storedAtMs: number;
  /** Size on the wire. */
  bytes: number;
  /** Hash of the body that the value was made from; undefined if a load cannot reuse the value. Not shared. */
  bodyHash?: string | undefined;
}

export interface CacheRequest<Value> {
  key: CacheKey;
  kind: ResourceKind;
  /**
   * Uses no stored entry: loads now, or shares a load that another `noCache` request started. Rejects if the load fails.
   */
  noCache?: boolean | undefined;
  /** The cache's `contentVersion` when `lookup` found the key missing. Until it changes, the memory is not read again. */
  missingSince?: number | undefined;
  /**
   * When the value last changed on the platform, Unix milliseconds. Loads that began earlier are not shared, and their
   * entries are used only if a load fails. If it is present, entries get the time at which their load began.
   */
  changedAtMs?: number | undefined;
  /** Cancels only this caller; other callers of the same load continue. */
  cancellation?: Cancellation | undefined;
  /** The operation that needs the value. It may wait for a load that another operation has begun. */
  waiter?: Waiter | undefined;
  /**
   * Cancelled when the last caller stops waiting. The load may outlive this caller and serve others. `getPrevious`
   * returns the entry of this process, which the load replaces; it may be stale.
   */
  load(
    cancellation: Cancellation,
    isRevalidation: boolean,
    getPrevious: () => StoredEntry | undefined,
  ): Promise<LoadedValue<Value>>;
  /** Converts the value to JSON. Absent if the value is already JSON. */
  serialize?(value: Value): unknown;
  /** Converts JSON back to the value. If it throws, the stored value counts as absent. */
  deserialize?(stored: unknown): Value;
}

export interface LoadedValue<Value> {
  /** Shared by all callers of the key: never modify it. */
  value: Value;
  /** Estimated size on the wire. */
  bytes: number;
  /** False for a partial value, and for one whose parts are cached elsewhere. */
  isStorable: boolean;
  /** Parts are missing: serve it once and do not reuse it. */
  isPartial?: boolean;
  /** See `StoredEntry`. */
  bodyHash?: string | undefined;
}

export interface CachedValue<Value> {
  value: Value;
  /** `stale`: past its time to live. `shared`: from a load that another caller started. */
  origin: 'memory' | 'redis' | 'network' | 'stale' | 'shared';
  /** Milliseconds since the load. */
  ageMs: number;
  /** Milliseconds for which it may be reused; 0 if it is stale or partial. */
  freshForMs: number;
}

/**
 * The origin that metrics show. `overdue`: a stale value that should have been replaced by now, but its load fails
 * or waits for its turn. Callers see `stale`.
 */
export type ReadOrigin = CachedValue<unknown>['origin'] | 'overdue';

/**
 * `fresh`: `fetch` would serve it from memory. `inFlight`: `fetch` would share a load; there is a value if a stale
 * entry can replace a failed load. `stale`: the entry is past its time to live, or suspect. `missing`: no usable entry.
 * `isSuspect`: an invalidation may have been missed, so that the value is usable only if a load fails.
 */
export type CacheLookup<Value> =
  | (CachedValue<Value> & { state: 'fresh' | 'stale' | 'inFlight'; isSuspect: boolean })
  | { state: 'inFlight' | 'missing'; value?: undefined };
