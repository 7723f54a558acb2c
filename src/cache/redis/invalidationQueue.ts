/**
 * Brings the drops of this replica to Redis, at the latest when it is back, and hears those of the others. Each
 * drop leaves a mark in Redis and is told to all who listen; whoever begins to listen again and finds another
 * mark than the last one heard has missed a drop.
 */
import { randomUUID } from 'node:crypto';
import type { RedisConnection } from './redisConnection.js';

export interface InvalidationQueue {
  /** Resolves when Redis has dropped them, or is known to be away: then they wait. */
  add(tags: readonly string[]): Promise<void>;
  /** Whether one of the tags has yet to be dropped. */
  isPending(tags: readonly string[]): boolean;
}

export interface InvalidationQueueOptions {
  connection: RedisConnection;
  /** What the keys and the channel begin with. */
  namespace: string;
  /** The tag that all entries bear. */
  allTag: string;
  /** The Redis key that holds a tag's generation. */
  toKey(tag: string): string;
  onInvalidated(tags: readonly string[]): void;
  onMissedInvalidations(): void;
}

/** More than this is not remembered one by one while Redis is away: everything is dropped instead. */
const MAX_PENDING_TAGS = 10_000;
/** Redis answers nobody else while a script runs. */
const MAX_TAGS_PER_SCRIPT = 500;
const MARK_TTL_MS = 7 * 24 * 60 * 60 * 1000;

/** KEYS: the mark, generations. ARGV: the new mark, its life in ms, channel, message. A full Redis loses the mark. */
const INVALIDATE_SCRIPT = `
for i = 2, #KEYS do redis.call('DEL', KEYS[i]) end
local marked = redis.pcall('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
if marked.err then redis.call('DEL', KEYS[1]) end
redis.call('PUBLISH', ARGV[3], ARGV[4])
return 1`;

interface InvalidationMessage {
  from: string;
  mark: string;
  tags: string[];
}

export function createInvalidationQueue(options: InvalidationQueueOptions): InvalidationQueue {
  const { connection, namespace, allTag, toKey, onInvalidated, onMissedInvalidations } = options;
  const self = randomUUID();
  const markKey = `${namespace}:lastDrop`;
  const channel = `${namespace}:drops`;
  const waiting = new Map<string, symbol>();
  /** Null where Redis has none, undefined where it was never read. */
  let lastMark: unknown;

  async function send(batch: readonly [string, symbol][]): Promise<boolean> {
    const tags = batch.map(([tag]) => tag);
    const message: InvalidationMessage = { from: self, mark: randomUUID(), tags };
    const args = [message.mark, String(MARK_TTL_MS), channel, JSON.stringify(message)];
    const reply = await connection.script(INVALIDATE_SCRIPT, [markKey, ...tags.map(toKey)], args);
    if (reply === undefined) return false;
    // What was added again meanwhile is to be dropped again.
    for (const [tag, turn] of batch) if (waiting.get(tag) === turn) waiting.delete(tag);
    return true;
  }

  /** All at once: several flights of the same drop do no harm, one that is left out does. */
  async function sendAll(): Promise<void> {
    const turns = [...waiting];
    for (let from = 0; from < turns.length; from += MAX_TAGS_PER_SCRIPT) {
      if (!connection.isConnected() || !(await send(turns.slice(from, from + MAX_TAGS_PER_SCRIPT)))) return;
    }
  }

  function enqueue(tags: readonly string[]): void {
    for (const tag of tags) waiting.set(tag, Symbol(tag));
    if (waiting.size <= MAX_PENDING_TAGS) return;
    waiting.clear();
    waiting.set(allTag, Symbol(allTag));
  }

  function hear(message: string): void {
    const told = parseInvalidationMessage(message);
    if (told === undefined || told.tags.includes(allTag)) onMissedInvalidations();
    if (told === undefined) return;
    lastMark = told.mark;
    // What this replica dropped itself it may have loaded anew before it hears of it here.
    if (told.from !== self) onInvalidated(told.tags);
  }

  /** At first there is nothing to compare with: what was stored before listening is distrusted at once. */
  async function compareMarks(): Promise<void> {
    const heard = lastMark;
    if (heard === undefined) onMissedInvalidations();
    const mark = await connection.command(['GET', markKey]);
    if (lastMark !== heard) return;
    if (heard !== undefined && mark !== heard) onMissedInvalidations();
    lastMark = mark;
  }

  connection.subscribe({
    channel,
    onMessage: hear,
    onListening: () => void compareMarks().then(sendAll),
  });

  return {
    add(tags) {
      enqueue(tags);
      return sendAll();
    },
    isPending(tags) {
      const found = waiting.size > 0 && tags.some((tag) => waiting.has(tag));
      if (found && connection.isConnected()) void sendAll();
      return found;
    },
  };
}

function parseInvalidationMessage(message: string): InvalidationMessage | undefined {
  try {
    const told: unknown = JSON.parse(message);
    return isInvalidationMessage(told) ? told : undefined;
  } catch {
    return undefined;
  }
}

function isInvalidationMessage(told: unknown): told is InvalidationMessage {
  if (typeof told !== 'object' || told === null) return false;
  const { from, mark, tags } = told as Record<string, unknown>;
  const isTags = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string');
  return typeof from === 'string' && typeof mark === 'string' && isTags;
}
