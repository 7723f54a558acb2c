/** The lease of a poll in Redis, and the channel on which the leading replica publishes its steps. */
import { randomUUID } from 'node:crypto';
import type { EntryKey } from '../../cache/cacheKey.js';
import type { RedisConnection } from '../../cache/redis/redisConnection.js';
import { decodeEntry, encodeEntry } from '../../cache/redis/redisEntry.js';
import { isRecord, parseIfJson } from '../../lib/records.js';
import type { TailPosition } from '../../live/sampleTail.js';
import type { LeaseState, PollLease, PollLeaseListener, PublishedStep } from './pollLease.js';

interface RedisPollLeaseOptions {
  redis: RedisConnection;
  bus: ReturnType<typeof createPollBus>;
  /** The name of the feed. */
  name: string;
  entryKey: EntryKey;
  leaseMs: number;
}

interface BusMessage {
  /** The key of the feed's lease. */
  key: string;
  /** The id of the participant that sent the message. */
  sender: string;
  /** Absent in a message to the leader, and when the sender has released the lease. */
  step?: string;
  /** Makes the leader poll at once. */
  isWake?: boolean;
}

const CHANNEL = 'fieldgraph:1:polls';
const MAX_STEP_LENGTH = 8 * 1024 * 1024;

/** A leader that begins within this time of the last one resumes at its position. */
const POSITION_TTL_MS = 60_000;

/**
 * The lease ends at `until`, by the clock of Redis. If `until` is later than any lease can end, the clock was set back,
 * and the lease has ended too. The position outlives the lease.
 * KEYS: lease. ARGV: participant, lease in ms, position or '', life of the position in ms.
 */
const CLAIM_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = redis.call('HMGET', KEYS[1], 'id', 'until')
local lastsMs = (tonumber(lease[2]) or 0) - now
if not lease[1] or lease[1] == ARGV[1] or lastsMs <= 0 or lastsMs > tonumber(ARGV[2]) then
  redis.call('HSET', KEYS[1], 'id', ARGV[1], 'until', now + ARGV[2])
  if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], 'position', ARGV[3]) end
  redis.call('PEXPIRE', KEYS[1], ARGV[2] + ARGV[4])
end
return redis.call('HMGET', KEYS[1], 'id', 'position')`;

/** KEYS: lease. ARGV: participant, lease in ms, position, life of the position in ms, channel, message or ''. */
const PUBLISH_SCRIPT = `
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], 'position', ARGV[3], 'until', now + ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2] + ARGV[4])
if ARGV[6] ~= '' then redis.call('PUBLISH', ARGV[5], ARGV[6]) end
return 1`;

/** KEYS: lease. ARGV: participant, channel, message. */
const RELEASE_SCRIPT = `
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1`;

/** Distributes the messages of the one Redis channel to the leases of this process. */
export function createPollBus(redis: RedisConnection) {
  const listeners = new Map<string, Set<(message: BusMessage) => void>>();
  redis.subscribe({
    channel: CHANNEL,
    onMessage(text) {
      const message = parseMessage(text);
      if (message === undefined) return;
      for (const listener of listeners.get(message.key) ?? []) listener(message);
    },
  });
  return {
    add(key: string, listener: (message: BusMessage) => void): () => void {
      const own = listeners.get(key) ?? new Set();
      listeners.set(key, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(key) === own) listeners.delete(key);
      };
    },
  };
}

export class RedisPollLease implements PollLease {
  readonly #options: RedisPollLeaseOptions;
  readonly #key: string;
  readonly #id = randomUUID();
  readonly #stopListening: () => void;
  /** Steps are decoded one after the other. */
  #decoding: Promise<void> = Promise.resolve();

  constructor(options: RedisPollLeaseOptions, listener: PollLeaseListener) {
    this.#options = options;
    this.#key = `fieldgraph:2:poll:${options.name}`;
    this.#stopListening = options.bus.add(this.#key, ({ sender, step, isWake }) => {
      if (sender === this.#id) return;
      if (step === undefined) return listener({ kind: isWake ? 'wake' : 'release' });
      this.#decoding = this.#decoding.then(async () => {
        const decoded = await this.#decode(step);
        if (decoded) listener({ kind: 'step', step: decoded });
      });
    });
  }

  async claim(position: TailPosition | undefined): Promise<LeaseState | undefined> {
    const { redis, leaseMs } = this.#options;
    const args = [this.#id, String(leaseMs), position ? toText(position) : '', String(POSITION_TTL_MS)];
    const reply = await redis.script(CLAIM_SCRIPT, [this.#key], args);
    if (!Array.isArray(reply)) return undefined;
    const [id, leaderPosition] = reply;
    return { isLeader: id === this.#id, position: parsePosition(leaderPosition) };
  }

  wake(): void {
    const { redis } = this.#options;
    if (redis.isConnected()) void redis.command(['PUBLISH', CHANNEL, this.#toMessage({ isWake: true })]);
  }

  async publish(step: PublishedStep): Promise<boolean | undefined> {
    const { redis, leaseMs } = this.#options;
    // Followers learn from the lease that the platform has been polled up to a later time. A refused step has no time.
    const { samples, isPartial, asOfMs } = step;
    const isSent = samples.length > 0 || isPartial || asOfMs === undefined;
    const message = isSent ? await this.#encode(step) : '';
    const position = toText(step.position);
    const args = [this.#id, String(leaseMs), position, String(POSITION_TTL_MS), CHANNEL, message];
    const reply = await redis.script(PUBLISH_SCRIPT, [this.#key], args);
    return reply === undefined ? undefined : reply === 1;
  }

  close(): void {
    this.#stopListening();
    const args = [this.#id, CHANNEL, this.#toMessage()];
    void this.#options.redis.script(RELEASE_SCRIPT, [this.#key], args);
  }

  #toMessage(content: Pick<BusMessage, 'step' | 'isWake'> = {}): string {
    const message: BusMessage = { key: this.#key, sender: this.#id, ...content };
    return JSON.stringify(message);
  }

  /** '' if the step is too large: followers then read it from the platform. */
  async #encode(step: PublishedStep): Promise<string> {
    const text = await encodeEntry({ value: step, storedAtMs: 0, bytes: 0 }, [], this.#seal());
    return text.length > MAX_STEP_LENGTH ? '' : this.#toMessage({ step: text });
  }

  async #decode(text: string): Promise<PublishedStep | undefined> {
    const entry = await decodeEntry(text, [], this.#seal());
    // Only a process with the credential can have written it, so its shape needs no check.
    return entry?.value as PublishedStep | undefined;
  }

  #seal() {
    return { entryKey: this.#options.entryKey, redisKey: this.#key };
  }
}

function toText({ id, asOfMs }: TailPosition): string {
  return JSON.stringify([id, asOfMs]);
}

function parsePosition(text: unknown): TailPosition | undefined {
  const parsed = typeof text === 'string' ? parseIfJson(text) : undefined;
  if (!Array.isArray(parsed)) return undefined;
  const [id, asOfMs] = parsed;
  if (!Number.isFinite(id)) return undefined;
  return { id, asOfMs: Number.isFinite(asOfMs) ? asOfMs : undefined };
}

function parseMessage(text: string): BusMessage | undefined {
  const parsed = parseIfJson(text);
  if (!isRecord(parsed)) return undefined;
  const { key, sender, step, isWake } = parsed;
  if (typeof key !== 'string' || typeof sender !== 'string') return undefined;
  if (step !== undefined && typeof step !== 'string') return undefined;
  return { key, sender, ...(step !== undefined && { step }), isWake: isWake === true };
}
