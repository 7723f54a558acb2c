/** Events that are made of samples: how far they are delivered while their conversion takes time, and their memory. */
import { expect, it } from 'vitest';
import type { Context } from '../../../../src/graphql/context.js';
import { Subscription } from '../../../../src/graphql/resolvers/Subscription.js';
import { createEvents, toThresholdChanges } from '../../../../src/graphql/resolvers/subscriptionEvents.js';
import { unlimitedBytes } from '../../../../src/lib/byteBudget.js';
import type { Sample } from '../../../../src/sources/samples/samples.js';

const toContext = (sources: object) =>
  ({
    sources,
    caller: { organizationIds: new Set([310]) },
    budget: unlimitedBytes,
    nowMs: () => 0,
    resetSources() {},
  }) as unknown as Context;

it('events of a restricted caller are not delivered while the gateway checks whether it sees their streams', async () => {
  let response = (_: boolean) => {};
  const canSeeStream = () => new Promise<boolean>((resolve) => (response = resolve));
  const context = toContext({ canSeeStream });
  const from = [{ kind: 'SCALAR', id: 1, cursor: 'ScalarSample:1' }];
  const progress = { asOfMs: 1000, positions: from };
  const events = createEvents<{ streamId: number }>(
    {
      kinds: ['SCALAR'],
      replay: undefined,
      positionOf: () => undefined,
      progress: () => progress,
      start: async () => ({
        from,
        next: async () => ({ value: [{ streamId: 1 }], done: false }),
        return: async () => ({ value: undefined, done: true }),
      }),
    },
    context,
  );
  const batches = await events.start();
  expect(batches.from).toEqual(from);
  expect(events.progress?.()).toEqual(progress);
  const next = batches.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect(events.progress?.()).toBeUndefined();
  response(true);
  expect((await next).value).toEqual([{ streamId: 1 }]);
  expect(events.progress?.()).toEqual(progress);
});

/** Starts subscriptions of one caller, each of which always has a new sample. */
function startMany(count: number, canSeeStream: () => boolean) {
  const context = toContext({ canSeeStream });
  const parts = {
    kinds: ['SCALAR'],
    replay: undefined,
    positionOf: () => undefined,
    start: async () => ({
      next: async () => ({ value: [{ streamId: 1 }], done: false as const }),
      return: async () => ({ value: undefined, done: true as const }),
    }),
  };
  return Promise.all(
    Array.from({ length: count }, () => createEvents<{ streamId: number }>(parts, context).start()),
  );
}

it('subscriptions of restricted callers check the same samples in a turn of the event loop each', async () => {
  const COUNT = 20;
  let turn = 0;
  const turns: number[] = [];
  const canSeeStream = () => {
    turns.push(turn);
    return true;
  };
  const started = await startMany(COUNT, canSeeStream);
  for (const batches of started) void batches.next();
  for (; turns.length < COUNT; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(new Set(turns).size).toBeGreaterThanOrEqual(COUNT - 1);
});

it('samples are not checked for subscriptions that have ended before their turn', async () => {
  const COUNT = 5;
  let checks = 0;
  const canSeeStream = () => {
    checks += 1;
    return true;
  };
  const started = await startMany(COUNT, canSeeStream);
  const results = started.map((batches) => batches.next());
  for (const batches of started.slice(1)) await batches.return();
  expect((await Promise.all(results)).map(({ done }) => done)).toEqual([false, true, true, true, true]);
  expect(checks).toBe(1);
});

it('events of thresholds leave no memory charged to a caller who disconnects while they are derived', async () => {
  let charged = 0;
  let confirm = (_: null) => {};
  const levels = [0, 10].map((lowerLimit) => ({
    name: `${lowerLimit}`,
    lowerLimit,
    falseAlarmFilterSeconds: 0,
  }));
  const sources = {
    thresholds: {
      cachedLevels: async () => ({ levels: [{ ...levels[0], upperLimit: 10 }, levels[1]], ageMs: 0 }),
      statusAfter: () => new Promise<null>((resolve) => (confirm = resolve)),
    },
    samples: { arrivedBefore: async () => [toSample(1, 5)] },
  };
  const budget = { add: (bytes: number) => (charged += bytes) };
  const context = { sources, budget, nowMs: () => 0, resetSources() {} } as unknown as Context;
  const replay = {
    from: [{ kind: 'SCALAR', id: 1, cursor: 'ScalarSample:1' }],
    read: async () => ({ events: [toSample(2, 15)], isLast: true }),
    close() {},
  };
  const start = async () => ({
    next: async () => ({ value: undefined, done: true as const }),
    return: async () => ({ value: undefined, done: true as const }),
  });
  const changes = toThresholdChanges({ kinds: ['SCALAR'], start, replay }, undefined, context);
  const reading = changes.replay?.read();
  await new Promise((resolve) => setImmediate(resolve));
  changes.replay?.close();
  confirm(null);
  expect((await reading)?.events).toHaveLength(1);
  expect(charged).toBe(0);
});

function toSample(id: number, value: number): Sample {
  const sampledAt = `2026-01-01T00:00:0${id}.000Z`;
  return { __typename: 'ScalarSample', id, streamId: 1, sampledAt, value, rawValue: `${value}` };
}

it('repeated ids of streams and sites are loaded once, and the first unknown one is named', async () => {
  const loaded: string[] = [];
  const load = (name: string) => async (id: number) => {
    loaded.push(`${name} ${id}`);
    return id === 9 ? null : { id };
  };
  const sources = {
    streams: { byId: load('stream'), ofSite: async (id: number) => [await load('streams of site')(id)] },
    sites: { byId: load('site') },
  };
  const { sampleReceived } = Subscription;
  const subscribe = (streamIds: string[], siteIds: string[]) =>
    (sampleReceived as { subscribe(...args: unknown[]): Promise<{ streamIds?: Set<number> }> }).subscribe(
      undefined,
      { streamIds, siteIds },
      toContext(sources),
    );
  const { streamIds } = await subscribe(['1', '2', 'Stream:1'], Array(1000).fill('3'));
  expect(streamIds).toEqual(new Set([1, 2, 3]));
  expect(loaded).toEqual(['stream 1', 'stream 2', 'site 3', 'streams of site 3']);
  const message = 'streamIds[2]: There is no Stream:9.';
  await expect(subscribe(['1', '1', '9', '9'], [])).rejects.toThrow(message);
});
