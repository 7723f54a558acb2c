/** Coordinators of several processes, each with a platform that counts its polls, for the contract of the port. */
import { expect, vi } from 'vitest';
import { Cache } from '../../../src/cache/cache.js';
import { createCredentialScope, createEntryKey } from '../../../src/cache/cacheKey.js';
import { RedisConnection } from '../../../src/cache/redis/redisConnection.js';
import { type Coordinator, createLocalCoordinator } from '../../../src/gateway/coordinator.js';
import { createRedisCoordinator } from '../../../src/gateway/sharing/redisCoordinator.js';
import { systemClock } from '../../../src/lib/clock.js';
import { silentLogger } from '../../../src/lib/logger.js';
import type { StartPoll } from '../../../src/live/samplePoll.js';
import type { Sample } from '../../../src/sources/samples/samples.js';
import { PollLeases } from '../../../src/workers/pollLeases.js';
import { createBroadcasts, createTokenCoordinator } from '../../../src/workers/startWorkers.js';
import { createWorkerCoordinator } from '../../../src/workers/workerCoordinator.js';
import { startRedisServer } from '../cache/redisServer.js';
import { cleanUpAfterTest } from '../cleanUp.js';
import { WAIT_MS } from '../waiting.js';
import { joinWorkers } from './channelPair.js';

export const POLL_MS = 20;
export const scope = createCredentialScope('https://platform.example', 'key');
const entryKey = createEntryKey(scope, 'secret');

const stops: (() => Promise<void> | void)[] = [];

cleanUpAfterTest(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** The samples of the platform by id, and the steps that read some of them. */
interface FakePlatform {
  append(count: number): void;
  newestId(): number;
  /** Steps that returned samples, over all processes. */
  readonly reads: number;
  /** A poll of one process. While `isFrozen`, the process neither polls nor delivers. */
  createStart(process: { isFrozen: boolean }): StartPoll;
}

export function createFakePlatform(): FakePlatform {
  let newestId = 100;
  let reads = 0;
  return {
    append(count) {
      newestId += count;
    },
    newestId: () => newestId,
    get reads() {
      return reads;
    },
    createStart: (process) => (_, from, onStep) => {
      let position = from?.id ?? newestId;
      let isStopped = false;
      async function step(): Promise<void> {
        if (!process.isFrozen) {
          const samples = toSamples(position + 1, newestId);
          if (samples.length > 0) reads += 1;
          position = newestId;
          await onStep({ samples, position: { id: position }, asOfMs: performance.now() });
        }
        if (!isStopped) timer = setTimeout(() => void step(), POLL_MS);
      }
      let timer = setTimeout(() => void step(), POLL_MS);
      return {
        ready: Promise.resolve({ id: position }),
        busyMs: () => (process.isFrozen ? Number.POSITIVE_INFINITY : 0),
        wake() {},
        stop() {
          isStopped = true;
          clearTimeout(timer);
        },
        pollNow: async () => false,
      };
    },
  };
}

function toSamples(from: number, to: number): Sample[] {
  return Array.from({ length: to - from + 1 }, (_, index) => toSample(from + index));
}

function toSample(id: number): Sample {
  const sampledAt = '2026-01-01T00:00:00.000Z';
  return { __typename: 'ScalarSample', id, streamId: 1, sampledAt, value: id, rawValue: String(id) };
}

export interface Process {
  coordinator: Coordinator;
  /** Freezes the process: it keeps its connections, and does nothing. */
  freeze(): void;
  unfreeze(): void;
  /** Ends the process without closing its connections. */
  crash(): void;
}

export interface Follower {
  ids: number[];
  stop(): void;
}

/** Follows the scalar samples in a process. Resolves when all later samples arrive. */
export async function follow(process: Process, platform: FakePlatform): Promise<Follower> {
  const ids: number[] = [];
  const state = states.get(process) ?? { isFrozen: false };
  const start = process.coordinator.sharePoll({ name: scope, entryKey }, platform.createStart(state));
  const subscription = start('SCALAR', undefined, ({ samples }) => {
    ids.push(...samples.map(({ id }) => id));
  });
  const stop = () => subscription.stop();
  stops.push(stop);
  await subscription.ready;
  return { ids, stop };
}

const states = new WeakMap<Process, { isFrozen: boolean }>();

function toProcess(coordinator: Coordinator, crash: () => void): Process {
  const state = { isFrozen: false };
  const process = {
    coordinator,
    freeze: () => {
      state.isFrozen = true;
    },
    unfreeze: () => {
      state.isFrozen = false;
    },
    crash() {
      state.isFrozen = true;
      crash();
    },
  };
  states.set(process, state);
  return process;
}

/** Workers of one gateway. */
export function createWorkers(count: number, gatewayId = 'gateway', redis?: RedisConnection): Process[] {
  const services = [
    createTokenCoordinator(systemClock),
    createBroadcasts(),
    new PollLeases({ clock: { now: () => performance.now() }, pollMs: POLL_MS, logger: silentLogger }),
  ];
  return joinWorkers(count, services).map(({ channel, die }, workerId) => {
    const gateway = { livePollMs: POLL_MS };
    const assignment = { gateway, gatewayId, workerCount: count, workerId, secret: 'secret' };
    const local = createWorkerCoordinator(channel, assignment);
    const coordinator = redis
      ? createRedisCoordinator({ redis, local, scope, pollMs: POLL_MS, clock: systemClock })
      : local;
    stops.push(() => coordinator.close());
    return toProcess(coordinator, die);
  });
}

/** Gateways of one process each, over a Redis of the test. */
export async function createReplicas(count: number): Promise<Process[]> {
  const url = await startRedis();
  return Promise.all(Array.from({ length: count }, () => createReplica(url)));
}

export async function startRedis(): Promise<string> {
  const server = await startRedisServer();
  stops.push(() => server.stop());
  return server.url;
}

export async function createReplica(url: string): Promise<Process> {
  const redis = await connect(url);
  const local = createLocalCoordinator(systemClock);
  const coordinator = createRedisCoordinator({ redis, local, scope, pollMs: POLL_MS, clock: systemClock });
  stops.push(() => coordinator.close());
  return toProcess(coordinator, () => void redis.close());
}

/** Two gateways of two workers each. The workers of a gateway have a Redis connection each. */
export async function createReplicasOfWorkers(): Promise<Process[]> {
  const url = await startRedis();
  const gateways = ['one', 'other'].map(async (gatewayId) => createWorkers(2, gatewayId, await connect(url)));
  return (await Promise.all(gateways)).flat();
}

export async function connect(url: string): Promise<RedisConnection> {
  const limits = { commandDeadlineMs: 2000, connectTimeoutMs: 2000 };
  const redis = new RedisConnection({ url, ...limits, logger: silentLogger, clock: systemClock });
  stops.push(() => redis.close());
  await vi.waitFor(() => expect(redis.isConnected()).toBe(true), WAIT_MS);
  return redis;
}

export function createProcessCache({ coordinator }: Process) {
  return new Cache({ clock: systemClock, logger: silentLogger, ...coordinator.cacheSharing });
}
