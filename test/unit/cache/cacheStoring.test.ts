/** Which values are stored, within which memory bound, until which invalidation, and in which scope. */
import { describe, expect, it } from 'vitest';
import type { Cache } from '../../../src/cache/cache.js';
import { createCredentialScope, createKeyBuilder } from '../../../src/cache/cacheKey.js';
import { createCounter } from '../../support/cache/cacheParts.js';
import { down, key, keys, start, startWithStored, tag, turn } from '../../support/cache/siteCache.js';

describe('a value that is not storable', () => {
  it('is returned and not stored', async () => {
    const { fetch, platform, cache } = start();
    const result = fetch();
    await platform.respond('partial', { isStorable: false });
    expect(await result).toMatchObject({ value: 'partial', origin: 'network' });
    expect(cache.usage()).toEqual({ entries: 0, bytes: 0 });
  });

  it('is fresh for no time if it is partial', async () => {
    const { fetch, platform } = start();
    const result = fetch();
    await platform.respond('partial', { isStorable: false, isPartial: true });
    expect(await result).toMatchObject({ value: 'partial', freshForMs: 0 });
  });
});

describe('invalidation', () => {
  it('removes entries with the tag and no others', async () => {
    const { fetch, cache } = await startWithStored(0);
    const other = keys.key({ name: 'site', parameter: 2, tags: [keys.tag('site', 2)] });
    await fetch({ key: other, load: createCounter(() => 'other').load });
    await cache.invalidate([tag]);
    expect(cache.lookup(key, 'site').state).not.toBe('fresh');
    expect(cache.lookup(other, 'site')).toMatchObject({ state: 'fresh', value: 'other' });
    expect(cache.usage().entries).toBe(1);
  });

  it('prevents a load in flight from being stored and from being shared', async () => {
    const { fetch, platform, cache } = start();
    const before = fetch();
    await turn();
    const dropped = cache.invalidate([tag]);
    const after = fetch();
    await platform.respond('before the write');
    await platform.respond('after the write');
    await dropped;
    expect(await before).toMatchObject({ value: 'before the write' });
    expect(await after).toMatchObject({ value: 'after the write', origin: 'network' });
    expect(await fetch()).toMatchObject({ value: 'after the write', origin: 'memory' });
  });

  it('raises only the version of its own credential', async () => {
    const { cache } = start();
    const [one, other] = ['one', 'other'].map((name) =>
      createCredentialScope('https://platform.example', name),
    );
    if (!one || !other) throw new Error('Two scopes are needed.');
    const before = { one: cache.version(one), other: cache.version(other) };
    await cache.invalidate([createKeyBuilder(one).tag('site', 1), createKeyBuilder(one).tag('site')]);
    expect(cache.version(one)).toBeGreaterThan(before.one);
    expect(cache.version(other)).toBe(before.other);
  });

  it('leaves no stale value to fall back on', async () => {
    const { fetch, platform, cache } = await startWithStored(0);
    await cache.invalidate([tag]);
    const result = expect(fetch()).rejects.toBe(down);
    await platform.fail(down);
    await result;
  });
});

describe('memory', () => {
  const loadOf = (bytes: number) => async () => ({ value: 'x', bytes, isStorable: true });
  const fill = (cache: Cache, siteId: number, bytes: number) =>
    cache.fetch({
      key: keys.key({
        name: 'site',
        parameter: siteId,
        tags: [keys.tag('site', siteId), keys.tag('site')],
      }),
      kind: 'site',
      load: loadOf(bytes),
    });

  it('stays below its bound by evicting the least recently used entries', async () => {
    const maxBytes = 1_000_000;
    const { cache } = start(maxBytes);
    for (let siteId = 1; siteId <= 500; siteId += 1) {
      await fill(cache, siteId, 10_000);
      await fill(cache, 1, 10_000);
      expect(cache.usage().bytes).toBeLessThanOrEqual(maxBytes);
    }
    const { entries } = cache.usage();
    expect(entries).toBeGreaterThan(20);
    expect(entries).toBeLessThan(50);
    expect((await fill(cache, 1, 10_000)).origin).toBe('memory');
    expect((await fill(cache, 2, 10_000)).origin).toBe('network');
  });

  it('returns a value larger than the bound without storing it', async () => {
    const { cache } = start(100_000);
    expect(await fill(cache, 1, 60_000)).toMatchObject({ value: 'x', origin: 'network' });
    expect(cache.usage()).toEqual({ entries: 0, bytes: 0 });
  });

  it('is empty after an invalidation of everything', async () => {
    const { cache } = start();
    for (const siteId of [1, 2, 3]) await fill(cache, siteId, 100);
    await cache.invalidate([keys.tag('site')]);
    expect(cache.usage()).toEqual({ entries: 0, bytes: 0 });
  });
});

describe('scopes', () => {
  it('are isolated, in values and invalidations', async () => {
    const { cache } = start();
    const counters = ['key', 'other key'].map((apiKey) => {
      const builder = createKeyBuilder(createCredentialScope('https://platform.example', apiKey));
      const tags = [builder.tag('site', 1)];
      const counter = createCounter(() => `site of ${apiKey}`);
      const ask = () =>
        cache.fetch({
          key: builder.key({ name: 'site', parameter: 1, tags }),
          kind: 'site',
          load: counter.load,
        });
      return { ask, counter, tags };
    });
    const results = await Promise.all(counters.map(({ ask }) => ask()));
    expect(results.map(({ value }) => value)).toEqual(['site of key', 'site of other key']);
    await cache.invalidate(counters[0]?.tags ?? []);
    const again = await Promise.all(counters.map(({ ask }) => ask()));
    expect(again.map(({ origin }) => origin)).toEqual(['network', 'memory']);
  });
});
