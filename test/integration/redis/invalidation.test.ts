/** Invalidations reach every replica and all running loads, at the latest when Redis is back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { Cache } from '../../../src/cache/cache.js';
import { type CacheKey, createCredentialScope, createKeyBuilder } from '../../../src/cache/cacheKey.js';
import { silentLogger as logger } from '../../../src/lib/logger.js';
import { createManualPlatform } from '../../support/cache/cacheParts.js';
import {
  clock,
  ENTRY_KEY,
  failing,
  first,
  type Replica,
  second,
  startBesideProxy,
  startReplicas,
  startServer,
  stored,
  untilStored,
  up,
} from '../../support/cache/cacheReplicas.js';
import { isRedisAvailable } from '../../support/cache/redisServer.js';
import { key, keys, scope, tag } from '../../support/cache/siteCache.js';
import { WAIT_MS } from '../../support/waiting.js';
import { createWorkers } from '../../support/workers/coordinators.js';

/** The tag and the key of another site. */
const otherTag = keys.tag('site', 2);
const otherKey = keys.key({ name: '/v2.0/site/{siteId}', parameter: 2, tags: [otherTag] });

/** Runs `during` between the subscription of a replica that reconnects and its query for missed invalidations. */
function whileReconnecting({ connection }: Replica, during: () => Promise<void>): void {
  const command = connection.command.bind(connection);
  connection.command = async (args) => {
    if (args[0] === 'GET') await during();
    return command(args);
  };
}

