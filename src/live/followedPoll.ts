/** A poll that a feed follows, and its progress. */
import { type Clock, toMonotonicClock } from '../lib/clock.js';
import type { PolledSamples, PollSubscription } from './samplePoll.js';
import type { TailPosition } from './sampleTail.js';

/** Shared by all listeners to its kind. */
export interface FollowedPoll {
  poll: PollSubscription;
  /** How far the kind has been polled. Undefined before the poll has begun. */
  position: TailPosition | undefined;
  /** Like `position.asOfMs`, but by the monotonic clock of this process. */
  polledAtMs: number | undefined;
  /** A new listener wakes the poll once for each step. */
  isWoken: boolean;
  /** Called for each step. */
  onStep(): void;
}

export function createFollowedPoll(poll: PollSubscription): FollowedPoll {
  return { poll, position: undefined, polledAtMs: undefined, isWoken: true, onStep() {} };
}

/** Records where the poll has begun, unless a step has already been recorded. */
export function recordStart(followed: FollowedPoll, position: TailPosition, clock: Clock): void {
  if (followed.position === undefined) recordPosition(followed, position, clock);
}

/** Records a step that succeeded. */
export function recordStep(followed: FollowedPoll, { asOfMs, position }: PolledSamples, clock: Clock): void {
  followed.isWoken = false;
  recordPosition(followed, { id: position.id, asOfMs }, clock);
}

/** Without a time, the previous one remains valid. */
function recordPosition(followed: FollowedPoll, { id, asOfMs }: TailPosition, clock: Clock): void {
  followed.position = { id, asOfMs: asOfMs ?? followed.position?.asOfMs };
  if (asOfMs === undefined) return;
  followed.polledAtMs = toMonotonicClock(clock).now() - Math.max(0, clock.now() - asOfMs);
}

/**
 * Resolves when a poll that begins now has been delivered; if another worker polls, when its next poll has been
 * delivered.
 */
export async function waitForPoll(followed: FollowedPoll): Promise<void> {
  const hasStarted = await followed.poll.ready.then(
    () => true,
    () => false,
  );
  const stepped = new Promise<void>((resolve) => {
    followed.onStep = resolve;
  });
  if (!hasStarted || (await followed.poll.pollNow())) return;
  followed.poll.wake();
  await stepped;
}
