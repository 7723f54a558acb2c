/** The lease that one of several processes holds to poll a feed, and through which it passes its steps to the others. */
import type { PolledSamples } from '../../live/samplePoll.js';
import type { TailPosition } from '../../live/sampleTail.js';

/** A step and the position before it. A follower at or behind `from` has received everything up to `position`. */
export interface PublishedStep extends PolledSamples {
  from: TailPosition;
}

export interface LeaseState {
  isLeader: boolean;
  /**
   * The leader's position, or that of the leader before it, and the time up to which it has polled the platform;
   * undefined until a poll has begun.
   */
  position: TailPosition | undefined;
}

/** If the holder of the lease cannot be determined, methods do not reject but resolve to undefined. */
export interface PollLease {
  /** Acquires the lease if it is free, and renews it if this participant holds it. */
  claim(position: TailPosition | undefined): Promise<LeaseState | undefined>;
  /** Makes the leader poll at once, see `PollSubscription`. */
  wake(): void;
  /** Publishes a step to all followers. Resolves to false if another participant now holds the lease. */
  publish(step: PublishedStep): Promise<boolean | undefined>;
  /** Gives up the lease, so that another participant can acquire it at once. Stops listening. */
  close(): void;
}

/** A message of another participant: `wake` makes the leader poll at once, and after `release` the lease is free. */
export type LeaseMessage = { kind: 'step'; step: PublishedStep } | { kind: 'wake' } | { kind: 'release' };

export type PollLeaseListener = (message: LeaseMessage) => void;

/** Interval between two heartbeats of a leader, and between two checks of a follower. */
export const LEASE_HEARTBEAT_MS = 500;
/**
 * Two polls at the shortest setting. A leader whose event loop is blocked for longer is replaced, and nothing is
 * lost.
 */
export const MIN_LEASE_MS = 2000;
const LEASE_POLLS = 2;

/**
 * A leader without a heartbeat for this long is replaced. A third poll interval passes until a follower notices
 * this and the next leader polls.
 */
export function toLeaseMs(pollMs: number): number {
  return Math.max(LEASE_POLLS * pollMs, MIN_LEASE_MS);
}

/** A start takes a few REST calls with retries. A start or step that takes longer hangs, and another leader takes over. */
export const MAX_STEP_MS = 150_000;
