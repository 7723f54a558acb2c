/**
 * The lease in Redis that one of all replicas holds to poll a feed, and the channel on which it publishes its steps.
 * If Redis fails, methods do not reject but resolve to undefined.
 */
import { randomUUID } from 'node:crypto';
import type { EntryKey } from '../../cache/cacheKey.js';
import type { RedisConnection } from '../../cache/redis/redisConnection.js';
import { decodeEntry, encodeEntry } from '../../cache/redis/redisEntry.js';
import { isRecord, parseIfJson } from '../../lib/records.js';
import type { PolledSamples } from '../../live/samplePoll.js';
import type { TailPosition } from '../../live/sampleTail.js';

/** A step and the position before it. A follower at or behind `from` has received everything up to `position`. */
export interface PublishedStep extends PolledSamples {
  from: TailPosition;
}

export interface LeaseState {
  isLeader: boolean;
  /** The leader's position, or that of the leader before it; undefined until a poll has begun. */
  position: TailPosition | undefined;
  /** The time up to which the leader has polled the platform. Undefined until its first step. */
  asOfMs?: number | undefined;
}

export interface PollLease {
  /** Acquires the lease if it is free, and renews it if this participant holds it. */
  claim(position: TailPosition | undefined, asOfMs?: number): Promise<LeaseState | undefined>;
  /** Publishes the position at which the leader begins to all followers. */
  announce(position: TailPosition): Promise<void>;
  /** Asks the leader to poll at once, see `PollSubscription`. */
  wake(): void;
  /** Publishes a step to all followers. Resolves to false if another participant now holds the lease. */
  publish(step: PublishedStep): Promise<boolean | undefined>;
  /** Gives the lease up, so that another participant acquires it at once. Stops listening. */
  close(): void;
}

export interface PollLeaseListener {
  onStep(step: PublishedStep): void;
  /** The leader has begun, or the lease is free. */
  onLeaseChange(): void;
  /** Somebody has subscribed at another replica. */
  onWake(): void;
}

interface PollLeaseOptions {
  redis: RedisConnection;
  bus: PollBus;
  /** Names the feed. */
  name: string;
  entryKey: EntryKey;
  leaseMs: number;
}

interface BusMessage {
  /** Key of the feed's lease. */
  key: string;
  /** The participant that sent the message. */
  sender: string;
  /** Absent in a message to the leader, and when the sender has begun to lead or has released the lease. */
  step?: string;
  /** Asks the leader to poll at once. */
  isWake?: boolean;
}

const CHANNEL = 'fieldgraph:1:polls';
const MAX_STEP_LENGTH = 8 * 1024 * 1024;
/** Lifetime of the version counter. It outlives every lease, so that a version is never used twice. */
const VERSION_TTL_MS = 7 * 24 * 60 * 60 * 1000;

/** A leader that follows within this time of the last one resumes at its position. */
const POSITION_TTL_MS = 60_000;

/**
 * The lease ends at `until`, by the clock of Redis. Its position outlives it.
 * KEYS: lease, version counter. ARGV: participant, lease in ms, position or '', life of the counter in ms, life of the
 * position in ms.
 */
const CLAIM_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = redis.call('HMGET', KEYS[1], 'id', 'until')
local isFree = not lease[1] or tonumber(lease[2] or '0') <= now
if isFree then
  local version = redis.call('INCR', KEYS[2])
  redis.call('PEXPIRE', KEYS[2], ARGV[4])
  redis.call('HSET', KEYS[1], 'id', ARGV[1], 'version', version)
end
if isFree or lease[1] == ARGV[1] then
  if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], 'position', ARGV[3]) end
  redis.call('HSET', KEYS[1], 'until', now + ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[2] + ARGV[5])
