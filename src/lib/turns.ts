/** Spreads work over turns of the event loop, so that a burst of one caller does not delay other callers. */

/** Returns undefined if the caller's work may start now, else a promise that resolves in a later turn. */
export type TakeTurn = (caller: string) => Promise<void> | undefined;

/**
 * Admits at most `perTurn` pieces of work in each turn of the event loop: waiting callers take turns, and the pieces of
 * one caller keep their order. With `pauseMs` the event loop is left to other work for that time between two turns.
 */
export function createTurns(perTurn: number, pauseMs = 0): TakeTurn {
  /** Callers with waiting work, the next one first. */
  const waiting = new Map<string, (() => void)[]>();
  let used = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    if (pauseMs > 0) setTimeout(begin, pauseMs);
    else setImmediate(begin);
  }

  function begin(): void {
    isScheduled = false;
    used = 0;
    while (used < perTurn && startNext()) used += 1;
    if (used > 0) schedule();
  }

  function startNext(): boolean {
    for (const [caller, pieces] of waiting) {
      waiting.delete(caller);
      pieces.shift()?.();
      if (pieces.length > 0) waiting.set(caller, pieces);
      return true;
    }
    return false;
  }

  return (caller) => {
    schedule();
    if (used < perTurn && waiting.size === 0) {
      used += 1;
      return undefined;
    }
    return new Promise((resolve) => {
      const pieces = waiting.get(caller);
      if (pieces) pieces.push(resolve);
      else waiting.set(caller, [resolve]);
    });
  };
}
