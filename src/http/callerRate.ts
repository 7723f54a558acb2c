/** Keeps each caller to a rate, by a bucket of tokens that fills up as time passes. */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import type { Caller } from './callers/caller.js';

export interface RateLimit {
  /** Operations in the long run; 0 for as many as they like. */
  perSecond: number;
  /** Operations at once after a pause. */
  burst: number;
}

export interface Bucket {
  tokens: number;
  atMs: number;
}

/** A bucket after one operation, and the milliseconds to wait for it: 0 where it may be done now. */
export function takeToken(
  limit: RateLimit,
  bucket: Bucket | undefined,
  nowMs: number,
): { bucket: Bucket; waitMs: number } {
  const { tokens } = fill(limit, bucket, nowMs);
  const waitMs = tokens >= 1 ? 0 : ((1 - tokens) / limit.perSecond) * 1000;
  return { bucket: { tokens: waitMs > 0 ? tokens : tokens - 1, atMs: nowMs }, waitMs };
}

function fill({ perSecond, burst }: RateLimit, bucket: Bucket | undefined, nowMs: number): Bucket {
  const passedMs = Math.max(0, nowMs - (bucket?.atMs ?? nowMs));
  const tokens = Math.min(burst, (bucket?.tokens ?? burst) + (passedMs / 1000) * perSecond);
  return { tokens, atMs: nowMs };
}

export interface CallerRate {
  /** Counts an operation. Throws RATE_LIMITED with `retryAfterMs`. */
  count(caller: string): void;
  /** Makes what was refused weigh as much as ten operations: whoever sends nothing else soon waits. */
  charge(caller: string): void;
  /** How long this one has to wait for its next operation; 0 where it may come now. */
  waitMs(caller: string): number;
}

/** Who a request counts for: who has shown to be calling, else the address it comes from. A header could say anything. */
export function callerOf({ socket }: IncomingMessage, { id }: Pick<Caller, 'id'>): string {
  return id === undefined ? (socket.remoteAddress ?? '') : `caller ${id}`;
}

/** Whoever has been away for longest is forgotten, and begins with a full bucket. */
const MOST_CALLERS = 100_000;
/** Tokens taken for a refusal. */
const REFUSAL_WEIGHT = 10;

export function createCallerRate(limit: RateLimit, clock: Clock): CallerRate {
  const buckets = new LRUCache<string, Bucket>({ max: MOST_CALLERS });
  const isUnlimited = limit.perSecond === 0;
  return {
    count(caller) {
      if (isUnlimited) return;
      const { bucket, waitMs } = takeToken(limit, buckets.get(caller), clock.now());
      buckets.set(caller, bucket);
      if (waitMs === 0) return;
      const message = `More than ${limit.perSecond} operations a second, and ${limit.burst} at once, are not answered; a refused one counts as ${REFUSAL_WEIGHT}.`;
      throw new GatewayError('RATE_LIMITED', message, { retryable: true, retryAfterMs: waitMs });
    },
    charge(caller) {
      if (isUnlimited) return;
      const { tokens, atMs } = fill(limit, buckets.get(caller), clock.now());
      buckets.set(caller, { tokens: Math.max(-limit.burst, tokens - REFUSAL_WEIGHT), atMs });
    },
    waitMs: (caller) => (isUnlimited ? 0 : takeToken(limit, buckets.get(caller), clock.now()).waitMs),
  };
}
