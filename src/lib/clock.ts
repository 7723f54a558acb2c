/** The current time as a port, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Milliseconds since a fixed instant, for durations: setting the clock ahead or back does not change it. Absent: it is
   * derived from `now`, see `toMonotonicClock`.
   */
  monotonicNow?(): number;
}

/** The clock of the operating system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicNow: () => performance.timeOrigin + performance.now(),
};
