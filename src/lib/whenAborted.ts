/**
 * Watches a signal for many at once: an operation has hundreds of calls under way under one signal, and with a
 * listener for each, to add or take away one is a walk past all others.
 */

interface SignalListeners {
  readonly callbacks: Set<() => void>;
  /** Takes the one listener off the signal. */
  end(): void;
}

const listenersBySignal = new WeakMap<AbortSignal, SignalListeners>();

/**
 * Calls back once when the signal is aborted; not where it has been already. The function it returns stops that;
 * it has to be called in the end, since signals may live much longer than what they are watched for.
 */
export function whenAborted(signal: AbortSignal, onAbort: () => void): () => void {
  const watch = listenersBySignal.get(signal) ?? listenToSignal(signal);
  // Of its own, so that the same function may be given twice.
  const callback = () => onAbort();
  watch.callbacks.add(callback);
  return () => {
    if (watch.callbacks.delete(callback) && watch.callbacks.size === 0) watch.end();
  };
}

function listenToSignal(signal: AbortSignal): SignalListeners {
  const callbacks = new Set<() => void>();
  const callAll = () => {
    listenersBySignal.delete(signal);
    for (const callback of callbacks) callback();
  };
  signal.addEventListener('abort', callAll, { once: true });
  const watch = {
    callbacks,
    end() {
      listenersBySignal.delete(signal);
      signal.removeEventListener('abort', callAll);
    },
  };
  listenersBySignal.set(signal, watch);
  return watch;
}
