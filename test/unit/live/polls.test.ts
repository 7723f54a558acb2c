/** How often the platform is polled, for how long without subscribers, and the time up to which it has been polled. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { GatewayError } from '../../../src/errors.js';
import { unlimitedBytes } from '../../../src/lib/byteBudget.js';
import { silentLogger } from '../../../src/lib/logger.js';
import { SampleFeed, type SampleFeedOptions } from '../../../src/live/sampleFeed.js';
import {
  createPollStarter,
  type FollowPoll,
  type PolledSamples,
  toPollIntervalMs,
} from '../../../src/live/samplePoll.js';
import type { TailPosition } from '../../../src/live/sampleTail.js';
import type { QueuePosition } from '../../../src/rest/endpointKinds.js';
import type { RestClient } from '../../../src/rest/restClient.js';
import { createRecordingLogger } from '../../support/http/edgeGateway.js';
import { WAIT_MS } from '../../support/waiting.js';

const at = (id: number) => ({ id });

const intervals = { pollMs: 1000, maxPollMs: 30_000 };

it.each([
  [0, 1000],
  [10_000, 1000],
  [50_000, 5000],
  [300_000, 30_000],
  [86_400_000, 30_000],
])('%i ms after the last sample, the next poll follows after %i ms', (idleMs, expectedMs) => {
  expect(toPollIntervalMs(idleMs, intervals)).toBe(expectedMs);
});

it('the gateway never polls more often than the setting, even where the maximum is lower', () => {
  expect(toPollIntervalMs(1e9, { pollMs: 5000, maxPollMs: 1000 })).toBe(5000);
});

describe('a running poll', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** A platform that counts the polls of its queue of numbers; the next sample comes with the next poll. */
  function startPoll(from: TailPosition | null = at(1)) {
    const polledAtMs: number[] = [];
    const steps: PolledSamples[] = [];
    let newestId = 1;
    let arrivals = 0;
    let failure: Error | undefined;
    let latencyMs = 0;
    const logger = createRecordingLogger();
    const { lines } = logger;
    const queuedSamples = async <Chunk>(_: QueuePosition, convert: (rows: object[]) => Chunk) => {
      polledAtMs.push(Date.now());
      if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
      if (failure) throw failure;
      const samples = Array.from({ length: arrivals }, () => ({
        id: ++newestId,
        stream_id: 1,
        sample_date: '2026-01-01T00:00:00Z',
        value: '1',
      }));
      arrivals = 0;
      return { chunks: [convert(samples)], hasMore: false };
    };
    const rest = { queuedSamples } as unknown as RestClient;
    const start = createPollStarter({
      rest,
      clock: { now: () => Date.now() },
      logger,
      ...intervals,
    });
    const poll = start('SCALAR', from ?? undefined, (step) => void steps.push(step));
    onTestFinished(() => poll.stop());
    const arrive = () => {
      arrivals += 1;
    };
    const fail = (error: Error | undefined) => {
      failure = error;
    };
    const slowDown = (ms: number) => {
      latencyMs = ms;
    };
    /** The lines about failures and their end. */
    const failureLines = () => lines.filter(({ message }) => /failed|failures/.test(message));
    return { poll, polledAtMs, steps, arrive, fail, slowDown, failureLines };
  }

  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it('polls at once at a position, less often while idle, and often again after a sample', async () => {
    const { poll, polledAtMs, steps, arrive } = startPoll();
    const startedAtMs = Date.now();
    await pass(10_500);
    expect(polledAtMs.map((time) => time - startedAtMs).slice(0, 3)).toEqual([0, 1000, 2000]);
    expect(steps.at(-1)?.asOfMs).toBe(polledAtMs.at(-1));
    await pass(600_000);
    expect(polledAtMs.slice(-5).map((time, index, all) => time - (all[index - 1] ?? time))).toEqual([
      0, 30_000, 30_000, 30_000, 30_000,
    ]);
    arrive();
    await pass(30_000);
    const count = polledAtMs.length;
    await pass(3000);
    expect(polledAtMs.length).toBe(count + 3);
    poll.stop();
    await pass(60_000);
    expect(polledAtMs.length).toBe(count + 3);
  });

  it('delivers nothing of a step that runs when it is stopped', async () => {
    const { poll, polledAtMs, steps, arrive } = startPoll();
    arrive();
    await vi.advanceTimersToNextTimerAsync();
    const running = poll.pollNow();
    arrive();
    await Promise.resolve();
    poll.stop();
    await running;
    expect([polledAtMs.length, steps.length]).toEqual([2, 1]);
  });

  it('polls soon after a start at the present', async () => {
    const { poll, polledAtMs, steps } = startPoll(null);
    await poll.ready;
    const startedAtMs = Date.now();
    const calls = polledAtMs.length;
    await pass(2500);
    expect(polledAtMs.slice(calls).map((time) => time - startedAtMs)).toEqual([250, 1250, 2250]);
    expect(steps).toHaveLength(3);
  });

  it('leaves a platform that takes longer than an interval half an interval between two polls', async () => {
    const { poll, polledAtMs, slowDown } = startPoll();
    const startedAtMs = Date.now();
    slowDown(3000);
    await pass(2000);
    // A subscriber that arrives during a step does not start a second one.
    poll.wake();
    await pass(8000);
    expect(polledAtMs.map((time) => time - startedAtMs)).toEqual([0, 3500, 7000]);
  });

  it('polls at once for a new subscriber, but not more often than the setting', async () => {
    const { poll, polledAtMs } = startPoll();
    await pass(600_000);
    const count = polledAtMs.length;
    poll.wake();
    await pass(0);
    expect(polledAtMs.length).toBe(count + 1);
    for (let subscriber = 0; subscriber < 100; subscriber++) poll.wake();
    await pass(999);
    expect(polledAtMs.length).toBe(count + 1);
    await pass(1);
    expect(polledAtMs.length).toBe(count + 2);
  });

  it('polls on demand, and evenly after that', async () => {
    const { poll, polledAtMs, steps, arrive } = startPoll();
    const startedAtMs = Date.now();
    await pass(500);
    arrive();
    expect(await poll.pollNow()).toBe(true);
    expect(steps.map(({ samples }) => samples.map(({ id }) => id))).toEqual([[], [2]]);
    await pass(2000);
    expect(polledAtMs.map((time) => time - startedAtMs)).toEqual([0, 500, 1500, 2500]);
  });

  it('polls on demand after the step that runs, once for each demand', async () => {
    const { poll, steps, arrive } = startPoll();
    vi.advanceTimersByTime(0);
    const demands = [poll.pollNow(), poll.pollNow()];
    arrive();
    await Promise.all(demands);
    expect(steps.map(({ samples }) => samples.map(({ id }) => id))).toEqual([[], [2], []]);
    poll.stop();
    expect(await poll.pollNow()).toBe(false);
    expect(steps).toHaveLength(3);
  });

  it('logs the failures of an outage less and less often, and its end once', async () => {
    const { poll, fail, failureLines } = startPoll();
    await poll.pollNow();
    fail(new GatewayError('PLATFORM_UNAVAILABLE', 'The platform could not be reached.'));
    for (let step = 0; step < 9; step++) await poll.pollNow();
    const failed = (failures: number) => ({
      level: 'warn',
      fields: expect.objectContaining({ kind: 'SCALAR', failures, code: 'PLATFORM_UNAVAILABLE' }),
      message: 'Polling for samples failed',
    });
    expect(failureLines()).toEqual([1, 2, 4, 8].map(failed));
    fail(undefined);
    await poll.pollNow();
    await poll.pollNow();
    expect(failureLines().slice(4)).toEqual([
      {
        level: 'info',
        fields: { kind: 'SCALAR', failures: 9 },
        message: 'Polling for samples succeeded after failures',
      },
    ]);
    fail(new Error('unexpected'));
    await poll.pollNow();
    expect(failureLines().at(-1)?.fields).toMatchObject({ failures: 1, cause: { message: 'unexpected' } });
  });

  it('logs no failure of a step that runs when it is stopped', async () => {
    const { poll, fail, slowDown, failureLines } = startPoll();
    await poll.pollNow();
    slowDown(500);
    fail(new GatewayError('STOPPING', 'The gateway is stopping.'));
    const running = poll.pollNow();
    await pass(100);
    poll.stop();
    await pass(1000);
    await running;
    expect(failureLines()).toEqual([]);
  });
});

