/** Caches that share one Redis server of the test, as replicas of the gateway do. */
import { expect, vi } from 'vitest';
import { Cache } from '../../../src/cache/cache.js';
import type { CacheRequest } from '../../../src/cache/cacheRequest.js';
import { RedisConnection } from '../../../src/cache/redis/redisConnection.js';
import { silentLogger } from '../../../src/lib/logger.js';
import { cleanUpAfterTest } from '../cleanUp.js';
import { runningClock } from '../runningClock.js';
import { WAIT_MS } from '../waiting.js';
import { createCounter, createManualClock } from './cacheParts.js';
import { type RedisServer, startRedisProxy, startRedisServer } from './redisServer.js';
import { down, key } from './siteCache.js';

/** A deadline of Redis commands for replicas whose Redis fails. */
export const DEADLINE_MS = 300;
/** The same if Redis works, however busy the machine is. */
const BUSY_DEADLINE_MS = 10_000;
export const ENTRY_KEY = `fieldgraph:2:entry:${key.text}`;
const stops: (() => Promise<void>)[] = [];

/** Runs after the test, the last one first. */
export function onStop(stop: () => Promise<void>): void {
  stops.push(stop);
}

cleanUpAfterTest(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

export async function startServer(): Promise<RedisServer> {
  const server = await startRedisServer();
  stops.push(() => server.stop());
  return server;
}

export interface Replica {
  cache: Cache;
  connection: RedisConnection;
  fetch(request?: Partial<CacheRequest<string>>): ReturnType<typeof fetchSite>;
}

export const clock = createManualClock();
const fetchSite = (cache: Cache, request: Partial<CacheRequest<string>>) =>
  cache.fetch({ key, kind: 'site', load: createCounter().load, ...request });

export async function startReplica(
  url: string,
  commandDeadlineMs = DEADLINE_MS,
  maxBytes?: number,
): Promise<Replica> {
  const connection = new RedisConnection({
    url,
    commandDeadlineMs,
    connectTimeoutMs: 2000,
    logger: silentLogger,
    clock: runningClock,
  });
  stops.push(() => connection.close());
  const cache = new Cache({ clock, logger: silentLogger, redis: connection, maxBytes });
  return { cache, connection, fetch: (request = {}) => fetchSite(cache, request) };
}

export const up = ({ connection }: Replica) =>
  vi.waitFor(() => expect(connection.isConnected()).toBe(true), { timeout: WAIT_MS, interval: 10 });

/**
 * Waits until a replica receives invalidations. Redis confirms subscriptions in order, so the replica's own subscription
 * is active before this one; its query for missed invalidations is complete before the later PING.
 */
async function untilListening({ connection }: Replica): Promise<void> {
  await new Promise<void>((resolve) => {
    connection.subscribe({ channel: 'listening', onMessage: () => undefined, onListening: resolve });
  });
  await vi.waitFor(async () => expect(await connection.command(['PING'])).toBe('PONG'), WAIT_MS);
}

/** Starts this number of replicas that receive each other's invalidations. */
export async function startReplicas(
  server: RedisServer,
  count: number,
  deadlineMs = BUSY_DEADLINE_MS,
): Promise<Replica[]> {
  const replicas = await Promise.all(
    Array.from({ length: count }, () => startReplica(server.url, deadlineMs)),
  );
  await Promise.all(replicas.map(untilListening));
  return replicas;
}

/** A replica whose memory has no room for an entry, so that it reads Redis each time. */
export async function startReplicaWithoutMemory(server: RedisServer): Promise<Replica> {
  const replica = await startReplica(server.url, BUSY_DEADLINE_MS, 1);
  await untilListening(replica);
  return replica;
}

/** Two replicas that receive each other's invalidations, one of them through a proxy that can be cut. */
export async function startBesideProxy() {
  const server = await startServer();
  const proxy = await startRedisProxy(server.port);
  onStop(() => proxy.stop());
  const [direct] = (await startReplicas(server, 1)) as [Replica];
  const proxied = await startReplica(proxy.url, BUSY_DEADLINE_MS);
  await untilListening(proxied);
  return { server, proxy, direct, proxied };
}

export const stored = (server: RedisServer) => exists(server, ENTRY_KEY);
async function exists(server: RedisServer, redisKey: string): Promise<boolean> {
  const quoted = JSON.stringify(redisKey);
  return (await server.ask(`EXISTS ${quoted}`)).startsWith(':1');
}
export const untilStored = (server: RedisServer) =>
  vi.waitFor(async () => expect(await stored(server)).toBe(true), WAIT_MS);

export const first = createCounter(() => 'first').load;
export const second = createCounter(() => 'second').load;
export const failing = () => Promise.reject(down);
