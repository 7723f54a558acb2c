/** Decides how long a leader leads without being heard of: pure, the time is an argument. */

/** How often a leader sends a heartbeat. */
export const HEARTBEAT_MS = 1000;
/** Longer than a worker is usually busy with one operation. */
export const MIN_LEASE_MS = 5000;
const MISSED_POLLS = 3;

export interface Lease {
  /** When the leader was elected or last heard of. */
  renewedAtMs: number;
  /** Milliseconds between two polls. */
  pollMs: number;
}

export function hasExpired({ renewedAtMs, pollMs }: Lease, nowMs: number): boolean {
  return nowMs - renewedAtMs > Math.max(MISSED_POLLS * pollMs, MIN_LEASE_MS);
}
