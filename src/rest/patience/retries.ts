/** Sends a request again where its outcome, its method, its deadline and the budget of all retries allow it. */
import { callerLeft, GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { retryAfterMs } from '../../lib/retryAfter.js';
import type { EndpointLimits } from './endpointLimits.js';
import type { RetryBudget } from './retryBudget.js';
import { decideRetryDelay, type RetryPolicy } from './retryPolicy.js';
import type { Operation, SingleTry } from './singleTry.js';
import type { TryOutcome } from './tryOutcome.js';

/** Resolves after so many milliseconds; rejects as soon as the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

export interface RetriesOptions {
  trySending: SingleTry;
  policy: RetryPolicy;
  budget: RetryBudget;
  endpointLimits: EndpointLimits;
  sleep: Sleep;
  /** From 0 to less than 1. */
  random: () => number;
  /** For HTTP dates in `Retry-After`. */
  clock: Clock;
  /** May not go back. */
  steadyClock: Clock;
  logger: Logger;
}

/** Answers what came of the next try; undefined where there was none and the outcome before it stands. */
export type Retries = (
  operation: Operation,
  triesMade: number,
  outcome: TryOutcome,
) => Promise<TryOutcome | undefined>;

export function createRetries(options: RetriesOptions): Retries {
  const { trySending, policy, budget, endpointLimits, sleep, random, clock, steadyClock, logger } = options;

  function delayMsAfter({ request, deadlineMs }: Operation, triesMade: number, outcome: TryOutcome) {
    return decideRetryDelay(policy, {
      triesMade,
      outcome,
      retryAfterMs: Math.max(endpointLimits.pauseLeftMs(request), namedWaitMs(outcome, clock)),
      leftMs: deadlineMs - steadyClock.now(),
      random: random(),
    });
  }

  async function tryLater(operation: Operation, delayMs: number): Promise<TryOutcome | undefined> {
    const { signal, template, requestId } = operation.request;
    logger.debug({ requestId, endpoint: template, delayMs }, 'Asks the platform again');
    try {
      await sleep(delayMs, signal);
      return await trySending(operation);
    } catch (error) {
      if (signal?.aborted) throw callerLeft();
      // Not sent after all: a breaker has opened meanwhile, a limit was met, or there was no place in time.
      if (error instanceof GatewayError) return undefined;
      throw error;
    }
  }

  return async (operation, triesMade, outcome) => {
    if (!mayBeRepeated(operation)) return undefined;
    const delayMs = delayMsAfter(operation, triesMade, outcome);
    return delayMs === undefined ? undefined : budget.spend(() => tryLater(operation, delayMs));
  };
}

/** A POST may have taken effect unseen; token requests are POSTs, too, and count against a small limit. */
function mayBeRepeated({ request }: Operation): boolean {
  return request.method === 'GET';
}

/** What the answer's `Retry-After` says; 0 where it says nothing. */
function namedWaitMs(outcome: TryOutcome, clock: Clock): number {
  if ('error' in outcome) return 0;
  return retryAfterMs(outcome.response.headers['retry-after'], clock.now()) ?? 0;
}
