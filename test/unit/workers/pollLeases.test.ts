/** One poll for all workers: the choice of the leader, the broadcast to the followers, and the next start position. */
import { describe, expect, it, vi } from 'vitest';
import { createCredentialScope, createEntryKey } from '../../../src/cache/cacheKey.js';
import {
  LEASE_HEARTBEAT_MS,
  type LeaseMessage,
  MAX_STEP_MS,
  MIN_LEASE_MS,
  toLeaseMs,
} from '../../../src/gateway/sharing/pollLease.js';
import type { PolledSamples, StartPoll } from '../../../src/live/samplePoll.js';
import type { TailPosition } from '../../../src/live/sampleTail.js';
import type { Sample } from '../../../src/sources/samples/samples.js';
import { PollLeases } from '../../../src/workers/pollLeases.js';
import { createWorkerCoordinator } from '../../../src/workers/workerCoordinator.js';
import { required } from '../../support/gateway.js';
import { createRecordingLogger } from '../../support/http/edgeGateway.js';
import { WAIT, WAIT_MS } from '../../support/waiting.js';
import { type FakeWorker, joinWorkers } from '../../support/workers/channelPair.js';

let nowMs = 0;
const clock = { now: () => nowMs };
const logger = createRecordingLogger();

const POLL_MS = 1000;
const gateway = { livePollMs: POLL_MS };
const assignment = { gateway, gatewayId: 'gateway', workerCount: 3, workerId: 1, secret: 'secret' };
const scope = createCredentialScope('https://platform.example', 'key');
const identity = { name: scope, entryKey: createEntryKey(scope, 'secret') };

const AS_OF_MS = 5000;
const START: TailPosition = { id: 100 };

interface Poll {
  from: TailPosition | undefined;
  isStopped: boolean;
  busyMs: number;
  wakes: number;
  /** A step that delivers samples up to an id. */
  bring(...ids: number[]): Promise<void>;
}

/** A worker whose polls the test makes. */
function createFollower(
  { channel, die }: FakeWorker,
  begin: () => Promise<TailPosition> = async () => START,
) {
  const polls: Poll[] = [];
  const start: StartPoll = (_, from, onStep: (step: PolledSamples) => void | Promise<void>) => {
    const poll: Poll = {
      from,
      isStopped: false,
      busyMs: 0,
      wakes: 0,
      bring: async (...ids) => {
        const samples = ids.map((id) => ({ id }) as Sample);
        await onStep({ samples, position: { id: ids.at(-1) ?? START.id }, asOfMs: AS_OF_MS });
      },
    };
    polls.push(poll);
    const stop = () => {
      poll.isStopped = true;
    };
    return {
      ready: from ? Promise.resolve(from) : begin(),
      stop,
      busyMs: () => poll.busyMs,
      wake() {
        poll.wakes += 1;
      },
      async pollNow() {
        await poll.bring(200);
        return true;
      },
    };
  };
  const heard: number[] = [];
  const startShared = createWorkerCoordinator(channel, assignment).sharePoll(identity, start);
  const times: (number | undefined)[] = [];
  const follow = () =>
    startShared('SCALAR', undefined, ({ samples, asOfMs }) => {
      heard.push(...samples.map(({ id }) => id));
      times.push(asOfMs);
    });
  return { polls, heard, times, follow, die };
}

function createFollowers(count: number, begin?: () => Promise<TailPosition>) {
  return joinWorkers(count, [new PollLeases({ clock, pollMs: POLL_MS, logger })]).map((worker) =>
    createFollower(worker, begin),
  ) as [
    ReturnType<typeof createFollower>,
    ReturnType<typeof createFollower>,
    ReturnType<typeof createFollower>,
  ];
}

