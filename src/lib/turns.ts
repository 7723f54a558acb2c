/** Spreads work over turns of the event loop, so that a burst of one caller does not delay other callers. */

/** Returns undefined if the work may start now, else a promise that resolves in a later turn. */
export type TakeTurn = () => Promise<void> | undefined;

/** Admits at most `perTurn` pieces of work in each turn of the event loop, in the order of the calls. */
export function createTurns(perTurn: number): TakeTurn {
  const waiting: (() => void)[] = [];
  let used = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(begin);
  }

  function begin(): void {
    isScheduled = false;
    used = Math.min(perTurn, waiting.length);
    for (const resolve of waiting.splice(0, used)) resolve();
    if (used > 0) schedule();
  }

  return () => {
    schedule();
    if (used < perTurn && waiting.length === 0) {
      used += 1;
      return undefined;
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
}
