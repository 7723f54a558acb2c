/**
 * The cache with a Redis that is down, hangs, is full, crashes or is slow: responses arrive soon and without errors.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import {
  DEADLINE_MS,
  failing,
  first,
  onStop,
  type Replica,
  second,
  startReplica,
  startReplicas,
  startServer,
  stored,
  untilStored,
  up,
} from '../../support/cache/cacheReplicas.js';
import { isRedisAvailable, startRedisProxy } from '../../support/cache/redisServer.js';
import { key, keys, tag } from '../../support/cache/siteCache.js';
import { findFreePort } from '../../support/freePort.js';
import { WAIT_MS } from '../../support/waiting.js';

/**
 * Far more than a busy machine needs for immediate results, and far less than the deadlines of all commands in
 * sequence.
 */
const BUSY_MS = 10_000;

describe('a Redis that is down', () => {
  it('fails no request', async () => {
    const one = await startReplica(`redis://127.0.0.1:${await findFreePort()}`);
    expect(await one.fetch({ load: first })).toMatchObject({ value: 'first', origin: 'network' });
    expect(await one.fetch({ load: second })).toMatchObject({ value: 'first', origin: 'memory' });
    await one.cache.invalidate([tag]);
    expect(await one.fetch({ load: second })).toMatchObject({ value: 'second', origin: 'network' });
  });
});

describe.skipIf(!isRedisAvailable)('a failing Redis (needs redis-server on the PATH)', () => {
  async function timed<Value>(work: Promise<Value>): Promise<{ value: Value; tookMs: number }> {
    const startedAtMs = performance.now();
    const value = await work;
    return { value, tookMs: performance.now() - startedAtMs };
  }

  it('that hangs delays responses by its deadline at most', async () => {
    const server = await startServer();
    const [one] = (await startReplicas(server, 1, DEADLINE_MS)) as [Replica];
    server.pause();
    const fetches = Array.from({ length: 100 }, (_, siteId) =>
      one.fetch({ key: keys.key({ name: 'site', parameter: siteId }), load: first }),
    );
    const { value, tookMs } = await timed(Promise.all(fetches));
    expect(new Set(value.map(({ origin }) => origin))).toEqual(new Set(['network']));
    expect(tookMs).toBeLessThan(DEADLINE_MS + BUSY_MS);
    expect((await timed(one.fetch({ load: first }))).tookMs).toBeLessThan(BUSY_MS);
  });

  it('that hangs delays a write longer than a read, so that others do not read the old entry', async () => {
    const server = await startServer();
    const [one] = (await startReplicas(server, 1, DEADLINE_MS)) as [Replica];
    server.pause();
    const { tookMs } = await timed(one.cache.invalidate([tag]));
    expect(tookMs).toBeGreaterThan(2 * DEADLINE_MS);
    expect(tookMs).toBeLessThan(BUSY_MS);
  });

  it('that is full serves its entries, stores none, and still invalidates', async () => {
    const server = await startServer();
    const [one, other] = (await startReplicas(server, 2)) as [Replica, Replica];
    await one.fetch({ load: first });
    await untilStored(server);
    await server.limitMemory(1);
    expect(await server.ask('SET a b')).toMatch(/OOM/);
    expect(await other.fetch({ load: second })).toMatchObject({ value: 'first', origin: 'redis' });
    const another = keys.key({ name: 'site', parameter: 2, tags: [keys.tag('site', 2)] });
    expect(await one.fetch({ key: another, load: second })).toMatchObject({
      value: 'second',
      origin: 'network',
    });
    await one.cache.invalidate([tag]);
    await vi.waitFor(() => expect(other.cache.lookup(key, 'site').state).not.toBe('fresh'), WAIT_MS);
    await server.limitMemory(0);
    expect(await other.fetch({ load: second })).toMatchObject({ value: 'second', origin: 'network' });
  });

  it('that refuses all writes for a while gets the invalidations afterwards', async () => {
    const server = await startServer();
    const [one, other] = (await startReplicas(server, 2)) as [Replica, Replica];
    await one.fetch({ load: first });
    await untilStored(server);
    expect(await other.fetch({ load: failing })).toMatchObject({ value: 'first', origin: 'redis' });
    await server.ask('CONFIG SET min-replicas-to-write 1');
    await one.cache.invalidate([tag]);
    await server.ask('CONFIG SET min-replicas-to-write 0');
    await vi.waitFor(() => expect(other.cache.lookup(key, 'site').state).not.toBe('fresh'), WAIT_MS);
    expect(await other.fetch({ load: second })).toMatchObject({ value: 'second', origin: 'network' });
  });

  it('that refuses scripts for a while gets the invalidations afterwards, without another write', async () => {
    const server = await startServer();
    const [one, other] = (await startReplicas(server, 2)) as [Replica, Replica];
    await one.fetch({ load: first });
    await untilStored(server);
    expect(await other.fetch({ load: failing })).toMatchObject({ value: 'first', origin: 'redis' });
    await server.ask('ACL SETUSER default -eval -evalsha');
    await one.cache.invalidate([tag]);
    expect(one.connection.counts()).toEqual({ refusals: 1, disconnects: 0 });
    expect(other.cache.lookup(key, 'site').state).toBe('fresh');
    await server.ask('ACL SETUSER default +eval +evalsha');
    await vi.waitFor(() => expect(other.cache.lookup(key, 'site').state).not.toBe('fresh'), WAIT_MS);
    expect(await other.fetch({ load: second })).toMatchObject({ value: 'second', origin: 'network' });
  });

  it('that crashes and comes back is used again', async () => {
    const server = await startServer();
    const [one, other] = (await startReplicas(server, 2)) as [Replica, Replica];
    await one.fetch({ load: first });
    await server.kill();
    await vi.waitFor(() => expect(one.connection.isConnected()).toBe(false), WAIT_MS);
    const another = keys.key({ name: 'site', parameter: 2, tags: [keys.tag('site', 2)] });
    expect(await one.fetch({ key: another, load: second })).toMatchObject({
      value: 'second',
      origin: 'network',
    });
    await server.restart();
    await Promise.all([up(one), up(other)]);
    await vi.waitFor(async () => {
      await one.fetch({ noCache: true, load: second });
      expect(await stored(server)).toBe(true);
    }, WAIT_MS);
    expect(await other.fetch({ load: failing })).toMatchObject({ value: 'second', origin: 'redis' });
  });

  it('that is slower than its deadline is bypassed', async () => {
    const server = await startServer();
    const proxy = await startRedisProxy(server.port, DEADLINE_MS * 3);
    onStop(() => proxy.stop());
    const one = await startReplica(proxy.url);
    await sleep(DEADLINE_MS * 5);
    const { value, tookMs } = await timed(one.fetch({ load: first }));
    expect(value).toMatchObject({ value: 'first', origin: 'network' });
    expect(tookMs).toBeLessThan(BUSY_MS);
    expect(await one.fetch({ load: second })).toMatchObject({ value: 'first', origin: 'memory' });
  });
});
