/** The choice between fresh, stale and reloaded entries. */
import { describe, expect, it } from 'vitest';
import type { StoredEntry } from '../../../src/cache/cacheRequest.js';
import { POLICIES } from '../../../src/cache/policies.js';
import { type ErrorCode, GatewayError } from '../../../src/errors.js';
import { createCancellation } from '../../../src/lib/cancellation.js';
import { createManualPlatform } from '../../support/cache/cacheParts.js';
import { down, key, start, startWithStored, turn } from '../../support/cache/siteCache.js';

const { timeToLiveMs, staleWhileRevalidateMs, staleIfErrorMs } = POLICIES.site;

describe('a fresh entry', () => {
  it('is returned from memory without a load, with its age', async () => {
    const { fetch, platform, cache } = await startWithStored(timeToLiveMs - 1);
    expect(await fetch()).toEqual({
      value: 'first',
      origin: 'memory',
      ageMs: timeToLiveMs - 1,
      freshForMs: 1,
    });
    expect(cache.lookup(key, 'site')).toEqual({
      state: 'fresh',
      value: 'first',
      origin: 'memory',
      ageMs: timeToLiveMs - 1,
      freshForMs: 1,
      isSuspect: false,
    });
    expect(platform.loads()).toBe(1);
  });

  it('is stale at its time to live, and in flight while a load is, with the stale value', async () => {
    const { cache, fetch, platform } = await startWithStored(timeToLiveMs);
    const stale = { value: 'first', origin: 'stale', ageMs: timeToLiveMs, freshForMs: 0, isSuspect: false };
    expect(cache.lookup(key, 'site')).toEqual({ state: 'stale', ...stale });
    await fetch();
    expect(cache.lookup(key, 'site')).toEqual({ state: 'inFlight', ...stale });
    await turn();
    await platform.respond('second');
    expect(cache.lookup(key, 'site')).toMatchObject({ state: 'fresh', value: 'second' });
  });

  it('is missing before the first load; with no-cache only loads with no-cache are in flight', async () => {
    const { cache, fetch, platform } = start();
    expect(cache.lookup(key, 'site')).toEqual({ state: 'missing' });
    const first = fetch();
    expect(cache.lookup(key, 'site')).toEqual({ state: 'inFlight' });
    expect(cache.lookup(key, 'site', true)).toEqual({ state: 'missing' });
    const second = fetch({ noCache: true });
    expect(cache.lookup(key, 'site', true)).toEqual({ state: 'inFlight' });
    await turn();
    await platform.respond('first');
    await platform.respond('second');
    await Promise.all([first, second]);
    expect(cache.lookup(key, 'site').state).toBe('fresh');
    expect(cache.lookup(key, 'site', true)).toEqual({ state: 'missing' });
  });

  it('is loaded again after the clock was set back by an hour, and then cached as usual', async () => {
    const { fetch, platform } = await startWithStored(-3_600_000);
    const second = fetch();
    await platform.respond('second');
    expect(await second).toMatchObject({ value: 'second', origin: 'network' });
    expect(await fetch()).toMatchObject({ value: 'second', origin: 'memory' });
  });
});

describe('stale while revalidate', () => {
  it('returns the stale value at once and loads once for all', async () => {
    const { fetch, platform } = await startWithStored(timeToLiveMs);
    const results = await Promise.all([fetch(), fetch(), fetch()]);
    expect(results.map(({ origin, value }) => [origin, value])).toEqual(
      Array.from({ length: 3 }, () => ['stale', 'first']),
    );
    expect(platform.loads()).toBe(2);
    await platform.respond('second');
    expect(await fetch()).toMatchObject({ value: 'second', origin: 'memory', ageMs: 0 });
  });

  it('also loads once for all where a measurement is stale', async () => {
    const { fetch, platform, clock } = start();
    const fetchLast = () => fetch({ kind: 'lastSample' });
    const first = fetchLast();
    await platform.respond('first');
    await first;
    clock.pass(POLICIES.lastSample.timeToLiveMs);
    for (const { value } of await Promise.all([fetchLast(), fetchLast(), fetchLast()]))
      expect(value).toBe('first');
    expect(platform.loads()).toBe(2);
  });

  it('does not abort the load when the caller cancels', async () => {
    const { fetch, platform } = await startWithStored(timeToLiveMs);
    const leaving = createCancellation();
    await fetch({ cancellation: leaving });
    leaving.abort();
    await platform.respond('second');
    expect(await fetch()).toMatchObject({ value: 'second', origin: 'memory' });
  });

  it('keeps the stale value while loading fails', async () => {
    const { fetch, platform } = await startWithStored(timeToLiveMs);
    await fetch();
    await platform.fail(down);
    expect(await fetch()).toMatchObject({ value: 'first', origin: 'stale' });
    await turn();
    expect(platform.loads()).toBe(3);
  });
});

