/**
 * Stores entries in Redis for all replicas. Each tag has a version there, a random text. An entry is stored with the
 * versions of its tags from before the load, and is valid only while they are the same. An invalidation deletes the
 * versions, and the next lookup creates new ones, so that neither stored entries nor loads in flight on any replica
 * match. Deleting needs no memory, so a full Redis can invalidate; a Redis that evicts versions only loses entries.
 * A Redis that loads a snapshot when it starts has entries and versions from before later invalidations. Therefore
 * each entry also has a tag whose version belongs to the current run of the server.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from '../../lib/logger.js';
import { isRecord, parseIfJson } from '../../lib/records.js';
import type { CacheKey } from '../cacheKey.js';
import type { StoredEntry } from '../cacheRequest.js';
import type { RedisConnection } from './redisConnection.js';
import { decodeEntry, encodeEntry } from './redisEntry.js';

export type TagVersions = readonly string[];

export interface RedisLookup {
  entry: StoredEntry | undefined;
  /** Undefined while Redis is unavailable. */
  version: TagVersions | undefined;
}

export type RedisStore = ReturnType<typeof createRedisStore>;

export interface RedisStoreOptions {
  connection: RedisConnection;
  logger: Logger;
  /** Another replica invalidated these tags. */
  onInvalidated(tags: readonly string[]): void;
  /** Another replica may have invalidated any tag: this one was disconnected, or a message was lost. */
  onMissedInvalidations(): void;
}

/** Larger entries would exceed the deadline of a command, and Redis serves no other client while it handles one. */
const MAX_ENTRY_BYTES = 8 * 1024 * 1024;
/** Longer than the lifetime of any entry, so that entries expire before the versions of their tags. */
const VERSION_TTL_MS = 7 * 24 * 60 * 60 * 1000;
const NAMESPACE = 'fieldgraph:2';
/** A tag that every entry has: invalidating it removes all entries. Its version differs in each run of the server. */
const ALL_TAG = '*';
export const UNAVAILABLE: RedisLookup = { entry: undefined, version: undefined };

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

