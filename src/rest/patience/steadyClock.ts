/**
 * Makes a clock that never goes back out of one that may, so that whatever waits for a moment on it does come
 * to its end after the machine's time was set back.
 */
import type { Clock } from '../../lib/clock.js';

/** Where the clock goes back, this one stands for that moment and goes on from there; jumps ahead stay. */
export function createSteadyClock(clock: Clock): Clock {
  let latestMs = clock.now();
  let behindMs = 0;
  return {
    now() {
      const ms = clock.now() + behindMs;
      if (ms < latestMs) behindMs += latestMs - ms;
      else latestMs = ms;
      return latestMs;
    },
  };
}
