/**
 * Keeps answers in Redis for all replicas. Each tag has a generation there, a random text; an entry is stored
 * with its tags' generations as they were before it was loaded, and counts only while they are the same. A
 * drop deletes the generations: whoever asks next makes new ones, and neither what is stored nor what is just
 * being loaded anywhere can match them. That needs no memory, so a full Redis can drop, and a Redis that
 * evicts or forgets generations only loses entries, never revives one.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from '../../lib/logger.js';
import type { CacheKey } from '../cacheKey.js';
import type { CacheStore, StoreLookup } from '../cacheStore.js';
import { createInvalidationQueue } from './invalidationQueue.js';
import type { RedisConnection } from './redisConnection.js';
import { decodeEntry, encodeEntry } from './redisEntry.js';
import { toStringList } from './replyTexts.js';

/** The generations of a key's tags. */
export type TagVersions = readonly string[];

export interface RedisStoreOptions {
  connection: RedisConnection;
  logger: Logger;
  /** Another replica dropped these tags. */
  onInvalidated(tags: readonly string[]): void;
  /** Another replica may have dropped anything: it could not be heard for a while, or its word was lost. */
  onMissedInvalidations(): void;
}

/** Not sent: it would not pass within a command's deadline, and Redis answers nobody else meanwhile. */
const MAX_ENTRY_BYTES = 8 * 1024 * 1024;
/** Longer than any entry lives: when a generation runs out, so have those stored under it. */
const VERSION_TTL_MS = 7 * 24 * 60 * 60 * 1000;
const NAMESPACE = 'fieldgraph:1';
/** Every entry bears it, so that one generation drops them all. */
const ALL_TAG = '*';

/** KEYS: the entry, its tags' generations. ARGV: a new generation, its life in ms, 1 to read the entry. */
const LOOKUP_SCRIPT = `
local answer = { ARGV[3] == '1' and redis.call('GET', KEYS[1]) }
for i = 2, #KEYS do
  local generation = redis.call('GET', KEYS[i])
  if not generation then
    generation = ARGV[1]
    redis.call('SET', KEYS[i], generation, 'PX', ARGV[2])
  end
  answer[i] = generation
end
return answer`;

export function createRedisStore(options: RedisStoreOptions): CacheStore<TagVersions> {
  const { connection, logger, onInvalidated, onMissedInvalidations } = options;
  const drops = createInvalidationQueue({
    connection,
    namespace: NAMESPACE,
    allTag: ALL_TAG,
    toKey: toVersionKey,
    onInvalidated,
    onMissedInvalidations,
  });

  async function look(key: CacheKey, wantsEntry: boolean): Promise<StoreLookup<TagVersions>> {
    const tags = toAllTags(key);
    // What this replica has yet to drop there is still to be found there.
    const { entryKey } = key;
    if (!entryKey || !connection.isConnected() || drops.isPending(tags))
      return { entry: undefined, version: undefined };
    const redisKey = toRedisKey(key);
    const keys = [redisKey, ...tags.map(toVersionKey)];
    const args = [randomUUID(), String(VERSION_TTL_MS), wantsEntry ? '1' : '0'];
    const reply = await connection.script(LOOKUP_SCRIPT, keys, args);
    if (!Array.isArray(reply)) return { entry: undefined, version: undefined };
    const version = toStringList(reply.slice(1));
    const text: unknown = reply[0];
    if (typeof text !== 'string') return { entry: undefined, version };
    return { entry: await decodeEntry(text, version, { entryKey, redisKey }), version };
  }

  return {
    get: (key) => look(key, true),
    version: async (key) => (await look(key, false)).version,
    async set(key, entry, lifetimeMs, ticket) {
      const { entryKey } = key;
      if (!entryKey || entry.bytes > MAX_ENTRY_BYTES || lifetimeMs < 1 || !connection.isConnected()) return;
      try {
        const redisKey = toRedisKey(key);
        const text = await encodeEntry(entry, ticket, { entryKey, redisKey });
        if (text.length > MAX_ENTRY_BYTES) return;
        await connection.command(['SET', redisKey, text, 'PX', String(Math.ceil(lifetimeMs))]);
      } catch (cause) {
        logger.warn({ cause }, 'An answer that is no JSON is not shared');
      }
    },
    invalidate: (tags) => drops.add(tags),
  };
}

function toAllTags({ tags }: CacheKey): string[] {
  return [ALL_TAG, ...tags];
}

function toRedisKey({ text }: CacheKey): string {
  return `${NAMESPACE}:entry:${text}`;
}

function toVersionKey(tag: string): string {
  return `${NAMESPACE}:generation:${tag}`;
}
