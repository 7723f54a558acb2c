/**
 * Cancellation of work whose client disconnected, or stopped waiting at its deadline. An `AbortSignal` would do the
 * same, but creating one and listening to it takes longer than all other bookkeeping of a REST call.
 *
 * Several operations may wait for the same work. It then takes the turns of all their callers.
 */

/** An operation that waits for work, and its caller. */
export interface Waiter {
  /** Absent if the operation is not for one caller. */
  callerId?: string | undefined;
  requestId?: string | undefined;
  /** Further operations may wait for this one. */
  cancellation?: Cancellation | undefined;
}

export interface Cancellation {
  isCancelled(): boolean;
  /** Whether a deadline is the reason. Otherwise the client has disconnected. */
  readonly isExpired?: boolean;
  /** Calls the listener once, on cancellation. Call the returned function to unsubscribe when the work has ended. */
  onCancelled(listener: () => void): () => void;
  /**
   * Calls the listener with each further operation that waits for the work, now or later: the first one of each
   * caller. Call the returned function to unsubscribe. Absent if no other operation can wait for the work.
   */
  onWaiter?(listener: (waiter: Waiter) => void): () => void;
}

export interface CancellationController extends Cancellation {
  /** Calls after the first one have no effect. `isExpired`: a deadline is the reason; by default it is not. */
  abort(isExpired?: boolean): void;
  addWaiter(waiter: Waiter): void;
}

/** The turns of this many callers suffice for a piece of work. In a full queue each takes 1.5 MB. */
const MAX_WAITERS = 16;

export function createCancellation(): CancellationController {
  return new ListenerSet();
}

/**
 * Settles as `work` does, or rejects with the error that `subscribe` reports first. The work continues in that case,
 * because other callers may wait for it.
 */
export function waitFor<Value>(
  work: Promise<Value>,
  subscribe: (onEnd: (error: Error) => void) => () => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const unsubscribe = subscribe(reject);
    work.then(
      (value) => {
        unsubscribe();
        resolve(value);
      },
      (error: unknown) => {
        unsubscribe();
        reject(error);
      },
    );
  });
}

class ListenerSet implements CancellationController {
  isExpired = false;
  #isCancelled = false;
  #listeners: Set<() => void> | undefined;
  /** By caller. */
  #waiters: Map<string, Waiter> | undefined;
  #waiterListeners: Set<(waiter: Waiter) => void> | undefined;

  isCancelled(): boolean {
    return this.#isCancelled;
  }

  onCancelled(listener: () => void): () => void {
    // A new function, so that the same listener can be added twice.
    const callback = () => listener();
    this.#listeners ??= new Set();
    this.#listeners.add(callback);
    return () => void this.#listeners?.delete(callback);
  }

  abort(isExpired = false): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.isExpired = isExpired;
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }

  addWaiter(waiter: Waiter): void {
    const { callerId = '' } = waiter;
    this.#waiters ??= new Map();
    if (this.#waiters.has(callerId) || this.#waiters.size >= MAX_WAITERS) return;
    this.#waiters.set(callerId, waiter);
    for (const listener of this.#waiterListeners ?? []) listener(waiter);
  }

  /** Each listener is added once. */
  onWaiter(listener: (waiter: Waiter) => void): () => void {
    this.#waiterListeners ??= new Set();
    this.#waiterListeners.add(listener);
    for (const waiter of this.#waiters?.values() ?? []) listener(waiter);
    return () => void this.#waiterListeners?.delete(listener);
  }
}
