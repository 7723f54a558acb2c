/** Who waits for an answer, and may leave before it is there. */
import { whenAborted } from './whenAborted.js';

export interface Cancellation {
  isCancelled(): boolean;
  /** Calls back when that one leaves. The function it returns stops that; it has to be called in the end. */
  onCancelled(onLeave: () => void): () => void;
}

/** What work brings, unless `watch` calls back with an error before. The work itself goes on: others may wait for it. */
export function waitFor<Value>(
  work: Promise<Value>,
  subscribe: (onEnd: (error: Error) => void) => () => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = subscribe(reject);
    work.then(
      (value) => {
        stop();
        resolve(value);
      },
      (error: unknown) => {
        stop();
        reject(error);
      },
    );
  });
}

export function toCancellation(signal: AbortSignal): Cancellation {
  return { isCancelled: () => signal.aborted, onCancelled: (onLeave) => whenAborted(signal, onLeave) };
}

/** Its signal is made for the first who asks for it: most operations are answered before anybody does. */
export interface LazyCancellation extends Cancellation {
  readonly signal: AbortSignal;
}

export interface CancellationController extends LazyCancellation {
  /** Only the first time counts. */
  abort(reason?: unknown): void;
}

export function toLazyCancellation(signal: AbortSignal): LazyCancellation {
  return { ...toCancellation(signal), signal };
}

export function createCancellation(): CancellationController {
  return new LazyCancellationController();
}

/**
 * A class, as wherever objects with getters are made for each request: the engine gives every object that is written
 * with a getter in it a shape of its own, which keeps all that the getter sees until the whole heap is swept.
 */
class LazyCancellationController implements CancellationController {
  #controller: AbortController | undefined;
  #ended: { reason: unknown } | undefined;
  #watchers: Set<() => void> | undefined;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended) this.#controller.abort(this.#ended.reason);
    return this.#controller.signal;
  }

  isCancelled(): boolean {
    return this.#ended !== undefined;
  }

  onCancelled(onLeave: () => void): () => void {
    // Of its own, so that the same function may be given twice.
    const watcher = () => onLeave();
    this.#watchers ??= new Set();
    this.#watchers.add(watcher);
    return () => void this.#watchers?.delete(watcher);
  }

  abort(reason?: unknown): void {
    if (this.#ended) return;
    this.#ended = { reason };
    this.#controller?.abort(reason);
    const watchers = this.#watchers ?? [];
    this.#watchers = undefined;
    for (const watcher of watchers) watcher();
  }
}
