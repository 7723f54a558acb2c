/** One load that several callers wait for. It is cancelled only when all of them have cancelled. */
import { type Cancellation, type CancellationController, waitFor } from './cancellation.js';

export interface SingleFlight<Result> {
  /** Settles as the load does, or rejects with the error of `toCancelled` when this caller cancels. */
  wait(cancellation?: Cancellation): Promise<Result>;
}

interface SingleFlightOptions {
  controller: CancellationController;
  /** Called once, when the load settles or the last caller cancels, and never before the flight is created. */
  onEnd(): void;
  toCancelled(): Error;
}

/** `load` is running; `controller` cancels it. */
export function createSingleFlight<Result>(
  load: Promise<Result>,
  { controller, onEnd, toCancelled }: SingleFlightOptions,
): SingleFlight<Result> {
  let callers = 0;
  let isOver = false;

  // Also handles the rejection when all callers have cancelled.
  load.then(end, end);

  function end(): void {
    if (isOver) return;
    isOver = true;
    onEnd();
  }

  function abandon({ isExpired }: Cancellation): void {
    if (isOver) return;
    end();
    controller.abort(isExpired);
  }

  return {
    wait(cancellation) {
      if (cancellation?.isCancelled()) {
        if (callers === 0) abandon(cancellation);
        return Promise.reject(toCancelled());
      }
      callers += 1;
      if (cancellation === undefined) return load;
      return waitFor(load, (onCancelled) =>
        cancellation.onCancelled(() => {
          callers -= 1;
          if (callers === 0) abandon(cancellation);
          onCancelled(toCancelled());
        }),
      );
    },
  };
}
