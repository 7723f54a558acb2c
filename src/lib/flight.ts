/** One load that many wait for and nobody owns: it ends early only when all who waited have left. */
import { createEnding, type Ending, type Leaving, unlessEnded } from './leaving.js';

export interface Flight<Result> {
  /** Settles as the flight does; rejects with what `toCancelled` makes when this caller has left. */
  join(leaving?: Leaving): Promise<Result>;
}

/** `onEnd` is called once, never before this returns: when the flight settles or the last caller leaves. */
export function createFlight<Result>(
  run: (ending: Ending) => Promise<Result>,
  onEnd: () => void,
  toCancelled: () => Error,
): Flight<Result> {
  const ending = createEnding();
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
    join(leaving) {
      if (leaving?.hasLeft()) {
        if (callers === 0) abandon();
        return Promise.reject(toCancelled());
      }
      callers += 1;
      if (leaving === undefined) return result;
      return unlessEnded(result, (onEnd) =>
        leaving.watch(() => {
          callers -= 1;
          if (callers === 0) abandon();
          onEnd(toCancelled());
        }),
      );
    },
  };
}
