/**
 * Bounds the number of concurrent calls. Further calls wait in a first-in-first-out queue until a slot is free, their
 * caller disconnects, or their time is over.
 */
import { createClientDisconnectedError, GatewayError } from '../../errors.js';
import { onWaitEnd, type WaitLimits } from '../transport/waitLimits.js';

export interface Bulkhead {
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

export interface BulkheadLimits {
  maxConcurrent: number;
  maxQueued: number;
}

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
