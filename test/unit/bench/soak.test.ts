/** The soak test reports growth, and tolerates noise and the filling of caches. */
import { describe, expect, it } from 'vitest';
import { findGrowth } from '../../../bench/soak/growth.js';

const bound = { relative: 0.1, absolute: 4 };
const rounds = (value: (index: number) => number) => Array.from({ length: 40 }, (_, index) => value(index));

describe('findGrowth', () => {
  it.each([
    ['a steady figure', () => 100, false],
    ['noise', (index: number) => 100 + (index % 7), false],
    ['caches that fill in the first quarter', (index: number) => Math.min(index, 9) * 100, false],
    ['one peak', (index: number) => (index === 30 ? 1000 : 100), false],
    ['a leak in each round', (index: number) => 100 + 2 * index, true],
    ['a jump that stays', (index: number) => (index > 22 ? 150 : 100), true],
    ['a leak from nothing', (index: number) => index, true],
  ])('decides about %s', (_, value, isGrowing) => {
    expect(findGrowth(rounds(value), bound)?.isGrowing).toBe(isGrowing);
  });

  it('needs 8 rounds', () => {
    expect(findGrowth([1, 2, 3, 4, 5, 6, 7], bound)).toBeUndefined();
  });
});
