/** Work spread over turns of the event loop. */
import { afterEach, expect, it, vi } from 'vitest';
import { createTurns } from '../../../src/lib/fairQueue.js';

afterEach(() => void vi.useRealTimers());

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('the turns queue runs a number of tasks in each turn of the event loop, in order', async () => {
  const takeTurn = createTurns(2);
  const begun: number[] = [];
  for (let id = 0; id < 5; id++) {
    const turn = takeTurn('caller');
    if (turn === undefined) begun.push(id);
    else void turn.then(() => begun.push(id));
  }
  expect(begun).toEqual([0, 1]);
  await nextTurn();
  expect(begun).toEqual([0, 1, 2, 3]);
  await nextTurn();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  await nextTurn();
  expect(takeTurn('caller')).toBeUndefined();
});

it('callers take turns, so that a caller with much work delays others by one piece each', async () => {
  const takeTurn = createTurns(1);
  const begun: string[] = [];
  const queue = (caller: string, count: number) => {
    for (let id = 0; id < count; id++) void takeTurn(caller)?.then(() => begun.push(`${caller} ${id}`));
  };
  void takeTurn('hostile');
  queue('hostile', 100);
  queue('one', 2);
  queue('other', 1);
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  expect(begun).toEqual(['hostile 0', 'one 0', 'other 0', 'hostile 1', 'one 1']);
});

it('a queue with a rest leaves the event loop to other work between two turns', async () => {
  vi.useFakeTimers();
  const takeTurn = createTurns(2, { pauseMs: 10 });
  let begun = 0;
  for (let id = 0; id < 5; id++) {
    const turn = takeTurn('caller');
    if (turn === undefined) begun += 1;
    else void turn.then(() => (begun += 1));
  }
  const counts = [begun];
  for (let step = 0; step < 4; step++) {
    await vi.advanceTimersByTimeAsync(5);
    counts.push(begun);
  }
  expect(counts).toEqual([2, 2, 4, 4, 5]);
});
