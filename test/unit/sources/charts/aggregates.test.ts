/** Aggregates of streams without samples, over ranges that begin before the first date of the platform. */
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../src/lib/clock.js';
import { createAggregates } from '../../../../src/sources/charts/aggregates.js';
import { MIN_DATE_MS } from '../../../../src/sources/core/wireValues.js';
import { createTimelines } from '../../../../src/sources/timeline/timelines.js';
import type { TimeZone } from '../../../../src/timeseries/timeZone.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

it.each([
  { unit: 'minutes', count: 60 },
  { unit: 'days', count: 1 },
  { unit: 'months', count: 1 },
] as const)('the zone is not asked for dates before that for $count $unit', async (every) => {
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
  expect(await ofStream(1, { span, every, zone, includesEmpty: false, units: '' })).toEqual([]);
  // The interval before the first date is computed, too.
  expect(earliestMs).toBeGreaterThan(MIN_DATE_MS - 62 * DAY_MS);
});
