/** Combines the two stores behind the cache, memory and Redis. */
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import type { CacheKey } from './cacheKey.js';
import type { CacheRequest, StoredEntry } from './cacheRequest.js';
import { type Freshness, lifetimeMs, toFreshness } from './freshness.js';
import { MemoryStore } from './memory/memoryStore.js';
import { POLICIES, type ResourceKind } from './policies.js';
import type { RedisConnection } from './redis/redisConnection.js';
import {
  createRedisStore,
  type RedisLookup,
  type RedisStore,
  type RedisStoreOptions,
  type TagVersions,
  UNAVAILABLE,
} from './redis/redisStore.js';

/** An entry that may be served, at least if a load fails. */
export interface UsableEntry {
  entry: StoredEntry;
  freshness: Exclude<Freshness, 'expired'>;
  /** An invalidation may have been missed: usable only if a load fails. */
  isSuspect?: boolean;
}

/** Entries of a key that are kept outside the cache, such as those of a poll. */
export interface Overlay {
  /** Returns an entry that counts as fresh, whatever its age. */
  getEntry(): StoredEntry | undefined;
  /**
   * Called when `getEntry` returns none. The age decides whether this entry is fresh, stale or expired, as in memory.
   */
  getOlderEntry?(): StoredEntry | undefined;
}

export type LoadSession = Awaited<ReturnType<TieredStore['beginLoad']>>;

interface TieredStoreOptions extends Omit<RedisStoreOptions, 'connection'> {
  clock: Clock;
  maxBytes: number | undefined;
  redis: RedisConnection | undefined;
  peers: PeerCaches | undefined;
}

/** The tags that a process has invalidated. */
export interface Invalidation {
  tags: readonly string[];
  /** Whether they are invalidated in Redis too. True without Redis. */
  isInRedis: boolean;
}

/** The port to the caches of the other processes of this gateway. */
export interface PeerCaches {
  /** Resolves when all peers have invalidated the tags or timed out. Never rejects. */
  invalidate(invalidation: Invalidation): Promise<void>;
  /** Calls the listener when a peer invalidates tags. */
  onInvalidated(listener: (invalidation: Invalidation) => void): void;
}

export class TieredStore {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #memory: MemoryStore;
  /** Undefined without Redis. */
  readonly #shared: RedisStore | undefined;
  readonly #peers: PeerCaches | undefined;
  /** By kind, then by the text of the key. */
  readonly #overlays = new Map<ResourceKind, Map<string, Overlay>>();

  constructor(options: TieredStoreOptions) {
    const { clock, logger, maxBytes, redis, peers, onInvalidated } = options;
    this.#clock = clock;
    this.#logger = logger;
    this.#peers = peers;
    this.#memory = new MemoryStore({ clock, maxBytes });
    const onMissedInvalidations = () => {
      this.#memory.markAllSuspect();
      options.onMissedInvalidations();
    };
    this.#shared =
      redis && createRedisStore({ connection: redis, logger, onInvalidated, onMissedInvalidations });
    peers?.onInvalidated(({ tags, isInRedis }) => {
      // The peer could not reach Redis. While the tags are queued, this process does not read the old entries there.
      if (!isInRedis) void this.#shared?.invalidate(tags);
      onInvalidated(tags);
    });
  }

  overlay(key: CacheKey, kind: ResourceKind, overlay: Overlay): () => void {
    const ofKind = this.#overlays.get(kind) ?? new Map<string, Overlay>();
    this.#overlays.set(kind, ofKind.set(key.text, overlay));
    // Another connection of the same credential may have replaced the overlay.
    return () => {
      if (ofKind.get(key.text) === overlay) ofKind.delete(key.text);
    };
  }

