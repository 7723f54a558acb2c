/** Decides how long the place of a worker that ended stays empty: pure. */

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
/** Whoever has served for so long did not end because it can't serve. */
const STABLE_AFTER_MS = 60_000;

/** Ends in a row, this one included: one after a long life begins a new row. */
export function countConsecutiveExits(before: number, livedMs: number): number {
  return livedMs >= STABLE_AFTER_MS ? 1 : before + 1;
}

/** Milliseconds before another takes the place: at first hardly any, doubling while they keep ending. */
export function restartDelayMs(ends: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (ends - 1));
}
