/**
 * Stops asking a family of endpoints that fails most of the time, and lets one call through now and then to
 * see whether it is back.
 */
import type { Clock } from '../../lib/clock.js';
import { createSlidingCount } from './slidingCount.js';

/** `halfOpen`: the next call, or one under way, decides between open and closed. */
export type BreakerState = 'closed' | 'open' | 'halfOpen';

/** `unknown`: the call says nothing of the platform, as when its caller has left. */
export type BreakerVerdict = 'success' | 'failure' | 'unknown';

/** Tells the breaker what came of a call it let through; to be called once. */
export type ReportToBreaker = (verdict: BreakerVerdict) => void;

export interface CircuitBreaker {
  state(): BreakerState;
  /** Milliseconds until a call may be let through; 0 where it may now. */
  waitMs(): number;
  /** Lets a call through, or not: undefined. */
  enter(): ReportToBreaker | undefined;
}

export interface BreakerLimits {
  /** The breaker opens at this share of failures, from 0 to 1, … */
  failureShare: number;
  /** … of at least so many calls … */
  leastCalls: number;
  /** … in so many milliseconds. */
  windowMs: number;
  /** How long it stays open before a call is let through. */
  sleepMs: number;
}

export const defaultBreakerLimits: BreakerLimits = {
  failureShare: 0.5,
  leastCalls: 20,
  windowMs: 10_000,
  sleepMs: 5_000,
};

export interface CircuitBreakerOptions extends BreakerLimits {
  /** May not go back. */
  clock: Clock;
  onChange(state: 'open' | 'closed'): void;
}

const SLICES = 10;

export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { clock, onChange, sleepMs } = options;
  /** A new one each time it closes, so that calls let through before count for nothing. */
  let record = createRecord(options);
  let openUntilMs: number | undefined;
  let isProbing = false;

  function open(): void {
    openUntilMs = clock.now() + sleepMs;
    onChange('open');
  }

  function close(): void {
    openUntilMs = undefined;
    record = createRecord(options);
    onChange('closed');
  }

  function waitMs(): number {
    if (openUntilMs === undefined) return 0;
    return isProbing ? sleepMs : Math.max(0, openUntilMs - clock.now());
  }

  function enterClosed(): ReportToBreaker {
    const mine = record;
    return (verdict) => {
      if (verdict === 'unknown' || mine !== record || openUntilMs !== undefined) return;
      if (mine.add(verdict)) open();
    };
  }

  function enterAsProbe(): ReportToBreaker {
    isProbing = true;
    return (verdict) => {
      isProbing = false;
      if (verdict === 'success') close();
      if (verdict === 'failure') open();
    };
  }

  return {
    state() {
      if (openUntilMs === undefined) return 'closed';
      return isProbing || clock.now() >= openUntilMs ? 'halfOpen' : 'open';
    },
    waitMs,
    enter() {
      if (waitMs() > 0) return undefined;
      return openUntilMs === undefined ? enterClosed() : enterAsProbe();
    },
  };
}

/** Counts calls; `add` answers whether they now fail too often. */
function createRecord({ clock, failureShare, leastCalls, windowMs }: CircuitBreakerOptions) {
  const calls = createSlidingCount({ clock, windowMs, slices: SLICES });
  const failures = createSlidingCount({ clock, windowMs, slices: SLICES });
  return {
    add(verdict: 'success' | 'failure'): boolean {
      calls.add();
      if (verdict === 'success') return false;
      failures.add();
      return calls.total() >= leastCalls && failures.total() >= failureShare * calls.total();
    },
  };
}
