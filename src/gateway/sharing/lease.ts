/** Decides how long a poll leader keeps its lease without a heartbeat. Pure: the time is an argument. */

/** Interval between two heartbeats of a leader, and between two checks of a follower. */
export const HEARTBEAT_MS = 500;
/** Two polls at the shortest setting. A leader that an operation blocks for longer is replaced, and nothing is lost. */
export const MIN_LEASE_MS = 2000;
const LEASE_POLLS = 2;

/**
 * A leader without a heartbeat for this long is replaced. The third poll interval is for noticing it and for the first
 * poll of the next leader.
 */
export function toLeaseMs(pollMs: number): number {
  return Math.max(LEASE_POLLS * pollMs, MIN_LEASE_MS);
}

/** A start takes a few REST calls with retries. A start or step that takes longer hangs, and another leader takes over. */
export const MAX_STEP_MS = 150_000;
