/** Pages of the platform's aggregates whose rows have no numbers or no dates. */
import { expect, it } from 'vitest';
import { HOUR_MS } from '../../../../src/lib/clock.js';
import { createTimelines } from '../../../../src/sources/timeline/timelines.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

const FROM_MS = Date.UTC(2023, 0, 1);
const HOURS = 4;

const SOUND = { number_of_samples: 1, agg_values: { min: '1', max: '1', sum: '1' } };

/** Reads the hours of a stream whose first two hours come in a page of their own, with these fields. */
async function readHours(fields: object): Promise<number[]> {
  const clock = createManualClock();
  const { rest } = createComputedRest((path) => {
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
  const hours: number[] = [];
  for await (const { table } of timeline.readSegments({ fromMs: FROM_MS, toMs: FROM_MS + HOURS * HOUR_MS })) {
    hours.push(...Array.from(table.times, (ms) => (ms - FROM_MS) / HOUR_MS));
  }
  return hours;
}

it.each([
  ['usual frames', {}, [0, 1, 2, 3]],
  ['frames without samples', { number_of_samples: 0 }, [2, 3]],
  ['numbers that are not texts', { agg_values: { min: 1, max: 1, sum: 1 } }, [2, 3]],
  ['frames without aggregates', { agg_values: null }, [2, 3]],
])('behind a page of %s the next one is read', async (_name, fields, hours) => {
  expect(await readHours(fields)).toEqual(hours);
});

it('a page without a readable date is an error', async () => {
  await expect(readHours({ start_date: 'soon' })).rejects.toMatchObject({ code: 'PLATFORM_BAD_RESPONSE' });
});
