/** Keeps the platform's limits on calls per endpoint: those it has said with a 429, and the one it is known for. */
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { retryAfterMs } from '../decode/retryAfter.js';
import type { AttemptOutcome } from '../transport/attemptOutcome.js';
import { isAuthEndpoint, type PlatformEndpoint, toEndpointName } from '../transport/platformEndpoint.js';
import { createEndpointPauses } from './endpointPauses.js';
import { createEndpointQuota, type EndpointQuotaLimits } from './endpointQuota.js';

export interface EndpointLimits {
  /** Throws PLATFORM_RATE_LIMITED with `retryAfterMs` where the endpoint is not to be asked now. */
  check(endpoint: PlatformEndpoint): void;
  /** Counts a call that is about to be made. */
  countCall(endpoint: PlatformEndpoint): void;
  /** Takes in what came of it; `requestId` is for the log. */
  record(endpoint: PlatformEndpoint & { requestId?: string | undefined }, outcome: AttemptOutcome): void;
  /** Milliseconds for which the platform has said not to be asked; 0 where it has not. */
  pauseRemainingMs(endpoint: PlatformEndpoint): number;
  remainingCalls(endpoint: PlatformEndpoint): number;
}

export interface EndpointLimitsOptions {
  /** For HTTP dates in `Retry-After`. */
  clock: Clock;
  /** May not go back. */
  monotonicClock: Clock;
  logger: Logger;
  endpointQuota: EndpointQuotaLimits;
}

/** Leaves out the token endpoint, whose limits the token manager keeps for each credential. */
export function createEndpointLimits(options: EndpointLimitsOptions): EndpointLimits {
  const { clock, monotonicClock, logger } = options;
  const pauses = createEndpointPauses(monotonicClock);
  const budget = createEndpointQuota(options.endpointQuota, monotonicClock);

  return {
    check(endpoint) {
      const name = toEndpointName(endpoint);
      const waitMs = Math.max(pauses.remainingMs(name), budget.waitMs(name));
      if (waitMs > 0) throw createRateLimitedError(endpoint, waitMs);
    },
    countCall(endpoint) {
      if (!isAuthEndpoint(endpoint)) budget.countCall(toEndpointName(endpoint));
    },
    record(endpoint, outcome) {
      if ('error' in outcome || isAuthEndpoint(endpoint)) return;
      const name = toEndpointName(endpoint);
      const { status, headers } = outcome.response;
      if (status !== 429) pauses.recordResponse(name);
      else if (pauses.recordRateLimit(name, retryAfterMs(headers['retry-after'], clock.now()))) {
        const { requestId } = endpoint;
        logger.warn(
          { requestId, endpoint: name, pauseMs: pauses.remainingMs(name) },
          'The platform limits calls',
        );
      }
    },
    pauseRemainingMs: (endpoint) => pauses.remainingMs(toEndpointName(endpoint)),
    remainingCalls: (endpoint) => budget.remaining(toEndpointName(endpoint)),
  };
}

function createRateLimitedError({ template }: PlatformEndpoint, waitMs: number): GatewayError {
  const message = `The platform limits calls to ${template}.`;
  return new GatewayError('PLATFORM_RATE_LIMITED', message, { retryable: true, retryAfterMs: waitMs });
}