/** A backlog of ten pages, and the first poll that reaches it. */
describe('a poll with a backlog', () => {
  const PAGE = 10;
  const BACKLOG = 100;

  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /**
   * A platform with pages of ten numbers. Calls after the ids in `failing` fail, each once. A page begins with `repeats`
   * numbers of the page before.
   */
  function startPoll({ hasRoom }: { hasRoom?: () => boolean } = {}) {
    const platform = { newestId: 1, failing: [] as number[], calls: [] as number[], repeats: 0 };
    const steps: { ids: number[]; asOfMs: number | undefined; atMs: number }[] = [];
    const queuedSamples = async <Chunk>(
      { afterId = 0 }: QueuePosition,
      convert: (rows: object[]) => Chunk,
    ) => {
      platform.calls.push(afterId);
      const failing = platform.failing.indexOf(afterId);
      if (failing >= 0) {
        platform.failing.splice(failing, 1);
        throw new GatewayError('PLATFORM_UNAVAILABLE', 'Down.', { retryable: true });
      }
      const lastId = Math.min(afterId + PAGE, platform.newestId);
      const firstId = Math.max(1, afterId + 1 - platform.repeats);
      const rows = Array.from({ length: lastId + 1 - firstId }, (_, index) => ({
        ...{ id: firstId + index, stream_id: 1, sample_date: '2026-01-01T00:00:00Z', value: '1' },
      }));
      return { chunks: [convert(rows)], hasMore: lastId < platform.newestId };
    };
    const start = createPollStarter({
      rest: { queuedSamples } as unknown as RestClient,
      clock: { now: () => Date.now() },
      logger: silentLogger,
      ...intervals,
      ...(hasRoom && { hasRoom }),
    });
    const poll = start('SCALAR', at(1), ({ samples, asOfMs }) => {
      steps.push({ ids: samples.map(({ id }) => id), asOfMs, atMs: Date.now() });
    });
    onTestFinished(() => poll.stop());
    return { poll, platform, steps };
  }

  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);

  it('delivers each page when it is read, and reaches the present with the last one', async () => {
    const { platform, steps } = startPoll();
    await pass(0);
    const startedAtMs = Date.now();
    platform.newestId = 1 + BACKLOG;
    platform.failing.push(1, 1);
    await pass(2999);
    expect(steps.map(({ ids, asOfMs }) => [ids, asOfMs])).toEqual([[[], startedAtMs]]);
    await pass(1);
    expect(steps[1]).toEqual({ ids: range(2, 11), asOfMs: undefined, atMs: startedAtMs + 3000 });
    await pass(100);
    expect(steps).toHaveLength(1 + BACKLOG / PAGE);
    expect(steps.slice(1, -1).every(({ asOfMs }) => asOfMs === undefined)).toBe(true);
    expect(steps.at(-1)?.asOfMs).toBeGreaterThanOrEqual(startedAtMs + 3000);
    expect(steps.flatMap(({ ids }) => ids)).toEqual(range(2, 1 + BACKLOG));
  });

  it('reads no page again when a later one fails', async () => {
    const { platform, steps } = startPoll();
    await pass(0);
    platform.newestId = 1 + BACKLOG;
    platform.failing.push(51);
    platform.calls = [];
    await pass(1100);
    expect(platform.calls).toEqual([1, 11, 21, 31, 41, 51]);
    await pass(1000);
    expect(platform.calls.slice(6, 11)).toEqual([51, 61, 71, 81, 91]);
    expect(steps.flatMap(({ ids }) => ids)).toEqual(range(2, 1 + BACKLOG));
  });

  it('delivers no sample again that the platform repeats', async () => {
    const { platform, steps } = startPoll();
    platform.repeats = 3;
    platform.newestId = 1 + 2 * PAGE;
    await pass(3000);
    expect(platform.calls.length).toBeGreaterThan(3);
    expect(steps.flatMap(({ ids }) => ids)).toEqual(range(2, 1 + 2 * PAGE));
  });

  it('has no time before it has reached the present once', async () => {
    const { platform, steps } = startPoll();
    platform.newestId = 1 + 2 * PAGE;
    await pass(100);
    expect(steps.map(({ asOfMs }) => asOfMs === undefined)).toEqual([true, false]);
  });

  it('waits for subscribers between two pages, but not longer than between two polls, nor for new ones', async () => {
    let hasRoom = true;
    const { poll, platform, steps } = startPoll({ hasRoom: () => hasRoom });
    await pass(0);
    platform.newestId = 1 + 3 * PAGE;
    hasRoom = false;
    await pass(1000);
    const startedAtMs = Date.now();
    poll.wake();
    await pass(500);
    expect(steps).toHaveLength(2);
    hasRoom = true;
    await pass(100);
    expect(steps).toHaveLength(4);
    platform.newestId += 2 * PAGE;
    hasRoom = false;
    await pass(3000);
    expect(steps.filter(({ ids }) => ids.length > 0).map(({ ids }) => ids.length)).toEqual(
      Array(5).fill(PAGE),
    );
    const [fourth, fifth] = steps.filter(({ ids }) => ids.length > 0).slice(3);
    expect((fourth?.atMs ?? 0) - startedAtMs).toBeLessThanOrEqual(2000);
    expect((fifth?.atMs ?? 0) - (fourth?.atMs ?? 0)).toBeGreaterThanOrEqual(1000);
  });
});

