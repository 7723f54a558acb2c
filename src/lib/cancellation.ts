/**
 * Cancellation of work whose client disconnected, or stopped waiting at its deadline. An `AbortSignal` would do the same,
 * but creating one and listening to it takes longer than all other bookkeeping of a REST call.
 */

export interface Cancellation {
  isCancelled(): boolean;
  /** Whether a deadline is the reason. Otherwise the client has disconnected. */
  readonly isExpired?: boolean;
  /** Calls the listener once, on cancellation. Call the returned function to unsubscribe when the work has ended. */
  onCancelled(listener: () => void): () => void;
}

export interface CancellationController extends Cancellation {
  /** Calls after the first one have no effect. `isExpired`: a deadline is the reason; by default it is not. */
  abort(isExpired?: boolean): void;
}

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
}
