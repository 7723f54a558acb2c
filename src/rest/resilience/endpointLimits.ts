/** Enforces the platform's limits on calls per endpoint: pauses after a 429, and the documented quota. */
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { retryAfterMs } from '../decode/retryAfter.js';
import type { AttemptOutcome } from '../transport/attemptOutcome.js';
import { isAuthEndpoint, type PlatformEndpoint, toEndpointName } from '../transport/platformEndpoint.js';
import { createEndpointPauses } from './endpointPauses.js';
import { createEndpointQuota, type EndpointQuotaLimits } from './endpointQuota.js';

export interface EndpointLimits {
  /** Throws PLATFORM_RATE_LIMITED with `retryAfterMs` if the endpoint must not be called now. */
  check(endpoint: PlatformEndpoint): void;
  /** Counts a call that is about to be made. */
  countCall(endpoint: PlatformEndpoint): void;
  /** Records the outcome of a call; `requestId` is for the log. */
  record(endpoint: PlatformEndpoint & { requestId?: string | undefined }, outcome: AttemptOutcome): void;
  /** Milliseconds until the pause after a 429 ends; 0 without a pause. */
  pauseRemainingMs(endpoint: PlatformEndpoint): number;
  remainingCalls(endpoint: PlatformEndpoint): number;
}

export interface EndpointLimitsOptions {
  /** For HTTP dates in `Retry-After`. */
  clock: Clock;
  monotonicClock: Clock;
  logger: Logger;
  endpointQuota: EndpointQuotaLimits;
}

/** Ignores the token endpoint: the token manager limits its requests for each credential. */
export function createEndpointLimits(options: EndpointLimitsOptions): EndpointLimits {
  const { clock, monotonicClock, logger } = options;
  const pauses = createEndpointPauses(monotonicClock);
  const quota = createEndpointQuota(options.endpointQuota, monotonicClock);

  return {
    check(endpoint) {
      const name = toEndpointName(endpoint);
      const waitMs = Math.max(pauses.remainingMs(name), quota.waitMs(name));
      if (waitMs > 0) throw createRateLimitedError(endpoint, waitMs);
    },
    countCall(endpoint) {
      if (!isAuthEndpoint(endpoint)) quota.countCall(toEndpointName(endpoint));
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
          'Rate limited by the platform',
        );
      }
    },
    pauseRemainingMs: (endpoint) => pauses.remainingMs(toEndpointName(endpoint)),
    remainingCalls: (endpoint) => quota.remaining(toEndpointName(endpoint)),
  };
}

function createRateLimitedError({ template }: PlatformEndpoint, waitMs: number): GatewayError {
  const message = `The platform limits calls to ${template}.`;
  return new GatewayError('PLATFORM_RATE_LIMITED', message, { retryable: true, retryAfterMs: waitMs });
}
