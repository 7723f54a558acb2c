/** One circuit breaker for each family of endpoints, and the rule for outcomes that count as failures. */
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { type PlatformEndpoint, toEndpointFamily } from '../path.js';
import { type AttemptOutcome, isConnectionFault, statusOf } from '../transport/attemptOutcome.js';
import {
  type BreakerLimits,
  type BreakerState,
  type BreakerVerdict,
  type CircuitBreaker,
  createCircuitBreaker,
} from './circuitBreaker.js';

export interface FamilyBreakers {
  /** Throws as `enter` would now, without a change of state. */
  check(endpoint: PlatformEndpoint): void;
  /**
   * Admits an attempt with a timeout of `timeoutMs`. Throws PLATFORM_UNAVAILABLE with `retryAfterMs` if the circuit is
   * open. Call the returned function once, with the outcome, or without one if there is none.
   */
  enter(endpoint: PlatformEndpoint, timeoutMs: number): (outcome: AttemptOutcome | undefined) => void;
  /** State by family, of the families called so far. */
  states(): Record<string, BreakerState>;
}

interface FamilyBreakersOptions {
  monotonicClock: Clock;
  logger: Logger;
  breaker: BreakerLimits;
  /** Timeout of an attempt that the operation's deadline does not shorten. */
  attemptTimeoutMs: number;
}

/** An attempt with less time than this, because its operation was about to end, does not count if it times out. */
const MIN_CONCLUSIVE_MS = 1_000;

export function createFamilyBreakers(options: FamilyBreakersOptions): FamilyBreakers {
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
    check(endpoint) {
      const waitMs = breakerOf(endpoint).waitMs();
      if (waitMs > 0) throw createCircuitOpenError(endpoint, waitMs);
    },
    enter(endpoint, timeoutMs) {
      const breaker = breakerOf(endpoint);
      const report = breaker.tryEnter();
      if (!report) throw createCircuitOpenError(endpoint, breaker.waitMs());
      const isShort = timeoutMs < minConclusiveMs;
      return (outcome) =>
        report(outcome === undefined || isCutShort(outcome, isShort) ? 'unknown' : toVerdict(outcome));
    },
    states: () => Object.fromEntries([...breakers].map(([family, breaker]) => [family, breaker.state()])),
  };
}

function isCutShort(outcome: AttemptOutcome, isShort: boolean): boolean {
  return isShort && 'error' in outcome && outcome.error.code === 'PLATFORM_TIMEOUT';
}

/** A 4xx counts as a success, 429 included: the breaker detects a platform that does not respond. */
function toVerdict(outcome: AttemptOutcome): BreakerVerdict {
  if ('error' in outcome && outcome.error.code === 'CANCELLED') return 'unknown';
  return isConnectionFault(outcome) || (statusOf(outcome) ?? 0) >= 500 ? 'failure' : 'success';
}

function createCircuitOpenError({ template }: PlatformEndpoint, waitMs: number): GatewayError {
  const message = `The platform keeps failing; ${template} is not called for now.`;
  return new GatewayError('PLATFORM_UNAVAILABLE', message, { retryable: true, retryAfterMs: waitMs });
}
