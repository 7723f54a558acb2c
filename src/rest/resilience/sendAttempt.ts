/** Sends a request once, if limits, circuit breaker and bulkhead admit it. */
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

/** A request with its deadline on the monotonic clock. */
export interface TimedRequest {
  request: PlatformRequest;
  deadlineMs: number;
}

export interface SendAttemptOptions {
  transport: Transport;
  endpointLimits: EndpointLimits;
  breakers: FamilyBreakers;
  monotonicClock: Clock;
  limits: ResilienceLimits;
  /** Called with the outcome and the milliseconds of each attempt. */
  onAttempt?: ((endpoint: PlatformEndpoint, outcome: AttemptOutcome, durationMs: number) => void) | undefined;
}

/** Throws if the request was not sent. Otherwise resolves to the outcome, which may be a failure. */
export type SendAttempt = (operation: TimedRequest) => Promise<AttemptOutcome>;

export function createSendAttempt(options: SendAttemptOptions): SendAttempt {
  const { transport, endpointLimits, breakers, monotonicClock, limits, onAttempt } = options;
  const bulkheadOf = createBulkheads(limits);

  /** Milliseconds left; throws if the caller disconnected or the deadline is over. */
  function remainingMs({ request, deadlineMs }: TimedRequest): number {
    if (request.signal?.aborted) throw createClientDisconnectedError();
    const leftMs = deadlineMs - monotonicClock.now();
    if (leftMs <= 0) throw createTimeoutError();
    return leftMs;
  }

  /** Repeats the checks, whose results may have changed while the request was queued. */
  async function sendNow(operation: TimedRequest): Promise<AttemptOutcome> {
    const { request } = operation;
    const timeoutMs = Math.min(limits.attemptTimeoutMs, remainingMs(operation));
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
    const timeoutMs = remainingMs(operation);
    endpointLimits.check(request);
    breakers.check(request);
    const limits = { cancellation: request.signal && toCancellation(request.signal), timeoutMs };
    return bulkheadOf(request).run(() => sendNow(operation), limits);
  };
}

/** Token requests have separate slots, so that hanging calls cannot block them. */
function createBulkheads(limits: ResilienceLimits): (request: PlatformRequest) => Bulkhead {
  const { maxConcurrent, maxConcurrentAuth, maxQueued } = limits;
  const data = createBulkhead({ maxConcurrent, maxQueued });
  const auth = createBulkhead({ maxConcurrent: maxConcurrentAuth, maxQueued });
  return (request) => (isAuthEndpoint(request) ? auth : data);
}
