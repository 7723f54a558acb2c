/** Combines the two stores behind the cache, memory and Redis. */
import type { Clock } from '../lib/clock.js';
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
  /** The entry is fresh, whatever its age. */
  getEntry(): StoredEntry | undefined;
  /** Used while `getEntry` returns none. The age makes the entry fresh, stale or expired, like those in memory. */
  getOlderEntry?(): StoredEntry | undefined;
}

export type TieredStore = ReturnType<typeof createTieredStore>;
export type LoadSession = Awaited<ReturnType<TieredStore['beginLoad']>>;

interface TieredStoreOptions extends Omit<RedisStoreOptions, 'connection'> {
  clock: Clock;
  maxBytes: number | undefined;
  redis: RedisConnection | undefined;
}

export function createTieredStore(options: TieredStoreOptions) {
  const { clock, logger, maxBytes, redis, onInvalidated } = options;
  const memory = new MemoryStore({ clock, maxBytes });
  const onMissedInvalidations = () => {
    memory.markAllSuspect();
    options.onMissedInvalidations();
  };
  const shared =
    redis && createRedisStore({ connection: redis, logger, onInvalidated, onMissedInvalidations });

  /** By kind, then by the text of the key. */
  const overlays = new Map<ResourceKind, Map<string, Overlay>>();

  function toUsable(entry: StoredEntry | undefined, kind: ResourceKind): UsableEntry | undefined {
    const freshness = entry && toFreshness(entry.storedAtMs, POLICIES[kind], clock.now());
    return entry && freshness && freshness !== 'expired' ? { entry, freshness } : undefined;
  }

  /** The entry, if it is usable and memory has no later one. */
  function toLatest(
    entry: StoredEntry | undefined,
    key: CacheKey,
    kind: ResourceKind,
  ): UsableEntry | undefined {
    const usable = toUsable(entry, kind);
    const found = usable && memory.get(key);
    return found && found.entry.storedAtMs > usable.entry.storedAtMs ? undefined : usable;
  }

  async function share(request: CacheRequest<unknown>, entry: StoredEntry, version: TagVersions) {
    const { key, kind, serialize } = request;
    const value = serialize ? serialize(entry.value) : entry.value;
    await shared?.set(key, { ...entry, value }, lifetimeMs(POLICIES[kind]), version);
  }

  /** The stores for one load. If an invalidation comes after the start of the load, its result is not stored. */
  function toSession(request: CacheRequest<unknown>, memoryVersion: number, { entry, version }: RedisLookup) {
    const { key, kind } = request;
    return {
      redisEntry: toUsable(entry, kind),
      storeInMemory: (loaded: StoredEntry): void =>
        memory.set(key, loaded, lifetimeMs(POLICIES[kind]), memoryVersion),
      /** Returns without waiting for Redis. */
      storeInRedis(loaded: StoredEntry): void {
        if (version === undefined) return;
        share(request, loaded, version).catch((cause: unknown) => {
          logger.warn({ cause, kind }, 'Storing a cache entry in Redis failed');
        });
      },
    };
  }

  return {
    overlay(key: CacheKey, kind: ResourceKind, overlay: Overlay): () => void {
      const ofKind = overlays.get(kind) ?? new Map<string, Overlay>();
      overlays.set(kind, ofKind.set(key.text, overlay));
      // The next connection of the same credential may have replaced it.
      return () => {
        if (ofKind.get(key.text) === overlay) ofKind.delete(key.text);
      };
    },
    storeInMemory(key: CacheKey, kind: ResourceKind, entry: StoredEntry): void {
      if (toLatest(entry, key, kind)) memory.set(key, entry, lifetimeMs(POLICIES[kind]), memory.version());
    },
    getFromMemory(key: CacheKey, kind: ResourceKind): UsableEntry | undefined {
      const overlay = overlays.get(kind)?.get(key.text);
      const overlaid = overlay?.getEntry();
      if (overlaid) return { entry: overlaid, freshness: 'fresh' };
      const older = toLatest(overlay?.getOlderEntry?.(), key, kind);
      if (older) return older;
      const found = memory.get(key);
      const usable = toUsable(found?.entry, kind);
      return usable && found?.isSuspect ? { ...usable, freshness: 'ifError', isSuspect: true } : usable;
    },
    /** See `Cache`. */
    contentVersion: (): number => memory.contentVersion(),
    async beginLoad(request: CacheRequest<unknown>) {
      const memoryVersion = memory.version();
      return toSession(request, memoryVersion, shared ? await lookUpInRedis(shared, request) : UNAVAILABLE);
    },
    invalidateLocally: (tags: readonly string[]): void => memory.invalidate(tags),
    /** Resolves when Redis has replied, or at once while it is unavailable. */
    invalidateInRedis: async (tags: readonly string[]): Promise<void> => shared?.invalidate(tags),
    usage: (): { entries: number; bytes: number } => memory.usage(),
  };
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