describe('stale if error', () => {
  const pastRevalidation = timeToLiveMs + staleWhileRevalidateMs;
  const faults: ErrorCode[] = [
    'PLATFORM_UNAVAILABLE',
    'PLATFORM_TIMEOUT',
    'PLATFORM_RATE_LIMITED',
    'PLATFORM_BAD_RESPONSE',
  ];

  it.each(faults)('covers %s, for all waiting callers', async (code) => {
    const { fetch, platform } = await startWithStored(pastRevalidation);
    const both = Promise.all([fetch(), fetch()]);
    await platform.fail(new GatewayError(code, 'fails'));
    const stale = { value: 'first', origin: 'stale', ageMs: pastRevalidation, freshForMs: 0 };
    expect(await both).toEqual([stale, stale]);
  });

  it('is counted as overdue, and a value that is only revalidated as stale', async () => {
    const { fetch, platform, cache } = await startWithStored(pastRevalidation - 1);
    await fetch();
    await platform.fail(down);
    expect(cache.originCounts()).toMatchObject({ stale: 1, overdue: 0 });
    const late = await startWithStored(pastRevalidation);
    const failed = late.fetch();
    await late.platform.fail(down);
    await failed;
    expect(late.cache.originCounts()).toMatchObject({ stale: 0, overdue: 1 });
  });

  it.each(['PLATFORM_UNAUTHORIZED', 'PLATFORM_REFUSED', 'BAD_USER_INPUT'] as const)(
    'does not cover %s',
    async (code) => {
      const { fetch, platform } = await startWithStored(pastRevalidation);
      const result = expect(fetch()).rejects.toMatchObject({ code });
      await platform.fail(new GatewayError(code, 'says no'));
      await result;
    },
  );

  it('waits for the load where that succeeds', async () => {
    const { fetch, platform } = await startWithStored(pastRevalidation);
    const result = fetch();
    await platform.respond('second');
    expect(await result).toMatchObject({ value: 'second', origin: 'network' });
  });

  it('ends with its period', async () => {
    const { fetch, platform } = await startWithStored(timeToLiveMs + staleIfErrorMs);
    const result = expect(fetch()).rejects.toBe(down);
    await platform.fail(down);
    await result;
  });
});

describe('a value that has changed on the platform', () => {
  it('is loaded again, and the earlier entry replaces a load that fails', async () => {
    const { clock, fetch, platform, cache } = await startWithStored(1000);
    const changedAtMs = clock.now();
    const failed = fetch({ changedAtMs });
    await platform.fail(down);
    expect(await failed).toMatchObject({ value: 'first', origin: 'stale' });
    const second = fetch({ changedAtMs });
    await platform.respond('second');
    expect(await second).toMatchObject({ value: 'second', origin: 'network' });
    expect(await fetch({ changedAtMs })).toMatchObject({ value: 'second', origin: 'memory' });
    expect(cache.usage().entries).toBe(1);
  });

  it('is not served from a load that began before the change', async () => {
    const { clock, fetch, platform } = start();
    const before = fetch({ changedAtMs: Number.NEGATIVE_INFINITY });
    await turn();
    clock.pass(10);
    const changedAtMs = clock.now();
    await platform.respond('first');
    expect(await before).toMatchObject({ value: 'first' });
    const [second, sharing] = [fetch({ changedAtMs }), fetch({ changedAtMs })];
    await turn();
    clock.pass(10);
    const third = fetch({ changedAtMs: clock.now() });
    for (const value of ['second', 'third']) await platform.respond(value);
    expect(await second).toMatchObject({ value: 'second', origin: 'network' });
    expect(await sharing).toMatchObject({ value: 'second', origin: 'shared' });
    expect(await third).toMatchObject({ value: 'third', origin: 'network' });
    expect(platform.loads()).toBe(3);
  });
});

