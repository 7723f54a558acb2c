/**
 * Bounds how many calls are under way at once; further ones wait in a queue, first come first served, which
 * they leave when their caller does or their time is up.
 */
import { createClientDisconnectedError, GatewayError } from '../../errors.js';
import { onWaitEnd, type WaitLimits } from '../transport/waitLimits.js';

export interface Bulkhead {
  /**
   * Runs the work once there is a place for it. Rejects without running it with PLATFORM_UNAVAILABLE where
   * the queue is full, CANCELLED where the caller has left, PLATFORM_TIMEOUT where the wait got too long.
   */
  run<Result>(work: () => Promise<Result>, limits: WaitLimits): Promise<Result>;
  /** Calls under way. */
  activeCount(): number;
  /** Calls that wait. */
  queuedCount(): number;
}

export interface BulkheadLimits {
  /** The most calls under way at once. */
  maxConcurrent: number;
  /** The most calls that wait. */
  maxQueued: number;
}

export function createBulkhead({ maxConcurrent, maxQueued }: BulkheadLimits): Bulkhead {
  let busy = 0;
  /** In the order of their coming; a set, so that leaving takes no search. */
  const queue = new Set<() => void>();

  async function enter(limits: WaitLimits): Promise<void> {
    if (limits.cancellation?.isCancelled()) throw createClientDisconnectedError();
    if (busy >= maxConcurrent) {
      if (queue.size >= maxQueued) throw createQueueFullError();
      await waitForSlot(queue, limits);
    } else {
      busy++;
    }
  }

  /** Hands the place to the next in the queue, without it ever being free for one that comes just now. */
  function leave(): void {
    const [next] = queue;
    if (next) next();
    else busy--;
  }

  return {
    async run(work, limits) {
      await enter(limits);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    activeCount: () => busy,
    queuedCount: () => queue.size,
  };
}

function waitForSlot(queue: Set<() => void>, limits: WaitLimits): Promise<void> {
  return new Promise((resolve, reject) => {
    const takePlace = () => {
      leaveQueue();
      resolve();
    };
    const stopWatching = onWaitEnd(limits, (error) => {
      leaveQueue();
      reject(error);
    });
    function leaveQueue(): void {
      queue.delete(takePlace);
      stopWatching();
    }
    queue.add(takePlace);
  });
}

function createQueueFullError(): GatewayError {
  const message = 'Too many calls are waiting for the platform.';
  return new GatewayError('PLATFORM_UNAVAILABLE', message, { retryable: true });
}
