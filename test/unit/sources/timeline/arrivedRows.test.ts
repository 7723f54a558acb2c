/** Samples that the poll has brought are converted to rows once, not for each cached day. */
import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../../src/lib/clock.js';
import { formatDateTime } from '../../../../src/sources/core/wireValues.js';
import { ArrivedSamples } from '../../../../src/sources/samples/arrivedSamples.js';
import type { ScalarSample } from '../../../../src/sources/samples/samples.js';
import { createTimelines } from '../../../../src/sources/timeline/timelines.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

const STREAM_ID = 1;
const ARRIVALS = 100;

it('a year of cached days converts each arrival once', async () => {
  const clock = createManualClock();
  const toMs = clock.now();
  const span = { fromMs: toMs - 365 * DAY_MS, toMs };
  // A sample on each day, so that none of the days is in a block of empty days.
  const rows = Array.from({ length: 365 }, (_, day) => ({
    ...{ id: day + 1, stream_id: STREAM_ID, value: '1' },
    sample_date: formatDateTime(span.fromMs + day * DAY_MS),
  }));
  const { rest } = createComputedRest(() => ({ samples: rows, hasMore: false }), clock);
  const arrived = new ArrivedSamples(clock.now);
  const timelines = createTimelines(rest, createReaders({ clock }).createReader(), clock.now, arrived);
  const read = async () => {
    let count = 0;
    timelines.samples(STREAM_ID).cachedCoverage(span);
    for await (const { table } of timelines.samples(STREAM_ID).readSegments(span))
      count += table.times.length;
    return count;
  };
  expect(await read()).toBe(365);

  let conversions = 0;
  const arrive = (id: number, ms: number): ScalarSample => ({
    ...{ __typename: 'ScalarSample', id, streamId: STREAM_ID, sampledAt: formatDateTime(ms), value: 2 },
    get rawValue() {
      conversions += 1;
      return '2';
    },
  });
  const late = (id: number) => arrive(id, toMs - (id - 1000) * MINUTE_MS);
  arrived.add(
    Array.from({ length: ARRIVALS }, (_, index) => late(1001 + index)),
    toMs,
  );
  expect(await read()).toBe(365 + ARRIVALS);
  expect(await read()).toBe(365 + ARRIVALS);
  expect(conversions).toBe(ARRIVALS);
  // Also a late sample on a closed day.
  arrived.add([arrive(2000, toMs - 100 * DAY_MS + MINUTE_MS)], toMs);
  expect(await read()).toBe(366 + ARRIVALS);
  expect(conversions).toBe(2 * ARRIVALS + 1);
});