describe.skipIf(!isRedisAvailable)('an invalidation (needs redis-server on the PATH)', () => {
  it('reaches Redis and the memory of the others', async () => {
    const server = await startServer();
    const [one, other] = (await startReplicas(server, 2)) as [Replica, Replica];
    await one.fetch({ load: first });
    await untilStored(server);
    await other.fetch({ load: second });
    await other.fetch({ key: otherKey, load: first });
    await one.cache.invalidate([tag]);
    await vi.waitFor(() => expect(other.cache.lookup(key, 'site').state).not.toBe('fresh'), WAIT_MS);
    expect(await other.fetch({ load: second })).toMatchObject({ value: 'second', origin: 'network' });
    await other.cache.invalidate([tag]);
    // The reply comes after the replica's own message.
    expect(await other.connection.command(['PING'])).toBe('PONG');
    expect(other.cache.lookup(otherKey, 'site').state).toBe('fresh');
  });

  it('reaches the others although the key of its id has another type, and replaces that key', async () => {
    const server = await startServer();
    const [one, other] = (await startReplicas(server, 2)) as [Replica, Replica];
    await one.fetch({ load: first });
    await untilStored(server);
    await other.fetch({ load: second });
    await server.ask('LPUSH fieldgraph:2:lastInvalidation planted');
    await one.cache.invalidate([tag]);
    await vi.waitFor(() => expect(other.cache.lookup(key, 'site').state).not.toBe('fresh'), WAIT_MS);
    expect(await other.fetch({ load: second })).toMatchObject({ value: 'second', origin: 'network' });
    expect(await server.ask('TYPE fieldgraph:2:lastInvalidation')).toContain('string');
  });

  it('prevents another replica from storing a running load', async () => {
    const server = await startServer();
    const [one, other] = (await startReplicas(server, 2)) as [Replica, Replica];
    const platform = createManualPlatform();
    const loading = other.fetch({ load: platform.load });
    await vi.waitFor(() => expect(platform.loads()).toBe(1), WAIT_MS);
    await one.cache.invalidate([tag]);
    await sleep(100);
    await platform.respond('from before the write');
    expect(await loading).toMatchObject({ value: 'from before the write' });
    await sleep(100);
    expect(other.cache.lookup(key, 'site').state).not.toBe('fresh');
    expect(await one.fetch({ load: second })).toMatchObject({ value: 'second', origin: 'network' });
  });

  it('during a hang of Redis applies here at once, and everywhere when Redis is back', async () => {
    const server = await startServer();
    const [one, other] = (await startReplicas(server, 2)) as [Replica, Replica];
    await one.fetch({ load: first });
    await untilStored(server);
    await other.fetch({ load: second });
    server.pause();
    await one.cache.invalidate([tag]);
    expect(await one.fetch({ load: second })).toMatchObject({ value: 'second', origin: 'network' });
    server.resume();
    await vi.waitFor(() => expect(other.cache.lookup(key, 'site').state).not.toBe('fresh'), WAIT_MS);
    expect(
      await other.fetch({ load: async () => ({ value: 'third', bytes: 5, isStorable: true }) }),
    ).not.toMatchObject({ value: 'first' });
  });

  it('while Redis is down is repeated by itself, before anything old is read there', async () => {
    const { server, proxy, direct: other, proxied: one } = await startBesideProxy();
    await one.fetch({ load: first });
    await untilStored(server);
    await other.fetch({ load: failing });
    proxy.cut();
    await vi.waitFor(() => expect(one.connection.isConnected()).toBe(false), WAIT_MS);
    await one.cache.invalidate([tag]);
    proxy.mend();
    while (!one.connection.isConnected()) await new Promise((resolve) => setImmediate(resolve));
    expect(await one.fetch({ load: second })).toMatchObject({ value: 'second', origin: 'network' });
    await vi.waitFor(() => expect(other.cache.lookup(key, 'site').state).not.toBe('fresh'), WAIT_MS);
  });

  it('while Redis is down reaches the others even without a request here', async () => {
    const { proxy, direct: other, proxied: one } = await startBesideProxy();
    await other.fetch({ load: first });
    proxy.cut();
    await vi.waitFor(() => expect(one.connection.isConnected()).toBe(false), WAIT_MS);
    await one.cache.invalidate([tag]);
    proxy.mend();
    await vi.waitFor(() => expect(other.cache.lookup(key, 'site').state).not.toBe('fresh'), WAIT_MS);
  });

  it('of a worker without Redis is sent there by another worker, which reads nothing old meanwhile', async () => {
    const { server, proxy, direct, proxied } = await startBesideProxy();
    await direct.fetch({ load: first });
    await untilStored(server);
    const [one, other] = createWorkers(2).map(({ coordinator: { cacheSharing } }, index) => {
      const { connection: redis } = index === 0 ? proxied : direct;
      return new Cache({ clock, logger, ...cacheSharing, redis });
    }) as [Cache, Cache];
    const read = (load: typeof first) => other.fetch({ key, kind: 'site', load });
    expect(await read(failing)).toMatchObject({ value: 'first', origin: 'redis' });
    proxy.cut();
    await vi.waitFor(() => expect(proxied.connection.isConnected()).toBe(false), WAIT_MS);
    await one.invalidate([tag]);
    expect(await read(second)).toMatchObject({ value: 'second', origin: 'network' });
    await vi.waitFor(() => expect(direct.cache.lookup(key, 'site').state).not.toBe('fresh'), WAIT_MS);
  });

  it('does not remove later entries of the replica that made it', async () => {
    const server = await startServer();
    const [one] = (await startReplicas(server, 1)) as [Replica];
    const invalidating = one.cache.invalidate([tag]);
    await one.fetch({ load: second });
    await invalidating;
    await sleep(100);
    expect(one.cache.lookup(key, 'site')).toMatchObject({ state: 'fresh', value: 'second' });
  });

  it('that a replica may have missed makes its memory stale, served only where loading fails', async () => {
    const { server, proxy, direct: one, proxied: other } = await startBesideProxy();
    await other.fetch({ load: first });
    await untilStored(server);
    proxy.cut();
    await vi.waitFor(() => expect(other.connection.isConnected()).toBe(false), WAIT_MS);
    await one.cache.invalidate([tag]);
    expect(other.cache.lookup(key, 'site')).toMatchObject({ state: 'fresh', value: 'first' });
    proxy.mend();
    await vi.waitFor(() => expect(other.cache.lookup(key, 'site').state).not.toBe('fresh'), WAIT_MS);
    expect(await other.fetch({ load: failing })).toMatchObject({ value: 'first', origin: 'stale' });
    expect(await other.fetch({ load: second })).toMatchObject({ value: 'second', origin: 'network' });
  });

  it('that a replica missed makes its memory stale, also if another one follows while it reconnects', async () => {
    const { proxy, direct: one, proxied: other } = await startBesideProxy();
    await other.fetch({ load: first });
    proxy.cut();
    await vi.waitFor(() => expect(other.connection.isConnected()).toBe(false), WAIT_MS);
    await one.cache.invalidate([tag]);
    whileReconnecting(other, () => one.cache.invalidate([otherTag]));
    proxy.mend();
    await vi.waitFor(() => expect(other.cache.lookup(key, 'site').state).not.toBe('fresh'), WAIT_MS);
    expect(await other.fetch({ load: second })).toMatchObject({ value: 'second', origin: 'network' });
  });

  it('whose message is lost makes the memory stale when the next message arrives', async () => {
    const server = await startServer();
    const [one, other] = (await startReplicas(server, 2)) as [Replica, Replica];
    await one.cache.invalidate([otherTag]);
    await other.fetch({ load: first });
    await server.ask('SET "fieldgraph:2:lastInvalidation" lost');
    expect(other.cache.lookup(key, 'site').state).toBe('fresh');
    await one.cache.invalidate([otherTag]);
    await vi.waitFor(() => expect(other.cache.lookup(key, 'site').state).not.toBe('fresh'), WAIT_MS);
  });

  it('that a replica may have missed ends waits for revalidations, and makes responses stale', async () => {
    const server = await startServer();
    const [one, other] = (await startReplicas(server, 2)) as [Replica, Replica];
    const cache = new Cache({ clock, logger, redis: other.connection, revalidationsPerMinute: 1 });
    const read = async (wanted: CacheKey) =>
      (await cache.fetch({ key: wanted, kind: 'site', load: first })).origin;
    const { tag: foreignTag } = createKeyBuilder(
      createCredentialScope('https://platform.example', 'foreign'),
    );
    await one.cache.invalidate([foreignTag('site', 1)]);
    expect([await read(otherKey), await read(key)]).toEqual(['network', 'network']);
    await untilStored(server);
    await server.ask(`DEL ${JSON.stringify(ENTRY_KEY)}`);
    clock.pass(120_000);
    // The first revalidation uses up the rate.
    expect([await read(otherKey), await read(key), await read(key)]).toEqual(['stale', 'stale', 'stale']);
    const version = cache.version(scope);
    await server.ask('SET "fieldgraph:2:lastInvalidation" lost');
    await one.cache.invalidate([foreignTag('site', 1)]);
    await vi.waitFor(() => expect(cache.version(scope)).toBeGreaterThan(version), WAIT_MS);
    expect(await read(key)).toBe('network');
  });

  it('holds after a crash of a Redis that loads an older snapshot', async () => {
    const server = await startServer();
    const replicas = (await startReplicas(server, 2)) as [Replica, Replica];
    const [one, other] = replicas;
    await one.fetch({ load: first });
    await untilStored(server);
    expect(await other.fetch({ load: failing })).toMatchObject({ value: 'first', origin: 'redis' });
    await server.ask('SAVE');
    await one.cache.invalidate([tag]);
    await vi.waitFor(() => expect(other.cache.lookup(key, 'site').state).not.toBe('fresh'), WAIT_MS);
    await server.restart();
    await Promise.all(replicas.map(up));
    expect(await stored(server)).toBe(true);
    expect(await other.fetch({ load: second })).toMatchObject({ value: 'second' });
    expect(await one.fetch({ load: second })).toMatchObject({ value: 'second' });
  });

  it('that a replica missed before such a crash makes its memory stale', async () => {
    const { server, proxy, direct: one, proxied: other } = await startBesideProxy();
    await other.fetch({ load: first });
    await server.ask('SAVE');
    proxy.cut();
    await vi.waitFor(() => expect(other.connection.isConnected()).toBe(false), WAIT_MS);
    await one.cache.invalidate([tag]);
    await server.restart();
    proxy.mend();
    await vi.waitFor(() => expect(other.cache.lookup(key, 'site').state).not.toBe('fresh'), WAIT_MS);
    expect(await other.fetch({ load: second })).toMatchObject({ value: 'second' });
  });

  it('that did not happen leaves the memory valid over a dropped connection', async () => {
    const server = await startServer();
    const [one] = (await startReplicas(server, 1)) as [Replica];
    await one.cache.invalidate([tag]);
    await one.fetch({ load: first });
    await server.ask('CLIENT KILL TYPE pubsub');
    await vi.waitFor(() => expect(one.connection.isConnected()).toBe(false), WAIT_MS);
    await up(one);
    await sleep(200);
    expect(one.cache.lookup(key, 'site')).toMatchObject({ state: 'fresh', value: 'first' });
  });
});
