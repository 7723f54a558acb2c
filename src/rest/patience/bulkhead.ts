/**
 * Bounds how many calls are under way at once; further ones wait in a queue, first come first served, which
 * they leave when their caller does or their time is up.
 */
import { callerLeft, GatewayError } from '../../errors.js';
import { type Patience, watchPatience } from './patience.js';

export interface Bulkhead {
  /**
   * Runs the work once there is a place for it. Rejects without running it with PLATFORM_UNAVAILABLE where
   * the queue is full, CANCELLED where the caller has left, PLATFORM_TIMEOUT where the wait got too long.
   */
  run<Result>(work: () => Promise<Result>, patience: Patience): Promise<Result>;
  /** Calls under way. */
  busy(): number;
  /** Calls that wait. */
  queued(): number;
}

export interface BulkheadLimits {
  /** The most calls under way at once. */
  places: number;
  /** The most calls that wait. */
  mostQueued: number;
}

export function createBulkhead({ places, mostQueued }: BulkheadLimits): Bulkhead {
  let busy = 0;
  /** In the order of their coming; a set, so that leaving takes no search. */
  const queue = new Set<() => void>();

  async function enter(patience: Patience): Promise<void> {
    if (patience.leaving?.hasLeft()) throw callerLeft();
    if (busy >= places) {
      if (queue.size >= mostQueued) throw queueIsFull();
      await waitForPlace(queue, patience);
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
    async run(work, patience) {
      await enter(patience);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    busy: () => busy,
    queued: () => queue.size,
  };
}

function waitForPlace(queue: Set<() => void>, patience: Patience): Promise<void> {
  return new Promise((resolve, reject) => {
    const takePlace = () => {
      leaveQueue();
      resolve();
    };
    const stopWatching = watchPatience(patience, (error) => {
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

function queueIsFull(): GatewayError {
  const message = 'Too many calls are waiting for the platform.';
  return new GatewayError('PLATFORM_UNAVAILABLE', message, { retryable: true });
}
