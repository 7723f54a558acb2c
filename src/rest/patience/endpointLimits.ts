/** Keeps the platform's limits on calls per endpoint: those it has said with a 429, and the one it is known for. */
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { retryAfterMs } from '../../lib/retryAfter.js';
import { type CallBudgetLimits, createCallBudget } from './callBudget.js';
import { type Endpoint, isAuthEndpoint, toEndpointName } from './endpoint.js';
import { createEndpointPauses } from './endpointPauses.js';
import type { TryOutcome } from './tryOutcome.js';

export interface EndpointLimits {
  /** Throws PLATFORM_RATE_LIMITED with `retryAfterMs` where the endpoint is not to be asked now. */
  check(endpoint: Endpoint): void;
  /** Counts a call that is about to be made. */
  take(endpoint: Endpoint): void;
  /** Takes in what came of it; `requestId` is for the log. */
  note(endpoint: Endpoint & { requestId?: string | undefined }, outcome: TryOutcome): void;
  /** Milliseconds for which the platform has said not to be asked; 0 where it has not. */
  pauseLeftMs(endpoint: Endpoint): number;
  callsLeft(endpoint: Endpoint): number;
}

export interface EndpointLimitsOptions {
  /** For HTTP dates in `Retry-After`. */
  clock: Clock;
  /** May not go back. */
  steadyClock: Clock;
  logger: Logger;
  callBudget: CallBudgetLimits;
}

/** Leaves out the token endpoint, whose limits the token manager keeps for each credential. */
export function createEndpointLimits(options: EndpointLimitsOptions): EndpointLimits {
  const { clock, steadyClock, logger } = options;
  const pauses = createEndpointPauses(steadyClock);
  const budget = createCallBudget(options.callBudget, steadyClock);

  return {
    check(endpoint) {
      const name = toEndpointName(endpoint);
      const waitMs = Math.max(pauses.leftMs(name), budget.waitMs(name));
      if (waitMs > 0) throw rateLimited(endpoint, waitMs);
    },
    take(endpoint) {
      if (!isAuthEndpoint(endpoint)) budget.take(toEndpointName(endpoint));
    },
    note(endpoint, outcome) {
      if ('error' in outcome || isAuthEndpoint(endpoint)) return;
      const name = toEndpointName(endpoint);
      const { status, headers } = outcome.response;
      if (status !== 429) pauses.answered(name);
      else if (pauses.limited(name, retryAfterMs(headers['retry-after'], clock.now()))) {
        const { requestId } = endpoint;
        logger.warn({ requestId, endpoint: name, pauseMs: pauses.leftMs(name) }, 'The platform limits calls');
      }
    },
    pauseLeftMs: (endpoint) => pauses.leftMs(toEndpointName(endpoint)),
    callsLeft: (endpoint) => budget.left(toEndpointName(endpoint)),
  };
}

function rateLimited({ template }: Endpoint, waitMs: number): GatewayError {
  const message = `The platform limits calls to ${template}.`;
  return new GatewayError('PLATFORM_RATE_LIMITED', message, { retryable: true, retryAfterMs: waitMs });
}
