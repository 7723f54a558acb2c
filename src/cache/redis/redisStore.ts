/**
 * Stores entries in Redis for all replicas. Each tag has a version there, a random text. An entry is stored with the
 * versions of its tags from before the load, and is valid only while they are the same. An invalidation deletes the
 * versions, and the next lookup creates new ones, so that neither stored entries nor loads in flight on any replica
 * match. Deleting needs no memory, so a full Redis can invalidate; a Redis that evicts versions only loses entries.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from '../../lib/logger.js';
import type { CacheKey } from '../cacheKey.js';
import type { CacheStore, StoreLookup } from '../cacheStore.js';
import { InvalidationQueue } from './invalidationQueue.js';
import type { RedisConnection } from './redisConnection.js';
import { decodeEntry, encodeEntry } from './redisEntry.js';

/** The versions of a key's tags. */
export type TagVersions = readonly string[];

export interface RedisStoreOptions {
  connection: RedisConnection;
  logger: Logger;
  /** Another replica invalidated these tags. */
  onInvalidated(tags: readonly string[]): void;
  /** Another replica may have invalidated any tag: this one was disconnected, or a message was lost. */
  onMissedInvalidations(): void;
}

/** Larger entries would exceed the deadline of a command, and Redis serves no other client meanwhile. */
const MAX_ENTRY_BYTES = 8 * 1024 * 1024;
/** Longer than the lifetime of any entry, so that entries expire before the versions of their tags. */
const VERSION_TTL_MS = 7 * 24 * 60 * 60 * 1000;
const NAMESPACE = 'fieldgraph:2';
/** A tag of every entry: invalidating it removes them all. */
const ALL_TAG = '*';
const UNAVAILABLE: StoreLookup<TagVersions> = { entry: undefined, version: undefined };

/** KEYS: the entry, versions of its tags. ARGV: a new version, its time to live in ms, 1 to read the entry. */
const LOOKUP_SCRIPT = `
local found = { ARGV[3] == '1' and redis.call('GET', KEYS[1]) }
for i = 2, #KEYS do
  local version = redis.call('GET', KEYS[i])
  if not version then
    version = ARGV[1]
    redis.call('SET', KEYS[i], version, 'PX', ARGV[2])
  end
  found[i] = version
end
return found`;

export function createRedisStore(options: RedisStoreOptions): CacheStore<TagVersions> {
  const { connection, logger, onInvalidated, onMissedInvalidations } = options;
  const invalidations = new InvalidationQueue({
    connection,
    namespace: NAMESPACE,
    allTag: ALL_TAG,
    toKey: toVersionKey,
    onInvalidated,
    onMissedInvalidations,
  });

  async function lookup(key: CacheKey, wantsEntry: boolean): Promise<StoreLookup<TagVersions>> {
    const tags = [ALL_TAG, ...key.tags];
    const { entryKey } = key;
    // While an invalidation is queued, Redis still has the old entry.
    if (!entryKey || !connection.isConnected() || invalidations.isPending(tags)) return UNAVAILABLE;
    const redisKey = toRedisKey(key);
    const keys = [redisKey, ...tags.map(toVersionKey)];
    const args = [randomUUID(), String(VERSION_TTL_MS), wantsEntry ? '1' : '0'];
    const reply = await connection.script(LOOKUP_SCRIPT, keys, args);
    if (!Array.isArray(reply)) return UNAVAILABLE;
    const [text, ...versions] = reply as unknown[];
    const version = versions.map((one) => (typeof one === 'string' ? one : ''));
    if (typeof text !== 'string') return { entry: undefined, version };
    return { entry: await decodeEntry(text, version, { entryKey, redisKey }), version };
  }

  return {
    get: (key) => lookup(key, true),
    version: async (key) => (await lookup(key, false)).version,
    async set(key, entry, lifetimeMs, version) {
      const { entryKey } = key;
      if (!entryKey || entry.bytes > MAX_ENTRY_BYTES || lifetimeMs < 1 || !connection.isConnected()) return;
      try {
        const redisKey = toRedisKey(key);
        const text = await encodeEntry(entry, version, { entryKey, redisKey });
        if (text.length > MAX_ENTRY_BYTES) return;
        await connection.command(['SET', redisKey, text, 'PX', String(Math.ceil(lifetimeMs))]);
      } catch (cause) {
        logger.warn({ cause }, 'Encoding a cache entry for Redis failed');
      }
    },
    invalidate: (tags) => invalidations.add(tags),
  };
}

function toRedisKey({ text }: CacheKey): string {
  return `${NAMESPACE}:entry:${text}`;
}

function toVersionKey(tag: string): string {
  return `${NAMESPACE}:version:${tag}`;
}
