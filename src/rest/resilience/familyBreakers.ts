/** Holds a circuit breaker for each family of endpoints, and knows which outcomes speak against the platform. */
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { type AttemptOutcome, isConnectionFault, statusOf } from '../transport/attemptOutcome.js';
import { type PlatformEndpoint, toEndpointFamily } from '../transport/platformEndpoint.js';
import {
  type BreakerLimits,
  type BreakerState,
  type BreakerVerdict,
  type CircuitBreaker,
  createCircuitBreaker,
} from './circuitBreaker.js';

export interface FamilyBreakers {
  /** Throws what `watch` would throw now, and changes nothing. */
  check(endpoint: PlatformEndpoint): void;
  /**
   * Makes a try that is given so many milliseconds, and judges by it. Throws PLATFORM_UNAVAILABLE with
   * `retryAfterMs` where none may be made.
   */
  run(
    endpoint: PlatformEndpoint,
    timeoutMs: number,
    attempt: () => Promise<AttemptOutcome>,
  ): Promise<AttemptOutcome>;
  /** By family; those asked so far. */
  states(): Record<string, BreakerState>;
}

export interface FamilyBreakersOptions {
  /** May not go back. */
  monotonicClock: Clock;
  logger: Logger;
  breaker: BreakerLimits;
  /** What a try is given where the operation's deadline does not cut it short. */
  attemptTimeoutMs: number;
}

/** A try that had less time than this, because its operation was about to end, says nothing by timing out. */
const MIN_CONCLUSIVE_MS = 1_000;

export function createFamilyBreakers(options: FamilyBreakersOptions): FamilyBreakers {
  const { monotonicClock, logger, breaker: limits } = options;
  const minConclusiveMs = Math.min(MIN_CONCLUSIVE_MS, options.attemptTimeoutMs);
  const breakers = new Map<string, CircuitBreaker>();

  function breakerOf({ template }: PlatformEndpoint): CircuitBreaker {
    const family = toEndpointFamily(template);
    const known = breakers.get(family);
    if (known) return known;
    const onChange = (state: string) => logger.warn({ family, state }, 'A circuit breaker changed its state');
    const breaker = createCircuitBreaker({ ...limits, clock: monotonicClock, onChange });
    breakers.set(family, breaker);
    return breaker;
  }

  return {
    check(endpoint) {
      const waitMs = breakerOf(endpoint).waitMs();
      if (waitMs > 0) throw createCircuitOpenError(endpoint, waitMs);
    },
    async run(endpoint, timeoutMs, attempt) {
      const breaker = breakerOf(endpoint);
      const report = breaker.tryEnter();
      if (!report) throw createCircuitOpenError(endpoint, breaker.waitMs());
      let verdict: BreakerVerdict = 'unknown';
      try {
        const outcome = await attempt();
        verdict = isCutShort(outcome, timeoutMs < minConclusiveMs) ? 'unknown' : toVerdict(outcome);
        return outcome;
      } finally {
        report(verdict);
      }
    },
    states: () => Object.fromEntries([...breakers].map(([family, breaker]) => [family, breaker.state()])),
  };
}

function isCutShort(outcome: AttemptOutcome, isShort: boolean): boolean {
  return isShort && 'error' in outcome && outcome.error.code === 'PLATFORM_TIMEOUT';
}

/** A 4xx is an answer like any other, 429 included: the breaker is about platforms that don't answer. */
function toVerdict(outcome: AttemptOutcome): BreakerVerdict {
  if ('error' in outcome && outcome.error.code === 'CANCELLED') return 'unknown';
  return isConnectionFault(outcome) || (statusOf(outcome) ?? 0) >= 500 ? 'failure' : 'success';
}

function createCircuitOpenError({ template }: PlatformEndpoint, waitMs: number): GatewayError {
  const message = `The platform keeps failing; ${template} is not asked for now.`;
  return new GatewayError('PLATFORM_UNAVAILABLE', message, { retryable: true, retryAfterMs: waitMs });
}
