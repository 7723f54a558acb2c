/** The progress of a poll whose start and first step have different times. */
import { expect, it } from 'vitest';
import { FollowedPoll } from '../../../src/live/followedPoll.js';

it('a poll whose first step comes before its start stays at the position of the step', () => {
  const clock = { now: () => 1_800_000_000_000 };
  const poll = { ready: Promise.resolve({ id: 1 }), wake() {}, stop() {}, pollNow: async () => true };
  const followed = new FollowedPoll(poll, clock);
  followed.recordStep({ samples: [], position: { id: 5 }, asOfMs: clock.now() });
  followed.recordStart({ id: 1, asOfMs: clock.now() - 1000 });
  expect(followed).toMatchObject({ position: { id: 5, asOfMs: clock.now() } });
});
