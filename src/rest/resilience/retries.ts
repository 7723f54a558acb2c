/** Sends a request again where its outcome, its method, its deadline and the budget of all retries allow it. */
import { createClientDisconnectedError, GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { retryAfterMs } from '../decode/retryAfter.js';
import type { AttemptOutcome } from '../transport/attemptOutcome.js';
import type { EndpointLimits } from './endpointLimits.js';
import type { RetryBudget } from './retryBudget.js';
import { decideRetryDelay, type RetryPolicy } from './retryPolicy.js';
import type { SendAttempt, TimedRequest } from './sendAttempt.js';

/** Resolves after so many milliseconds; rejects as soon as the signal is aborted. */
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
  /** May not go back. */
  monotonicClock: Clock;
  logger: Logger;
}

/** Answers what came of the next try; undefined where there was none and the outcome before it stands. */
export type Retries = (
  operation: TimedRequest,
  triesMade: number,
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

  async function tryLater(operation: TimedRequest, delayMs: number): Promise<AttemptOutcome | undefined> {
    const { signal, template, requestId } = operation.request;
    logger.debug({ requestId, endpoint: template, delayMs }, 'Asks the platform again');
    try {
      await sleep(delayMs, signal);
      return await sendAttempt(operation);
    } catch (error) {
      if (signal?.aborted) throw createClientDisconnectedError();
      // Not sent after all: a breaker has opened meanwhile, a limit was met, or there was no place in time.
      if (error instanceof GatewayError) return undefined;
      throw error;
    }
  }

  return async (operation, triesMade, outcome) => {
    if (!isRepeatable(operation)) return undefined;
    const delayMs = delayMsAfter(operation, triesMade, outcome);
    return delayMs === undefined ? undefined : retryBudget.runRetry(() => tryLater(operation, delayMs));
  };
}

/** A POST may have taken effect unseen; token requests are POSTs, too, and count against a small limit. */
function isRepeatable({ request }: TimedRequest): boolean {
  return request.method === 'GET';
}

/** What the answer's `Retry-After` says; 0 where it says nothing. */
function retryAfterOf(outcome: AttemptOutcome, clock: Clock): number {
  if ('error' in outcome) return 0;
  return retryAfterMs(outcome.response.headers['retry-after'], clock.now()) ?? 0;
}
