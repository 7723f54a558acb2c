/** A clock that never goes back, for measuring durations. */
import type { Clock } from './clock.js';

const clocks = new WeakMap<Clock, Clock>();

/**
 * Returns the same monotonic clock for the same clock, so that all its times are comparable. When the clock is set
 * back, the monotonic clock continues from its latest time. When the clock jumps ahead, so does the monotonic clock.
 */
export function toMonotonicClock(clock: Clock): Clock {
  const known = clocks.get(clock);
  if (known) return known;
  const monotonic = createMonotonicClock(clock);
  clocks.set(clock, monotonic);
  clocks.set(monotonic, monotonic);
  return monotonic;
}

function createMonotonicClock(clock: Clock): Clock {
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