end
return redis.call('HMGET', KEYS[1], 'id', 'version', 'position')`;

/**
 * KEYS: lease. ARGV: participant, version, lease in ms, position, channel, message or '', life of the position in ms.
 */
const PUBLISH_SCRIPT = `
local lease = redis.call('HMGET', KEYS[1], 'id', 'version')
if lease[1] ~= ARGV[1] or lease[2] ~= ARGV[2] then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], 'position', ARGV[4], 'until', now + ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[3] + ARGV[7])
if ARGV[6] ~= '' then redis.call('PUBLISH', ARGV[5], ARGV[6]) end
return 1`;

/** KEYS: lease. ARGV: participant, channel, message. */
const RELEASE_SCRIPT = `
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1`;

type PollBus = ReturnType<typeof createPollBus>;

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
  readonly #options: PollLeaseOptions;
  readonly #key: string;
  readonly #id = randomUUID();
  readonly #stopListening: () => void;
  /** The fencing version: Redis refuses steps of an earlier lease. */
  #version = '';
  /** Steps are decoded one after the other. */
  #decoding: Promise<void> = Promise.resolve();

  constructor(options: PollLeaseOptions, listener: PollLeaseListener) {
    this.#options = options;
    this.#key = `fieldgraph:2:poll:${options.name}`;
    this.#stopListening = options.bus.add(this.#key, ({ sender, step, isWake }) => {
      if (sender === this.#id) return;
      if (isWake) return listener.onWake();
      if (step === undefined) return listener.onLeaseChange();
      this.#decoding = this.#decoding.then(async () => {
        const decoded = await this.#decode(step);
        if (decoded) listener.onStep(decoded);
      });
    });
  }

  async claim(position: TailPosition | undefined, asOfMs?: number): Promise<LeaseState | undefined> {
    const { redis, leaseMs } = this.#options;
    const lives = [String(VERSION_TTL_MS), String(POSITION_TTL_MS)];
    const args = [this.#id, String(leaseMs), toText(position, asOfMs), ...lives];
    const reply = await redis.script(CLAIM_SCRIPT, [this.#key, `${this.#key}:version`], args);
    if (!Array.isArray(reply)) return undefined;
    const [id, version, leaderPosition] = reply;
    const isLeader = id === this.#id;
    if (isLeader) this.#version = String(version);
    return { isLeader, ...parsePosition(leaderPosition) };
  }

  async announce(position: TailPosition): Promise<void> {
    await this.#publish(toText(position), JSON.stringify(this.#toMessage()));
  }

  wake(): void {
    const { redis } = this.#options;
    const message = JSON.stringify({ ...this.#toMessage(), isWake: true });
    if (redis.isConnected()) void redis.command(['PUBLISH', CHANNEL, message]);
  }

  async publish(step: PublishedStep): Promise<boolean | undefined> {
    const isEmpty = step.samples.length === 0 && step.refusal === undefined;
    const message = isEmpty ? '' : await this.#encode(step);
    return this.#publish(toText(step.position, step.asOfMs), message);
  }

  async #publish(position: string, message: string): Promise<boolean | undefined> {
    const { redis, leaseMs } = this.#options;
    const args = [
      this.#id,
      this.#version,
      String(leaseMs),
      position,
      CHANNEL,
      message,
      String(POSITION_TTL_MS),
    ];
    const reply = await redis.script(PUBLISH_SCRIPT, [this.#key], args);
    return reply === undefined ? undefined : reply === 1;
  }

  close(): void {
    this.#stopListening();
    const args = [this.#id, CHANNEL, JSON.stringify(this.#toMessage())];
    void this.#options.redis.script(RELEASE_SCRIPT, [this.#key], args);
  }

  #toMessage(): BusMessage {
    return { key: this.#key, sender: this.#id };
  }

  /** '' if the step is too large: followers then read it from the platform. */
  async #encode(step: PublishedStep): Promise<string> {
    const text = await encodeEntry({ value: step, storedAtMs: 0, bytes: 0 }, [], this.#seal());
    return text.length > MAX_STEP_LENGTH ? '' : JSON.stringify({ ...this.#toMessage(), step: text });
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

function toText(position: TailPosition | undefined, asOfMs?: number): string {
  return position === undefined ? '' : JSON.stringify([position.id, asOfMs]);
}

function parsePosition(text: unknown): Pick<LeaseState, 'position' | 'asOfMs'> {
  const parsed = typeof text === 'string' ? parseIfJson(text) : undefined;
  if (!Array.isArray(parsed)) return { position: undefined };
  const [id, asOfMs] = parsed;
  if (!Number.isFinite(id)) return { position: undefined };
  return { position: { id }, asOfMs: Number.isFinite(asOfMs) ? asOfMs : undefined };
}

function parseMessage(text: string): BusMessage | undefined {
  const parsed = parseIfJson(text);
  if (!isRecord(parsed)) return undefined;
  const { key, sender, step, isWake } = parsed;
  if (typeof key !== 'string' || typeof sender !== 'string') return undefined;
  if (step !== undefined && typeof step !== 'string') return undefined;
  return { key, sender, ...(step !== undefined && { step }), isWake: isWake === true };
}

/** Interval between two heartbeats of a leader, and between two checks of a follower. */
export const HEARTBEAT_MS = 500;
/**
 * Two polls at the shortest setting. A leader whose event loop is blocked for longer is replaced, and nothing is
 * lost.
 */
export const MIN_LEASE_MS = 2000;
const LEASE_POLLS = 2;

/**
 * A leader without a heartbeat for this long is replaced. A third poll interval passes until a follower notices
 * this and the next leader polls.
 */
export function toLeaseMs(pollMs: number): number {
  return Math.max(LEASE_POLLS * pollMs, MIN_LEASE_MS);
}

/** A start takes a few REST calls with retries. A start or step that takes longer hangs, and another leader takes over. */
export const MAX_STEP_MS = 150_000;
