/** Who waits for an answer, and may leave before it is there. */
import { whenAborted } from './whenAborted.js';

export interface Leaving {
  hasLeft(): boolean;
  /** Calls back when that one leaves. The function it returns stops that; it has to be called in the end. */
  watch(onLeave: () => void): () => void;
}

export function leavingBySignal(signal: AbortSignal): Leaving {
  return { hasLeft: () => signal.aborted, watch: (onLeave) => whenAborted(signal, onLeave) };
}

/** Its signal is made for the first who asks for it: most operations are answered before anybody does. */
export interface Ending {
  readonly signal: AbortSignal;
}

export interface EndingController extends Ending {
  abort(reason?: unknown): void;
}

export function createEnding(): EndingController {
  let controller: AbortController | undefined;
  let ended: { reason: unknown } | undefined;
  return {
    get signal() {
      controller ??= new AbortController();
      if (ended) controller.abort(ended.reason);
      return controller.signal;
    },
    abort(reason) {
      ended ??= { reason };
      controller?.abort(reason);
    },
  };
}
