import { describe, expect, it } from 'vitest';
import { FragmentCache } from '../../../../src/execution/text/fragmentCache.js';

const context = { dependencies: undefined };

/** A cache that has seen one object twice and therefore stores the text of further objects. */
function createActiveCache(budget: { characters: number; version: number }): FragmentCache {
  const cache = new FragmentCache(budget);
  const probe = {};
  for (let time = 0; time < 2; time++) cache.set(probe, '{}', context);
  return cache;
}

describe('fragment cache', () => {
  it('stores texts once an object has occurred twice', () => {
    const cache = new FragmentCache({ characters: 0, version: 0 });
    const object = {};
    for (let time = 0; time < 2; time++) {
      cache.set(object, '{}', context);
      expect(cache.get(object, context)).toBeUndefined();
    }
    cache.set(object, '{}', context);
    expect(cache.get(object, context)).toBe('{}');
  });

  it('discards the texts of all caches of a budget that exceeds its limit', () => {
    const budget = { characters: 0, version: 0 };
    const [full, other] = [createActiveCache(budget), createActiveCache(budget)];
    const object = {};
    other.set(object, '{}', context);
    expect(other.get(object, context)).toBe('{}');
    const text = 'x'.repeat(100_000);
    for (let index = 0; index < 100; index++) full.set({}, text, context);
    expect(budget.characters).toBeLessThan(8_000_000);
    expect(other.get(object, context)).toBeUndefined();
  });

  it('reuses a text only if the execution reads the same cache entries', () => {
    const readSet = { size: () => 1 };
    const reading = (isSame: boolean) => ({
      dependencies: { readSet: () => readSet, matches: () => isSame },
    });
    const cache = new FragmentCache({ characters: 0, version: 0 }, true);
    const object = {};
    for (let time = 0; time < 3; time++) cache.set(object, '{}', reading(true));
    expect(cache.get(object, reading(true))).toBe('{}');
    expect(cache.get(object, reading(false))).toBeUndefined();
    expect(cache.get(object, context)).toBeUndefined();
  });
});
