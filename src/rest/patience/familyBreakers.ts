/** Holds a circuit breaker for each family of endpoints, and knows which outcomes speak against the platform. */
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import {
  type BreakerLimits,
  type BreakerState,
  type BreakerVerdict,
  type CircuitBreaker,
  createCircuitBreaker,
} from './circuitBreaker.js';
import { type Endpoint, toEndpointFamily } from './endpoint.js';
import { isConnectionFault, statusOf, type TryOutcome } from './tryOutcome.js';

export interface FamilyBreakers {
  /** Throws what `watch` would throw now, and changes nothing. */
  check(endpoint: Endpoint): void;
  /**
   * Makes a try that is given so many milliseconds, and judges by it. Throws PLATFORM_UNAVAILABLE with
   * `retryAfterMs` where none may be made.
   */
  watch(endpoint: Endpoint, timeoutMs: number, attempt: () => Promise<TryOutcome>): Promise<TryOutcome>;
  /** By family; those asked so far. */
  states(): Record<string, BreakerState>;
}

export interface FamilyBreakersOptions {
  /** May not go back. */
  steadyClock: Clock;
  logger: Logger;
  breaker: BreakerLimits;
  /** What a try is given where the operation's deadline does not cut it short. */
  tryTimeoutMs: number;
}

/** A try that had less time than this, because its operation was about to end, says nothing by timing out. */
const LEAST_TELLING_MS = 1_000;

export function createFamilyBreakers(options: FamilyBreakersOptions): FamilyBreakers {
  const { steadyClock, logger, breaker: limits } = options;
  const leastTellingMs = Math.min(LEAST_TELLING_MS, options.tryTimeoutMs);
  const breakers = new Map<string, CircuitBreaker>();

  function breakerOf({ template }: Endpoint): CircuitBreaker {
    const family = toEndpointFamily(template);
    const known = breakers.get(family);
    if (known) return known;
    const onChange = (state: string) => logger.warn({ family, state }, 'A circuit breaker changed its state');
    const breaker = createCircuitBreaker({ ...limits, clock: steadyClock, onChange });
    breakers.set(family, breaker);
    return breaker;
  }

  return {
    check(endpoint) {
      const waitMs = breakerOf(endpoint).waitMs();
      if (waitMs > 0) throw unavailable(endpoint, waitMs);
    },
    async watch(endpoint, timeoutMs, attempt) {
      const breaker = breakerOf(endpoint);
      const report = breaker.enter();
      if (!report) throw unavailable(endpoint, breaker.waitMs());
      let verdict: BreakerVerdict = 'unknown';
      try {
        const outcome = await attempt();
        verdict = isCutShort(outcome, timeoutMs < leastTellingMs) ? 'unknown' : toVerdict(outcome);
        return outcome;
      } finally {
        report(verdict);
      }
    },
    states: () => Object.fromEntries([...breakers].map(([family, breaker]) => [family, breaker.state()])),
  };
}

function isCutShort(outcome: TryOutcome, isShort: boolean): boolean {
  return isShort && 'error' in outcome && outcome.error.code === 'PLATFORM_TIMEOUT';
}

/** A 4xx is an answer like any other, 429 included: the breaker is about platforms that don't answer. */
function toVerdict(outcome: TryOutcome): BreakerVerdict {
  if ('error' in outcome && outcome.error.code === 'CANCELLED') return 'unknown';
  return isConnectionFault(outcome) || (statusOf(outcome) ?? 0) >= 500 ? 'failure' : 'success';
}

function unavailable({ template }: Endpoint, waitMs: number): GatewayError {
  const message = `The platform keeps failing; ${template} is not asked for now.`;
  return new GatewayError('PLATFORM_UNAVAILABLE', message, { retryable: true, retryAfterMs: waitMs });
}
