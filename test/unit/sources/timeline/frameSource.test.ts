/** Pages of the platform's aggregates whose rows have no numbers or no dates. */
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../src/lib/clock.js';
import type { CallRecord } from '../../../../src/rest/callRecord.js';
import { ArrivedSamples } from '../../../../src/sources/samples/arrivedSamples.js';
import { createFrameSource } from '../../../../src/sources/timeline/frameSource.js';
import { createTimelines } from '../../../../src/sources/timeline/timelines.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { createRecordingLogger } from '../../../support/http/edgeGateway.js';
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
  ['values other than numbers', { agg_values: { min: 'low', max: 'high', sum: 'much' } }, [2, 3]],
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

const NO_NUMBERS = { number_of_samples: 1, agg_values: { min: 'low', max: 'high', sum: 'much' } };

it.each([
  ['values count as left out of a page that is short', NO_NUMBERS, 3, {}],
  ['values count as left out of a page that is long', NO_NUMBERS, 1000, {}],
  ['values count as left out of a page that is long and indivisible', NO_NUMBERS, 1000, { tags: [1] }],
  ['dates count as left out', { start_date: 'soon' }, 3, {}],
])('frames with unreadable %s', async (_name, unreadable, count, others) => {
  const logger = createRecordingLogger();
  const samples = Array.from({ length: count }, (_, hour) => ({
    ...{ stream_id: 1, start_date: new Date(FROM_MS + hour * HOUR_MS).toISOString(), ...SOUND },
    ...(hour === 1 && unreadable),
  }));
  const { rest } = createComputedRest(
    () => ({ samples, hasMore: false, ...others }),
    createManualClock(),
    logger,
  );
  const records: CallRecord[] = [];
  const add = (record: CallRecord) => void records.push(record);
  const span = { fromMs: FROM_MS, toMs: FROM_MS + count * HOUR_MS };
  const { table } = await createFrameSource(rest, 1, 60).fetch(span, count, {
    onCall: add,
    beginSpan: () => ({ headers: {}, end: add }),
  });
  expect(table.times).toHaveLength(count - 1);
  expect(records.map(({ skippedRows }) => skippedRows)).toEqual([1, 1]);
  expect(logger.lines).toMatchObject([
    { fields: { skippedRows: 1 }, message: 'Unreadable rows were left out' },
  ]);
});

const DAYS = 100;

/** An empty stream with an hourly frame of the samples that `arrive` has added, and how many calls each reading takes. */
function createLateStream() {
  const clock = createManualClock();
  const measuredAtMs: number[] = [];
  const fromMs = Math.floor(clock.now() / DAY_MS - DAYS - 10) * DAY_MS;
  const { rest, paths } = createComputedRest((path) => {
    const [first = 0, last = 0] = ['from', 'to'].map(
      (end) => Number(new RegExp(`${end}Date=(\\d+)`).exec(path)?.[1]) * 1000,
    );
    const requested = measuredAtMs.filter((ms) => ms >= first && ms <= last);
    const samples = requested.map((ms) => ({
      ...{ stream_id: 1, start_date: new Date(ms).toISOString(), ...SOUND },
    }));
    return { samples, hasMore: false };
  }, clock);
  const arrived = new ArrivedSamples(clock.now, { maxSamples: 2 });
  const reader = createReaders({ clock }).createReader();
  const timeline = createTimelines(rest, reader, clock.now, arrived).frames(1, 60);
  let id = 0;
  return {
    clock,
    fromMs,
    /** Adds a sample to the platform's frames, and delivers it by the poll. */
    arrive(ms: number, streamId = 1) {
      clock.pass(10_000);
      if (streamId === 1) measuredAtMs.push(ms);
      const sampledAt = new Date(ms + 60_000).toISOString();
      id += 1;
      const value = { rawValue: '1', value: 1 };
      arrived.add([{ __typename: 'ScalarSample', id, streamId, sampledAt, ...value }], clock.now());
    },
    async read(span = { fromMs, toMs: fromMs + DAYS * DAY_MS }) {
      const before = paths.length;
      let frames = 0;
      for await (const { table } of timeline.readSegments(span)) frames += table.times.length;
      return { frames, calls: paths.length - before };
    },
  };
}

describe('frames of closed days while the platform is polled', () => {
  it('are read again, once, when a late sample arrives', async () => {
    const { fromMs, arrive, read } = createLateStream();
    expect(await read()).toEqual({ frames: 0, calls: 1 });
    expect(await read()).toEqual({ frames: 0, calls: 0 });
    arrive(fromMs + 70 * DAY_MS + HOUR_MS);
    expect(await read()).toMatchObject({ frames: 1 });
    expect(await read()).toEqual({ frames: 1, calls: 0 });
    arrive(fromMs + 70 * DAY_MS + 5 * HOUR_MS);
    expect(await read()).toEqual({ frames: 2, calls: 1 });
    expect(await read()).toEqual({ frames: 2, calls: 0 });
  });

  it('are not kept in the part of a day that was not read again', async () => {
    const { fromMs, arrive, read } = createLateStream();
    const noon = fromMs + DAY_MS / 2;
    await read({ fromMs, toMs: fromMs + DAY_MS });
    arrive(fromMs + HOUR_MS);
    expect(await read({ fromMs: noon, toMs: fromMs + DAY_MS })).toEqual({ frames: 0, calls: 1 });
    expect(await read({ fromMs: noon, toMs: fromMs + DAY_MS })).toEqual({ frames: 0, calls: 0 });
    expect(await read({ fromMs, toMs: fromMs + DAY_MS })).toMatchObject({ frames: 1 });
  });

  it('are not read again for samples of other streams, of other days, or that were removed', async () => {
    const { fromMs, arrive, read } = createLateStream();
    await read();
    arrive(fromMs + DAY_MS, 2);
    arrive(fromMs + (DAYS + 1) * DAY_MS);
    expect(await read()).toMatchObject({ calls: 0 });
    arrive(fromMs + DAY_MS);
    arrive(fromMs + (DAYS + 1) * DAY_MS);
    arrive(fromMs + (DAYS + 1) * DAY_MS);
    expect(await read()).toMatchObject({ calls: 0 });
  });
});
