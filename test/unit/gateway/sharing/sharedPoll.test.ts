/** One replica's part in the shared poll: it delivers each sample once, whatever the lease and the messages bring. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type LeaseState,
  MAX_STEP_MS,
  type PollLeaseListener,
  type PublishedStep,
} from '../../../../src/gateway/sharing/pollLease.js';
import { createSharedPollStarter } from '../../../../src/gateway/sharing/sharedPoll.js';
import type { PolledSamples, StartPoll } from '../../../../src/live/samplePoll.js';
import type { SampleKind, TailPosition } from '../../../../src/live/sampleTail.js';
import type { Sample } from '../../../../src/sources/samples/samples.js';
import { WAIT_MS } from '../../../support/waiting.js';

const HEARTBEAT_MS = 2;
const LEASE_MS = 2000;
const AS_OF_MS = 5000;
const at = (id: number): TailPosition => ({ id });
const leading: LeaseState = { isLeader: true, position: undefined };
const following = (id: number, asOfMs?: number): LeaseState => ({
  isLeader: false,
  position: { id, asOfMs },
});

interface PlatformPoll {
  from: TailPosition | undefined;
  isStopped: boolean;
  wakes: number;
  bring(...ids: number[]): Promise<void>;
}

interface World {
  /** The reply to `claim`; undefined while Redis is unavailable. */
  lease: LeaseState | undefined | Promise<undefined>;
  publishReply: boolean | undefined;
  busyMs: number;
  nowMs: number;
  /** When the steps of this replica begin, by its wall clock; undefined while more samples follow. */
  asOfMs: number | undefined;
}

