/** Aggregates over ranges that begin before the first date of the platform, and of numbers that are too large to add. */
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../src/lib/clock.js';
import { createAggregates } from '../../../../src/sources/charts/aggregates.js';
import { formatDateTime, MIN_DATE_MS } from '../../../../src/sources/core/wireValues.js';
import { createTimelines } from '../../../../src/sources/timeline/timelines.js';
import type { TimeZone } from '../../../../src/timeseries/timeZone.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

it.each([
  { unit: 'minutes', count: 60 },
  { unit: 'days', count: 1 },
  { unit: 'months', count: 1 },
] as const)('no offset is computed for dates before that for $count $unit', async (every) => {
  const clock = createManualClock();
  const { rest } = createComputedRest(() => ({ samples: [], hasMore: false }), clock);
  const reader = createReaders({ clock }).createReader();
  const { ofStream } = createAggregates(createTimelines(rest, reader, clock.now), clock.now);
  let earliestMs = Number.POSITIVE_INFINITY;
  const record = (ms: number) => {
    earliestMs = Math.min(earliestMs, ms);
    return ms;
  };
  const zone: TimeZone = {
    toWall: (ms) => record(ms) + HOUR_MS,
    toInstant: (wallMs) => record(wallMs - HOUR_MS),
    changeWithin: () => undefined,
    isSlow: true,
  };
  const span = { fromMs: Date.UTC(1865, 0, 1), toMs: clock.now() };
  expect(
    await ofStream({ id: 1, siteId: null }, { span, every, zone, includesEmpty: false, units: '' }),
  ).toEqual([]);
  // The interval before the first date is also computed.
  expect(earliestMs).toBeGreaterThan(MIN_DATE_MS - 62 * DAY_MS);
});

it('a statistic beyond the largest number is null', async () => {
  const clock = createManualClock();
  const fromMs = Date.UTC(2024, 0, 1);
  const values = [1.7e308, -1.7e308, 1.7e308, 1.7e308];
  const samples = values.map((value, hour) => ({
    ...{ id: hour + 1, stream_id: 1, value: String(value) },
    sample_date: formatDateTime(fromMs + hour * HOUR_MS),
  }));
  const { rest } = createComputedRest(() => ({ samples, hasMore: false }), clock);
  const reader = createReaders({ clock }).createReader();
  const { total } = createAggregates(createTimelines(rest, reader, clock.now), clock.now);
  const span = { fromMs, toMs: fromMs + DAY_MS };
  const aggregate = await total({ id: 1, siteId: null }, { span, units: '', needsSamples: true });
  expect(aggregate).toMatchObject({ count: 4, min: -1.7e308, max: 1.7e308, avg: null, sum: null });
  const details = await aggregate?.details();
  expect(details).toMatchObject({ first: 1.7e308, delta: null, timeWeightedAvg: null, stdDev: null });
  expect(await details?.percentile(20)).toBeNull();
});
