/** Sends a request once, when the platform may be asked and there is a place for it, or says why it did not. */
import { createClientDisconnectedError } from '../../errors.js';
import { toCancellation } from '../../lib/cancellation.js';
import type { Clock } from '../../lib/clock.js';
import { type AttemptOutcome, toAttemptOutcome } from '../transport/attemptOutcome.js';
import { isAuthEndpoint, type PlatformEndpoint } from '../transport/platformEndpoint.js';
import type { PlatformRequest, Transport } from '../transport/transport.js';
import { createTimeoutError } from '../transport/waitLimits.js';
import { type Bulkhead, createBulkhead } from './bulkhead.js';
import type { EndpointLimits } from './endpointLimits.js';
import type { FamilyBreakers } from './familyBreakers.js';
import type { ResilienceLimits } from './resilienceLimits.js';

/** A request, with its deadline on a clock that does not go back. */
export interface TimedRequest {
  request: PlatformRequest;
  deadlineMs: number;
}

export interface SendAttemptOptions {
  transport: Transport;
  endpointLimits: EndpointLimits;
  breakers: FamilyBreakers;
  /** May not go back. */
  monotonicClock: Clock;
  limits: ResilienceLimits;
  /** Told what came of each try, and how many milliseconds it took. */
  onAttempt?: ((endpoint: PlatformEndpoint, outcome: AttemptOutcome, durationMs: number) => void) | undefined;
}

/** Throws where the request was not sent; what came of sending it is the outcome, a failure included. */
export type SendAttempt = (operation: TimedRequest) => Promise<AttemptOutcome>;

export function createSendAttempt(options: SendAttemptOptions): SendAttempt {
  const { transport, endpointLimits, breakers, monotonicClock, limits, onAttempt } = options;
  const bulkheadOf = createBulkheads(limits);

  /** Answers the milliseconds left. */
  function checkWanted({ request, deadlineMs }: TimedRequest): number {
    if (request.signal?.aborted) throw createClientDisconnectedError();
    const leftMs = deadlineMs - monotonicClock.now();
    if (leftMs <= 0) throw createTimeoutError();
    return leftMs;
  }

  /** Checks again: much may have come to light while the request waited for its place. */
  async function sendNow(operation: TimedRequest): Promise<AttemptOutcome> {
    const { request } = operation;
    const timeoutMs = Math.min(limits.attemptTimeoutMs, checkWanted(operation));
    endpointLimits.check(request);
    return breakers.run(request, timeoutMs, async () => {
      endpointLimits.countCall(request);
      request.onSend?.();
      const sentAtMs = performance.now();
      const outcome = await toAttemptOutcome(transport.send({ ...request, timeoutMs }));
      onAttempt?.(request, outcome, performance.now() - sentAtMs);
      endpointLimits.record(request, outcome);
      return outcome;
    });
  }

  return async (operation) => {
    const { request } = operation;
    const timeoutMs = checkWanted(operation);
    endpointLimits.check(request);
    breakers.check(request);
    const limits = { cancellation: request.signal && toCancellation(request.signal), timeoutMs };
    return bulkheadOf(request).run(() => sendNow(operation), limits);
  };
}

/** Tokens have places of their own: else nothing would move while calls that hang hold all of them. */
function createBulkheads(limits: ResilienceLimits): (request: PlatformRequest) => Bulkhead {
  const { maxConcurrent, maxConcurrentAuth, maxQueued } = limits;
  const data = createBulkhead({ maxConcurrent: maxConcurrent, maxQueued });
  const auth = createBulkhead({ maxConcurrent: maxConcurrentAuth, maxQueued });
  return (request) => (isAuthEndpoint(request) ? auth : data);
}
