/** The contract of the coordinator port, on each adapter: worker IPC, Redis, and workers of several replicas. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createKeyBuilder } from '../../../src/cache/cacheKey.js';
import { batchRateCounts } from '../../../src/gateway/coordinator.js';
import { RefusedCredentials } from '../../../src/gateway/refusedCredentials.js';
import { createCallerRateLimiter } from '../../../src/http/rateLimits/callerRateLimiter.js';
import { isRedisAvailable } from '../../support/cache/redisServer.js';
import { runningClock } from '../../support/runningClock.js';
import { WAIT_MS } from '../../support/waiting.js';
import {
  connect,
  createFakePlatform,
  createProcessCache,
  createReplica,
  createReplicas,
  createReplicasOfWorkers,
  createWorkers,
  type Follower,
  follow,
  POLL_MS,
  type Process,
  scope,
  startRedis,
} from '../../support/workers/coordinators.js';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

const adapters: [string, () => Promise<Process[]>, needsRedis: boolean][] = [
  ['workers of one gateway', async () => createWorkers(2), false],
  ['replicas of one process', () => createReplicas(2), true],
  ['replicas of two workers', createReplicasOfWorkers, true],
];

/** The first and the last process: of different gateways if there are several. */
async function startPair(create: () => Promise<Process[]>): Promise<[Process, Process, Process[]]> {
  const processes = await create();
  return [processes[0], processes.at(-1), processes] as [Process, Process, Process[]];
}

describe.each(adapters)('%s', (_, create, needsRedis) => {
  const test = it.skipIf(needsRedis && !isRedisAvailable);

  test('share the token of a credential, and refuse a write over a newer one', async () => {
    const [one, other] = await startPair(create);
    const [near, far] = [one, other].map(({ coordinator }) => coordinator.tokenStore(scope, 'secret'));
    const before = await near?.read();
    expect(before?.text).toBeUndefined();
    expect(await near?.replace(before?.version ?? '', 'first', 60_000)).toMatchObject({ isReplaced: true });
    expect(await far?.read()).toMatchObject({ text: 'first' });
    expect(await far?.replace(before?.version ?? '', 'second', 60_000)).toMatchObject({
      isReplaced: false,
      text: 'first',
    });
  });

  test('invalidate in each other’s caches', async () => {
    const [one, other] = await startPair(create);
    const caches = [one, other].map(createProcessCache);
    const keys = createKeyBuilder(scope);
    const key = keys.key({ name: '/v2.0/site/{siteId}', tags: [keys.tag('site', 1)] });
    const load = async () => ({ value: 'text', bytes: 10, isStorable: true });
    for (const cache of caches) await cache.fetch({ key, kind: 'site', load });
    await vi.waitFor(async () => {
      await caches[0]?.invalidate([keys.tag('site', 1)]);
      expect(caches[1]?.lookup(key, 'site').state).not.toBe('fresh');
    }, WAIT_MS);
  });

  test('make one poll, and deliver each sample once in every process', async () => {
    const [, , processes] = await startPair(create);
    const platform = createFakePlatform();
    const followers: Follower[] = [];
    for (const process of processes) followers.push(await follow(process, platform));
    for (let round = 1; round <= 5; round++) {
      platform.append(3);
      const expected = range(101, platform.newestId());
      await vi.waitFor(() => {
        for (const { ids } of followers) expect(ids).toEqual(expected);
      }, WAIT_MS);
      expect(platform.reads).toBe(round);
    }
  });

  test('go on without a gap when the leader stops', async () => {
    const [one, other] = await startPair(create);
    const platform = createFakePlatform();
    const leader = await follow(one, platform);
    const follower = await follow(other, platform);
    platform.append(2);
    await vi.waitFor(() => expect(follower.ids).toEqual([101, 102]), WAIT_MS);
    leader.stop();
    platform.append(3);
    await vi.waitFor(() => expect(follower.ids).toEqual(range(101, 105)), WAIT_MS);
    expect(leader.ids).toEqual([101, 102]);
  });

  test('go on without a gap when the leader crashes', async () => {
    const [one, other] = await startPair(create);
    const platform = createFakePlatform();
    await follow(one, platform);
    const follower = await follow(other, platform);
    platform.append(2);
    await vi.waitFor(() => expect(follower.ids).toEqual([101, 102]), WAIT_MS);
    one.crash();
    platform.append(3);
    await vi.waitFor(() => expect(follower.ids).toEqual(range(101, 105)), WAIT_MS);
  });

  test('replace a leader that hangs, and deliver each sample once when it resumes', async () => {
    const [one, other] = await startPair(create);
    const platform = createFakePlatform();
    const hanging = await follow(one, platform);
    const follower = await follow(other, platform);
    one.freeze();
    platform.append(3);
    await vi.waitFor(() => expect(follower.ids).toEqual(range(101, 103)), WAIT_MS);
    one.unfreeze();
    platform.append(2);
    await vi.waitFor(() => {
      for (const { ids } of [hanging, follower]) expect(ids).toEqual(range(101, 105));
    }, WAIT_MS);
  });

  test('count the operations and refusals of a caller together', async () => {
    const [one, other] = await startPair(create);
    const [near, far] = [one, other].map(({ coordinator }) =>
      createCallerRateLimiter(
        { perSecond: 0.001, burst: 30 },
        runningClock,
        coordinator.rateCounts && batchRateCounts(coordinator.rateCounts),
      ),
    );
    await untilListening();
    for (let operation = 0; operation < 20; operation++) near?.take('caller');
    near?.chargeRefusal('caller');
    await vi.waitFor(() => expect(far?.waitMs('caller')).toBeGreaterThan(0), WAIT_MS);
    expect(far?.waitMs('another caller')).toBe(0);
  });

  test('count failed logins together', async () => {
    const [one, other] = await startPair(create);
    const [near, far] = [one, other].map(
      ({ coordinator }) => new RefusedCredentials(runningClock, coordinator.logins),
    );
    await untilListening();
    const guess = (secret: string) => ({ kind: 'client' as const, key: 'key', secret });
    for (let secret = 0; secret < 5; secret++) near?.add(guess(String(secret)), '192.0.2.1');
    await vi.waitFor(
      () =>
        expect(far?.getRefusal(guess('another'), '192.0.2.2')).toMatchObject({
          code: 'AUTHENTICATION_UNAVAILABLE',
        }),
      WAIT_MS,
    );
    expect(far?.getRefusal(guess('0'), '192.0.2.2')).toMatchObject({ code: 'UNAUTHENTICATED' });
    near?.addAccepted(guess('right'), '192.0.2.3');
    await vi.waitFor(() => expect(far?.getRefusal(guess('right'), '192.0.2.2')).toBeUndefined(), WAIT_MS);
    expect(far?.getRefusal({ ...guess('0'), key: 'another' }, '192.0.2.2')).toBeUndefined();
  });
});

