/** Finds the newest sample of each stream in a batch of all that was sampled from a date on. Pure. */
import type { ScalarSample } from './samples.js';

export interface RecentSamples {
  /** The last sample of each stream that is certain to have it in the batch. */
  newest: ReadonlyMap<number, ScalarSample>;
  /** From when on the batch held every sample, in milliseconds. */
  sinceMs: number;
}

/**
 * The platform's clock may run ahead of ours, so that its window begins a little later: what was sampled so
 * close to the beginning proves nothing.
 */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;

/**
 * A sample is its stream's last when it was taken within the window: what the batch does not hold was taken
 * before. One that arrived within the window but was taken before it proves nothing, and is left out.
 */
export function newestByStream(samples: readonly ScalarSample[], sinceMs: number): RecentSamples {
  const newest = new Map<number, ScalarSample>();
  for (const sample of samples) {
    if (Date.parse(sample.sampledAt) < sinceMs + CLOCK_DIFFERENCE_MS) continue;
    const known = newest.get(sample.streamId);
    if (known === undefined || isLater(sample, known)) newest.set(sample.streamId, sample);
  }
  return { newest, sinceMs };
}

/** The platform's own order: by the time it was taken, then by arrival. */
function isLater(one: ScalarSample, other: ScalarSample): boolean {
  return (Date.parse(one.sampledAt) - Date.parse(other.sampledAt) || one.id - other.id) > 0;
}
