/**
 * Sends the invalidations of this replica to Redis and receives those of the others. While Redis is unavailable they
 * are queued. Each invalidation stores a random id in Redis and publishes it; a replica that subscribes again and finds
 * another id than the last it received has missed an invalidation.
 */
import { randomUUID } from 'node:crypto';
import type { RedisConnection } from './redisConnection.js';

export interface InvalidationQueueOptions {
  connection: RedisConnection;
  /** Prefix of the keys and the channel. */
  namespace: string;
  /** The tag of all entries. */
  allTag: string;
  /** The Redis key of a tag's version. */
  toKey(tag: string): string;
  onInvalidated(tags: readonly string[]): void;
  onMissedInvalidations(): void;
}

/** Beyond this number of queued tags all entries are invalidated instead. */
const MAX_PENDING_TAGS = 10_000;
/** Redis serves no other client while a script runs. */
const MAX_TAGS_PER_SCRIPT = 500;
const LAST_ID_TTL_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * KEYS: id of the last invalidation, versions of the tags. ARGV: new id, its time to live in ms, channel, message.
 * If Redis is full, the id is deleted, which other replicas treat as a missed invalidation.
 */
const INVALIDATE_SCRIPT = `
for i = 2, #KEYS do redis.call('DEL', KEYS[i]) end
local stored = redis.pcall('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if stored.err then redis.call('DEL', KEYS[1]) end
redis.call('PUBLISH', ARGV[3], ARGV[4])
return 1`;

interface InvalidationMessage {
  from: string;
  id: string;
  tags: string[];
}

export class InvalidationQueue {
  readonly #options: InvalidationQueueOptions;
  readonly #replicaId = randomUUID();
  readonly #lastIdKey: string;
  readonly #channel: string;
  /** Each tag has a symbol of its last invalidation, so that one that comes while the tag is being sent is sent too. */
  readonly #pending = new Map<string, symbol>();
  /** Null if Redis has none, undefined before it was read. */
  #lastId: unknown;

  constructor(options: InvalidationQueueOptions) {
    this.#options = options;
    this.#lastIdKey = `${options.namespace}:lastInvalidation`;
    this.#channel = `${options.namespace}:invalidations`;
    options.connection.subscribe({
      channel: this.#channel,
      onMessage: (message) => this.#receive(message),
      onListening: () => void this.#compareLastId().then(() => this.#sendAll()),
    });
  }

  /** Resolves when Redis has invalidated the tags, or when it is known to be unavailable: then they stay queued. */
  add(tags: readonly string[]): Promise<void> {
    for (const tag of tags) this.#pending.set(tag, Symbol(tag));
    if (this.#pending.size > MAX_PENDING_TAGS) {
      this.#pending.clear();
      this.#pending.set(this.#options.allTag, Symbol('all'));
    }
    return this.#sendAll();
  }

  /** Whether one of the tags is not yet invalidated in Redis. */
  isPending(tags: readonly string[]): boolean {
    const isPending = this.#pending.size > 0 && tags.some((tag) => this.#pending.has(tag));
    if (isPending && this.#options.connection.isConnected()) void this.#sendAll();
    return isPending;
  }

  /** Sends every queued tag. Sending a tag twice is harmless; leaving one out is not. */
  async #sendAll(): Promise<void> {
    const pending = [...this.#pending];
    for (let from = 0; from < pending.length; from += MAX_TAGS_PER_SCRIPT) {
      const batch = pending.slice(from, from + MAX_TAGS_PER_SCRIPT);
      if (!this.#options.connection.isConnected() || !(await this.#send(batch))) return;
    }
  }

  async #send(batch: readonly [string, symbol][]): Promise<boolean> {
    const { connection, toKey } = this.#options;
    const tags = batch.map(([tag]) => tag);
    const message: InvalidationMessage = { from: this.#replicaId, id: randomUUID(), tags };
    const args = [message.id, String(LAST_ID_TTL_MS), this.#channel, JSON.stringify(message)];
    const reply = await connection.script(INVALIDATE_SCRIPT, [this.#lastIdKey, ...tags.map(toKey)], args);
    if (reply === undefined) return false;
    for (const [tag, sent] of batch) if (this.#pending.get(tag) === sent) this.#pending.delete(tag);
    return true;
  }

  #receive(text: string): void {
    const { allTag, onInvalidated, onMissedInvalidations } = this.#options;
    const message = parseMessage(text);
    if (message === undefined || message.tags.includes(allTag)) onMissedInvalidations();
    if (message === undefined) return;
    this.#lastId = message.id;
    // This replica may have loaded its own tags again before it receives its message.
    if (message.from !== this.#replicaId) onInvalidated(message.tags);
  }

  /** The first time there is no id to compare with, so everything stored before is suspect. */
  async #compareLastId(): Promise<void> {
    const { connection, onMissedInvalidations } = this.#options;
    const before = this.#lastId;
    if (before === undefined) onMissedInvalidations();
    const id = await connection.command(['GET', this.#lastIdKey]);
    if (this.#lastId !== before) return;
    if (before !== undefined && id !== before) onMissedInvalidations();
    this.#lastId = id;
  }
}

function parseMessage(text: string): InvalidationMessage | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return isMessage(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(message: unknown): message is InvalidationMessage {
  if (typeof message !== 'object' || message === null) return false;
  const { from, id, tags } = message as Record<string, unknown>;
  const isTags = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string');
  return typeof from === 'string' && typeof id === 'string' && isTags;
}
