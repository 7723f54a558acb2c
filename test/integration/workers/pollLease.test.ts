/** The lease of a poll in Redis: one holder, whose steps alone count, and messages that only the credential can make. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createEntryKey } from '../../../src/cache/cacheKey.js';
import type { PublishedStep } from '../../../src/gateway/sharing/pollLease.js';
import { createPollBus, RedisPollLease } from '../../../src/gateway/sharing/redisPollLease.js';
import type { ScalarSample } from '../../../src/sources/samples/samples.js';
import { isRedisAvailable } from '../../support/cache/redisServer.js';
import { WAIT_MS } from '../../support/waiting.js';
import { connect, scope, startRedis } from '../../support/workers/coordinators.js';

/** Longer than a test. */
const LONG_LEASE_MS = 10 * WAIT_MS;
const SHORT_LEASE_MS = 200;
const step: PublishedStep = {
  from: { id: 1 },
  samples: [
    {
      __typename: 'ScalarSample',
      id: 2,
      streamId: 1,
      sampledAt: '2026-01-01T00:00:00.000Z',
      value: 1,
      rawValue: '1',
    },
  ],
  position: { id: 2, asOfMs: 1000 },
  asOfMs: 1000,
};

const refusal = { code: 'PLATFORM_REFUSED', message: 'Forbidden.', platform: { status: 403 } } as const;

async function createParticipants(
  count: number,
  { leasesMs = [] as readonly number[], secrets = [] as readonly string[] } = {},
) {
  const url = await startRedis();
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const redis = await connect(url);
      const steps: PublishedStep[] = [];
      const releases: string[] = [];
      const wakes: string[] = [];
      const entryKey = createEntryKey(scope, secrets[index] ?? 'secret');
      const lease = new RedisPollLease(
        {
          redis,
          bus: createPollBus(redis),
          name: 'feed',
          entryKey,
          leaseMs: leasesMs[index] ?? LONG_LEASE_MS,
        },
        (message) => {
          if (message.kind === 'step') steps.push(message.step);
          else (message.kind === 'wake' ? wakes : releases).push(message.kind);
        },
      );
      return { lease, redis, steps, releases, wakes };
    }),
  );
}

type Participant = Awaited<ReturnType<typeof createParticipants>>[number];

