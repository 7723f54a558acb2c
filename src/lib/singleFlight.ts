/** One load that several callers wait for. It is cancelled only when all of them have cancelled. */
import { type Cancellation, createCancellation, waitFor } from './cancellation.js';

export interface SingleFlight<Result> {
  /** Settles as the load does, or rejects with the error of `toCancelled` when this caller cancels. */
  wait(cancellation?: Cancellation): Promise<Result>;
}

/**
 * `onEnd` is called once, when the load settles or the last caller cancels, and never before this function returns.
 */
export function createSingleFlight<Result>(
  run: (cancellation: Cancellation) => Promise<Result>,
  onEnd: () => void,
  toCancelled: () => Error,
): SingleFlight<Result> {
  const flight = createCancellation();
  let callers = 0;
  let isOver = false;

  const result = start();
  // Nobody handles the rejection when all callers have cancelled.
  result.catch(() => undefined);

  async function start(): Promise<Result> {
    try {
      await undefined;
      if (isOver) throw toCancelled();
      return await run(flight);
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
    flight.abort();
  }

  return {
    wait(cancellation) {
      if (cancellation?.isCancelled()) {
        if (callers === 0) abandon();
        return Promise.reject(toCancelled());
      }
      callers += 1;
      if (cancellation === undefined) return result;
      return waitFor(result, (onCancelled) =>
        cancellation.onCancelled(() => {
          callers -= 1;
          if (callers === 0) abandon();
          onCancelled(toCancelled());
        }),
      );
    },
  };
}