describe('workers that follow the same samples', () => {
  it('make one poll, by the first of them, and all receive each sample once', async () => {
    const [one, other, third] = createFollowers(3);
    for (const follower of [one, other, third]) await follower.follow().ready;
    expect([one, other, third].map(({ polls }) => polls.length)).toEqual([1, 0, 0]);
    await one.polls[0]?.bring(101, 102);
    await one.polls[0]?.bring(103);
    await vi.waitFor(() => expect(third.heard).toEqual([101, 102, 103]), WAIT_MS);
    expect([one.heard, other.heard]).toEqual([third.heard, third.heard]);
  });

  it('all learn how far the platform is polled, and wake the poll of the leader', async () => {
    const [one, other] = createFollowers(2);
    const followings = [one.follow(), other.follow()];
    for (const { ready } of followings) await ready;
    await one.polls[0]?.bring();
    await vi.waitFor(() => expect([one.times, other.times]).toEqual([[AS_OF_MS], [AS_OF_MS]]), WAIT_MS);
    for (const following of followings) following.wake();
    await vi.waitFor(() => expect(one.polls[0]?.wakes).toBe(2), WAIT_MS);
    expect(other.polls).toEqual([]);
  });

  it.each(['die', 'leave'] as const)(
    'continue at the last known position of the leader when it is to %s',
    async (how) => {
      const [one, other, third] = createFollowers(3);
      const following = one.follow();
      for (const { ready } of [following, other.follow(), third.follow()]) await ready;
      await one.polls[0]?.bring(101);
      if (how === 'die') one.die();
      else following.stop();
      await vi.waitFor(() => expect(other.polls).toHaveLength(1), WAIT_MS);
      expect(other.polls[0]?.from).toEqual({ id: 101, asOfMs: 5000 });
      await other.polls[0]?.bring(102);
      await vi.waitFor(() => expect(third.heard).toEqual([101, 102]), WAIT_MS);
      expect(other.heard).toEqual([101, 102]);
    },
  );

  it('poll on demand if they lead, and all receive the samples', async () => {
    const [one, other] = createFollowers(2);
    const followings = [one.follow(), other.follow()];
    for (const { ready } of followings) await ready;
    expect(await followings[1]?.pollNow()).toBe(false);
    expect(other.polls).toEqual([]);
    expect(await followings[0]?.pollNow()).toBe(true);
    expect(one.heard).toEqual([200]);
    await vi.waitFor(() => expect(other.heard).toEqual([200]), WAIT_MS);
  });

  it('ignore a former leader, and it stops', async () => {
    const [one, other] = createFollowers(2);
    const first = one.follow();
    for (const { ready } of [first, other.follow()]) await ready;
    const [old] = one.polls;
    first.stop();
    const again = one.follow();
    await again.ready;
    await old?.bring(101);
    const leading = await vi.waitFor(
      () => required([...one.polls, ...other.polls].find(({ isStopped }) => !isStopped)),
      WAIT_MS,
    );
    await leading.bring(101, 102);
    await vi.waitFor(() => {
      for (const { heard } of [one, other]) expect(heard).toEqual([101, 102]);
    }, WAIT_MS);
    expect(old?.isStopped).toBe(true);
  });

  it('start at the next worker when a start fails', async () => {
    let begins = 0;
    const [one, other] = createFollowers(2, async () => {
      begins += 1;
      if (begins === 1) throw new Error('The platform is down.');
      return START;
    });
    const ends = await Promise.allSettled([one, other].map((follower) => follower.follow().ready));
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect([one, other].map(({ polls }) => polls.length)).toEqual([1, 1]);
    await one.follow().ready;
    await other.polls[0]?.bring(101);
    await vi.waitFor(() => expect([one.heard, other.heard]).toEqual([[101], [101]]), WAIT_MS);
    expect(begins).toBe(2);
  });

  it('wait for the next start when the leader exits during its own', async () => {
    const [one, other] = createFollowers(2, () => new Promise(() => {}));
    void one.follow().ready.catch(() => undefined);
    const second = other.follow();
    await vi.waitFor(() => expect(one.polls).toHaveLength(1), WAIT_MS);
    one.die();
    await vi.waitFor(() => expect(other.polls).toHaveLength(1), WAIT_MS);
    expect(other.polls[0]?.from).toBeUndefined();
    second.stop();
  });

  it('continue with another leader when the first hangs, and receive each sample once when it resumes', async () => {
    const [one, other, third] = createFollowers(3);
    for (const follower of [one, other, third]) await follower.follow().ready;
    await one.polls[0]?.bring(101);
    required(one.polls[0]).busyMs = MAX_STEP_MS;
    // A renewal can be in flight.
    await new Promise((resolve) => setTimeout(resolve, 50));
    nowMs += MIN_LEASE_MS + 1;
    await vi.waitFor(() => expect(other.polls).toHaveLength(1), WAIT);
    expect(other.polls[0]?.from).toEqual({ id: 101, asOfMs: 5000 });
    expect(logger.lines.map(({ message }) => message)).toContain(
      'The polling worker does not respond; another worker takes over',
    );
    // The next samples, from the old leader and then from the new one.
    await one.polls[0]?.bring(102);
    expect(one.polls[0]?.isStopped).toBe(true);
    await other.polls[0]?.bring(102, 103);
    await vi.waitFor(() => expect(third.heard).toEqual([101, 102, 103]), WAIT);
    expect([one.heard, other.heard]).toEqual([third.heard, third.heard]);
  });

  it('begin at the last step, even if the leader sent a heartbeat before it knew that the step was accepted', async () => {
    const [one, other] = joinWorkers(2, [new PollLeases({ clock, pollMs: POLL_MS, logger })]);
    const participant = { feed: 'feed', id: 'one' };
    const heartbeat = () => one?.channel.request('claimPoll', { participant, position: START });
    await heartbeat();
    const step = { from: START, samples: [], position: { id: 101, asOfMs: AS_OF_MS }, asOfMs: AS_OF_MS };
    await Promise.all([one?.channel.request('publishStep', { participant, step }), heartbeat()]);
    const claim = { participant: { feed: 'feed', id: 'other' }, position: undefined };
    expect(await other?.channel.request('claimPoll', claim)).toEqual({
      isLeader: false,
      position: step.position,
    });
  });

  it('keep their leader when a follower leaves, and tell the followers when the leader leaves', async () => {
    const [one, other] = joinWorkers(2, [new PollLeases({ clock, pollMs: POLL_MS, logger })]);
    const messages: LeaseMessage[] = [];
    one?.channel.handle('pollMessage', ({ message }) => void messages.push(message));
    other?.channel.handle('pollMessage', ({ message }) => void messages.push(message));
    const [leader, follower] = ['leader', 'follower'].map((id) => ({ feed: 'feed', id }));
    const claim = (worker: FakeWorker | undefined, participant = { feed: '', id: '' }) =>
      worker?.channel.request('claimPoll', { participant, position: undefined });
    await claim(one, leader);
    await claim(other, follower);
    await other?.channel.request('releasePoll', required(follower));
    expect(messages).toEqual([]);
    expect(await claim(other, follower)).toMatchObject({ isLeader: false });
    await one?.channel.request('releasePoll', required(leader));
    expect(messages).toEqual([{ kind: 'release' }]);
    expect(await claim(other, follower)).toMatchObject({ isLeader: true });
  });

  it('begin at the present after all have left, not where the last of them has polled to', async () => {
    const [one] = createFollowers(1);
    const following = one.follow();
    await following.ready;
    await one.polls[0]?.bring(101);
    following.stop();
    await one.follow().ready;
    expect(one.polls.map(({ from }) => from)).toEqual([undefined, undefined]);
  });

  it('keep a leader with a heartbeat, and one without another follower', async () => {
    const [one, other] = createFollowers(2);
    await one.follow().ready;
    nowMs += 10 * MIN_LEASE_MS;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(one.polls).toHaveLength(1);
    await one.polls[0]?.bring(101);
    await other.follow().ready;
    for (let step = 0; step < 5; step++) {
      nowMs += MIN_LEASE_MS - 1;
      await one.polls[0]?.bring();
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(other.polls).toEqual([]);
  });
});

it.each([
  [1000, MIN_LEASE_MS],
  [2000, 4000],
  [10_000, 20_000],
])('with a poll every %i ms, a leader without a heartbeat is replaced after %i ms', (pollMs, leaseMs) => {
  expect(toLeaseMs(pollMs)).toBe(leaseMs);
  // The rest is the time until followers notice it.
  expect(toLeaseMs(pollMs) + LEASE_HEARTBEAT_MS).toBeLessThan(3 * pollMs);
});
