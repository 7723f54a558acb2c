/** The two levels behind the cache, memory and Redis, as one: what they hold, and who may still store. */
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import type { CacheKey } from './cacheKey.js';
import type { CacheRequest } from './cacheRequest.js';
import type { CacheStore, StoredEntry, StoreLookup } from './cacheStore.js';
import { type Freshness, lifetimeMs, toFreshness } from './freshness.js';
import { createMemoryStore } from './memory/memoryStore.js';
import type { PolicyTable, ResourceKind } from './policies.js';
import type { RedisConnection } from './redis/redisConnection.js';
import { createRedisStore, type TagVersions } from './redis/redisStore.js';

/** An entry that is good for something; a dead one is not told of. */
export interface UsableEntry {
  entry: StoredEntry;
  freshness: Exclude<Freshness, 'dead'>;
}

/** What may be done for one load: all of it under tickets from before it began. */
export interface LoadSession {
  /** What Redis has. */
  redisEntry: UsableEntry | undefined;
  /** Into memory. */
  storeInMemory(entry: StoredEntry): void;
  /** Into Redis; nobody waits for it. */
  storeInRedis(entry: StoredEntry): void;
}

export interface TieredStore {
  /** What memory has. */
  getFromMemory(key: CacheKey, kind: ResourceKind): UsableEntry | undefined;
  beginLoad(request: CacheRequest<unknown>): Promise<LoadSession>;
  invalidateLocally(tags: readonly string[]): void;
  /** Resolves when Redis was told, or is away. */
  invalidateInRedis(tags: readonly string[]): Promise<void>;
  usage(): { entries: number; bytes: number };
  clear(): void;
}

export interface TieredStoreOptions {
  clock: Clock;
  logger: Logger;
  maxBytes: number | undefined;
  redis: RedisConnection | undefined;
  policies: PolicyTable;
  /** Another replica dropped these tags. */
  onInvalidated(tags: readonly string[]): void;
  /** Another replica may have dropped anything. */
  onMissedInvalidations(): void;
}

const EMPTY_LOOKUP: StoreLookup<TagVersions> = { entry: undefined, version: undefined };

export function createTieredStore(options: TieredStoreOptions): TieredStore {
  const { clock, logger, maxBytes, redis, policies, onInvalidated } = options;
  const onMissedInvalidations = () => {
    memory.markAllSuspect();
    options.onMissedInvalidations();
  };
  const memory = createMemoryStore({ clock, maxBytes });
  const shared =
    redis && createRedisStore({ connection: redis, logger, onInvalidated, onMissedInvalidations });

  function toHeld(entry: StoredEntry | undefined, kind: ResourceKind): UsableEntry | undefined {
    const freshness = entry && toFreshness(entry.storedAtMs, policies[kind], clock.now());
    return entry && freshness && freshness !== 'dead' ? { entry, freshness } : undefined;
  }

  async function write(request: CacheRequest<unknown>, entry: StoredEntry, ticket: TagVersions) {
    const { key, kind, serialize } = request;
    const value = serialize ? serialize(entry.value) : entry.value;
    await shared?.set(key, { ...entry, value }, lifetimeMs(policies[kind]), ticket);
  }

  return {
    getFromMemory(key, kind) {
      const { entry } = memory.get(key);
      const held = toHeld(entry, kind);
      return held && !entry?.isTrusted ? { ...held, freshness: 'ifError' } : held;
    },
    async beginLoad(request) {
      const { key, kind } = request;
      const memoryTicket = memory.version(key);
      const { entry, version } = shared ? await lookUpInRedis(shared, request) : EMPTY_LOOKUP;
      return {
        redisEntry: toHeld(entry, kind),
        storeInMemory: (kept) => memory.set(key, kept, lifetimeMs(policies[kind]), memoryTicket),
        storeInRedis(given) {
          if (version === undefined) return;
          write(request, given, version).catch((cause: unknown) => {
            logger.warn({ cause, kind }, 'An answer could not be shared');
          });
        },
      };
    },
    invalidateLocally: memory.invalidate,
    invalidateInRedis: async (tags) => shared?.invalidate(tags),
    usage: memory.usage,
    clear: memory.clear,
  };
}

async function lookUpInRedis(
  shared: CacheStore<TagVersions>,
  { key, noCache, deserialize }: CacheRequest<unknown>,
): Promise<StoreLookup<TagVersions>> {
  if (noCache) return { entry: undefined, version: await shared.version(key) };
  const { entry, version } = await shared.get(key);
  return { entry: entry && deserializeEntry(entry, deserialize), version };
}

function deserializeEntry(entry: StoredEntry, revive: ((stored: unknown) => unknown) | undefined) {
  if (revive === undefined) return entry;
  try {
    return { ...entry, value: revive(entry.value) };
  } catch {
    return undefined;
  }
}
