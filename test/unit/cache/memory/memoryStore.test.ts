/** The memory store beyond the contract of stores: suspect entries. */
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../../src/cache/memory/memoryStore.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { key } from '../../../support/cache/siteCache.js';

const entry = { value: 'value', bytes: 5, storedAtMs: 0 };
const LIFETIME_MS = 1000;

describe('markAllSuspect', () => {
  it('marks entries and loads in flight, and none that is loaded after it', () => {
    const memory = new MemoryStore({ clock: createManualClock() });
    const isSuspect = () => memory.get(key)?.isSuspect;

    const before = memory.version();
    memory.set(key, entry, LIFETIME_MS, before);
    expect(isSuspect()).toBe(false);
    memory.markAllSuspect();
    expect(isSuspect()).toBe(true);
    memory.set(key, entry, LIFETIME_MS, before);
    expect(isSuspect()).toBe(true);
    memory.set(key, entry, LIFETIME_MS, memory.version());
    expect(isSuspect()).toBe(false);
  });
});
