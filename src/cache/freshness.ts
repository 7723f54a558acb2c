/** Decides how a stored entry may be used. Pure: the clock is an argument. */

/**
 * Periods of use in milliseconds. As in RFC 5861, both stale periods begin at the end of the time to live and run in
 * parallel.
 */
export interface FreshnessPolicy {
  /** How long the entry is served without a REST call. */
  timeToLiveMs: number;
  /** How long after the time to live the entry is served at once, while one load in the background replaces it. */
  staleWhileRevalidateMs: number;
  /** How long after the time to live the entry is served if a load fails. */
  staleIfErrorMs: number;
}

/**
 * `fresh`: serve it. `revalidate`: serve it and load in the background. `ifError`: load, and serve it only if that
 * fails. `expired`: never serve it.
 */
export type Freshness = 'fresh' | 'revalidate' | 'ifError' | 'expired';

/** Largest difference between the clocks of replicas. An entry from this far in the future counts as new. */
export const MAX_CLOCK_SKEW_MS = 5000;

/**
 * An entry from further in the future is expired. The clock was set back, so the age of the entry is unknown, and it would
 * stay fresh for too long.
 */
export function toFreshness(storedAtMs: number, policy: FreshnessPolicy, nowMs: number): Freshness {
  const ageMs = nowMs - storedAtMs;
  if (!(ageMs >= -MAX_CLOCK_SKEW_MS)) return 'expired';
  if (ageMs < policy.timeToLiveMs) return 'fresh';
  if (ageMs < policy.timeToLiveMs + policy.staleWhileRevalidateMs) return 'revalidate';
  if (ageMs < policy.timeToLiveMs + policy.staleIfErrorMs) return 'ifError';
  return 'expired';
}

/** Milliseconds from the load until the entry is expired and stores may delete it. */
export function lifetimeMs(policy: FreshnessPolicy): number {
  return policy.timeToLiveMs + Math.max(policy.staleWhileRevalidateMs, policy.staleIfErrorMs);
}
