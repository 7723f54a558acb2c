/** The fetch plan compares the ways to load a batch by their cost. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  costOf,
  describePlan,
  type FetchStrategy,
  isTruncated,
  planFetch,
} from '../../../../src/sources/core/fetchPlan.js';

const never = Number.POSITIVE_INFINITY;
const light = { bytes: 0, durationMs: 0 };

const way = (name: string, callCount: number, costPerCall = light): FetchStrategy<string> => ({
  name,
  callCount,
  costPerCall,
});

const anyWay = fc.record({
  name: fc.constantFrom('singles', 'perSite', 'collection'),
  callCount: fc.oneof(fc.nat(500), fc.constant(never)),
  costPerCall: fc.record({ bytes: fc.nat(50_000_000), durationMs: fc.nat(30_000) }),
});

describe('planFetch', () => {
  it.each([
    [1, 1, 'singles'],
    [2, 1, 'collection'],
    [1, 0, 'collection'],
    [50, 1, 'collection'],
    [50, never, 'singles'],
    [0, 0, 'singles'],
  ])('for %d singles beside a collection of %d calls is %s', (singles, collection, expected) => {
    expect(planFetch([way('singles', singles), way('collection', collection)]).strategy).toBe(expected);
  });

  it('does not load a large collection for two of its rows', () => {
    const heavy = { bytes: 5_000_000, durationMs: 900 };
    expect(planFetch([way('singles', 2), way('collection', 1, heavy)]).strategy).toBe('singles');
    expect(planFetch([way('singles', 100), way('collection', 1, heavy)]).strategy).toBe('collection');
  });

  it('prefers the first of equal options', () => {
    expect(planFetch([way('narrow', 1), way('wide', 1)]).strategy).toBe('narrow');
  });

  it('never chooses an option that costs more than another, and never an impossible one where there is another', () => {
    fc.assert(
      fc.property(anyWay, fc.array(anyWay, { maxLength: 4 }), (first, others) => {
        const plan = planFetch<string>([first, ...others]);
        const costs = [first, ...others].map(costOf);
        const chosen = [first, ...others].filter(({ name }) => name === plan.strategy).map(costOf);
        expect(Math.min(...chosen)).toBe(Math.min(...costs));
      }),
    );
  });

  it('reports the compared options', () => {
    expect(describePlan(planFetch([way('singles', 7), way('collection', never)]))).toBe(
      'singles 7.00, collection impossible',
    );
  });
});

describe('a list', () => {
  it.each([
    [9_999, false],
    [10_000, true],
    [10_001, true],
  ])('of %d rows is truncated: %s', (length, expected) => {
    expect(isTruncated(length)).toBe(expected);
  });
});
