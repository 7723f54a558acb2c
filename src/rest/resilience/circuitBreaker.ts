/** Stops calls to a family of endpoints while most of them fail, and uses single probe calls to detect its recovery. */
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { createSlidingWindowCounter } from '../../lib/slidingWindowCounter.js';
import { type PlatformEndpoint, toEndpointFamily } from '../path.js';
import { type AttemptOutcome, isConnectionFault, isFailureStatus } from '../transport/platformRequest.js';

export type FamilyBreakers = ReturnType<typeof createFamilyBreakers>;

interface FamilyBreakersOptions {
  monotonicClock: Clock;
  logger: Logger;
  breaker: BreakerLimits;
  /** Timeout of an attempt that the operation's deadline does not shorten. */
  attemptTimeoutMs: number;
}

/** An attempt with less time than this, because its operation was about to end, does not count if it times out. */
const MIN_CONCLUSIVE_MS = 1_000;

/** One circuit breaker for each family of endpoints, created by its first call. */
export function createFamilyBreakers(options: FamilyBreakersOptions) {
  const { monotonicClock, logger, breaker: limits } = options;
  const minConclusiveMs = Math.min(MIN_CONCLUSIVE_MS, options.attemptTimeoutMs);
  const breakers = new Map<string, CircuitBreaker>();

  function breakerOf({ template }: PlatformEndpoint): CircuitBreaker {
    const family = toEndpointFamily(template);
    const existing = breakers.get(family);
    if (existing) return existing;
    const breaker = createCircuitBreaker({
      ...limits,
      clock: monotonicClock,
      onOpen: () => logger.warn({ family }, 'Circuit open'),
      onClose: () => logger.warn({ family }, 'Circuit closed'),
    });
    breakers.set(family, breaker);
    return breaker;
  }

  return {
    /** Throws if `enter` would throw now, but does not change the state. */
    check(endpoint: PlatformEndpoint): void {
      const waitMs = breakerOf(endpoint).waitMs();
      if (waitMs > 0) throw createCircuitOpenError(endpoint, waitMs);
    },
    /**
     * Admits an attempt with a timeout of `timeoutMs`. Throws PLATFORM_UNAVAILABLE with `retryAfterMs` if the circuit is
     * open. Call the returned function once, with the outcome, or without one if there is none.
     */
    enter(endpoint: PlatformEndpoint, timeoutMs: number) {
      const breaker = breakerOf(endpoint);
      const report = breaker.tryEnter();
      if (!report) throw createCircuitOpenError(endpoint, breaker.waitMs());
      const isShort = timeoutMs < minConclusiveMs;
      return (outcome: AttemptOutcome | undefined): void =>
        report(outcome === undefined || isCutShort(outcome, isShort) ? 'unknown' : toVerdict(outcome));
    },
    /** State by family, of the families called so far. */
    states: (): Record<string, BreakerState> =>
      Object.fromEntries([...breakers].map(([family, breaker]) => [family, breaker.state()])),
  };
}

function isCutShort(outcome: AttemptOutcome, isShort: boolean): boolean {
  return isShort && 'error' in outcome && outcome.error.code === 'PLATFORM_TIMEOUT';
}

/** A 4xx other than 408 counts as a success, even 429: the breaker detects a platform that does not respond. */
function toVerdict(outcome: AttemptOutcome): BreakerVerdict {
  const hasFailed =
    'error' in outcome ? isConnectionFault(outcome.error) : isFailureStatus(outcome.response.status);
  return hasFailed ? 'failure' : 'success';
}

function createCircuitOpenError({ template }: PlatformEndpoint, waitMs: number): GatewayError {
  const message = `The circuit breaker is open: calls to ${template} keep failing.`;
  return new GatewayError('PLATFORM_UNAVAILABLE', message, { retryable: true, retryAfterMs: waitMs });
}

/** `halfOpen`: the next call, or a probe in flight, decides between open and closed. */
export type BreakerState = 'closed' | 'open' | 'halfOpen';

/** `unknown`: the call does not count, for example because its caller disconnected. */
export type BreakerVerdict = 'success' | 'failure' | 'unknown';

/** Reports the result of an admitted call; call it once. */
type ReportToBreaker = (verdict: BreakerVerdict) => void;

type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

export interface BreakerLimits {
  /** Share of failed calls that opens the breaker, from 0 to 1. */
  failureRatio: number;
  /** Minimum number of calls within the window for the share to be evaluated. */
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

export function createCircuitBreaker(options: CircuitBreakerOptions) {
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

  /** Milliseconds until a call may be admitted; 0 if it may be now. */
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
    state(): BreakerState {
      if (openUntilMs === undefined) return 'closed';
      return clock.now() >= openUntilMs ? 'halfOpen' : 'open';
    },
    waitMs,
    /** Admits a call; undefined if the circuit is open. */
    tryEnter(): ReportToBreaker | undefined {
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