/** A subscription in Redis takes one round trip. */
const untilListening = () => sleep(10 * POLL_MS);

describe.skipIf(!isRedisAvailable)('replicas (needs redis-server)', () => {
  it('count an operation once for the workers of one gateway', async () => {
    const processes = await createReplicasOfWorkers();
    const counted = processes.map(({ coordinator }) => {
      const counts: number[] = [];
      coordinator.rateCounts?.onRemote((remote) => {
        for (const [, operations] of remote) counts.push(operations);
      });
      return counts;
    });
    await untilListening();
    processes[0]?.coordinator.rateCounts?.add([['caller', 3]]);
    await vi.waitFor(() => expect(counted.slice(1)).toEqual([[3], [3], [3]]), WAIT_MS);
    expect(counted[0]).toEqual([]);
  });

  it('ignore reports of more than 10,000 feeds, and reports other than lists of feeds', async () => {
    const url = await startRedis();
    const { coordinator } = await createReplica(url);
    const sender = await connect(url);
    const publish = (message: object) =>
      sender.command(['PUBLISH', `fieldgraph:1:pollNeeds:${scope}`, JSON.stringify(message)]);
    const reports: (readonly string[])[] = [];
    coordinator.pollNeeds?.onRemote((feeds) => reports.push(feeds));
    await vi.waitFor(async () => expect(await publish({})).toBe(1), WAIT_MS);
    const feeds = range(1, 10_000).map(String);
    for (const payload of [[...feeds, 'another'], 'feed', [1], null, feeds]) {
      await publish({ gatewayId: 'other', payload });
    }
    await vi.waitFor(() => expect(reports).toEqual([feeds]), WAIT_MS);
  });

  it('continue to poll separately without Redis, and deliver each sample once', async () => {
    const url = await startRedis();
    const [one, other] = [await createReplica(url), await createReplica(url)];
    const platform = createFakePlatform();
    const followers = [await follow(one, platform), await follow(other, platform)];
    one.crash();
    one.unfreeze();
    platform.append(4);
    await vi.waitFor(() => {
      for (const { ids } of followers) expect(ids).toEqual(range(101, 104));
    }, WAIT_MS);
  });
});
