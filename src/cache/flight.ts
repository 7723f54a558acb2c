/** One load that many wait for and nobody owns: it ends early only when all who waited have left. */
import { GatewayError } from '../errors.js';
import { whenAborted } from '../lib/whenAborted.js';

export interface Flight<Result> {
  /** Settles as the flight does; rejects with CANCELLED when the signal says that this caller has left. */
  join(signal?: AbortSignal): Promise<Result>;
}

/** `onEnd` is called once, never before this returns: when the flight settles or the last caller leaves. */
export function createFlight<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  onEnd: () => void,
): Flight<Result> {
  const controller = new AbortController();
  let callers = 0;
  let isOver = false;

  const result = Promise.resolve()
    .then(() => {
      controller.signal.throwIfAborted();
      return run(controller.signal);
    })
    .finally(end);
  // Where all callers have left, nobody hears of the failure.
  result.catch(() => undefined);

  function end(): void {
    if (isOver) return;
    isOver = true;
    onEnd();
  }

  function abandon(): void {
    if (isOver) return;
    end();
    controller.abort(cancelled());
  }

  return {
    join(signal) {
      if (signal?.aborted) {
        if (callers === 0) abandon();
        return Promise.reject(cancelled());
      }
      callers += 1;
      if (signal === undefined) return result;
      return whileThere(result, signal, () => {
        callers -= 1;
        if (callers === 0) abandon();
      });
    },
  };
}

function whileThere<Result>(
  result: Promise<Result>,
  signal: AbortSignal,
  onLeave: () => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(cancelled());
      onLeave();
    };
    const stop = whenAborted(signal, leave);
    result.then(resolve, reject).finally(stop);
  });
}

function cancelled(): GatewayError {
  return new GatewayError('CANCELLED', 'The caller left before the platform answered.');
}
