/** A cancellation that counts its listeners, to find those that work leaves behind. */
import { type CancellationController, createCancellation } from '../../../src/lib/cancellation.js';

interface CountedCancellation extends CancellationController {
  listenerCount(): number;
}

export function createCountedCancellation(): CountedCancellation {
  const controller = createCancellation();
  const listeners = new Set<() => void>();
  return {
    isCancelled: () => controller.isCancelled(),
    onCancelled(listener) {
      const stop = controller.onCancelled(listener);
      listeners.add(stop);
      return () => {
        listeners.delete(stop);
        stop();
      };
    },
    abort() {
      listeners.clear();
      controller.abort();
    },
    addWaiter: (waiter) => controller.addWaiter(waiter),
    listenerCount: () => listeners.size,
  };
}

/** A cancellation of a client that has disconnected already. */
export function createCancelled(): CancellationController {
  const controller = createCancellation();
  controller.abort();
  return controller;
}
