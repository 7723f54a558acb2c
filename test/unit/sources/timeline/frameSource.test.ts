/** Pages of the platform's aggregates whose rows have no numbers or no dates. */
import { expect, it } from 'vitest';
import { HOUR_MS } from '../../../../src/lib/clock.js';
import { createTimelines } from '../../../../src/sources/timeline/timelines.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

const FROM_MS = Date.UTC(2023, 0, 1);
const HOURS = 4;

const SOUND = { number_of_samples: 1, agg_values: { min: '1', max: '1', sum: '1' } };

/** A stream whose first two hours come in a page of their own, with these fields. */
function createStream(fields: object) {
  const clock = createManualClock();
  const { rest, paths } = createComputedRest((path) => {
    const fromMs = Number(/fromDate=(\d+)/.exec(path)?.[1]) * 1000;
    const first = Math.round((fromMs - FROM_MS) / HOUR_MS);
    const isFirstPage = first < 2;
    const hours = isFirstPage
      ? [0, 1].slice(first)
      : Array.from({ length: HOURS - first }, (_, i) => first + i);
    const samples = hours.map((hour) => ({
      ...{ stream_id: 1, start_date: new Date(FROM_MS + hour * HOUR_MS).toISOString(), ...SOUND },
      ...(isFirstPage && fields),
    }));
    return { samples, hasMore: isFirstPage };
  }, clock);
  const reader = createReaders({ clock }).createReader();
  const timeline = createTimelines(rest, reader, clock.now).frames(1, 60);
  async function readHours(): Promise<number[]> {
    const hours: number[] = [];
    const span = { fromMs: FROM_MS, toMs: FROM_MS + HOURS * HOUR_MS };
    for await (const { table } of timeline.readSegments(span)) {
      hours.push(...Array.from(table.times, (ms) => (ms - FROM_MS) / HOUR_MS));
    }
    return hours;
  }
  return { readHours, paths };
}

it.each([
  ['usual frames', {}, [0, 1, 2, 3]],
  ['frames without samples', { number_of_samples: 0 }, [2, 3]],
  ['numbers that are not texts', { agg_values: { min: 1, max: 1, sum: 1 } }, [0, 1, 2, 3]],
  ['values that are no numbers', { agg_values: { min: 'low', max: 'high', sum: 'much' } }, [2, 3]],
  [
    'a sum beyond the largest number',
    { number_of_samples: 10, agg_values: { min: '1', max: '1e308', avg: '1e308' } },
    [2, 3],
  ],
  ['frames without aggregates', { agg_values: null }, [2, 3]],
])('behind a page of %s the next one is read', async (_name, fields, hours) => {
  expect(await createStream(fields).readHours()).toEqual(hours);
});

it('a page without a readable date is an error', async () => {
  await expect(createStream({ start_date: 'soon' }).readHours()).rejects.toMatchObject({
    code: 'PLATFORM_BAD_RESPONSE',
  });
});

it.each([
  ['without values are cached', { agg_values: null }, 2],
  ['with unreadable values are read again', { agg_values: { MIN: '1', MAX: '1', SUM: '1' } }, 3],
])('frames %s', async (_name, fields, calls) => {
  const { readHours, paths } = createStream(fields);
  await readHours();
  await readHours();
  expect(paths).toHaveLength(calls);
});