/** The methods never reject: while Redis is unavailable, the store returns no entry and stores none. */
export function createRedisStore(options: RedisStoreOptions) {
  const { connection, logger } = options;
  const invalidations = new InvalidationQueue(options);

  async function lookup(key: CacheKey, wantsEntry: boolean): Promise<RedisLookup> {
    const tags = [ALL_TAG, ...key.tags];
    const { entryKey } = key;
    // While an invalidation is queued, Redis still has the old entry.
    if (!entryKey || !connection.isConnected() || invalidations.isPending(tags)) return UNAVAILABLE;
    const redisKey = toRedisKey(key);
    const keys = [redisKey, ...tags.map((tag) => toVersionKey(tag, connection))];
    const args = [randomUUID(), String(VERSION_TTL_MS), wantsEntry ? '1' : '0'];
    const reply = await connection.script(LOOKUP_SCRIPT, keys, args);
    if (!Array.isArray(reply)) return UNAVAILABLE;
    const [text, ...versions] = reply as unknown[];
    const version = versions.map((one) => (typeof one === 'string' ? one : ''));
    if (typeof text !== 'string') return { entry: undefined, version };
    return { entry: await decodeEntry(text, version, { entryKey, redisKey }), version };
  }

  return {
    /** Returns the entry, unless it was invalidated or has expired, and the version to pass to `set`. */
    get: (key: CacheKey) => lookup(key, true),
    /** Read it before a load, and pass it to `set`: an invalidation of one of the key's tags makes it out of date. */
    version: async (key: CacheKey) => (await lookup(key, false)).version,
    /** Ignores an outdated version, and an entry of more than `MAX_ENTRY_BYTES`. */
    async set(key: CacheKey, entry: StoredEntry, lifetimeMs: number, version: TagVersions): Promise<void> {
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
    invalidate: (tags: readonly string[]) => invalidations.add(tags),
  };
}

function toRedisKey({ text }: CacheKey): string {
  return `${NAMESPACE}:entry:${text}`;
}

function toVersionKey(tag: string, connection: RedisConnection): string {
  return `${NAMESPACE}:version:${tag === ALL_TAG ? `${tag}:${connection.runId() ?? ''}` : tag}`;
}

const LAST_ID_KEY = `${NAMESPACE}:lastInvalidation`;
const CHANNEL = `${NAMESPACE}:invalidations`;

/** Beyond this number of queued tags all entries are invalidated instead. */
const MAX_PENDING_TAGS = 10_000;
/** Redis serves no other client while a script runs. */
const MAX_TAGS_PER_SCRIPT = 500;
/**
 * A write waits this long for a slow Redis, far longer than a read: if it returned earlier, other processes could still
 * read the old entries.
 */
const INVALIDATION_DEADLINE_MS = 1000;
/** If a connected Redis refuses an invalidation or replies late, the invalidation is sent again after this pause. */
const RESEND_MS = 1000;
const LAST_ID_TTL_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * KEYS: id of the last invalidation, versions of the tags. ARGV: new id, its time to live in ms, channel, message without
 * the id before it, which is added here. If Redis is full, the id is deleted, which other replicas treat as a missed
 * invalidation. A key of another type counts as absent, and is replaced.
 */
const INVALIDATE_SCRIPT = `
local last = redis.pcall('GET', KEYS[1])
local previous = cjson.encode(type(last) == 'string' and last or cjson.null)
for i = 2, #KEYS do redis.call('DEL', KEYS[i]) end
local stored = redis.pcall('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if stored.err then redis.call('DEL', KEYS[1]) end
redis.call('PUBLISH', ARGV[3], '{"previous":' .. previous .. ',' .. string.sub(ARGV[4], 2))
return 1`;

interface InvalidationMessage {
  from: string;
  id: string;
  tags: string[];
  /** Id of the invalidation before this one; null if Redis had none. */
  previous: string | null;
}

/**
 * Sends the invalidations of this replica to Redis and receives those of the others. While Redis is unavailable they
 * are queued. Each invalidation stores a random id in Redis and publishes it together with the previous id. A
 * replica that receives or reads a previous id other than the last one it received has missed an invalidation.
 */
class InvalidationQueue {
  readonly #options: RedisStoreOptions;
  readonly #replicaId = randomUUID();
  /**
   * Each tag has a symbol for its last invalidation, so that an invalidation that arrives while the tag is being
   * sent is also sent.
   */
  readonly #pending = new Map<string, symbol>();
  #resendTimer: NodeJS.Timeout | undefined;
  /** The id of the last invalidation in Redis. Null if Redis has none, undefined before it is first read. */
  #lastId: unknown;
  /** The run of the server to which the last id belongs. */
  #runId: string | undefined;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
    options.connection.subscribe({
      channel: CHANNEL,
      onMessage: (message) => this.#receive(message),
      onListening: () => void this.#compareLastId().then(() => this.#sendAll()),
    });
  }

  /** Resolves to whether Redis has invalidated the tags. If it is unavailable, refuses them or is late, they stay queued. */
  async add(tags: readonly string[]): Promise<boolean> {
    for (const tag of tags) this.#pending.set(tag, Symbol(tag));
    if (this.#pending.size > MAX_PENDING_TAGS) {
      this.#pending.clear();
      this.#pending.set(ALL_TAG, Symbol('all'));
    }
    await this.#sendAll();
    return !this.isPending([ALL_TAG, ...tags]);
  }

  /** Whether one of the tags is not yet invalidated in Redis. */
  isPending(tags: readonly string[]): boolean {
    return this.#pending.size > 0 && tags.some((tag) => this.#pending.has(tag));
  }

  /** Sends every queued tag. Sending a tag twice is harmless; leaving one out is not. */
  async #sendAll(): Promise<void> {
    const { connection } = this.#options;
    const pending = [...this.#pending];
    for (let from = 0; from < pending.length && connection.isConnected(); from += MAX_TAGS_PER_SCRIPT) {
      if (await this.#send(pending.slice(from, from + MAX_TAGS_PER_SCRIPT))) continue;
      this.#resendLater();
      return;
    }
  }

  #resendLater(): void {
    this.#resendTimer ??= setTimeout(() => {
      this.#resendTimer = undefined;
      void this.#sendAll();
    }, RESEND_MS).unref();
  }

  async #send(batch: readonly [string, symbol][]): Promise<boolean> {
    const { connection } = this.#options;
    const tags = batch.map(([tag]) => tag);
    const message = { from: this.#replicaId, id: randomUUID(), tags };
    const args = [message.id, String(LAST_ID_TTL_MS), CHANNEL, JSON.stringify(message)];
    const keys = [LAST_ID_KEY, ...tags.map((tag) => toVersionKey(tag, connection))];
    const reply = await connection.script(INVALIDATE_SCRIPT, keys, args, INVALIDATION_DEADLINE_MS);
    if (reply === undefined) return false;
    for (const [tag, sent] of batch) if (this.#pending.get(tag) === sent) this.#pending.delete(tag);
    return true;
  }

  #receive(text: string): void {
    const { onInvalidated, onMissedInvalidations } = this.#options;
    const message = parseIfJson(text);
    if (!isMessage(message)) {
      onMissedInvalidations();
      return;
    }
    if (message.previous !== this.#lastId || message.tags.includes(ALL_TAG)) onMissedInvalidations();
    this.#lastId = message.id;
    // This replica has already invalidated its own tags, and may have loaded their entries again since.
    if (message.from !== this.#replicaId) onInvalidated(message.tags);
  }

  /**
   * At the first connection, no id is known, so everything stored before is suspect. After a restart of Redis, its last
   * id may be older than the one known here.
   */
  async #compareLastId(): Promise<void> {
    const { connection, onMissedInvalidations } = this.#options;
    const before = this.#lastId;
    const isSameRun = connection.runId() === this.#runId;
    this.#runId = connection.runId();
    if (before === undefined || !isSameRun) onMissedInvalidations();
    const id = await connection.command(['GET', LAST_ID_KEY]);
    // Messages that arrived in the meantime have already been compared.
    if (this.#lastId !== before) return;
    if (before !== undefined && id !== before) onMissedInvalidations();
    this.#lastId = id;
  }
}

function isMessage(message: unknown): message is InvalidationMessage {
  if (!isRecord(message)) return false;
  const { from, id, tags, previous } = message;
  const isTags = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string');
  const isPrevious = previous === null || typeof previous === 'string';
  return typeof from === 'string' && typeof id === 'string' && isTags && isPrevious;
}
