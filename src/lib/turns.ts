/** Spreads work over turns of the event loop, so that what one caller causes in a row does not hold up others. */

/** Takes a place: undefined where the work may go on at once, else a promise that resolves at a later turn. */
export type TakeTurn = () => Promise<void> | undefined;

/** At most `perTurn` places in each turn of the event loop, in the order in which they were asked for. */
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
