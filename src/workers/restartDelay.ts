/** Decides how long the pool waits before it replaces a worker that exited. Pure. */

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
/** A worker that ran for this long did not exit because of its configuration. */
const STABLE_AFTER_MS = 60_000;

/** Returns the number of early exits in a row, including this one. An exit after a long run counts as the first. */
export function countConsecutiveExits(before: number, uptimeMs: number): number {
  return uptimeMs >= STABLE_AFTER_MS ? 1 : before + 1;
}

/** Returns milliseconds: doubles with each exit in a row. */
export function restartDelayMs(consecutiveExits: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (consecutiveExits - 1));
}
