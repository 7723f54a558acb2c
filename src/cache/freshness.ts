/** Decides what a stored answer may still be used for: pure, the clock is an argument. */

/**
 * How long an answer serves, in milliseconds. As in RFC 5861 both stale periods begin where the time to live
 * ends, side by side and not one behind the other.
 */
export interface FreshnessPolicy {
  /** So long an answer is given without asking the platform. */
  timeToLiveMs: number;
  /** After that, so long it is given at once while one load in the background replaces it. */
  staleWhileRevalidateMs: number;
  /** After the time to live, so long it is given where loading failed. */
  staleIfErrorMs: number;
}

/**
 * `fresh`: give it. `revalidate`: give it and load anew behind the caller's back. `ifError`: load, and give it
 * only where that fails. `dead`: as if it were not there.
 */
export type Freshness = 'fresh' | 'revalidate' | 'ifError' | 'dead';

/** Clocks of replicas differ by this much at most; so far in the future, an answer counts as of now. */
const MAX_CLOCK_SKEW_MS = 5000;

/**
 * An answer from further in the future than clocks differ is dead: the clock was set back, how old the answer
 * is can't be known any more, and it would else outlive its policy by as much as the clock was moved.
 */
export function toFreshness(storedAtMs: number, policy: FreshnessPolicy, nowMs: number): Freshness {
  const ageMs = nowMs - storedAtMs;
  if (!(ageMs >= -MAX_CLOCK_SKEW_MS)) return 'dead';
  if (ageMs < policy.timeToLiveMs) return 'fresh';
  if (ageMs < policy.timeToLiveMs + policy.staleWhileRevalidateMs) return 'revalidate';
  if (ageMs < policy.timeToLiveMs + policy.staleIfErrorMs) return 'ifError';
  return 'dead';
}

/** From its storing on, an answer is dead after so many milliseconds: stores may forget it then. */
export function lifetimeMs(policy: FreshnessPolicy): number {
  return policy.timeToLiveMs + Math.max(policy.staleWhileRevalidateMs, policy.staleIfErrorMs);
}
