/** The ticks of the explorer's charts are round, few, and always end. */
import { expect, it } from 'vitest';
import { listTicks } from '../../../explorer/views/scale.js';

it.each([
  [0, 10, [0, 2, 4, 6, 8, 10]],
  [0.1, 0.32, [0.1, 0.15, 0.2, 0.25, 0.3]],
  [-3, 3, [-2, 0, 2]],
  [5, 5, [5]],
])('between %d and %d there are round ticks', (from, to, ticks) => {
  expect(listTicks(from, to, 5)).toEqual(ticks);
});

it.each([
  [0.14999999999999997, 0.15],
  [0.3, 0.1 + 0.2],
  [1e15, 1e15 + 0.125],
  [-0.15, -0.14999999999999997],
])('between %d and %d, which are almost equal, there is one tick', (from, to) => {
  expect(listTicks(from, to, 5)).toEqual([from]);
});

it('has few ticks in ranges of any size, each once', () => {
  for (let exponent = -9; exponent < 15; exponent++) {
    for (const from of [0, 1, -7.3, 12345.678]) {
      const ticks = listTicks(from, from + 10 ** exponent, 4);
      expect(ticks.length).toBeLessThan(8);
      expect(new Set(ticks).size).toBe(ticks.length);
    }
  }
});