describe('the polls of a feed', () => {
  function createFeed(options?: SampleFeedOptions) {
    const running = new Map<string, { wakes: number; bring(polled: PolledSamples): void }>();
    /** Polls on demand. */
    const last = { count: 0, isOwn: true, polled: Promise.resolve() };
    const followPoll: FollowPoll = (kind, _from, onPolled) => {
      const poll = { wakes: 0, bring: onPolled };
      running.set(kind, poll);
      const wake = () => {
        poll.wakes += 1;
      };
      const pollNow = async () => {
        last.count += 1;
        await last.polled;
        if (last.isOwn) onPolled(lastStep);
        return last.isOwn;
      };
      return { ready: Promise.resolve(at(1)), wake, stop: () => void running.delete(kind), pollNow };
    };
    const feed = new SampleFeed(followPoll, options);
    onTestFinished(() => feed.stop());
    return { feed, running, last };
  }

  const toAll = { kinds: ['SCALAR'] as const, streamIds: undefined, budget: unlimitedBytes };
  const sampledAt = new Date(0).toISOString();
  const sample = { id: 2, streamId: 1, sampledAt, value: 1, rawValue: '1' };
  const lastStep: PolledSamples = {
    samples: [{ __typename: 'ScalarSample', ...sample }],
    position: at(2),
    asOfMs: 1000,
  };

  it.each([true, false])(
    'bring their last samples to the listeners of a feed that finishes, then its end (polls itself: %s)',
    async (isOwn) => {
      const ended: string[] = [];
      const { feed, running, last } = createFeed({ onPollEnd: (kind) => void ended.push(kind) });
      last.isOwn = isOwn;
      const events = await feed.subscribe(toAll);
      let isFinished = false;
      const finishing = feed.finish(WAIT_MS).then(() => {
        isFinished = true;
      });
      await expect(feed.subscribe(toAll)).rejects.toMatchObject({ code: 'STOPPING' });
      if (!isOwn) {
        const poll = running.get('SCALAR');
        await vi.waitFor(() => expect(poll?.wakes).toBe(1), WAIT_MS);
        poll?.bring(lastStep);
      }
      expect((await events.next()).value).toMatchObject([{ id: 2 }]);
      // The state of the poll is needed until the listeners have taken the samples.
      expect([isFinished, ended]).toEqual([false, []]);
      expect(await events.next()).toMatchObject({ value: { code: 'STOPPING' }, done: true });
      await finishing;
      expect([[...running.keys()], ended]).toEqual([[], ['SCALAR']]);
    },
  );

  it('delay no end of a feed where they cannot start', async () => {
    let fail: (error: Error) => void = () => {};
    const ready = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const feed = new SampleFeed(() => ({ ready, wake() {}, stop() {}, pollNow: async () => false }));
    const subscribing = feed.subscribe(toAll);
    const finishing = feed.finish(10 * WAIT_MS);
    fail(new Error('unreachable'));
    await expect(subscribing).rejects.toThrow('unreachable');
    await finishing;
  });

  it('are not waited for beyond the grace of a feed that finishes, nor is a listener', async () => {
    const { feed, running, last } = createFeed();
    last.polled = new Promise(() => {});
    const events = await feed.subscribe(toAll);
    await feed.subscribe(toAll);
    await feed.finish(1);
    expect(await events.next()).toMatchObject({ value: { code: 'STOPPING' }, done: true });
    expect([...running.keys()]).toEqual([]);
  });

  it('poll no last time without listeners', async () => {
    const { feed, running, last } = createFeed();
    feed.pollAlways(['SCALAR']);
    await feed.finish(60_000);
    expect(last.count).toBe(0);
    expect([...running.keys()]).toEqual([]);
  });

  it('run without subscribers where they are to, until the gateway stops', async () => {
    const { feed, running } = createFeed();
    expect([...running.keys()]).toEqual([]);
    feed.pollAlways(['SCALAR']);
    expect([...running.keys()]).toEqual(['SCALAR']);
    const events = await feed.subscribe({
      kinds: ['SCALAR', 'RFID'],
      streamIds: undefined,
      budget: unlimitedBytes,
    });
    expect([...running.keys()]).toEqual(['SCALAR', 'RFID']);
    await events.return?.();
    expect([...running.keys()]).toEqual(['SCALAR']);
    feed.stop();
    expect([...running.keys()]).toEqual([]);
  });

  it('begin each listener at the position of the last step, or of the start', async () => {
    const { feed, running } = createFeed();
    const kinds = ['SCALAR', 'RFID', 'IMAGE'] as const;
    const subscribe = () => feed.subscribe({ kinds, streamIds: undefined, budget: unlimitedBytes });
    const cursors = (positions: readonly { cursor: string }[] = []) => positions.map(({ cursor }) => cursor);
    expect(cursors((await subscribe()).from)).toEqual(['ScalarSample:1', 'RfidSample:1']);
    running.get('SCALAR')?.bring({ samples: [], position: at(5), asOfMs: 1000 });
    const starting = subscribe();
    // Its samples are in the queue of the listener already.
    running.get('RFID')?.bring({ samples: [], position: at(7), asOfMs: 1000 });
    expect(cursors((await starting).from)).toEqual(['ScalarSample:5', 'RfidSample:1']);
    expect(cursors(feed.positions(kinds))).toEqual(['ScalarSample:5', 'RfidSample:7']);
    running.get('RFID')?.bring({ samples: [], position: at(0), asOfMs: 1000 });
    expect(cursors(feed.positions(['RFID']))).toEqual(['RfidSample:none']);
  });

  it('that were stopped during their start do not end the next one when they fail', async () => {
    const starts: { resolve(position: TailPosition): void; reject(error: Error): void }[] = [];
    const stopped: number[] = [];
    const feed = new SampleFeed(() => {
      const index = starts.length;
      const ready = new Promise<TailPosition>((resolve, reject) => starts.push({ resolve, reject }));
      return { ready, wake() {}, stop: () => void stopped.push(index), pollNow: async () => false };
    });
    feed.pollAlways(['SCALAR']);
    feed.pollAlways([]);
    const subscribing = feed.subscribe(toAll);
    starts[1]?.resolve(at(1));
    await subscribing;
    starts[0]?.reject(new Error('unreachable'));
    await Promise.resolve();
    expect(feed.positions(['SCALAR'])).toMatchObject([{ id: 1 }]);
    expect(stopped).not.toContain(1);
    feed.stop();
  });

  it('reject a subscription to several kinds if one fails for another reason than a refusal', async () => {
    const stopped: string[] = [];
    const feed = new SampleFeed((kind) => ({
      ready: kind === 'RFID' ? Promise.reject(new Error('unreachable')) : Promise.resolve(at(1)),
      ...{ wake() {}, stop: () => void stopped.push(kind), pollNow: async () => false },
    }));
    const kinds = ['SCALAR', 'RFID'] as const;
    await expect(feed.subscribe({ ...toAll, kinds })).rejects.toThrow('unreachable');
    expect(new Set(stopped)).toEqual(new Set(kinds));
    feed.stop();
  });

  it('start again after the platform has refused a kind, and notify each listener once', async () => {
    vi.useFakeTimers();
    let isRefused = true;
    const platform = { status: 404 };
    const followPoll: FollowPoll = (kind) => ({
      ready:
        kind === 'RFID' && isRefused
          ? Promise.reject(new GatewayError('PLATFORM_REFUSED', 'Not for this account.', { platform }))
          : Promise.resolve(at(1)),
      wake() {},
      stop() {},
      pollNow: async () => false,
    });
    const feed = new SampleFeed(followPoll);
    const reported: (string | undefined)[] = [];
    const onRefusal = (_: string, error: GatewayError | undefined) => void reported.push(error?.message);
    await feed.subscribe({
      ...{ kinds: ['SCALAR', 'RFID'], streamIds: undefined, budget: unlimitedBytes, onRefusal },
    });
    const [message, ...others] = [...new Set(reported)];
    expect(message).toBe("Samples of the kind RFID can't be read: Not for this account.");
    expect(others).toEqual([]);
    const count = reported.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reported.length).toBe(count);
    isRefused = false;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(reported.slice(count)).toEqual([undefined]);
    feed.stop();
    vi.useRealTimers();
  });

  it('report the time up to which they have polled, and whether all listeners have room', async () => {
    const { feed, running } = createFeed();
    const events = await feed.subscribe(toAll);
    running.get('SCALAR')?.bring({ samples: [], position: at(2), asOfMs: 2000 });
    expect(feed.hasRoom('SCALAR')).toBe(true);
    const samples = Array.from({ length: 20_000 }, (_, index) => ({
      ...{ __typename: 'ScalarSample' as const, ...sample, id: 3 + index },
    }));
    running.get('SCALAR')?.bring({ samples, position: at(20_002), asOfMs: undefined });
    expect([feed.asOfMs(['SCALAR']), feed.hasRoom('SCALAR'), feed.hasRoom('RFID')]).toEqual([
      2000,
      false,
      true,
    ]);
    for (let taken = 0; taken < 15_000; ) {
      const { value, done } = await events.next();
      if (!done) taken += value.length;
    }
    expect(feed.hasRoom('SCALAR')).toBe(true);
  });

  it('are woken once for each step, and report the time up to which all kinds have been polled', async () => {
    const { feed, running } = createFeed();
    const subscribe = () =>
      feed.subscribe({ kinds: ['SCALAR', 'RFID'], streamIds: undefined, budget: unlimitedBytes });
    await subscribe();
    expect(feed.asOfMs(['SCALAR'])).toBeUndefined();
    running.get('SCALAR')?.bring({ samples: [], position: at(2), asOfMs: 2000 });
    expect(feed.asOfMs(['SCALAR'])).toBe(2000);
    expect(feed.asOfMs(['SCALAR', 'RFID'])).toBeUndefined();
    running.get('RFID')?.bring({ samples: [], position: at(2), asOfMs: 1000 });
    expect(feed.asOfMs(['SCALAR', 'RFID'])).toBe(1000);
    for (let subscriber = 0; subscriber < 3; subscriber++) await subscribe();
    expect(running.get('SCALAR')?.wakes).toBe(1);
    running.get('SCALAR')?.bring({ samples: [], position: at(3), asOfMs: 3000 });
    await subscribe();
    expect(running.get('SCALAR')?.wakes).toBe(2);
  });

  it('report how long ago a kind was polled, even if the clock is set back', async () => {
    const time = { wallMs: 10_000, monotonicMs: 50_000 };
    const clock = { now: () => time.wallMs, monotonicNow: () => time.monotonicMs };
    const { feed, running } = createFeed({ clock });
    await feed.subscribe(toAll);
    expect(feed.lagMs('SCALAR')).toBeUndefined();
    running.get('SCALAR')?.bring({ samples: [], position: at(2), asOfMs: 9000 });
    expect(feed.lagMs('SCALAR')).toBe(1000);
    time.wallMs -= 3_600_000;
    time.monotonicMs += 60_000;
    expect(feed.lagMs('SCALAR')).toBe(61_000);
    expect(feed.lagMs('RFID')).toBeUndefined();
  });
});
