/** Decides how long a poll leader keeps its lease without a heartbeat. Pure: the time is an argument. */

/** Interval between two heartbeats of a leader, and between two checks of a follower. */
export const HEARTBEAT_MS = 1000;
/** Longer than one operation usually blocks the event loop of a worker. */
export const MIN_LEASE_MS = 5000;
const LEASE_POLLS = 3;

/** A leader without a heartbeat for this long is replaced: three polls, including the time to notice it. */
export function toLeaseMs(pollMs: number): number {
  return Math.max(LEASE_POLLS * pollMs - 2 * HEARTBEAT_MS, MIN_LEASE_MS);
}

/** A start takes a few REST calls with retries. A start or step that takes longer hangs, and another leader takes over. */
export const MAX_STEP_MS = 150_000;
