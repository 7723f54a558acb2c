/** The store port: what the cache needs of a place to keep answers in, be it this process or Redis. */
import type { MaybePromise } from '../lib/maybePromise.js';
import type { CacheKey } from './cacheKey.js';

export interface StoredEntry {
  /** What was loaded; JSON in a store outside the process. Shared by all who get it: never to be changed. */
  value: unknown;
  /** When it was loaded, milliseconds since the Unix epoch. */
  storedAtMs: number;
  /** Its size on the wire. */
  bytes: number;
}

export interface StoreLookup<Version> {
  entry: StoredEntry | undefined;
  /** Undefined where the store can't be reached. */
  version: Version | undefined;
}

/** Stores never reject: one that fails has nothing and keeps nothing. */
export interface CacheStore<Version> {
  /** What is stored and was neither dropped nor outlived its lifetime, with a ticket for storing anew. */
  get(key: CacheKey): MaybePromise<StoreLookup<Version>>;
  /** The right to store what is loaded from now on. A drop of any of the key's tags takes it away. */
  version(key: CacheKey): MaybePromise<Version | undefined>;
  /** Does nothing for a ticket that a drop took away, and for an entry larger than the store takes. */
  set(key: CacheKey, entry: StoredEntry, lifetimeMs: number, ticket: Version): MaybePromise<void>;
  /** Forgets everything that bears one of the tags. */
  invalidate(tags: readonly string[]): MaybePromise<void>;
}
