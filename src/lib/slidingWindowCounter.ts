/** Counts events in a sliding window of time, in bounded memory. */
import type { Clock } from './clock.js';

export type SlidingWindowCounter = ReturnType<typeof createSlidingWindowCounter>;

interface SlidingWindowCounterOptions {
  /** Must be monotonic. */
  clock: Clock;
  windowMs: number;
  /** Number of equal slices of the window. */
  slices: number;
}

export function createSlidingWindowCounter({ clock, windowMs, slices }: SlidingWindowCounterOptions) {
  const sliceMs = windowMs / slices;
  /** By number of the slice since the epoch, in ascending order; at most `slices` + 1 entries. */
  const counts = new Map<number, number>();

  /** Deletes expired slices and returns the number of the current one. */
  function currentSlice(): number {
    const current = Math.floor(clock.now() / sliceMs);
    for (const slice of counts.keys()) if (slice < current - slices) counts.delete(slice);
    return current;
  }

  return {
    add(): void {
      const current = currentSlice();
      counts.set(current, (counts.get(current) ?? 0) + 1);
    },
    /** Events in the last `windowMs`, plus up to one slice before that: never too few. */
    total(): number {
      currentSlice();
      let total = 0;
      for (const count of counts.values()) total += count;
      return total;
    },
    /** Milliseconds until the oldest slice leaves the window; 0 if there are no events. */
    msUntilDecrease(): number {
      currentSlice();
      const [oldest] = counts.keys();
      return oldest === undefined ? 0 : (oldest + slices + 1) * sliceMs - clock.now();
    },
  };
}
