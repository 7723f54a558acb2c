/** Sends a request once, if limits, circuit breaker and bulkhead admit it. */
import { createClientDisconnectedError, GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { isAuthEndpoint, type PlatformEndpoint } from '../path.js';
import { type AttemptOutcome, toAttemptOutcome } from '../transport/attemptOutcome.js';
import type { PlatformRequest } from '../transport/platformRequest.js';
import type { Transport } from '../transport/transport.js';
import { createTimeoutError, onWaitEnd, type WaitLimits } from '../transport/waitLimits.js';
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

interface Bulkhead {
  /**
   * Runs the work when a slot is free. Rejects without running it: PLATFORM_UNAVAILABLE if the queue is full,
   * CANCELLED if the caller disconnected, PLATFORM_TIMEOUT if the wait was too long.
   */
  run<Result>(work: () => Promise<Result>, limits: WaitLimits): Promise<Result>;
  /** Calls in flight. */
  activeCount(): number;
  /** Calls in the queue. */
  queuedCount(): number;
}

interface BulkheadLimits {
  maxConcurrent: number;
  maxQueued: number;
}

/**
 * Bounds the number of concurrent calls. Further calls wait in a first-in-first-out queue until a slot is free, their
 * caller disconnects, or their time is over.
 */
export function createBulkhead({ maxConcurrent, maxQueued }: BulkheadLimits): Bulkhead {
  let active = 0;
  /** In the order of arrival. A set, so that removing a waiting call takes no search. */
  const queue = new Set<() => void>();

  /** Passes the slot to the next call in the queue directly, so that a new call cannot overtake it. */
  function releaseSlot(): void {
    const [next] = queue;
    if (next) next();
    else active--;
  }

  return {
    async run(work, limits) {
      if (limits.cancellation?.isCancelled()) throw createClientDisconnectedError();
      if (active < maxConcurrent) active++;
      else if (queue.size < maxQueued) await waitForSlot(queue, limits);
      else throw createQueueFullError();
      try {
        return await work();
      } finally {
        releaseSlot();
      }
    },
    activeCount: () => active,
    queuedCount: () => queue.size,
  };
}

function waitForSlot(queue: Set<() => void>, limits: WaitLimits): Promise<void> {
  return new Promise((resolve, reject) => {
    const takeSlot = () => {
      leaveQueue();
      resolve();
    };
    const stopWatching = onWaitEnd(limits, (error) => {
      leaveQueue();
      reject(error);
    });
    function leaveQueue(): void {
      queue.delete(takeSlot);
      stopWatching();
    }
    queue.add(takeSlot);
  });
}

function createQueueFullError(): GatewayError {
  const message = 'Too many calls are waiting for the platform.';
  return new GatewayError('PLATFORM_UNAVAILABLE', message, { retryable: true });
}