  storeInMemory(key: CacheKey, kind: ResourceKind, entry: StoredEntry): void {
    if (this.#toLatest(entry, key, kind)) this.#setInMemory(key, kind, entry, this.#memory.version());
  }

  getFromMemory(key: CacheKey, kind: ResourceKind): UsableEntry | undefined {
    const overlay = this.#overlays.get(kind)?.get(key.text);
    const overlaid = overlay?.getEntry();
    if (overlaid) return { entry: overlaid, freshness: 'fresh' };
    const older = this.#toLatest(overlay?.getOlderEntry?.(), key, kind);
    if (older) return older;
    const found = this.#memory.get(key);
    const usable = this.#toUsable(found?.entry, kind);
    return usable && found?.isSuspect ? { ...usable, freshness: 'ifError', isSuspect: true } : usable;
  }

  /** See `Cache`. */
  contentVersion(): number {
    return this.#memory.contentVersion();
  }

  /**
   * Prepares the stores for one load. If an invalidation comes after this call, the result of the load is not stored.
   */
  async beginLoad(request: CacheRequest<unknown>) {
    const memoryVersion = this.#memory.version();
    const { entry, version } = this.#shared ? await lookUpInRedis(this.#shared, request) : UNAVAILABLE;
    const { key, kind } = request;
    return {
      redisEntry: this.#toUsable(entry, kind),
      storeInMemory: (loaded: StoredEntry): void => this.#setInMemory(key, kind, loaded, memoryVersion),
      /** Returns without waiting for Redis. */
      storeInRedis: (loaded: StoredEntry): void => {
        if (version === undefined) return;
        this.#share(request, loaded, version).catch((cause: unknown) => {
          this.#logger.warn({ cause, kind }, 'Storing a cache entry in Redis failed');
        });
      },
    };
  }

  invalidateLocally(tags: readonly string[]): void {
    this.#memory.invalidate(tags);
  }

  /** Resolves when the peers have invalidated the tags, and Redis has replied, unless it is unavailable. */
  async invalidateElsewhere(tags: readonly string[]): Promise<void> {
    // Redis first: a peer that invalidated its memory before Redis did would load the old entry from Redis again.
    const isInRedis = (await this.#shared?.invalidate(tags)) ?? true;
    await this.#peers?.invalidate({ tags, isInRedis });
  }

  usage(): { entries: number; bytes: number } {
    return this.#memory.usage();
  }

  #toUsable(entry: StoredEntry | undefined, kind: ResourceKind): UsableEntry | undefined {
    const freshness = entry && toFreshness(entry.storedAtMs, POLICIES[kind], this.#clock.now());
    return entry && freshness && freshness !== 'expired' ? { entry, freshness } : undefined;
  }

  /** The entry, if it is usable and memory has no later one. */
  #toLatest(entry: StoredEntry | undefined, key: CacheKey, kind: ResourceKind): UsableEntry | undefined {
    const usable = this.#toUsable(entry, kind);
    const found = usable && this.#memory.get(key);
    return found && found.entry.storedAtMs > usable.entry.storedAtMs ? undefined : usable;
  }

  #setInMemory(key: CacheKey, kind: ResourceKind, entry: StoredEntry, version: number): void {
    this.#memory.set(key, entry, lifetimeMs(POLICIES[kind]), version);
  }

  async #share(request: CacheRequest<unknown>, entry: StoredEntry, version: TagVersions): Promise<void> {
    const { key, kind, serialize } = request;
    const value = serialize ? serialize(entry.value) : entry.value;
    await this.#shared?.set(key, { ...entry, value }, lifetimeMs(POLICIES[kind]), version);
  }
}

async function lookUpInRedis(
  shared: RedisStore,
  { key, noCache, deserialize }: CacheRequest<unknown>,
): Promise<RedisLookup> {
  if (noCache) return { entry: undefined, version: await shared.version(key) };
  const { entry, version } = await shared.get(key);
  return { entry: entry && deserializeEntry(entry, deserialize), version };
}

function deserializeEntry(entry: StoredEntry, deserialize: CacheRequest<unknown>['deserialize']) {
  if (deserialize === undefined) return entry;
  try {
    return { ...entry, value: deserialize(entry.value) };
  } catch {
    return undefined;
  }
}