describe('no-cache', () => {
  it('loads although the value is fresh, and stores the result', async () => {
    const { fetch, platform } = await startWithStored(0);
    const forced = fetch({ noCache: true });
    await platform.respond('second');
    expect(await forced).toMatchObject({ value: 'second', origin: 'network' });
    expect(await fetch()).toMatchObject({ value: 'second', origin: 'memory' });
  });

  it('shares only loads that started with no-cache, and no earlier load overwrites its result', async () => {
    const { fetch, platform } = start();
    const slow = createManualPlatform();
    const usual = fetch({ load: slow.load });
    await turn();
    const forced = fetch({ noCache: true });
    const alsoForced = fetch({ noCache: true });
    const usualAgain = fetch();
    await turn();
    expect(platform.loads()).toBe(1);
    await platform.respond('forced');
    await slow.respond('usual');
    expect(await usual).toMatchObject({ value: 'usual', origin: 'network' });
    expect(await forced).toMatchObject({ value: 'forced', origin: 'network' });
    expect(await alsoForced).toMatchObject({ value: 'forced', origin: 'shared' });
    expect(await usualAgain).toMatchObject({ value: 'forced', origin: 'shared' });
    expect(await fetch()).toMatchObject({ value: 'forced', origin: 'memory' });
  });

  it('gets the error, while callers without no-cache that share the load get the stale value', async () => {
    const { fetch, platform } = await startWithStored(timeToLiveMs + staleWhileRevalidateMs);
    const forced = expect(fetch({ noCache: true })).rejects.toBe(down);
    const usual = fetch();
    await platform.fail(down);
    await forced;
    expect(await usual).toMatchObject({ value: 'first', origin: 'stale' });
  });
});

it('an overlay is fresh at any age; its older entry counts by its age, unless memory has a newer one', async () => {
  const { cache, clock } = await startWithStored(timeToLiveMs);
  const overlay: { current?: StoredEntry; older?: StoredEntry } = {};
  cache.overlay(key, 'site', { getEntry: () => overlay.current, getOlderEntry: () => overlay.older });
  const entry = (ageMs: number) => ({ value: 'overlaid', storedAtMs: clock.now() - ageMs, bytes: 0 });
  const lookup = () => cache.lookup(key, 'site');
  expect(lookup()).toMatchObject({ state: 'stale', value: 'first' });
  overlay.current = entry(timeToLiveMs + staleIfErrorMs);
  expect(lookup()).toMatchObject({ state: 'fresh', value: 'overlaid' });
  delete overlay.current;
  overlay.older = entry(timeToLiveMs + 1);
  expect(lookup()).toMatchObject({ state: 'stale', value: 'first' });
  overlay.older = entry(timeToLiveMs - 1);
  expect(lookup()).toMatchObject({ state: 'fresh', value: 'overlaid' });
  clock.pass(1);
  expect(lookup()).toMatchObject({ state: 'stale', value: 'overlaid' });
  clock.pass(staleIfErrorMs);
  expect(lookup()).toEqual({ state: 'missing' });
});

it('an entry that does not come from a load replaces no later one, and no usable one after the clock is set back', async () => {
  const { cache, clock } = await startWithStored(1);
  const lookup = () => cache.lookup(key, 'site');
  const entry = (ageMs: number) => ({ value: 'polled', storedAtMs: clock.now() - ageMs, bytes: 0 });
  const older: { entry?: StoredEntry } = {};
  cache.overlay(key, 'site', { getEntry: () => undefined, getOlderEntry: () => older.entry });
  for (const ageMs of [2, -timeToLiveMs]) {
    cache.store(key, 'site', entry(ageMs));
    expect(lookup()).toMatchObject({ state: 'fresh', value: 'first' });
    older.entry = entry(ageMs);
    expect(lookup()).toMatchObject({ state: 'fresh', value: 'first' });
    delete older.entry;
  }
  cache.store(key, 'site', entry(0));
  expect(lookup()).toMatchObject({ state: 'fresh', value: 'polled' });
});