describe.skipIf(!isRedisAvailable)('the lease of a poll (needs redis-server)', () => {
  it('has one holder, whose position and steps reach the others', async () => {
    const [one, other] = (await createParticipants(2)) as [Participant, Participant];
    expect(await one.lease.claim(undefined)).toEqual({ isLeader: true, position: undefined });
    expect(await other.lease.claim(undefined)).toEqual({ isLeader: false, position: undefined });
    const start = { from: step.from, samples: [], position: step.from, asOfMs: undefined };
    expect(await one.lease.publish(start)).toBe(true);
    await vi.waitFor(() => expect(other.steps).toEqual([start]), WAIT_MS);
    expect(await other.lease.claim(undefined)).toEqual({ isLeader: false, position: step.from });
    expect(await one.lease.publish(step)).toBe(true);
    await vi.waitFor(() => expect(other.steps).toEqual([start, step]), WAIT_MS);
    const empty = { ...step, samples: [], position: { id: 2, asOfMs: 2000 }, asOfMs: 2000 };
    expect(await one.lease.publish(empty)).toBe(true);
    expect(await other.lease.claim(undefined)).toEqual({ isLeader: false, position: empty.position });
    other.lease.wake();
    await vi.waitFor(() => expect(one.wakes).toEqual(['wake']), WAIT_MS);
    expect([one.steps, other.steps]).toEqual([[], [start, step]]);
  });

  it.each([
    ['whose only row was unreadable, so that others know that a sample is missing', { isPartial: true }],
    ['that the platform refused', { asOfMs: undefined, refusal }],
  ])('publishes a step %s', async (_, content) => {
    const [one, other] = (await createParticipants(2)) as [Participant, Participant];
    await one.lease.claim(step.from);
    const empty = { ...step, samples: [], position: step.from, ...content };
    expect(await one.lease.publish(empty)).toBe(true);
    await vi.waitFor(() => expect(other.steps).toEqual([empty]), WAIT_MS);
  });

  it('says where a step leads that is too large for a message', async () => {
    const [one, other] = (await createParticipants(2)) as [Participant, Participant];
    await one.lease.claim(step.from);
    const [sample] = step.samples as [ScalarSample];
    const large = { ...sample, rawValue: randomBytes(7_000_000).toString('base64') };
    expect(await one.lease.publish({ ...step, samples: [large] })).toBe(true);
    expect(await other.lease.claim(undefined)).toEqual({ isLeader: false, position: step.position });
    expect(await one.lease.publish(step)).toBe(true);
    await vi.waitFor(() => expect(other.steps).toEqual([step]), WAIT_MS);
  });

  it('ignores other messages, and all messages after it is closed', async () => {
    const [one, other, third] = (await createParticipants(3)) as [Participant, Participant, Participant];
    const key = 'fieldgraph:2:poll:feed';
    for (const message of [null, 'text', { key }, { key, sender: 1 }, { key, sender: 'x', step: 1 }]) {
      await one.redis.command(['PUBLISH', 'fieldgraph:1:polls', JSON.stringify(message)]);
    }
    other.lease.close();
    await one.lease.claim(step.from);
    await one.lease.publish(step);
    await vi.waitFor(() => expect(third.steps).toEqual([step]), WAIT_MS);
    expect([other.steps, other.releases, third.releases, third.wakes]).toEqual([[], [], [], []]);
  });

  it('is not known without Redis', async () => {
    const [one] = (await createParticipants(1)) as [Participant];
    await one.redis.close();
    expect([await one.lease.claim(undefined), await one.lease.publish(step)]).toEqual([undefined, undefined]);
  });

  it('refuses the steps of a holder whose lease has expired', async () => {
    const [one, other] = (await createParticipants(2, { leasesMs: [SHORT_LEASE_MS] })) as [
      Participant,
      Participant,
    ];
    await one.lease.claim(step.from);
    await sleep(2 * SHORT_LEASE_MS);
    expect(await other.lease.claim(undefined)).toEqual({ isLeader: true, position: step.from });
    expect(await one.lease.publish(step)).toBe(false);
    expect(await other.lease.publish(step)).toBe(true);
    await vi.waitFor(() => expect(one.steps).toEqual([step]), WAIT_MS);
    expect(other.steps).toEqual([]);
  });

  it('is free if it ends later than a lease can, as after the clock of Redis was set back', async () => {
    const [one, other] = (await createParticipants(2)) as [Participant, Participant];
    await one.lease.claim(step.position);
    for (const until of ['99999999999999', 'no time']) {
      await one.redis.command(['HSET', 'fieldgraph:2:poll:feed', 'id', 'nobody', 'until', until]);
      expect(await other.lease.claim(undefined)).toEqual({ isLeader: true, position: step.position });
      expect(await one.lease.claim(undefined)).toMatchObject({ isLeader: false });
    }
  });

  it('is free at once when its holder closes it', async () => {
    const [one, other, third] = (await createParticipants(3)) as [Participant, Participant, Participant];
    await one.lease.claim(step.from);
    other.lease.close();
    one.lease.close();
    await vi.waitFor(() => expect(third.releases).toEqual(['release']), WAIT_MS);
    await vi.waitFor(
      async () => expect(await other.lease.claim(step.from)).toMatchObject({ isLeader: true }),
      WAIT_MS,
    );
  });

  it('ignores steps that another credential sealed', async () => {
    const [one, other, foreign] = (await createParticipants(3, {
      secrets: ['secret', 'secret', 'other'],
    })) as [Participant, Participant, Participant];
    await one.lease.claim(step.from);
    expect(await one.lease.publish(step)).toBe(true);
    await vi.waitFor(() => expect(other.steps).toEqual([step]), WAIT_MS);
    expect(foreign.steps).toEqual([]);
  });
});
