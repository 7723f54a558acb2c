/** Long computations in slices. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nextTurn, runInSlices } from '../../../src/lib/slicedComputation.js';

let turn = 0;
let isCounting = true;
let nowMs = 0;

beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
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
  vi.restoreAllMocks();
});

/** The turns of the slices of three computations, with three slices each. */
async function findTurns(sliceMs: number): Promise<number[]> {
  const turns: number[] = [];
  const compute = (name: string) =>
    runInSlices(
      (function* () {
        for (let slice = 0; slice < 3; slice++) {
          yield;
          turns.push(turn);
          nowMs += sliceMs;
        }
        return name;
      })(),
    );
  expect(await Promise.all(['a', 'b', 'c'].map(compute))).toEqual(['a', 'b', 'c']);
  expect(turns).toHaveLength(9);
  return turns;
}

it('run one slice in each turn of the event loop if it takes the time of the turn, however many computations there are', async () => {
  expect(new Set(await findTurns(5)).size).toBe(9);
});

it('share a turn while it has time left, and run at most one slice of each computation in it', async () => {
  const turns = await findTurns(1);
  expect(new Set(turns).size).toBe(3);
  expect(turns).toEqual([...turns].sort((one, other) => one - other));
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
