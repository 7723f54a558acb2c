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
  const tokens = refill(limit, bucket, nowMs);
  const waitMs = tokens >= 1 ? 0 : ((1 - tokens) / limit.perSecond) * 1000;
  return { bucket: { tokens: waitMs > 0 ? tokens : tokens - 1, atMs: nowMs }, waitMs };
}

/** A bucket after operations that were answered elsewhere: below nothing where there was not enough for them. */
export function spendTokens(
  limit: RateLimit,
  bucket: Bucket | undefined,
  operations: number,
  nowMs: number,
): Bucket {
  const tokens = refill(limit, bucket, nowMs) - operations;
  return { tokens: Math.max(tokens, -limit.burst), atMs: nowMs };
}

function refill({ perSecond, burst }: RateLimit, bucket: Bucket | undefined, nowMs: number): number {
  const passedMs = Math.max(0, nowMs - (bucket?.atMs ?? nowMs));
  return Math.min(burst, (bucket?.tokens ?? burst) + (passedMs / 1000) * perSecond);
}

/** What the processes of a gateway count together, where there are several. */
export interface SharedCounts {
  /** An operation was counted here. */
  add(caller: string): void;
  /** Has the listener told what was counted elsewhere. */
  onElsewhere(listener: (caller: string, operations: number) => void): void;
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
export function callerOf({ socket }: Pick<IncomingMessage, 'socket'>, { id }: Pick<Caller, 'id'>): string {
  return id === undefined ? (socket.remoteAddress ?? '') : `caller ${id}`;
}

/** Whoever has been away for longest is forgotten, and begins with a full bucket. */
const MOST_CALLERS = 100_000;
/** Tokens taken for a refusal. */
const REFUSAL_WEIGHT = 10;

export function createCallerRate(limit: RateLimit, clock: Clock, shared?: SharedCounts): CallerRate {
  const buckets = new LRUCache<string, Bucket>({ max: MOST_CALLERS });
  const isUnlimited = limit.perSecond === 0;
  shared?.onElsewhere((caller, operations) => {
    buckets.set(caller, spendTokens(limit, buckets.get(caller), operations, clock.now()));
  });
  return {
    count(caller) {
      if (isUnlimited) return;
      const { bucket, waitMs } = takeToken(limit, buckets.get(caller), clock.now());
      buckets.set(caller, bucket);
      if (waitMs === 0) return shared?.add(caller);
      const message = `More than ${limit.perSecond} operations a second, and ${limit.burst} at once, are not answered; a refused one counts as ${REFUSAL_WEIGHT}.`;
      throw new GatewayError('RATE_LIMITED', message, { retryable: true, retryAfterMs: waitMs });
    },
    charge(caller) {
      if (isUnlimited) return;
      buckets.set(caller, spendTokens(limit, buckets.get(caller), REFUSAL_WEIGHT, clock.now()));
    },
    waitMs: (caller) => (isUnlimited ? 0 : takeToken(limit, buckets.get(caller), clock.now()).waitMs),
  };
}
