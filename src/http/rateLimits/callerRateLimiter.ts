/** Keeps each caller to a rate, by a bucket of tokens that fills up as time passes. */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Caller } from '../auth/caller.js';

export interface RateLimit {
  /** Operations in the long run; 0 for as many as they like. */
  perSecond: number;
  /** Operations at once after a pause. */
  burst: number;
}

export interface TokenBucket {
  tokens: number;
  atMs: number;
}

/** A bucket after one operation, and the milliseconds to wait for it: 0 where it may be done now. */
export function takeToken(
  limit: RateLimit,
  bucket: TokenBucket | undefined,
  nowMs: number,
): { bucket: TokenBucket; waitMs: number } {
  const tokens = refill(limit, bucket, nowMs);
  const waitMs = tokens >= 1 ? 0 : ((1 - tokens) / limit.perSecond) * 1000;
  return { bucket: { tokens: waitMs > 0 ? tokens : tokens - 1, atMs: nowMs }, waitMs };
}

/** A bucket after operations that were answered elsewhere: below nothing where there was not enough for them. */
export function spendTokens(
  limit: RateLimit,
  bucket: TokenBucket | undefined,
  operations: number,
  nowMs: number,
): TokenBucket {
  const tokens = refill(limit, bucket, nowMs) - operations;
  return { tokens: Math.max(tokens, -limit.burst), atMs: nowMs };
}

function refill({ perSecond, burst }: RateLimit, bucket: TokenBucket | undefined, nowMs: number): number {
  const passedMs = Math.max(0, nowMs - (bucket?.atMs ?? nowMs));
  return Math.min(burst, (bucket?.tokens ?? burst) + (passedMs / 1000) * perSecond);
}

/** Operations that several processes count together. */
export interface SharedRateCounts {
  /** Adds operations of this process; a refusal counts as several. */
  add(caller: string, operations: number): void;
  /** Calls the listener for the operations that other processes counted. */
  onRemoteCount(listener: (caller: string, operations: number) => void): void;
}

export interface CallerRateLimiter {
  /** Counts an operation. Throws RATE_LIMITED with `retryAfterMs`. */
  countOperation(caller: string): void;
  /** Makes what was refused weigh as much as ten operations: whoever sends nothing else soon waits. */
  chargeRefusal(caller: string): void;
  /** How long this one has to wait for its next operation; 0 where it may come now. */
  waitMs(caller: string): number;
}

/** Who a request counts for: who has shown to be calling, else the address it comes from. A header could say anything. */
export function toCallerId({ socket }: Pick<IncomingMessage, 'socket'>, { id }: Pick<Caller, 'id'>): string {
  return id === undefined ? (socket.remoteAddress ?? '') : `caller ${id}`;
}

/** Whoever has been away for longest is forgotten, and begins with a full bucket. */
const MAX_CALLERS = 100_000;
/** Tokens taken for a refusal. */
const REFUSAL_WEIGHT = 10;

export function createCallerRateLimiter(
  limit: RateLimit,
  clock: Clock,
  shared?: SharedRateCounts,
): CallerRateLimiter {
  const buckets = new LRUCache<string, TokenBucket>({ max: MAX_CALLERS });
  const isUnlimited = limit.perSecond === 0;
  shared?.onRemoteCount((caller, operations) => {
    buckets.set(caller, spendTokens(limit, buckets.get(caller), operations, clock.now()));
  });
  return {
    countOperation(caller) {
      if (isUnlimited) return;
      const { bucket, waitMs } = takeToken(limit, buckets.get(caller), clock.now());
      buckets.set(caller, bucket);
      if (waitMs === 0) return shared?.add(caller, 1);
      const message = `More than ${limit.perSecond} operations a second, and ${limit.burst} at once, are not answered; a refused one counts as ${REFUSAL_WEIGHT}.`;
      throw new GatewayError('RATE_LIMITED', message, { retryable: true, retryAfterMs: waitMs });
    },
    chargeRefusal(caller) {
      if (isUnlimited) return;
      buckets.set(caller, spendTokens(limit, buckets.get(caller), REFUSAL_WEIGHT, clock.now()));
      shared?.add(caller, REFUSAL_WEIGHT);
    },
    waitMs: (caller) => (isUnlimited ? 0 : takeToken(limit, buckets.get(caller), clock.now()).waitMs),
  };
}
