/** Retries a request if its outcome, method and deadline and the retry budget allow it. */
import { createClientDisconnectedError, GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { retryAfterMs } from '../decode/retryAfter.js';
import type { AttemptOutcome } from '../transport/attemptOutcome.js';
import type { EndpointLimits } from './endpointLimits.js';
import type { RetryBudget } from './retryBudget.js';
import { decideRetryDelay, type RetryPolicy } from './retryPolicy.js';
import type { SendAttempt, TimedRequest } from './sendAttempt.js';

/** Rejects as soon as the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

export interface RetriesOptions {
  sendAttempt: SendAttempt;
  policy: RetryPolicy;
  retryBudget: RetryBudget;
  endpointLimits: EndpointLimits;
  sleep: Sleep;
  /** From 0 to less than 1. */
  random: () => number;
  /** For HTTP dates in `Retry-After`. */
  clock: Clock;
  monotonicClock: Clock;
  logger: Logger;
}

/** Resolves to the outcome of the next attempt, or to undefined if there is none and the last outcome stands. */
export type Retries = (
  operation: TimedRequest,
  attemptsMade: number,
  outcome: AttemptOutcome,
) => Promise<AttemptOutcome | undefined>;

export function createRetries(options: RetriesOptions): Retries {
  const { sendAttempt, policy, retryBudget, endpointLimits, sleep, random, clock, monotonicClock, logger } =
    options;

  function delayMsAfter(
    { request, deadlineMs }: TimedRequest,
    attemptsMade: number,
    outcome: AttemptOutcome,
  ) {
    return decideRetryDelay(policy, {
      attemptsMade,
      outcome,
      retryAfterMs: Math.max(endpointLimits.pauseRemainingMs(request), retryAfterOf(outcome, clock)),
      remainingMs: deadlineMs - monotonicClock.now(),
      random: random(),
    });
  }

  async function retryAfter(operation: TimedRequest, delayMs: number): Promise<AttemptOutcome | undefined> {
    const { signal, template, requestId } = operation.request;
    logger.debug({ requestId, endpoint: template, delayMs }, 'Retrying a REST call');
    try {
      await sleep(delayMs, signal);
      return await sendAttempt(operation);
    } catch (error) {
      if (signal?.aborted) throw createClientDisconnectedError();
      // Not sent: meanwhile a circuit opened, a limit was reached, or no slot was free in time.
      if (error instanceof GatewayError) return undefined;
      throw error;
    }
  }

  return async (operation, attemptsMade, outcome) => {
    if (!isRepeatable(operation)) return undefined;
    const delayMs = delayMsAfter(operation, attemptsMade, outcome);
    return delayMs === undefined ? undefined : retryBudget.runRetry(() => retryAfter(operation, delayMs));
  };
}

/** A failed POST may have taken effect. Token requests are POSTs, too, and count against a small limit. */
function isRepeatable({ request }: TimedRequest): boolean {
  return request.method === 'GET';
}

/** Milliseconds of the response's `Retry-After`; 0 without one. */
function retryAfterOf(outcome: AttemptOutcome, clock: Clock): number {
  if ('error' in outcome) return 0;
  return retryAfterMs(outcome.response.headers['retry-after'], clock.now()) ?? 0;
}
