/** Limits the messages of each caller, whatever they ask for: pings and garbage count as operations do. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.js';
import { type RateLimit, type TokenBucket, takeToken } from '../rateLimits/callerRateLimiter.js';

export interface MessageRate {
  /** Counts a message and answers 0, or answers the milliseconds after which it may be read, and counts nothing. */
  take(caller: string): number;
}

const MAX_CALLERS = 100_000;

export function createMessageRate(limit: RateLimit, clock: Clock): MessageRate {
  const buckets = new LRUCache<string, TokenBucket>({ max: MAX_CALLERS });
  return {
    take(caller) {
      if (limit.perSecond === 0) return 0;
      const { bucket, waitMs } = takeToken(limit, buckets.get(caller), clock.now());
      buckets.set(caller, bucket);
      return waitMs;
    },
  };
}
