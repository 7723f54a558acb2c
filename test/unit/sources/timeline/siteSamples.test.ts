/** When the batch of a site is read instead of its streams, and how many pages of it. */
import { expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../../src/lib/clock.js';
import { OperationTurns, TurnBudget } from '../../../../src/lib/turnBudget.js';
import { createSeries } from '../../../../src/sources/charts/series.js';
import { formatDateTime } from '../../../../src/sources/core/wireValues.js';
import type { StreamReference } from '../../../../src/sources/entities/streams.js';
import { createSamples } from '../../../../src/sources/timeline/sampleSources.js';
import { createTimelines } from '../../../../src/sources/timeline/timelines.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';
import { createGate, WAIT } from '../../../support/waiting.js';

interface World {
  hours?: number;
  /** How many streams each site has. */
  streamCount?: number | undefined;
  /** The seconds that a page of a batch covers; undefined if one page has all samples. */
  pageSeconds?: number;
  /** How long the platform takes for a page of a batch. */
  callMs?: number;
  readsLastSamples?: boolean;
}

/** Reads the charts of these streams, and their last samples if required, in one operation. Counts the calls. */
async function countCalls(streams: readonly StreamReference[], world: World) {
  const {
    hours = 24,
    streamCount,
    pageSeconds = Number.POSITIVE_INFINITY,
    callMs = 0,
    readsLastSamples = false,
  } = world;
  const clock = createManualClock();
  const { rest, paths } = createComputedRest((path) => {
    const { pathname, searchParams } = new URL(path, 'http://platform');
    if (!pathname.startsWith('/v2.0/site')) return { samples: [], hasMore: false };
    clock.pass(callMs);
    const siteId = Number(pathname.split('/')[3]);
    const reachedMs = (Number(searchParams.get('sampleDate')) + pageSeconds) * 1000;
    const hasMore = reachedMs < clock.now();
    const sampleDate = formatDateTime(hasMore ? reachedMs : clock.now());
    const ofSite = streams.filter((stream) => stream.siteId === siteId);
    const samples = ofSite.map(({ id }) => ({ id, stream_id: id, sample_date: sampleDate, value: '1' }));
    return { samples, hasMore };
  }, clock);
  const reader = createReaders({ clock }).createReader();
  const timelines = createTimelines(rest, reader, clock.now, undefined, () => streamCount);
  const span = { fromMs: clock.now() - hours * HOUR_MS, toMs: clock.now() + HOUR_MS };
  const { ofStream } = createSeries(timelines, clock.now);
  const { last } = createSamples(rest, reader, timelines, clock.now);
  const read = (stream: StreamReference) =>
    Promise.all([
      readsLastSamples && last(stream),
      ofStream({ stream, span, maxPoints: 500, method: 'LTTB' }),
    ]);
  await Promise.all(streams.map(read));
  const batches = paths.filter((path) => path.startsWith('/v2.0/site')).length;
  return { batches, singles: paths.length - batches };
}

function createStreams(siteCount: number, perSite: number): StreamReference[] {
  return Array.from({ length: siteCount * perSite }, (_, index) => ({
    ...{ id: index + 1, siteId: Math.floor(index / perSite) + 1 },
  }));
}

it.each<[string, number, World, { batches: number; singles: number }]>([
  ['reads a batch for two streams', 2, { streamCount: 2 }, { batches: 1, singles: 0 }],
  ['reads one stream by itself', 1, { streamCount: 1 }, { batches: 0, singles: 1 }],
  ['reads few of many streams one by one', 2, { streamCount: 60 }, { batches: 0, singles: 2 }],
  ['needs the number of streams', 5, {}, { batches: 0, singles: 5 }],
  [
    'reads two streams over a month one by one',
    2,
    { streamCount: 2, hours: 32 * 24 },
    { batches: 0, singles: 2 },
  ],
  ['reads the pages of a batch', 9, { streamCount: 9, pageSeconds: 6 * 3600 }, { batches: 5, singles: 0 }],
  [
    'reads last samples from the batch of charts',
    2,
    { streamCount: 2, readsLastSamples: true },
    { batches: 1, singles: 0 },
  ],
  [
    'reads last samples from another batch if that of charts is too short',
    2,
    { streamCount: 2, hours: 5, readsLastSamples: true },
    { batches: 2, singles: 0 },
  ],
  [
    'reads last samples from another batch if that of charts has several pages',
    9,
    { streamCount: 9, pageSeconds: 6 * 3600, readsLastSamples: true },
    { batches: 6, singles: 0 },
  ],
  [
    'reads last samples from another batch if charts are read one by one',
    2,
    { streamCount: 60, readsLastSamples: true },
    { batches: 1, singles: 2 },
  ],
  [
    'ends a batch whose samples would be stale at its end',
    40,
    { streamCount: 40, pageSeconds: 10 * 3600, callMs: 4000 },
    { batches: 1, singles: 40 },
  ],
  [
    'ends a batch that takes more pages than there are streams',
    3,
    { streamCount: 3, pageSeconds: 1800 },
    { batches: 1, singles: 3 },
  ],
])('%s', async (_, perSite, world, expected) => {
  expect(await countCalls(createStreams(1, perSite), world)).toEqual(expected);
});

it('reads at most 40 pages of batches in one operation', async () => {
  expect(await countCalls(createStreams(45, 3), { streamCount: 3 })).toEqual({ batches: 40, singles: 15 });
  // Twelve sites have three pages each. The first pages of the other three show that too few pages are left.
  const longBatches = { streamCount: 30, pageSeconds: 8.5 * 3600 };
  expect(await countCalls(createStreams(15, 30), longBatches)).toEqual({ batches: 39, singles: 90 });
});

type TestClock = ReturnType<typeof createManualClock>;

const SITE = createStreams(1, 3);

/** Reads the charts of a site in two operations. Returns the calls of each. */
async function countRefreshes(respond: (pathname: string, clock: TestClock) => unknown) {
  const clock = createManualClock();
  const toBody = (path: string) => respond(new URL(path, 'http://platform').pathname, clock);
  const { rest, paths } = createComputedRest(toBody, clock);
  const { createReader } = createReaders({ clock, operationTimeoutMs: 2 * MINUTE_MS });
  const refresh = async () => {
    const before = paths.length;
    const timelines = createTimelines(rest, createReader(), clock.now, undefined, () => SITE.length);
    const { ofStream } = createSeries(timelines, clock.now);
    const span = { fromMs: clock.now() - HOUR_MS, toMs: clock.now() };
    await Promise.all(SITE.map((stream) => ofStream({ stream, span, maxPoints: 500, method: 'LTTB' })));
    const calls = paths.slice(before);
    const batches = calls.filter((path) => path.startsWith('/v2.0/site')).length;
    clock.pass(MINUTE_MS / 2);
    return { batches, singles: calls.length - batches };
  };
  return [await refresh(), await refresh()];
}

it('reads streams one by one if all others have been silent', async () => {
  const respond = (pathname: string, clock: TestClock) => {
    const row = { id: 1, stream_id: 1, sample_date: formatDateTime(clock.now() - MINUTE_MS), value: '1' };
    const hasRow = pathname.startsWith('/v2.0/site') || pathname.includes('/stream/1/');
    return { samples: hasRow ? [row] : [], hasMore: false };
  };
  expect(await countRefreshes(respond)).toEqual([
    { batches: 1, singles: 2 },
    { batches: 0, singles: 3 },
  ]);
});

it('leaves out the batch of a site with unreadable rows for a minute', async () => {
  expect(await countRefreshes(() => ({ samples: [{ stream_id: 1 }], hasMore: false }))).toEqual([
    { batches: 1, singles: 3 },
    { batches: 0, singles: 3 },
  ]);
});

it('leaves half of the time for the streams if the batch does not respond', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const respond = (pathname: string, clock: TestClock) => {
    if (!pathname.startsWith('/v2.0/site')) return { samples: [], hasMore: false };
    clock.pass(MINUTE_MS);
    setImmediate(() => vi.advanceTimersByTime(MINUTE_MS));
    return new Promise(() => undefined);
  };
  const [first] = await countRefreshes(respond).finally(() => vi.useRealTimers());
  expect(first).toEqual({ batches: 1, singles: 3 });
});

