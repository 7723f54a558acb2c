/** What came of sending a request once: an answer of any status, or the reason why there is none. */
import { GatewayError } from '../../errors.js';
import type { TransportResponse } from './transport.js';

export type AttemptOutcome = { response: TransportResponse } | { error: GatewayError };

/** Rejects where the failure is none of the transport's own. */
export async function toAttemptOutcome(answer: Promise<TransportResponse>): Promise<AttemptOutcome> {
  try {
    return { response: await answer };
  } catch (error) {
    if (error instanceof GatewayError) return { error };
    throw error;
  }
}

/** The answer; throws the error. */
export function unwrapOutcome(outcome: AttemptOutcome): TransportResponse {
  if ('error' in outcome) throw outcome.error;
  return outcome.response;
}

/** Undefined where there was no answer. */
export function statusOf(outcome: AttemptOutcome): number | undefined {
  return 'response' in outcome ? outcome.response.status : undefined;
}

/** Whether the platform was not there to answer: not reached, cut off, or not in time. */
export function isConnectionFault(outcome: AttemptOutcome): boolean {
  if (!('error' in outcome)) return false;
  return outcome.error.code === 'PLATFORM_UNAVAILABLE' || outcome.error.code === 'PLATFORM_TIMEOUT';
}
