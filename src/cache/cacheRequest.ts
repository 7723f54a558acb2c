/** What is asked of the cache and what it gives, apart from how it comes by it. */
import type { Cancellation } from '../lib/cancellation.js';
import type { CacheKey } from './cacheKey.js';
import type { ResourceKind } from './policies.js';

export interface CacheRequest<Value> {
  key: CacheKey;
  kind: ResourceKind;
  /** Loads now, with the flights that were begun so and no others; a failure is told, not covered up. */
  noCache?: boolean | undefined;
  /** Of the caller. Others who wait for the same go on. */
  cancellation?: Cancellation | undefined;
  /** Its signal is aborted when nobody waits any more. It may outlive the caller, and others share what it brings. */
  load(signal: AbortSignal): Promise<LoadedValue<Value>>;
  /** To what JSON can hold, and back; not needed where the value is JSON already. */
  serialize?(value: Value): unknown;
  /** What it throws makes the stored value count as absent. */
  deserialize?(stored: unknown): Value;
}

export interface LoadedValue<Value> {
  /** Shared by all who ask for the key: never to be changed. */
  value: Value;
  /** Its size on the wire, as an estimate. */
  bytes: number;
  /** False for a partial answer, or one whose parts are kept elsewhere. */
  isStorable: boolean;
  /** Something of it was left out: it may be given now, and not again. */
  isPartial?: boolean;
}

export interface CachedValue<Value> {
  value: Value;
  /** `stale` is past its time to live; `joined` came with a load that another caller had begun. */
  origin: 'memory' | 'redis' | 'network' | 'stale' | 'joined';
  /** Milliseconds since it was loaded. */
  ageMs: number;
  /** For so many milliseconds it may be given again without asking; 0 where it is stale or partial. */
  freshForMs: number;
}

/**
 * State of one entry in this process. The value of an entry that is not fresh may only stand in for a load that fails
 * or takes too long. `inFlight`: a load is in progress that a request for the entry would share.
 */
export type CacheLookup<Value> =
  | { readonly state: 'fresh' | 'stale'; readonly cached: CachedValue<Value> }
  | { readonly state: 'inFlight'; readonly cached: CachedValue<Value> | undefined }
  | { readonly state: 'missing'; readonly cached: undefined };
