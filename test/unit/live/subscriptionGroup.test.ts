/** Members that wait for the start of a group begin to read past events in separate turns of the event loop. */
import { expect, it } from 'vitest';
import { unlimitedBytes } from '../../../src/lib/byteBudget.js';
import { createTurns } from '../../../src/lib/turns.js';
import { EventQueue } from '../../../src/live/feedListener.js';
import { type EventReplay, toLiveEvents } from '../../../src/live/liveEvents.js';
import { SubscriptionGroup } from '../../../src/live/subscriptionGroup.js';

const MEMBERS = 20;
const MAX_TURNS = 10_000;

it('a group that starts late lets one waiting member read the past in each turn', async () => {
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const group = new SubscriptionGroup<number, string>({
    async subscribe() {
      await started;
      return toLiveEvents(new EventQueue({ capacity: 1, createOverflowEvent: () => 0, onEnd() {} }));
    },
    execute: async () => [],
    takeTurn: () => undefined,
    takePastTurn: () => undefined,
    takeReplayTurn: createTurns(1),
    toErrorText: () => '',
    onEmpty() {},
  });
  const reads: number[] = [];
  let turn = 0;
  const replay: EventReplay<number> = {
    from: [],
    async read() {
      reads.push(turn);
      return { events: [], isLast: true };
    },
    close() {},
  };
  const sink = { isFree: () => true, next() {}, heartbeat() {}, end() {} };
  const begun = Array.from({ length: MEMBERS }, () =>
    group.add({ sink, budget: unlimitedBytes, owner: 'caller', replay }).begin(),
  );
  start();
  await Promise.all(begun);
  expect(reads.length).toBeLessThanOrEqual(1);
  for (; reads.length < MEMBERS && turn < MAX_TURNS; turn++)
    await new Promise((resolve) => setImmediate(resolve));
  expect(reads).toHaveLength(MEMBERS);
  expect(new Set(reads).size).toBeGreaterThanOrEqual(MEMBERS - 1);
});