function startShared(
  world: World,
  {
    kind = 'SCALAR' as SampleKind,
    begin = async () => at(100),
    from = undefined as TailPosition | undefined,
    followersPollNow = true,
    heartbeatMs = HEARTBEAT_MS,
  } = {},
) {
  const polls: PlatformPoll[] = [];
  const published: PublishedStep[] = [];
  const delivered: number[] = [];
  const counts = { claims: 0, closes: 0, wakes: 0 };
  const times: (number | undefined)[] = [];
  /** Delivery of a step waits for this. */
  let accepted = Promise.resolve();
  let listener: PollLeaseListener | undefined;

  const start: StartPoll = (_, from, onStep: (step: PolledSamples) => void | Promise<void>) => {
    const poll: PlatformPoll = {
      from,
      isStopped: false,
      wakes: 0,
      bring: async (...ids) =>
        onStep({
          samples: ids.map((id) => toSample(id)),
          position: at(ids.at(-1) ?? 0),
          asOfMs: world.asOfMs,
        }),
    };
    polls.push(poll);
    return {
      ready: from ? Promise.resolve(from) : begin(),
      busyMs: () => world.busyMs,
      wake() {
        poll.wakes += 1;
      },
      stop() {
        poll.isStopped = true;
      },
      async pollNow() {
        await poll.bring(200);
        return true;
      },
    };
  };
  const startPoll = createSharedPollStarter({
    start,
    followersPollNow,
    heartbeatMs,
    leaseMs: LEASE_MS,
    clock: { now: () => world.nowMs },
    createLease(_, created) {
      listener = created;
      return {
        async claim() {
          counts.claims += 1;
          return world.lease;
        },
        async publish(step) {
          published.push(step);
          return world.publishReply;
        },
        wake() {
          counts.wakes += 1;
        },
        close() {
          counts.closes += 1;
        },
      };
    },
  });
  const poll = startPoll(kind, from, async ({ samples, asOfMs }) => {
    delivered.push(...samples.map(({ id }) => id));
    times.push(asOfMs);
    await accepted;
  });
  onTestFinished(() => poll.stop());
  void poll.ready.then(
    ({ asOfMs }) => asOfMs !== undefined && times.push(asOfMs),
    () => undefined,
  );
  /** Delivery hangs until the returned function is called. */
  const hangDelivery = () => {
    let release = () => {};
    accepted = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  const receive = (
    from: TailPosition,
    samples: Sample[],
    position: TailPosition,
    { asOfMs }: Pick<PolledSamples, 'asOfMs'> = { asOfMs: AS_OF_MS },
  ) => listener?.({ kind: 'step', step: { from, samples, position, asOfMs } });
  const wake = () => listener?.({ kind: 'wake' });
  const release = () => listener?.({ kind: 'release' });
  return { poll, polls, published, delivered, counts, times, receive, wake, release, hangDelivery };
}

async function startReady(...parameters: Parameters<typeof startShared>) {
  const shared = startShared(...parameters);
  await shared.poll.ready;
  return shared;
}

function toSample(id: number, sampledAtMs = 0): Sample {
  const sampledAt = new Date(sampledAtMs).toISOString();
  return { __typename: 'ScalarSample', id, streamId: 1, sampledAt, value: id, rawValue: String(id) };
}

const samples = (...ids: number[]) => ids.map((id) => toSample(id));
const createWorld = (lease: LeaseState | undefined): World => ({
  lease,
  publishReply: true,
  busyMs: 0,
  nowMs: 1_000_000,
  asOfMs: AS_OF_MS,
});
const heartbeats = () => new Promise((resolve) => setTimeout(resolve, 10 * HEARTBEAT_MS));

describe('a replica that follows', () => {
  it('begins at the leader’s position and skips samples that it has delivered', async () => {
    const shared = startShared(createWorld(following(100)));
    expect(await shared.poll.ready).toEqual(at(100));
    shared.receive(at(100), samples(101, 102), at(102));
    shared.receive(at(101), samples(102, 103), at(103));
    shared.receive(at(100), samples(101), at(101));
    await vi.waitFor(() => expect(shared.delivered).toEqual([101, 102, 103]), WAIT_MS);
    await heartbeats();
    expect(shared.delivered).toEqual([101, 102, 103]);
    expect(shared.polls).toEqual([]);
  });

  it('rejects subscribers that wait for the start when it stops', async () => {
    const { poll } = startShared(createWorld({ isLeader: false, position: undefined }));
    await heartbeats();
    poll.stop();
    await expect(poll.ready).rejects.toMatchObject({ code: 'STOPPING' });
  });

  it('follows although its own start fails', async () => {
    let fail = (_: Error) => {};
    const begin = () => new Promise<TailPosition>((_, reject) => (fail = reject));
    const world = createWorld(undefined);
    const shared = startShared(world, { begin });
    await vi.waitFor(() => expect(shared.polls).toHaveLength(1), WAIT_MS);
    world.lease = following(100);
    expect(await shared.poll.ready).toEqual(at(100));
    fail(new Error('unreachable'));
    await heartbeats();
    shared.receive(at(100), samples(101), at(101));
    await vi.waitFor(() => expect(shared.delivered).toEqual([101]), WAIT_MS);
    expect(shared.counts.closes).toBe(0);
  });

  it('delivers no step that still waits when it stops', async () => {
    const shared = await startReady(createWorld(following(100)));
    const release = shared.hangDelivery();
    shared.receive(at(100), samples(101), at(101));
    shared.receive(at(101), samples(102), at(102));
    await vi.waitFor(() => expect(shared.delivered).toEqual([101]), WAIT_MS);
    shared.poll.stop();
    release();
    await heartbeats();
    expect(shared.delivered).toEqual([101]);
  });

  it('reads the platform after a missed step, until it has caught up', async () => {
    const world = createWorld(following(100));
    const shared = await startReady(world);
    shared.receive(at(103), samples(104), at(104));
    world.lease = following(104);
    await vi.waitFor(() => expect(shared.polls).toHaveLength(1), WAIT_MS);
    expect(shared.polls[0]?.from).toEqual(at(100));
    expect(shared.delivered).toEqual([]);
    await shared.polls[0]?.bring(101, 102, 103, 104);
    expect(shared.delivered).toEqual([101, 102, 103, 104]);
    expect(shared.published).toEqual([]);
    await vi.waitFor(() => expect(shared.polls[0]?.isStopped).toBe(true), WAIT_MS);
  });

  it('does not read the platform while each check finds another step on its way', async () => {
    let newest = 100;
    const world: World = {
      ...createWorld(undefined),
      /** At each check, the step that the previous check announced has just arrived. */
      get lease() {
        if (newest > 100) shared.receive(at(newest - 1), samples(newest), at(newest));
        return following(++newest);
      },
    };
    const shared = startShared(world);
    await vi.waitFor(() => expect(shared.delivered.length).toBeGreaterThan(10), WAIT_MS);
    expect(shared.polls).toEqual([]);
  });

  it('does not read the platform for a step that waits for the delivery of another one', async () => {
    const world = createWorld(following(100));
    const shared = await startReady(world);
    const release = shared.hangDelivery();
    shared.receive(at(100), samples(101), at(101));
    shared.receive(at(101), samples(102), at(102));
    world.lease = following(102);
    await heartbeats();
    expect(shared.polls).toEqual([]);
    release();
    await vi.waitFor(() => expect(shared.delivered).toEqual([101, 102]), WAIT_MS);
    await heartbeats();
    expect(shared.polls).toEqual([]);
  });

  it('follows again when it has read a missed step, although the leader is ahead by then', async () => {
    let [newest, stepsPerCheck] = [100, 0];
    const world: World = {
      ...createWorld(undefined),
      get lease() {
        newest += stepsPerCheck;
        return following(newest);
      },
    };
    const shared = await startReady(world);
    newest = 105;
    await vi.waitFor(() => expect(shared.polls).toHaveLength(1), WAIT_MS);
    const { claims } = shared.counts;
    stepsPerCheck = 1;
    await vi.waitFor(() => expect(shared.counts.claims).toBeGreaterThan(claims), WAIT_MS);
    await shared.polls[0]?.bring(newest);
    await vi.waitFor(() => expect(shared.polls[0]?.isStopped).toBe(true), WAIT_MS);
  });

  it('polls on demand from its own position, publishes nothing, and follows again even if that poll hangs', async () => {
    const shared = await startReady({ ...createWorld(following(100)), busyMs: MAX_STEP_MS });
    expect(await shared.poll.pollNow()).toBe(true);
    expect(shared.polls.map(({ from }) => from)).toEqual([at(100)]);
    expect([shared.delivered, shared.published]).toEqual([[200], []]);
    await vi.waitFor(() => expect(shared.polls[0]?.isStopped).toBe(true), WAIT_MS);
    shared.poll.stop();
    expect(await shared.poll.pollNow()).toBe(false);
    expect(shared.polls).toHaveLength(1);
  });

  it('does not poll on demand in a worker, whose leader does', async () => {
    const shared = await startReady(createWorld(following(100)), { followersPollNow: false });
    expect(await shared.poll.pollNow()).toBe(false);
    expect(shared.polls).toEqual([]);
  });

  it('leads as soon as the leader releases the lease, and continues at its own position', async () => {
    const world = createWorld(following(100));
    const shared = await startReady(world, { heartbeatMs: WAIT_MS });
    world.lease = { isLeader: true, position: at(104) };
    shared.release();
    await vi.waitFor(() => expect(shared.polls).toHaveLength(1), WAIT_MS);
    expect(shared.polls[0]?.from).toEqual(at(100));
  });

  it('waits for the start of the leader', async () => {
    const world = createWorld({ isLeader: false, position: undefined });
    const shared = startShared(world);
    await heartbeats();
    expect(shared.polls).toEqual([]);
    world.lease = following(100);
    expect(await shared.poll.ready).toEqual(at(100));
  });

  it('orders images by their ids, whatever their time', async () => {
    const shared = await startReady(createWorld(following(10)), { kind: 'IMAGE' });
    const images = [toSample(9, 2000), toSample(11, 500), toSample(12, 1000)];
    shared.receive(at(10), images, at(12));
    await vi.waitFor(() => expect(shared.delivered).toEqual([11, 12]), WAIT_MS);
  });
});

describe('a replica that leads', () => {
  it('resumes at the position of the previous leader although it has begun to poll without the lease', async () => {
    const world = createWorld(undefined);
    const shared = startShared(world, { begin: () => new Promise(() => {}) });
    await vi.waitFor(() => expect(shared.polls).toHaveLength(1), WAIT_MS);
    world.lease = { isLeader: true, position: at(100) };
    expect(await shared.poll.ready).toEqual(at(100));
    await vi.waitFor(
      () => expect(shared.polls.map(({ from }) => from)).toEqual([undefined, at(100)]),
      WAIT_MS,
    );
    expect(shared.polls.map(({ isStopped }) => isStopped)).toEqual([true, false]);
  });

  it('gives up a lease that it acquires while it stops', async () => {
    const { poll, counts } = startShared(createWorld(leading));
    poll.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(counts).toMatchObject({ claims: 1, closes: 2 });
  });

  it('continues where another worker of it has polled to', async () => {
    const from = { ...at(100), asOfMs: AS_OF_MS };
    const shared = startShared(createWorld(leading), { from });
    await vi.waitFor(() => expect(shared.polls).toHaveLength(1), WAIT_MS);
    expect(shared.polls[0]?.from).toEqual(from);
  });

  it('publishes each step with the position before it, and delivers it', async () => {
    const shared = startShared(createWorld(leading));
    expect(await shared.poll.ready).toEqual(at(100));
    await shared.polls[0]?.bring(101, 102);
    await shared.polls[0]?.bring(103);
    // The first step announces the position at which the leader begins.
    expect(shared.published.map(({ from, position }) => [from.id, position.id])).toEqual([
      [100, 100],
      [100, 102],
      [102, 103],
    ]);
    expect(shared.delivered).toEqual([101, 102, 103]);
    shared.poll.stop();
    expect(shared.polls[0]?.isStopped).toBe(true);
    expect(shared.counts.closes).toBe(1);
  });

  it('publishes no position before its own', async () => {
    const world = createWorld(undefined);
    const shared = startShared(world, { from: at(100) });
    await vi.waitFor(() => expect(shared.polls).toHaveLength(1), WAIT_MS);
    shared.receive(at(100), samples(101, 102), at(102));
    await vi.waitFor(() => expect(shared.delivered).toEqual([101, 102]), WAIT_MS);
    world.lease = leading;
    const { claims } = shared.counts;
    await vi.waitFor(() => expect(shared.counts.claims).toBeGreaterThan(claims + 1), WAIT_MS);
    await shared.polls[0]?.bring(101);
    expect(shared.published.at(-1)?.position.id).toBe(102);
  });

  it('publishes what it polls on demand', async () => {
    const shared = await startReady(createWorld(leading));
    expect(await shared.poll.pollNow()).toBe(true);
    expect(shared.published.map(({ position }) => position.id)).toEqual([100, 200]);
    expect(shared.delivered).toEqual([200]);
  });

  it('leaves a refused step to the next leader', async () => {
    const world = createWorld(leading);
    const shared = await startReady(world);
    world.publishReply = false;
    world.lease = following(100);
    await shared.polls[0]?.bring(101);
    expect(shared.delivered).toEqual([]);
    expect(shared.polls[0]?.isStopped).toBe(true);
    shared.receive(at(100), samples(101), at(101));
    await vi.waitFor(() => expect(shared.delivered).toEqual([101]), WAIT_MS);
  });

  it('does not renew the lease while its poll hangs', async () => {
    const world = createWorld(leading);
    const shared = await startReady(world);
    world.busyMs = MAX_STEP_MS;
    await heartbeats();
    const { claims } = shared.counts;
    await heartbeats();
    expect(shared.counts.claims).toBe(claims);
    world.busyMs = 0;
    await vi.waitFor(() => expect(shared.counts.claims).toBeGreaterThan(claims), WAIT_MS);
  });

  it('does not renew the lease while its delivery hangs, and then follows the next leader', async () => {
    const world = createWorld(leading);
    const shared = await startReady(world);
    const release = shared.hangDelivery();
    const step = shared.polls[0]?.bring(101);
    await vi.waitFor(() => expect(shared.delivered).toEqual([101]), WAIT_MS);
    let { claims } = shared.counts;
    await vi.waitFor(() => expect(shared.counts.claims).toBeGreaterThan(claims + 1), WAIT_MS);
    world.nowMs += LEASE_MS;
    await heartbeats();
    ({ claims } = shared.counts);
    await heartbeats();
    expect(shared.counts.claims).toBe(claims);
    world.publishReply = false;
    world.lease = following(102);
    release();
    await step;
    await shared.polls[0]?.bring(102);
    expect(shared.polls[0]?.isStopped).toBe(true);
    expect(shared.delivered).toEqual([101]);
  });

  it('resumes at the position of the leader before it', async () => {
    const shared = startShared(createWorld({ isLeader: true, position: at(90) }));
    expect(await shared.poll.ready).toEqual(at(90));
    expect(shared.polls[0]?.from).toEqual(at(90));
  });

  it('rejects and gives the lease up when the poll can’t begin', async () => {
    const begin = () => Promise.reject(new Error('unreachable'));
    const shared = startShared(createWorld(leading), { begin });
    await expect(shared.poll.ready).rejects.toThrow('unreachable');
    expect(shared.counts.closes).toBe(1);
  });
});

describe('the time up to which the platform is polled', () => {
  it('comes from the lease where the leader publishes no step, and not while samples are missing', async () => {
    const world = createWorld(following(100, AS_OF_MS + 1));
    const shared = startShared(world);
    await vi.waitFor(() => expect(shared.times).toEqual([AS_OF_MS + 1]), WAIT_MS);
    world.lease = following(104, AS_OF_MS + 2);
    await vi.waitFor(() => expect(shared.polls).toHaveLength(1), WAIT_MS);
    expect(shared.times).toEqual([AS_OF_MS + 1]);
    await shared.polls[0]?.bring(101, 102, 103, 104);
    await vi.waitFor(() => expect(shared.times.at(-1)).toBe(AS_OF_MS + 2), WAIT_MS);
  });

  it('goes back with the clock of the leader, for itself and for its followers', async () => {
    const world = createWorld(leading);
    const leader = startShared(world);
    await leader.poll.ready;
    await leader.polls[0]?.bring(101);
    world.asOfMs = AS_OF_MS - 3000;
    await leader.polls[0]?.bring(102);
    expect(leader.times).toEqual([AS_OF_MS, AS_OF_MS - 3000]);
    leader.poll.stop();
    const followed = createWorld(following(100, AS_OF_MS));
    const follower = startShared(followed);
    await vi.waitFor(() => expect(follower.times).toEqual([AS_OF_MS]), WAIT_MS);
    followed.lease = following(100, AS_OF_MS - 3000);
    await vi.waitFor(() => expect(follower.times).toEqual([AS_OF_MS, AS_OF_MS - 3000]), WAIT_MS);
  });

  it('is that of the newest step, when an older step of the leader arrives after it', async () => {
    const world = createWorld(following(100));
    const shared = await startReady(world);
    await shared.poll.pollNow();
    shared.receive(at(100), samples(101), at(101));
    world.lease = following(101, AS_OF_MS - 1);
    await heartbeats();
    expect(new Set(shared.times)).toEqual(new Set([AS_OF_MS, undefined]));
  });
});

describe('a step that has not reached the present', () => {
  it('does not move the time of a replica', async () => {
    const shared = await startReady(createWorld(following(100)));
    shared.receive(at(100), samples(101), at(101), { asOfMs: undefined });
    shared.receive(at(101), samples(102), at(102));
    shared.receive(at(102), samples(103), at(103), { asOfMs: undefined });
    await vi.waitFor(() => expect(shared.delivered).toEqual([101, 102, 103]), WAIT_MS);
    expect(shared.times).toEqual([undefined, AS_OF_MS, undefined]);
  });

  it('keeps the time of the position, from which the next poll looks for late images', async () => {
    const world = createWorld(leading);
    const shared = startShared(world, { from: { id: 100, asOfMs: AS_OF_MS } });
    await vi.waitFor(() => expect(shared.polls).toHaveLength(1), WAIT_MS);
    world.asOfMs = undefined;
    await shared.polls[0]?.bring(101);
    expect(shared.published.at(-1)?.position).toEqual({ id: 101, asOfMs: AS_OF_MS });
    world.lease = following(101);
    await vi.waitFor(() => expect(shared.polls[0]?.isStopped).toBe(true), WAIT_MS);
    world.lease = undefined;
    await vi.waitFor(() => expect(shared.polls).toHaveLength(2), WAIT_MS);
    expect(shared.polls[1]?.from).toEqual({ id: 101, asOfMs: AS_OF_MS });
  });
});

describe('a replica that wakes the poll', () => {
  it('wakes the leader, and its own poll while it has one; others wake it while it leads', async () => {
    const world = createWorld(following(100));
    const shared = await startReady(world, { heartbeatMs: WAIT_MS });
    shared.poll.wake();
    expect(shared.counts.wakes).toBe(1);
    await shared.poll.pollNow();
    shared.poll.wake();
    shared.wake();
    expect(shared.polls[0]?.wakes).toBe(1);
    world.lease = leading;
    shared.release();
    await heartbeats();
    shared.poll.wake();
    shared.wake();
    expect(shared.polls[0]?.wakes).toBe(3);
    expect(shared.counts.wakes).toBe(1);
  });
});

describe('a replica without Redis', () => {
  it('polls for itself, and follows afterwards without repeating a sample', async () => {
    const world = createWorld(undefined);
    const shared = await startReady(world);
    await shared.polls[0]?.bring(101, 102);
    expect(shared.delivered).toEqual([101, 102]);
    expect(shared.published).toEqual([]);
    world.lease = following(100);
    await vi.waitFor(() => expect(shared.polls[0]?.isStopped).toBe(true), WAIT_MS);
    shared.receive(at(100), samples(101, 102, 103), at(103));
    await vi.waitFor(() => expect(shared.delivered).toEqual([101, 102, 103]), WAIT_MS);
  });

  it('makes no second claim while it waits for the reply to the first', async () => {
    const world: World = { ...createWorld(undefined), lease: new Promise(() => {}) };
    const { counts } = startShared(world);
    await heartbeats();
    expect(counts.claims).toBe(1);
  });

  it('continues from its position when it leads and Redis does not reply', async () => {
    const world = createWorld(leading);
    const shared = await startReady(world);
    world.publishReply = undefined;
    await shared.polls[0]?.bring(101);
    expect(shared.delivered).toEqual([101]);
    expect(shared.polls).toHaveLength(1);
  });
});
