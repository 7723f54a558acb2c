/** The samples of the last polls, and the time that they cover. */
import { expect, it } from 'vitest';
import { ArrivedSamples } from '../../../../src/sources/samples/arrivedSamples.js';
import type { ScalarSample } from '../../../../src/sources/samples/samples.js';

const sample = (id: number, streamId: number): ScalarSample => ({
  ...{ __typename: 'ScalarSample', id, streamId, sampledAt: '2026-03-14T09:30:00Z', value: 1, rawValue: '1' },
});

function start(options?: { maxSamples?: number; maxSilenceMs?: number }) {
  const clock = { ms: 1000 };
  const arrived = new ArrivedSamples(() => clock.ms, options);
  return {
    clock,
    arrived,
    poll(ms: number, ...samples: ScalarSample[]) {
      clock.ms = ms;
      arrived.add(samples, ms - 5);
    },
  };
}

it('covers the time from the arrival of the first poll to the beginning of the last', () => {
  const { arrived, poll } = start();
  expect(arrived.coverage).toBeUndefined();
  poll(2000, sample(1, 7));
  poll(3000);
  poll(4000, sample(2, 7), sample(3, 8));
  expect(arrived.coverage).toEqual({ sinceMs: 2000, asOfMs: 3995 });
  expect(arrived.ofStream(7).map(({ id }) => id)).toEqual([1, 2]);
});

it('removes the oldest polls beyond its maximum, and covers less then', () => {
  const { arrived, poll } = start({ maxSamples: 3 });
  poll(2000, sample(1, 7), sample(2, 8));
  poll(3000, sample(3, 7));
  poll(4000, sample(4, 7));
  expect([arrived.ofStream(7).map(({ id }) => id), arrived.ofStream(8)]).toEqual([[3, 4], []]);
  expect(arrived.coverage).toEqual({ sinceMs: 3000, asOfMs: 3995 });
  poll(5000, sample(5, 1), sample(6, 1), sample(7, 1), sample(8, 1));
  expect([arrived.coverage, arrived.ofStream(1)]).toEqual([undefined, []]);
});

it('covers the time between two polls that are further apart than a minute', () => {
  const { arrived, poll, clock } = start({ maxSilenceMs: 900_000 });
  poll(2000, sample(1, 7));
  clock.ms = 900_000;
  expect(arrived.coverage).toEqual({ sinceMs: 2000, asOfMs: 1995 });
  clock.ms = 902_000;
  expect(arrived.coverage).toBeUndefined();
});

it('covers nothing from a clock that is set back to the next poll', () => {
  const { arrived, poll, clock } = start();
  poll(4_000_000, sample(1, 7));
  clock.ms = 400_000;
  expect(arrived.coverage).toBeUndefined();
  poll(401_000);
  expect(arrived.coverage?.asOfMs).toBe(400_995);
});

it('covers no later time while a poll has a backlog', () => {
  const { arrived, poll, clock } = start();
  clock.ms = 1500;
  arrived.add([sample(1, 7)], undefined);
  expect(arrived.coverage).toBeUndefined();
  poll(2000);
  clock.ms = 3000;
  arrived.add([sample(2, 7)], undefined);
  expect(arrived.coverage).toEqual({ sinceMs: 2000, asOfMs: 1995 });
  expect(arrived.ofStream(7).map(({ id }) => id)).toEqual([1, 2]);
});

it('covers nothing after the end of the poll, and after a minute without one', () => {
  const { arrived, poll, clock } = start();
  poll(2000, sample(1, 7));
  clock.ms = 62_000;
  expect(arrived.coverage).toBeUndefined();
  poll(63_000);
  expect(arrived.coverage).toEqual({ sinceMs: 2000, asOfMs: 62_995 });
  arrived.clear();
  expect([arrived.coverage, arrived.ofStream(7)]).toEqual([undefined, []]);
});

it('has changed with the last samples of a poll that has ended, unless the clock is set back before them', () => {
  const { arrived, poll, clock } = start();
  poll(2000, sample(1, 7));
  poll(3000);
  arrived.clear();
  arrived.clear();
  expect([arrived.changedAtMs(7), arrived.changedAtMs()]).toEqual([2000, 2000]);
  clock.ms = 1999;
  expect(arrived.changedAtMs(7)).toBeUndefined();
});

it('covers the time since a poll has begun, unless it has ended before that', async () => {
  const { arrived, poll, clock } = start();
  arrived.begin(Promise.resolve({ asOfMs: 990 }));
  await Promise.resolve();
  expect([arrived.coverage, arrived.version]).toEqual([{ sinceMs: 1000, asOfMs: 990 }, 1]);
  poll(2000, sample(1, 7));
  poll(3000);
  expect([arrived.coverage, arrived.version]).toEqual([{ sinceMs: 1000, asOfMs: 2995 }, 2]);
  arrived.clear();
  clock.ms = 4000;
  arrived.begin(Promise.resolve({ asOfMs: 3990 }));
  arrived.clear();
  await Promise.resolve();
  expect([arrived.coverage, arrived.version]).toEqual([undefined, 2]);
});
