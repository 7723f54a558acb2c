/** Spreads work over turns of the event loop, so that a burst of one caller does not delay other callers. */

import { FairQueue } from './fairQueue.js';

/** Returns undefined if the caller's work may start now, else a promise that resolves in a later turn. */
export type TakeTurn = (caller: string) => Promise<void> | undefined;

/**
 * Admits at most `perTurn` pieces of work in each turn of the event loop: waiting callers take turns, and the pieces of
 * one caller keep their order. With `pauseMs` the event loop is left to other work for that time between two turns.
 */
export function createTurns(perTurn: number, pauseMs = 0): TakeTurn {
  /** By caller. */
  const waiting = new FairQueue<string, () => void>();
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
    for (; used < perTurn && waiting.size > 0; used++) waiting.shift()?.();
    if (used > 0) schedule();
  }

  return (caller) => {
    schedule();
    if (used < perTurn && waiting.size === 0) {
      used += 1;
      return undefined;
    }
    return new Promise((resolve) => waiting.add(caller, resolve));
  };
}