it('stores the samples of as many streams in one turn as its time allows', async () => {
  const streams = createStreams(1, 500);
  const clock = createManualClock();
  const sampleDate = formatDateTime(clock.now() - MINUTE_MS);
  const samples = streams.map(({ id }) => ({ id, stream_id: id, sample_date: sampleDate, value: '1' }));
  const { rest } = createComputedRest(() => ({ samples, hasMore: false }), clock);
  // Each reading of the clock takes a millisecond.
  let nowMs = 0;
  const budget = new TurnBudget({ maxTurnMs: 10, nowMs: () => nowMs++ });
  const reader = createReaders({ clock }).createReader(undefined, new OperationTurns(budget));
  const set = vi.spyOn(reader.samplePages, 'set');
  let maxPages = 0;
  const nextTurn = () => {
    maxPages = Math.max(maxPages, set.mock.calls.length);
    set.mockClear();
    if (isReading) setImmediate(nextTurn);
  };
  let isReading = true;
  nextTurn();
  const timelines = createTimelines(rest, reader, clock.now, undefined, () => streams.length);
  const span = { fromMs: clock.now() - HOUR_MS, toMs: clock.now() };
  await Promise.all(streams.map((stream) => timelines.prefetch({ stream, span })));
  isReading = false;
  expect(maxPages).toBeGreaterThan(0);
  expect(maxPages).toBeLessThanOrEqual(20);
});

it('last samples do not wait for a batch of charts that is too short for them', async () => {
  const clock = createManualClock();
  const { open, opened } = createGate();
  const respond = () => opened.then(() => ({ samples: [], hasMore: false }));
  const { rest, paths } = createComputedRest(respond, clock);
  const reader = createReaders({ clock }).createReader();
  const timelines = createTimelines(rest, reader, clock.now, undefined, () => 2);
  const span = { fromMs: clock.now() - 5 * HOUR_MS, toMs: clock.now() };
  const { ofStream } = createSeries(timelines, clock.now);
  const { last } = createSamples(rest, reader, timelines, clock.now);
  const reads = createStreams(1, 2).map((stream) =>
    Promise.allSettled([last(stream), ofStream({ stream, span, maxPoints: 500, method: 'LTTB' })]),
  );
  await vi.waitFor(() => expect(paths).toHaveLength(2), WAIT);
  open();
  await Promise.all(reads);
});
