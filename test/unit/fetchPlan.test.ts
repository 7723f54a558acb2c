/** How a batch of keys is answered: the cheapest way, and which lists may have been cut off. */
import { describe, expect, it } from 'vitest';
import { cheapestWay, isCutOff, LONGEST_LIST } from '../../src/sources/fetchPlan.js';

const never = Number.POSITIVE_INFINITY;

describe('cheapestWay', () => {
  it.each([
    [1, 1, 'singles'],
    [2, 1, 'collection'],
    [1, 0, 'collection'],
    [50, 1, 'collection'],
    [50, never, 'singles'],
  ])('for %d singles beside a collection of %d calls is %s', (singles, collection, expected) => {
    const way = cheapestWay([
      { name: 'singles', calls: singles },
      { name: 'collection', calls: collection },
    ]);
    expect(way).toBe(expected);
  });

  it('takes the one named first of equals', () => {
    const ways = ['a', 'b', 'c'].map((name) => ({ name, calls: 3 }));
    const [first, ...others] = ways;
    if (!first) throw new Error('There is no way.');
    expect(cheapestWay([first, ...others])).toBe('a');
    expect(cheapestWay([{ name: 'd', calls: 4 }, ...others])).toBe('b');
  });
});

describe('isCutOff', () => {
  it('takes a list as long as the platform answers at most for cut off', () => {
    expect([0, LONGEST_LIST - 1, LONGEST_LIST, LONGEST_LIST + 1].map(isCutOff)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
