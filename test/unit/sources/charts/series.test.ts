/** Charts of slow streams are the same from a cold cache, which prefers aggregates, and from cached samples. */
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/lib/clock.js';
import { createSeries } from '../../../../src/sources/charts/series.js';
import { groupBy } from '../../../../src/sources/core/collections.js';
import { formatDateTime } from '../../../../src/sources/core/wireValues.js';
import { ArrivedSamples } from '../../../../src/sources/samples/arrivedSamples.js';
import { createTimelines } from '../../../../src/sources/timeline/timelines.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

const FROM_MS = Date.UTC(2022, 0, 1);
const STREAM = { id: 1, siteId: null };

/** Charts of a stream with samples at these times. They share a cache. */
function createStream(times: readonly number[], clock = createManualClock()) {
  const { rest, paths } = createComputedRest((path) => {
    const read = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(path)?.[1]);
    const [fromMs, toMs] = [read('fromDate') * 1000, read('toDate') * 1000];
    const found = times.filter((ms) => ms >= fromMs && ms <= toMs);
    const samples = path.includes('/agg') ? toFrames(found, read('timeFrame')) : toRows(found);
    return { samples, hasMore: false };
  }, clock);
  const readers = createReaders({ clock });
  return {
    paths,
    series(arrived?: ArrivedSamples) {
      const timelines = createTimelines(rest, readers.createReader(), clock.now, arrived);
      return createSeries(timelines, clock.now);
    },
  };
}

function toRows(times: readonly number[]) {
  return times.map((ms) => ({
    ...{ id: ms / 1000, stream_id: STREAM.id, sample_date: formatDateTime(ms), value: `${valueAt(ms)}` },
  }));
}

function toFrames(times: readonly number[], minutes: number) {
  const frameMs = minutes * MINUTE_MS;
  return [...groupBy(times, (ms) => Math.floor(ms / frameMs) * frameMs)].map(([startMs, group]) => {
    const values = group.map(valueAt);
    const sum = values.reduce((total, value) => total + value, 0);
    return {
      ...{ stream_id: STREAM.id, start_date: formatDateTime(startMs), number_of_samples: values.length },
      agg_values: { min: `${Math.min(...values)}`, max: `${Math.max(...values)}`, sum: `${sum}` },
    };
  });
}

const valueAt = (ms: number) => (ms / 1000) % 97;

function evenly(stepMs: number, toMs: number, offsetMs = 0): number[] {
  const count = Math.ceil((toMs - FROM_MS - offsetMs) / stepMs);
  return Array.from({ length: count }, (_, index) => FROM_MS + offsetMs + index * stepMs);
}

const THREE_DAYS = FROM_MS + 3 * DAY_MS;
const THIRTY_DAYS = FROM_MS + 30 * DAY_MS;
const SIXTY_DAYS = FROM_MS + 60 * DAY_MS;
const YEAR = FROM_MS + 365 * DAY_MS;
/** Leaves out two samples in a row, which is a gap, and a single one, which is no gap. */
const withPauses = (times: readonly number[]) => times.filter((_, index) => ![20, 21, 40].includes(index));

const streams = [
  { name: 'an hourly stream', times: evenly(HOUR_MS, THREE_DAYS), toMs: THREE_DAYS },
  { name: 'an hourly stream with a gap', times: withPauses(evenly(HOUR_MS, THREE_DAYS)), toMs: THREE_DAYS },
  {
    name: 'a stream every 90 minutes',
    times: withPauses(evenly(1.5 * HOUR_MS, THREE_DAYS)),
    toMs: THREE_DAYS,
  },
  {
    name: 'a stream every four hours that once sent every ten seconds',
    times: [
      ...evenly(4 * HOUR_MS, THIRTY_DAYS),
      ...evenly(10_000, THIRTY_DAYS + 3_500_000, 30 * DAY_MS + 100_000),
      ...evenly(4 * HOUR_MS, SIXTY_DAYS, 30 * DAY_MS + 4 * HOUR_MS),
    ],
    toMs: SIXTY_DAYS,
  },
  { name: 'a daily stream', times: evenly(DAY_MS, YEAR, 6 * HOUR_MS), toMs: YEAR },
  { name: 'a daily stream with a gap', times: withPauses(evenly(DAY_MS, YEAR, 6 * HOUR_MS)), toMs: YEAR },
];
const methods = ['MEAN', 'MIN_MAX'] as const;

