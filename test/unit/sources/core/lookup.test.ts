/** One lookup decides how many REST calls an answer takes: for single answers and for collections. */
import { expect, it } from 'vitest';
import { restCallsForCollection } from '../../../../src/sources/core/collections.js';
import { countRestCalls, type Lookup, restCallsFor } from '../../../../src/sources/core/fetchPlan.js';

const fresh = <Value>(value: Value): Lookup<Value> => ({ state: 'fresh', value });
const states: Lookup<null>[] = [fresh(null), { state: 'inFlight' }, { state: 'stale' }, { state: 'missing' }];

it('takes no call for an answer that is fresh or in flight', () => {
  expect(states.map(restCallsFor)).toEqual([0, 0, 1, 1]);
  expect(countRestCalls([0, 1, 2, 3], { lookup: (key) => states[key] ?? { state: 'missing' } })).toBe(2);
});

it('excludes a collection that is known to be cut off, and no other', () => {
  const lists: Lookup<{ items: readonly number[]; isComplete: boolean }>[] = [
    fresh({ items: [1], isComplete: true }),
    fresh({ items: [1], isComplete: false }),
    { state: 'inFlight' },
    { state: 'stale' },
    { state: 'missing' },
  ];
  const never = Number.POSITIVE_INFINITY;
  expect(lists.map((list) => restCallsForCollection(list, false))).toEqual([0, never, 0, 1, 1]);
  expect(lists.map((list) => restCallsForCollection(list, true))).toEqual([0, never, never, never, never]);
});
