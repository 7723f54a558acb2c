/** Work spread over turns of the event loop. */
import { expect, it } from 'vitest';
import { createTurns } from '../../../src/lib/turns.js';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('the turns queue runs a number of tasks in each turn of the event loop, in order', async () => {
  const takeTurn = createTurns(2);
  const begun: number[] = [];
  for (let id = 0; id < 5; id++) {
    const turn = takeTurn();
    if (turn === undefined) begun.push(id);
    else void turn.then(() => begun.push(id));
  }
  expect(begun).toEqual([0, 1]);
  await nextTurn();
  expect(begun).toEqual([0, 1, 2, 3]);
  await nextTurn();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  await nextTurn();
  expect(takeTurn()).toBeUndefined();
});
