/** Caches on one Redis: loaded entries are shared, and foreign or damaged ones are not used. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createCredentialScope, createEntryKey, createKeyBuilder } from '../../../src/cache/cacheKey.js';
import { POLICIES } from '../../../src/cache/policies.js';
import {
  clock,
  ENTRY_KEY,
  failing,
  first,
  type Replica,
  second,
  startReplicas,
  startReplicaWithoutMemory,
  startServer,
  stored,
  untilStored,
} from '../../support/cache/cacheReplicas.js';
import { isRedisAvailable } from '../../support/cache/redisServer.js';
import { key } from '../../support/cache/siteCache.js';
import { WAIT_MS } from '../../support/waiting.js';

const { timeToLiveMs, staleWhileRevalidateMs } = POLICIES.site;

describe.skipIf(!isRedisAvailable)('replicas with one Redis (needs redis-server on the PATH)', () => {
  it('share loaded entries, with their age', async () => {
    const server = await startServer();
    const [one, other] = (await startReplicas(server, 2)) as [Replica, Replica];
    await one.fetch({ load: first });
    await untilStored(server);
    clock.pass(1000);
    const freshForMs = POLICIES.site.timeToLiveMs - 1000;
    expect(await other.fetch({ load: second })).toEqual({
      value: 'first',
      origin: 'redis',
      ageMs: 1000,
      freshForMs,
    });
    expect(await other.fetch({ load: second })).toEqual({
      value: 'first',
      origin: 'memory',
      ageMs: 1000,
      freshForMs,
    });
  });

  it('share values that are not JSON in encoded form, and load those that cannot be decoded', async () => {
    const server = await startServer();
    const [one] = (await startReplicas(server, 1)) as [Replica];
    const other = await startReplicaWithoutMemory(server);
    const dated = (replica: Replica, deserialize: (stored: unknown) => Date) =>
      replica.cache.fetch<Date>({
        key,
        kind: 'site',
        load: async () => ({ value: new Date(5), bytes: 10, isStorable: true }),
        serialize: (value) => value.getTime(),
        deserialize,
      });
    const toDate = (stored: unknown) => new Date(Number(stored));
    await dated(one, toDate);
    await untilStored(server);
    const fails = await dated(other, () => {
      throw new Error('not a date');
    });
    expect(fails.origin).toBe('network');
    expect(await dated(other, toDate)).toMatchObject({ value: new Date(5), origin: 'redis' });
  });

  it('return a stale value from Redis at once and renew it for all', async () => {
    const server = await startServer();
    const one = await startReplicaWithoutMemory(server);
    const [other] = (await startReplicas(server, 1)) as [Replica];
    await one.fetch({ load: first });
    await untilStored(server);
    clock.pass(timeToLiveMs);
    expect(await other.fetch({ load: second })).toMatchObject({ value: 'first', origin: 'stale' });
    await vi.waitFor(
      () => expect(other.cache.lookup(key, 'site')).toMatchObject({ state: 'fresh', value: 'second' }),
      WAIT_MS,
    );
    await vi.waitFor(async () => {
      expect(await one.fetch({ load: failing })).toMatchObject({ value: 'second', origin: 'redis' });
    }, WAIT_MS);
  });

  it('fall back on the entry in Redis where loading fails', async () => {
    const server = await startServer();
    const [one, other] = (await startReplicas(server, 2)) as [Replica, Replica];
    await one.fetch({ load: first });
    await untilStored(server);
    clock.pass(timeToLiveMs + staleWhileRevalidateMs);
    expect(await other.fetch({ load: failing })).toMatchObject({ value: 'first', origin: 'stale' });
  });

  it('do not see the entries of another account', async () => {
    const server = await startServer();
    const [one, other] = (await startReplicas(server, 2)) as [Replica, Replica];
    const scope = createCredentialScope('https://platform.example', 'other key');
    const foreign = createKeyBuilder(scope, createEntryKey(scope, 'secret'));
    const name = '/v2.0/site/{siteId}';
    const foreignKey = foreign.key({ name, parameter: 1, tags: [foreign.tag('site', 1)] });
    await one.fetch({ load: first });
    await untilStored(server);
    expect(await other.fetch({ key: foreignKey, load: second })).toMatchObject({
      value: 'second',
      origin: 'network',
    });
    await other.cache.invalidate([foreign.tag('site', 1)]);
    expect(await other.fetch({ load: second })).toMatchObject({ value: 'first', origin: 'redis' });
  });

  it('load again where the entry in Redis is corrupt or foreign', async () => {
    const server = await startServer();
    const one = await startReplicaWithoutMemory(server);
    for (const text of [
      'garbage',
      '',
      'p{}',
      'p{"version":1,"value":1}',
      'znonsense',
      'p{"version":99}',
      'pnull',
    ]) {
      await server.ask(`SET ${JSON.stringify(ENTRY_KEY)} ${JSON.stringify(text)}`);
      // A refused entry does not block the next one.
      const load = async () => ({ value: 'second', bytes: 6, isStorable: false });
      expect(await one.fetch({ load })).toMatchObject({ value: 'second', origin: 'network' });
    }
    await server.ask(`DEL ${JSON.stringify(ENTRY_KEY)}`);
    await server.ask(`LPUSH ${JSON.stringify(ENTRY_KEY)} a`);
    expect(await one.fetch({ load: second })).toMatchObject({ value: 'second', origin: 'network' });
  });

  it('do not store entries larger than 8 MB', async () => {
    const server = await startServer();
    const one = await startReplicaWithoutMemory(server);
    const load = async () => ({ value: 'x', bytes: 8 * 1024 * 1024 + 1, isStorable: true });
    await one.fetch({ load });
    await sleep(100);
    expect(await stored(server)).toBe(false);
    await one.fetch({ load: first });
    await untilStored(server);
  });
});
