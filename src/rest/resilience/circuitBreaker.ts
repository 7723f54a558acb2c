/** Stops calls to a family of endpoints while most of them fail, and probes with single calls whether it recovered. */
import type { Clock } from '../../lib/clock.js';
import { createSlidingWindowCounter } from '../../lib/slidingWindowCounter.js';

/** `halfOpen`: the next call, or a probe in flight, decides between open and closed. */
export type BreakerState = 'closed' | 'open' | 'halfOpen';

/** `unknown`: the call does not count, for example because its caller disconnected. */
export type BreakerVerdict = 'success' | 'failure' | 'unknown';

/** Reports the result of an admitted call; call it once. */
type ReportToBreaker = (verdict: BreakerVerdict) => void;

export interface CircuitBreaker {
  state(): BreakerState;
  /** Milliseconds until a call may be admitted; 0 if it may be now. */
  waitMs(): number;
  /** Admits a call; undefined if the circuit is open. */
  tryEnter(): ReportToBreaker | undefined;
}

export interface BreakerLimits {
  /** Share of failed calls that opens the breaker, from 0 to 1. */
  failureRatio: number;
  /** Number of calls within the window from which the share is evaluated. */
  minCalls: number;
  windowMs: number;
  /** Milliseconds until an open breaker admits a probe. */
  openMs: number;
}

export const defaultBreakerLimits: BreakerLimits = {
  failureRatio: 0.5,
  minCalls: 20,
  windowMs: 10_000,
  openMs: 5_000,
};

interface CircuitBreakerOptions extends BreakerLimits {
  /** Monotonic. */
  clock: Clock;
  onOpen(): void;
  onClose(): void;
}

const SLICES = 10;

export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { clock, onOpen, onClose, openMs } = options;
  /** Replaced each time the breaker closes, so that calls admitted before that do not count. */
  let window = createCallWindow(options);
  let openUntilMs: number | undefined;
  let isProbing = false;

  function open(): void {
    openUntilMs = clock.now() + openMs;
    onOpen();
  }

  function close(): void {
    openUntilMs = undefined;
    window = createCallWindow(options);
    onClose();
  }

  function waitMs(): number {
    if (openUntilMs === undefined) return 0;
    return isProbing ? openMs : Math.max(0, openUntilMs - clock.now());
  }

  function enterClosed(): ReportToBreaker {
    const admittedIn = window;
    return (verdict) => {
      if (verdict === 'unknown' || admittedIn !== window || openUntilMs !== undefined) return;
      if (admittedIn.add(verdict)) open();
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

/** Counts calls; `add` returns whether the share of failures opens the breaker. */
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
