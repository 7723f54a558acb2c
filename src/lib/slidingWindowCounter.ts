/** Counts what happened in the last so many milliseconds in bounded memory, for limits on rates. */
import type { Clock } from './clock.js';

export interface SlidingWindowCounter {
  add(): void;
  /** What was added in the last `windowMs`, and up to one slice before that: it never counts too little. */
  total(): number;
  /** Milliseconds until the oldest counted slice no longer counts; 0 where nothing is counted. */
  msUntilDecrease(): number;
}

export interface SlidingWindowCounterOptions {
  /** May not go back. */
  clock: Clock;
  windowMs: number;
  /** Into how many slices of equal length the window is cut. */
  slices: number;
}

export function createSlidingWindowCounter({
  clock,
  windowMs,
  slices,
}: SlidingWindowCounterOptions): SlidingWindowCounter {
  const sliceMs = windowMs / slices;
  /** By number of the slice since the epoch, in that order; at most the current one and `slices` before it. */
  const counts = new Map<number, number>();

  /** Forgets what is over; answers the number of the current slice. */
  function currentSlice(): number {
    const current = Math.floor(clock.now() / sliceMs);
    for (const slice of counts.keys()) if (slice < current - slices) counts.delete(slice);
    return current;
  }

  return {
    add() {
      const current = currentSlice();
      counts.set(current, (counts.get(current) ?? 0) + 1);
    },
    total() {
      currentSlice();
      let total = 0;
      for (const count of counts.values()) total += count;
      return total;
    },
    msUntilDecrease() {
      currentSlice();
      const [oldest] = counts.keys();
      return oldest === undefined ? 0 : (oldest + slices + 1) * sliceMs - clock.now();
    },
  };
}
