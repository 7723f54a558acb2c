/**
 * The current time as a port, so that tests can control it; a monotonic clock for durations; units of time, and the
 * doubling of pauses.
 */

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
/** A day of UTC; a day in a time zone can be longer or shorter. */
export const DAY_MS = 24 * HOUR_MS;

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Milliseconds since a fixed instant, for durations: setting the clock ahead or back does not change it. Absent if
   * nothing sets the clock.
   */
  monotonicNow?: () => number;
}

/** Read once, because it never changes, and reading it takes longer than `performance.now`. */
const { timeOrigin } = performance;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicNow: () => timeOrigin + performance.now(),
};

/** The monotonic clock of a clock: `now` is its `monotonicNow`. */
export function toMonotonicClock(clock: Clock): Clock {
  return clock.monotonicNow ? { now: clock.monotonicNow } : clock;
}

/** Milliseconds of the `step`th pause in a row, from 1: doubled with each step, up to the maximum. */
export function doubledMs(firstMs: number, step: number, maxMs: number): number {
  return Math.min(firstMs * 2 ** (step - 1), maxMs);
}