it.each(
  streams.flatMap((one) =>
    methods.flatMap((method) => [20, 500].map((maxPoints) => ({ ...one, method, maxPoints }))),
  ),
)('$name by $method with $maxPoints points', async ({ times, toMs, method, maxPoints }) => {
  const { series, paths } = createStream(times);
  const request = { stream: STREAM, span: { fromMs: FROM_MS, toMs }, maxPoints };
  const cold = await series().ofStream({ ...request, method });
  expect(paths[0]).toContain('/agg');
  await series().ofStream({ ...request, method: 'LTTB' });
  const warm = await series().ofStream({ ...request, method });
  expect(cold).toEqual(warm);
  expect(cold.sourceCount).toBe(times.length);
  const gapCount = cold.values.filter((value) => value === null).length;
  expect(cold.reduced).toBe(times.length + gapCount > maxPoints);
  if (!cold.reduced) expect(cold.times.length - gapCount).toBe(times.length);
});

it.each(streams)('$name on a shared time axis', async ({ times, toMs }) => {
  const { series, paths } = createStream(times);
  const span = { fromMs: FROM_MS, toMs };
  const request = { streams: [STREAM], span, maxPoints: 500 };
  const cold = await series().ofStreams(request);
  expect(paths[0]).toContain('/agg');
  await series().ofStream({ stream: STREAM, span, maxPoints: 500, method: 'LTTB' });
  expect(cold).toEqual(await series().ofStreams(request));
  expect(cold.lines[0]).toMatchObject({ sourceCount: times.length });
});

it.each([
  { stepMs: 5 * MINUTE_MS, days: 1, intervalSeconds: 300 },
  { stepMs: MINUTE_MS, days: 3, intervalSeconds: 600 },
])('$days days of data in a long range have short intervals on a shared time axis', async (data) => {
  const { stepMs, days, intervalSeconds } = data;
  const { series, paths } = createStream(evenly(stepMs, THIRTY_DAYS + days * DAY_MS, 30 * DAY_MS));
  const span = { fromMs: FROM_MS, toMs: SIXTY_DAYS };
  const request = { streams: [STREAM], span, maxPoints: 500 };
  const cold = await series().ofStreams(request);
  expect(paths[0]).toContain('/agg');
  await series().ofStream({ stream: STREAM, span, maxPoints: 500, method: 'LTTB' });
  const warm = await series().ofStreams(request);
  expect([cold.intervalSeconds, warm.intervalSeconds]).toEqual([intervalSeconds, intervalSeconds]);
  expect(cold.times).toEqual(warm.times);
});

it('a stream with many samples in a frame is not read again', async () => {
  const { series, paths } = createStream(evenly(5 * MINUTE_MS, YEAR));
  const span = { fromMs: FROM_MS, toMs: YEAR };
  const { source } = await series().ofStream({ stream: STREAM, span, maxPoints: 500, method: 'MEAN' });
  expect([source, paths.length]).toEqual(['AGGREGATES', 1]);
});

it('a stream that began yesterday has its usual interval where earlier days are read as aggregates', async () => {
  const clock = createManualClock(YEAR + 12 * HOUR_MS);
  const toMs = clock.now();
  const { series } = createStream(evenly(5 * MINUTE_MS, toMs, YEAR - DAY_MS - FROM_MS), clock);
  const arrived = new ArrivedSamples(clock.now);
  arrived.add([], toMs);
  const request = { streams: [STREAM], span: { fromMs: FROM_MS, toMs }, maxPoints: 500 };
  const coverages = async (of: ReturnType<typeof createSeries>) =>
    (await of.ofStreams(request)).lines.map((line) => (line instanceof Error ? line : line.coverage));
  const polled = await coverages(series(arrived));
  expect(polled).toEqual([expect.closeTo(1.5 / 365.5, 3)]);
  expect(await coverages(series())).toEqual(polled);
});
