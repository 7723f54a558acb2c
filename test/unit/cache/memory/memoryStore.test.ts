/** What memory alone must know: whether what it holds may have been dropped elsewhere. */
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../../src/cache/memory/memoryStore.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { key } from '../../../support/cache/siteCache.js';

const entry = { value: 'value', bytes: 5, storedAtMs: 0 };
const LIFETIME_MS = 1000;

describe('distrust', () => {
  it('meets what is held and what is being loaded, and nothing that is loaded after it', () => {
    const memory = createMemoryStore({ clock: createManualClock() });
    const isTrusted = () => memory.get(key).entry?.isTrusted;

    const before = memory.version(key);
    memory.set(key, entry, LIFETIME_MS, before);
    expect(isTrusted()).toBe(true);
    memory.markAllSuspect();
    expect(isTrusted()).toBe(false);
    memory.set(key, entry, LIFETIME_MS, before);
    expect(isTrusted()).toBe(false);
    memory.set(key, entry, LIFETIME_MS, memory.version(key));
    expect(isTrusted()).toBe(true);
  });
});

describe('clear', () => {
  it('meets what is being loaded too', () => {
    const memory = createMemoryStore({ clock: createManualClock() });
    const before = memory.version(key);
    memory.clear();
    memory.set(key, entry, LIFETIME_MS, before);
    expect(memory.get(key).entry).toBeUndefined();
  });
});
