/** The form in which stores hold entries, and the port of the store that replicas share. */
import type { CacheKey } from './cacheKey.js';

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

export interface StoreLookup<Version> {
  entry: StoredEntry | undefined;
  /** Undefined while the store is unavailable. */
  version: Version | undefined;
}

/** Stores never reject: an unavailable store returns no entry and stores none. */
export interface CacheStore<Version> {
  /** The entry, unless it was invalidated or its lifetime is over, and the version for storing the next one. */
  get(key: CacheKey): Promise<StoreLookup<Version>>;
  /** Read it before a load. An invalidation of one of the key's tags makes it out of date. */
  version(key: CacheKey): Promise<Version | undefined>;
  /** Ignores an outdated version, and an entry larger than the store accepts. */
  set(key: CacheKey, entry: StoredEntry, lifetimeMs: number, version: Version): Promise<void>;
  /** Removes all entries that have one of the tags. */
  invalidate(tags: readonly string[]): Promise<void>;
}
