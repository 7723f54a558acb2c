/** Revalidations beyond the budget wait for their turn, and their stale entries are served meanwhile. */
import { expect, it } from 'vitest';
import { Cache } from '../../../src/cache/cache.js';
import { createCredentialScope, createKeyBuilder } from '../../../src/cache/cacheKey.js';
import type { CacheRequest } from '../../../src/cache/cacheRequest.js';
import { RevalidationQueue } from '../../../src/cache/revalidationQueue.js';
import { silentLogger as logger } from '../../../src/lib/logger.js';
import { createManualPlatform } from '../../support/cache/cacheParts.js';

const MINUTE_MS = 60_000;
const PER_MINUTE = 6;
const KEYS = Array.from({ length: 15 }, (_, index) => index);

function createSites() {
  let nowMs = Date.UTC(2026, 2, 14, 9);
  const loads: number[] = [];
  const clock = { now: () => nowMs };
  const cache = new Cache({ clock, logger, revalidationsPerMinute: PER_MINUTE });
  const keys = createKeyBuilder(createCredentialScope('http://platform.example', 'key'));
  const toRequest = (id: number): CacheRequest<string> => ({
    key: keys.endpointKey('site', '/v2.0/site/{siteId}/devices', id),
    kind: 'site',
    async load() {
      loads.push(id);
      return { value: `site ${id} at ${nowMs}`, bytes: 10, isStorable: true };
    },
  });
  return {
    cache,
    loads,
    toRequest,
    tag: (id: number) => keys.tag('site', id),
    advance: (ms: number) => {
      nowMs += ms;
    },
    /** Returns the origin of each entry, when the background loads have ended. */
    async readAll() {
      const cached = await Promise.all(KEYS.map((id) => cache.fetch(toRequest(id))));
      await new Promise((resolve) => setImmediate(resolve));
      return cached.map(({ origin }) => origin);
    },
  };
}

const all = (origin: string) => KEYS.map(() => origin);

it('the cache serves every stale entry, and revalidates as many as the budget allows, the longest waiting first', async () => {
  const sites = createSites();
  expect(await sites.readAll()).toEqual(all('network'));
  sites.loads.length = 0;
  sites.advance(2 * MINUTE_MS);
  expect(await sites.readAll()).toEqual(all('stale'));
  expect(sites.cache.originCounts()).toMatchObject({ stale: KEYS.length, overdue: 0 });
  expect(sites.loads).toEqual(KEYS.slice(0, 6));
  sites.advance(MINUTE_MS / 2);
  await sites.readAll();
  expect(sites.loads).toEqual(KEYS.slice(0, 9));
});

it('the cache serves an entry that waits beyond its usual time, and none beyond the time of an outage', async () => {
  const sites = createSites();
  await sites.readAll();
  sites.advance(5 * MINUTE_MS);
  await sites.readAll();
  const before = { ...sites.cache.originCounts() };
  sites.loads.length = 0;
  // A site is usually served for up to six minutes after it was loaded.
  sites.advance(2 * MINUTE_MS);
  const origins = await sites.readAll();
  // The calls whose turn has come are in flight, and their callers share them.
  expect(origins).toEqual(KEYS.map((id) => (sites.loads.includes(id) ? 'shared' : 'stale')));
  expect(sites.loads).toEqual(KEYS.slice(6, 12));
  // The first six were loaded two minutes ago, and the next six are in flight.
  expect(sites.cache.originCounts()).toMatchObject({ stale: before.stale + 6, overdue: 3 });
  sites.advance(2 * 60 * MINUTE_MS);
  expect(await sites.readAll()).toEqual(all('network'));
});

it('the cache loads an entry that was invalidated while it waited, for its caller and not in the background', async () => {
  const sites = createSites();
  await sites.readAll();
  sites.advance(2 * MINUTE_MS);
  await sites.readAll();
  sites.loads.length = 0;
  await sites.cache.invalidate([sites.tag(14)]);
  const origins = await sites.readAll();
  expect(origins[14]).toBe('network');
  expect(sites.loads).toEqual([14]);
});

it('the cache does not revalidate an entry that is fresh again or being loaded when its turn comes', async () => {
  const { cache, loads, toRequest, advance, readAll } = createSites();
  await readAll();
  advance(2 * MINUTE_MS);
  await readAll();
  await cache.fetch({ ...toRequest(6), noCache: true });
  const platform = createManualPlatform();
  const reading = cache.fetch({ ...toRequest(7), noCache: true, load: platform.load });
  loads.length = 0;
  advance(MINUTE_MS / 2);
  await cache.fetch(toRequest(8));
  await platform.respond('site 7');
  expect([loads, (await reading).value]).toEqual([[8, 9, 10], 'site 7']);
});

it('the revalidation queue lets 50,000 entries wait, and no more', () => {
  let nowMs = 0;
  const begun: number[] = [];
  const load = async () => ({ value: '', bytes: 0, isStorable: true });
  const toRequest = (id: number): CacheRequest<string> => ({
    ...{ key: { text: String(id), tags: [] }, kind: 'site', load },
  });
  const queue = new RevalidationQueue({
    clock: { now: () => nowMs },
    perMinute: 1,
    isNeeded: () => true,
    begin: ({ key }) => void begun.push(Number(key.text)),
  });
  for (let id = 0; id <= 50_001; id++) queue.add(toRequest(id));
  // The rate allows one revalidation at once.
  expect(begun).toEqual([0]);
  expect([1, 50_000, 50_001].map((id) => queue.isWaiting(String(id)))).toEqual([true, true, false]);
  nowMs += MINUTE_MS;
  queue.add(toRequest(50_001));
  expect(begun).toEqual([0, 1]);
  queue.add(toRequest(50_001));
  expect(queue.isWaiting('50001')).toBe(true);
  queue.clear();
});

it('the revalidation queue lets callers take turns, also for the same entries', () => {
  let nowMs = 0;
  const begun: string[] = [];
  const load = async () => ({ value: '', bytes: 0, isStorable: true });
  const queue = new RevalidationQueue({
    clock: { now: () => nowMs },
    perMinute: 6,
    isNeeded: () => true,
    begin: ({ key }) => void begun.push(key.text),
  });
  const add = (callerId: string, text: string) =>
    queue.add({ key: { text, tags: [] }, kind: 'site', load, waiter: { callerId } });
  for (let id = 0; id < 1000; id++) add('A', String(id));
  for (const text of ['new', '998', '999']) add('B', text);
  begun.length = 0;
  for (let round = 0; round < 2; round++) {
    nowMs += MINUTE_MS;
    add('A', '0');
  }
  expect(begun).toEqual(['6', 'new', '7', '998', '8', '999', '9', '10', '11', '12', '13', '14']);
  queue.clear();
});

it('the revalidation queue has room for further entries however many callers wait for the same', () => {
  const queue = new RevalidationQueue({
    clock: { now: () => 0 },
    perMinute: 1,
    isNeeded: () => true,
    begin: () => {},
  });
  const load = async () => ({ value: '', bytes: 0, isStorable: true });
  const add = (callerId: string, text: string) =>
    queue.add({ key: { text, tags: [] }, kind: 'site', load, waiter: { callerId } });
  for (let caller = 0; caller < 50; caller++) {
    for (let id = 0; id <= 1001; id++) add(String(caller), String(id));
  }
  add('A', 'further');
  expect(queue.isWaiting('further')).toBe(true);
  queue.clear();
});
