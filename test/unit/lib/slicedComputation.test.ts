/** Long computations in slices. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nextTurn, runInSlices } from '../../../src/lib/slicedComputation.js';

let turn = 0;
let isCounting = true;

beforeEach(() => {
  turn = 0;
  isCounting = true;
  const next = () => {
    turn += 1;
    if (isCounting) setImmediate(next);
  };
  setImmediate(next);
});

afterEach(() => {
  isCounting = false;
});

it('run one slice in each turn of the event loop, however many computations there are', async () => {
  const turns: number[] = [];
  const compute = (name: string) =>
    runInSlices(
      (function* () {
        for (let slice = 0; slice < 3; slice++) {
          yield;
          turns.push(turn);
        }
        return name;
      })(),
    );
  expect(await Promise.all(['a', 'b', 'c'].map(compute))).toEqual(['a', 'b', 'c']);
  expect(turns).toHaveLength(9);
  expect(new Set(turns).size).toBe(9);
});

it('proceed in the order in which they wait', async () => {
  const order: string[] = [];
  const wait = async (name: string) => {
    await nextTurn();
    order.push(name);
    await nextTurn();
    order.push(name);
  };
  await Promise.all(['a', 'b', 'c'].map(wait));
  expect(order.join('')).toBe('abcabc');
});
