/** The outcome of one attempt: a response of any status, or the reason why there is none. */
import type { GatewayError } from '../../errors.js';
import type { TransportResponse } from './platformRequest.js';

export type AttemptOutcome = { response: TransportResponse } | { error: GatewayError };

/** Undefined without a response. */
export function statusOf(outcome: AttemptOutcome): number | undefined {
  return 'response' in outcome ? outcome.response.status : undefined;
}

/** Whether the platform was not reached, broke off, or did not respond in time. */
export function isConnectionFault(outcome: AttemptOutcome): boolean {
  if (!('error' in outcome)) return false;
  return outcome.error.code === 'PLATFORM_UNAVAILABLE' || outcome.error.code === 'PLATFORM_TIMEOUT';
}
