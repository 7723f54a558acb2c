/** One load that many wait for and nobody owns: it ends early only when all who waited have left. */
import { type Cancellation, createCancellation, type LazyCancellation, waitFor } from './cancellation.js';

export interface SingleFlight<Result> {
  /** Settles as the flight does; rejects with what `toCancelled` makes when this caller has left. */
  wait(cancellation?: Cancellation): Promise<Result>;
}

/** `onEnd` is called once, never before this returns: when the flight settles or the last caller leaves. */
export function createSingleFlight<Result>(
  run: (cancellation: LazyCancellation) => Promise<Result>,
  onEnd: () => void,
  toCancelled: () => Error,
): SingleFlight<Result> {
  const ending = createCancellation();
  let callers = 0;
  let isOver = false;

  const result = start();
  // Where all callers have left, nobody hears of the failure.
  result.catch(() => undefined);

  async function start(): Promise<Result> {
    try {
      await undefined;
      if (isOver) throw toCancelled();
      return await run(ending);
    } finally {
      end();
    }
  }

  function end(): void {
    if (isOver) return;
    isOver = true;
    onEnd();
  }

  function abandon(): void {
    if (isOver) return;
    end();
    ending.abort(toCancelled());
  }

  return {
    wait(cancellation) {
      if (cancellation?.isCancelled()) {
        if (callers === 0) abandon();
        return Promise.reject(toCancelled());
      }
      callers += 1;
      if (cancellation === undefined) return result;
      return waitFor(result, (onEnd) =>
        cancellation.onCancelled(() => {
          callers -= 1;
          if (callers === 0) abandon();
          onEnd(toCancelled());
        }),
      );
    },
  };
}
