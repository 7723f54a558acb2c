/** Decides how long the place of a worker that ended stays empty: pure. */

const FIRST_MS = 100;
const LONGEST_MS = 10_000;
/** Whoever has served for so long did not end because it can't serve. */
const LONG_LIFE_MS = 60_000;

/** Ends in a row, this one included: one after a long life begins a new row. */
export function countEnds(before: number, livedMs: number): number {
  return livedMs >= LONG_LIFE_MS ? 1 : before + 1;
}

/** Milliseconds before another takes the place: at first hardly any, doubling while they keep ending. */
export function restartDelayMs(ends: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (ends - 1));
}
