/** Cancellation of work whose client disconnected. */

export interface Cancellation {
  isCancelled(): boolean;
  /** Calls the listener once, on cancellation. Call the returned function to unsubscribe when the work has ended. */
  onCancelled(listener: () => void): () => void;
}

/** A cancellation that can be handed to APIs that take an `AbortSignal`. */
export interface LazyCancellation extends Cancellation {
  readonly signal: AbortSignal;
}

export function toCancellation(signal: AbortSignal): Cancellation {
  return { isCancelled: () => signal.aborted, onCancelled: (listener) => whenAborted(signal, listener) };
}

export interface CancellationController extends LazyCancellation {
  /** Calls after the first one have no effect. */
  abort(reason?: unknown): void;
}

export function createCancellation(): CancellationController {
  return new LazyController();
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

/**
 * Creates its `AbortSignal` on first use, because most operations end before anything reads it. It is a class, like
 * every object with getters that is created per request: V8 gives each object literal with a getter a shape of its
 * own, and the shape retains everything that the getter refers to until the next full garbage collection.
 */
class LazyController implements CancellationController {
  #controller: AbortController | undefined;
  #cancelled: { reason: unknown } | undefined;
  #listeners: Set<() => void> | undefined;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#cancelled) this.#controller.abort(this.#cancelled.reason);
    return this.#controller.signal;
  }

  isCancelled(): boolean {
    return this.#cancelled !== undefined;
  }

  onCancelled(listener: () => void): () => void {
    // A new function, so that the same listener can be added twice.
    const callback = () => listener();
    this.#listeners ??= new Set();
    this.#listeners.add(callback);
    return () => void this.#listeners?.delete(callback);
  }

  abort(reason?: unknown): void {
    if (this.#cancelled) return;
    this.#cancelled = { reason };
    this.#controller?.abort(reason);
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }
}

interface SignalListeners {
  readonly callbacks: Set<() => void>;
  /** Removes the one listener from the signal. */
  end(): void;
}

const listenersBySignal = new WeakMap<AbortSignal, SignalListeners>();

/**
 * Calls back once when the signal is aborted; never if it is already aborted. Call the returned function to
 * unsubscribe, since a signal may live much longer than its listeners. All callbacks share one listener of the signal:
 * an operation has hundreds of calls in flight under one signal, and adding or removing a listener takes time in
 * proportion to the number of listeners.
 */
export function whenAborted(signal: AbortSignal, onAbort: () => void): () => void {
  const listeners = listenersBySignal.get(signal) ?? listenToSignal(signal);
  // A new function, so that the same callback can be added twice.
  const callback = () => onAbort();
  listeners.callbacks.add(callback);
  return () => {
    if (listeners.callbacks.delete(callback) && listeners.callbacks.size === 0) listeners.end();
  };
}

function listenToSignal(signal: AbortSignal): SignalListeners {
  const callbacks = new Set<() => void>();
  const callAll = () => {
    listenersBySignal.delete(signal);
    for (const callback of callbacks) callback();
  };
  signal.addEventListener('abort', callAll, { once: true });
  const listeners = {
    callbacks,
    end() {
      listenersBySignal.delete(signal);
      signal.removeEventListener('abort', callAll);
    },
  };
  listenersBySignal.set(signal, listeners);
  return listeners;
}
