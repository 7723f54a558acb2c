/** Samples that arrived before another one, for slow and fast streams. */
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../../src/lib/clock.js';
import { createSamples } from '../../../../src/sources/timeline/sampleSources.js';
import { createTimelines } from '../../../../src/sources/timeline/timelines.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

/** The platform's maximum lengths of one response. */
const MAX_BATCH = 10_000;
const MAX_ARRIVALS = 100;

/** A stream with a sample at each interval for two days up to now. The ids count from 1. */
function createStream(intervalSeconds: number) {
  const clock = createManualClock();
  const count = (2 * DAY_MS) / (intervalSeconds * SECOND_MS);
  const firstMs = clock.now() - (count - 1) * intervalSeconds * SECOND_MS;
  const dateOf = (id: number) => new Date(firstMs + (id - 1) * intervalSeconds * SECOND_MS).toISOString();
  const toRows = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({
      ...{ id: from + index, stream_id: 1, sample_date: dateOf(from + index), value: '1' },
    }));
  const { rest, paths } = createComputedRest((path) => {
    const since = /sampleDate=(\d+)/.exec(path)?.[1];
    if (since === undefined) return toRows(Math.max(1, count - MAX_ARRIVALS + 1), count);
    const first = Math.ceil((Number(since) * 1000 - firstMs) / (intervalSeconds * SECOND_MS)) + 1;
    const last = Math.min(count, first + MAX_BATCH - 1);
    return { samples: toRows(first, last), hasMore: last < count };
  }, clock);
  const reader = createReaders({ clock }).createReader();
  const samples = createSamples(rest, reader, createTimelines(rest, reader, clock.now), clock.now);
  return {
    paths,
    count,
    idsBefore: async (id: number, filterMs?: number) =>
      (await samples.arrivedBefore(1, { id, sampledAt: dateOf(id) }, filterMs)).map((sample) => sample.id),
  };
}

it.each([
  { intervalSeconds: 60, newer: 60, calls: 1, length: 120 },
  { intervalSeconds: 60, newer: 1400, calls: 1, length: 120 },
  { intervalSeconds: 10, newer: 5000, calls: 1, length: 720 },
  { intervalSeconds: 5, newer: 150, calls: 1, length: 1000 },
  { intervalSeconds: 5, newer: 17_000, calls: 1, length: 1000 },
  { intervalSeconds: 0.5, newer: 150, calls: 2, length: 1000 },
])(
  'with a sample each $intervalSeconds s and $newer newer ones are those right before it, by $calls calls for a batch',
  async ({ intervalSeconds, newer, calls, length }) => {
    const { count, paths, idsBefore } = createStream(intervalSeconds);
    const id = count - newer;
    const ids = await idsBefore(id);
    expect(ids).toEqual(Array.from({ length }, (_, index) => id - length + index));
    expect(paths.filter((path) => path.includes('/batch'))).toHaveLength(calls);
  },
);

it('include those within the false alarm filter, and the last arrivals of a stream that was silent for longer', async () => {
  const { count, idsBefore } = createStream(30);
  expect(await idsBefore(count, HOUR_MS)).toHaveLength(3 * 120);
  const slow = createStream(3 * 3600);
  expect(await slow.idsBefore(slow.count)).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
});

it.each([
  { first: 'late too', daysAgo: 20, firstId: 251, lateDays: 20 },
  { first: 'punctual', daysAgo: 0, firstId: 252, lateDays: 20 },
  { first: 'punctual and the others are of the last hour', daysAgo: 0, firstId: 252, lateDays: 1 / 24 },
])('behind more than 100 late samples include the newest, if the first one is $first', async (first) => {
  const clock = createManualClock();
  const newestMs = clock.now() - 60_000;
  const lateMs = clock.now() - first.lateDays * DAY_MS;
  const row = (id: number, ms: number) => ({
    ...{ id, stream_id: 1, sample_date: new Date(ms).toISOString(), value: '1' },
  });
  const late = Array.from({ length: 250 }, (_, index) => row(index + 2, lateMs + index * SECOND_MS));
  const rows = [...late, row(1, newestMs)];
  const { rest } = createComputedRest((path) => {
    const since = Number(/sampleDate=(\d+)/.exec(path)?.[1] ?? Number.NaN) * 1000;
    if (Number.isNaN(since)) return late.slice(-MAX_ARRIVALS);
    return { samples: rows.filter((one) => Date.parse(one.sample_date) >= since), hasMore: false };
  }, clock);
  const reader = createReaders({ clock }).createReader();
  const samples = createSamples(rest, reader, createTimelines(rest, reader, clock.now), clock.now);
  const sampledAt = new Date(clock.now() - first.daysAgo * DAY_MS).toISOString();
  const earlier = await samples.arrivedBefore(1, { id: first.firstId, sampledAt });
  expect(earlier.map(({ id }) => id)).toContain(1);
});
