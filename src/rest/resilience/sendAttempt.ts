/** Sends a request once, if limits, circuit breaker and bulkhead admit it. */
import { createClientDisconnectedError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { PlatformEndpoint } from '../path.js';
import { type AttemptOutcome, toAttemptOutcome } from '../transport/attemptOutcome.js';
import type { PlatformRequest } from '../transport/platformRequest.js';
import type { Transport } from '../transport/transport.js';
import { createTimeoutError } from '../transport/waitLimits.js';
import type { Bulkhead } from './bulkhead.js';
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
  bulkheadOf(request: PlatformRequest): Bulkhead;
  /** Called with the outcome and the milliseconds of each attempt. */
  onAttempt?: ((endpoint: PlatformEndpoint, outcome: AttemptOutcome, durationMs: number) => void) | undefined;
}

/** Throws if the request was not sent. Otherwise resolves to the outcome, which may be a failure. */
export type SendAttempt = (operation: TimedRequest) => Promise<AttemptOutcome>;

export function createSendAttempt(options: SendAttemptOptions): SendAttempt {
  const { transport, endpointLimits, breakers, monotonicClock, limits, bulkheadOf, onAttempt } = options;

  /** Milliseconds left; throws if the caller disconnected or the deadline is over. */
  function remainingMs({ request, deadlineMs }: TimedRequest): number {
    if (request.cancellation?.isCancelled()) throw createClientDisconnectedError();
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
    const limits = { cancellation: request.cancellation, timeoutMs };
    return bulkheadOf(request).run(() => sendNow(operation), limits, request.requestId);
  };
}
