/** Limits the rate of each caller by a token bucket: operations of every transport, and websocket messages. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.js';
import type { Caller } from '../auth/caller.js';
import { toAddressGroup } from './remoteAddress.js';

export interface RateLimit {
  /** Sustained rate; 0 means no limit. */
  perSecond: number;
  /** Maximum number of events at once, after a pause. */
  burst: number;
}

interface TokenBucket {
  tokens: number;
  atMs: number;
}

/** Takes one token if there is one; `waitMs` is then 0. Otherwise `waitMs` is the time until there is one. */
export function takeToken(
  limit: RateLimit,
  bucket: TokenBucket | undefined,
  nowMs: number,
): { bucket: TokenBucket; waitMs: number } {
  const tokens = refill(limit, bucket, nowMs);
  const waitMs = tokens >= 1 ? 0 : ((1 - tokens) / limit.perSecond) * 1000;
  return { bucket: { tokens: waitMs > 0 ? tokens : tokens - 1, atMs: nowMs }, waitMs };
}

/** Takes tokens even if there are too few: the bucket then goes below zero, down to `-burst`. */
export function spendTokens(
  limit: RateLimit,
  bucket: TokenBucket | undefined,
  count: number,
  nowMs: number,
): TokenBucket {
  const tokens = refill(limit, bucket, nowMs) - count;
  return { tokens: Math.max(tokens, -limit.burst), atMs: nowMs };
}

function refill({ perSecond, burst }: RateLimit, bucket: TokenBucket | undefined, nowMs: number): number {
  const elapsedMs = Math.max(0, nowMs - (bucket?.atMs ?? nowMs));
  return Math.min(burst, (bucket?.tokens ?? burst) + (elapsedMs / 1000) * perSecond);
}

export type RateCounts = readonly (readonly [caller: string, operations: number])[];

/** Operations that several processes count together. */
export interface SharedRateCounts {
  /** Adds operations of this process; a refusal counts as several. */
  add(caller: string, operations: number): void;
  /** Calls the listener for the operations that other processes counted. */
  onRemote(listener: (counts: RateCounts) => void): void;
}

export type CallerRateLimiter = ReturnType<typeof createCallerRateLimiter>;

/** Longer ids, such as long subjects of tokens, are replaced by their hash to bound the keys of rate tables. */
const MAX_ID_CHARACTERS = 128;

/**
 * Identifies who a request is charged to: the authenticated caller, else the remote address, or the /64 of an
 * IPv6 address.
 */
export function toCallerId(address: string, { id }: Pick<Caller, 'id'>): string {
  if (id === undefined) return toAddressGroup(address);
  return id.length > MAX_ID_CHARACTERS ? `caller-sha256 ${hash('sha256', id, 'base64')}` : `caller ${id}`;
}

/** The least recently used caller is evicted and starts again with a full bucket. */
export const MAX_CALLERS = 100_000;
export const REFUSAL_WEIGHT = 10;

export function createCallerRateLimiter(limit: RateLimit, clock: Clock, shared?: SharedRateCounts) {
  const isUnlimited = limit.perSecond === 0;
  // With `max`, the table would allocate memory for all callers at once, which took a twentieth of the start-up time.
  const buckets = new LRUCache<string, TokenBucket>({ maxSize: MAX_CALLERS, sizeCalculation: () => 1 });
  const spend = (caller: string, count: number) =>
    void buckets.set(caller, spendTokens(limit, buckets.get(caller), count, clock.now()));
  const charge = (caller: string, count: number) => {
    if (isUnlimited) return;
    spend(caller, count);
    shared?.add(caller, count);
  };
  if (!isUnlimited) {
    shared?.onRemote((counts) => {
      for (const [caller, operations] of counts) spend(caller, operations);
    });
  }
  return {
    limit,
    /** Counts this many events, even beyond the limit. */
    charge,
    /** Counts an event and returns 0, or counts nothing and returns the milliseconds until the next event may come. */
    take(caller: string): number {
      if (isUnlimited) return 0;
      const { bucket, waitMs } = takeToken(limit, buckets.get(caller), clock.now());
      buckets.set(caller, bucket);
      if (waitMs === 0) shared?.add(caller, 1);
      return waitMs;
    },
    /** Counts a refused operation as ten, so that a caller who sends only refused operations is soon limited. */
    chargeRefusal: (caller: string) => charge(caller, REFUSAL_WEIGHT),
    /** Milliseconds until the next event may come, 0 for now. Counts nothing. */
    waitMs: (caller: string) => (isUnlimited ? 0 : takeToken(limit, buckets.get(caller), clock.now()).waitMs),
  };
}
