/**
 * Stops asking a family of endpoints that fails most of the time, and lets one call through now and then to
 * see whether it is back.
 */
import type { Clock } from '../../lib/clock.js';
import { createSlidingWindowCounter } from '../../lib/slidingWindowCounter.js';

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
  tryEnter(): ReportToBreaker | undefined;
}

export interface BreakerLimits {
  /** The breaker opens at this share of failures, from 0 to 1, … */
  failureRatio: number;
  /** … of at least so many calls … */
  minCalls: number;
  /** … in so many milliseconds. */
  windowMs: number;
  /** How long it stays open before a call is let through. */
  openMs: number;
}

export const defaultBreakerLimits: BreakerLimits = {
  failureRatio: 0.5,
  minCalls: 20,
  windowMs: 10_000,
  openMs: 5_000,
};

export interface CircuitBreakerOptions extends BreakerLimits {
  /** May not go back. */
  clock: Clock;
  onChange(state: 'open' | 'closed'): void;
}

const SLICES = 10;

export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { clock, onChange, openMs } = options;
  /** A new one each time it closes, so that calls let through before count for nothing. */
  let record = createCallWindow(options);
  let openUntilMs: number | undefined;
  let isProbing = false;

  function open(): void {
    openUntilMs = clock.now() + openMs;
    onChange('open');
  }

  function close(): void {
    openUntilMs = undefined;
    record = createCallWindow(options);
    onChange('closed');
  }

  function waitMs(): number {
    if (openUntilMs === undefined) return 0;
    return isProbing ? openMs : Math.max(0, openUntilMs - clock.now());
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
    tryEnter() {
      if (waitMs() > 0) return undefined;
      return openUntilMs === undefined ? enterClosed() : enterAsProbe();
    },
  };
}

/** Counts calls; `add` answers whether they now fail too often. */
function createCallWindow({ clock, failureRatio, minCalls, windowMs }: CircuitBreakerOptions) {
  const calls = createSlidingWindowCounter({ clock, windowMs, slices: SLICES });
  const failures = createSlidingWindowCounter({ clock, windowMs, slices: SLICES });
  return {
    add(verdict: 'success' | 'failure'): boolean {
      calls.add();
      if (verdict === 'success') return false;
      failures.add();
      return calls.total() >= minCalls && failures.total() >= failureRatio * calls.total();
    },
  };
}
