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
  { perSecond, burst }: RateLimit,
  bucket: Bucket | undefined,
  nowMs: number,
): { bucket: Bucket; waitMs: number } {
  const passedMs = Math.max(0, nowMs - (bucket?.atMs ?? nowMs));
  const tokens = Math.min(burst, (bucket?.tokens ?? burst) + (passedMs / 1000) * perSecond);
  const waitMs = tokens >= 1 ? 0 : ((1 - tokens) / perSecond) * 1000;
  return { bucket: { tokens: waitMs > 0 ? tokens : tokens - 1, atMs: nowMs }, waitMs };
}

export interface CallerRate {
  /** Counts an operation. Throws RATE_LIMITED with `retryAfterMs`. */
  count(caller: string): void;
}

/** Who a request counts for: who has shown to be calling, else the address it comes from. A header could say anything. */
export function callerOf({ socket }: IncomingMessage, { id }: Pick<Caller, 'id'>): string {
  return id === undefined ? (socket.remoteAddress ?? '') : `caller ${id}`;
}

/** Whoever has been away for longest is forgotten, and begins with a full bucket. */
const MOST_CALLERS = 100_000;

export function createCallerRate(limit: RateLimit, clock: Clock): CallerRate {
  const buckets = new LRUCache<string, Bucket>({ max: MOST_CALLERS });
  return {
    count(caller) {
      if (limit.perSecond === 0) return;
      const { bucket, waitMs } = takeToken(limit, buckets.get(caller), clock.now());
      buckets.set(caller, bucket);
      if (waitMs === 0) return;
      const message = `More than ${limit.perSecond} operations a second, and ${limit.burst} at once, are not answered.`;
      throw new GatewayError('RATE_LIMITED', message, { retryable: true, retryAfterMs: waitMs });
    },
  };
}
