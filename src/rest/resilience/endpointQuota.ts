/** Counts calls per endpoint as the platform does, to stop before its limit: a response of 429 costs a call, too. */
import type { Clock } from '../../lib/clock.js';
import { createSlidingWindowCounter, type SlidingWindowCounter } from '../../lib/slidingWindowCounter.js';

interface EndpointQuota {
  /** Calls left in the current window. */
  remaining(endpointName: string): number;
  /** Milliseconds until a call is allowed; 0 if it is now. */
  waitMs(endpointName: string): number;
  countCall(endpointName: string): void;
}

export interface EndpointQuotaLimits {
  /** Calls to one endpoint within the window. */
  maxCalls: number;
  windowMs: number;
}

/** The platform's specification: 1,000,000 per 15 minutes for each endpoint but the token's. */
export const defaultEndpointQuotaLimits: EndpointQuotaLimits = { maxCalls: 1_000_000, windowMs: 900_000 };

const SLICES = 15;

/** The clock must be monotonic. */
export function createEndpointQuota(
  { maxCalls, windowMs }: EndpointQuotaLimits,
  clock: Clock,
): EndpointQuota {
  const counts = new Map<string, SlidingWindowCounter>();

  function remaining(endpointName: string): number {
    return Math.max(0, maxCalls - (counts.get(endpointName)?.total() ?? 0));
  }

  return {
    remaining,
    waitMs: (endpointName) =>
      remaining(endpointName) > 0 ? 0 : (counts.get(endpointName)?.msUntilDecrease() ?? 0),
    countCall(endpointName) {
      const count =
        counts.get(endpointName) ?? createSlidingWindowCounter({ clock, windowMs, slices: SLICES });
      counts.set(endpointName, count);
      count.add();
    },
  };
}
