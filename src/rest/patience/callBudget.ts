/**
 * Counts calls per endpoint as the platform does, so that its limit is known before it is met: an answer of
 * 429 costs a call, too.
 */
import type { Clock } from '../../lib/clock.js';
import { createSlidingCount, type SlidingCount } from './slidingCount.js';

export interface CallBudget {
  /** Calls that may still be made to an endpoint now. */
  left(endpointName: string): number;
  /** Milliseconds until a call may be made; 0 where it may now. */
  waitMs(endpointName: string): number;
  /** Counts a call. */
  take(endpointName: string): void;
}

export interface CallBudgetLimits {
  /** The most calls to one endpoint within the window. */
  calls: number;
  windowMs: number;
}

/** The platform's specification: 1,000,000 per 15 minutes for each endpoint but the token's. */
export const defaultCallBudgetLimits: CallBudgetLimits = { calls: 1_000_000, windowMs: 900_000 };

const SLICES = 15;

/** The clock may not go back. */
export function createCallBudget({ calls, windowMs }: CallBudgetLimits, clock: Clock): CallBudget {
  const counts = new Map<string, SlidingCount>();

  function left(endpointName: string): number {
    return Math.max(0, calls - (counts.get(endpointName)?.total() ?? 0));
  }

  return {
    left,
    waitMs: (endpointName) => (left(endpointName) > 0 ? 0 : (counts.get(endpointName)?.msUntilLess() ?? 0)),
    take(endpointName) {
      const count = counts.get(endpointName) ?? createSlidingCount({ clock, windowMs, slices: SLICES });
      counts.set(endpointName, count);
      count.add();
    },
  };
}
