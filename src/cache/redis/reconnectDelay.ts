/** Decides when a lost connection to Redis is tried again: pure, chance is an argument. */

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 5000;

/**
 * Milliseconds before the attempt after `failures` in a row, 1 or more: doubling, and spread over the upper
 * half so that replicas don't come all at once. `chance` is from 0 up to 1.
 */
export function reconnectDelayMs(failures: number, chance: number): number {
  const ceilingMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
  return (ceilingMs * (1 + chance)) / 2;
}
