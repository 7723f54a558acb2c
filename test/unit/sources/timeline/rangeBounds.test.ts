/** Ranges of samples lose none at their ends, whether the platform's spans include their end or not. */
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../../src/lib/clock.js';
import type { TimeSpan } from '../../../../src/sources/timeline/dayPages.js';
import { createRangeSource } from '../../../../src/sources/timeline/rangeSource.js';
import { createTimelines } from '../../../../src/sources/timeline/timelines.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

const MIDNIGHT_MS = Date.UTC(2023, 0, 2);
const STREAM_ID = 1;

interface Platform {
  includesEnd: boolean;
  /** The times of the samples. */
  times: readonly number[];
  /** Sends each row twice. */
  repeatsRows?: boolean;
}

/** The times of the samples and of the frames that the gateway reads in a span. Both are cached. */
function createStream({ includesEnd, times, repeatsRows = false }: Platform) {
  const clock = createManualClock();
  const { rest, paths } = createComputedRest((path) => {
    const read = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(path)?.[1]);
    const [fromMs, toMs] = [read('fromDate') * 1000, read('toDate') * 1000];
    const found = times.filter((ms) => ms >= fromMs && (ms < toMs || (includesEnd && ms === toMs)));
    const rows = path.includes('/agg') ? toFrames(found) : toRows(found, times);
    return { samples: repeatsRows ? rows.flatMap((row) => [row, row]) : rows, hasMore: false };
  }, clock);
  const timelines = createTimelines(rest, createReaders({ clock }).createReader(), clock.now);
  const read = async (timeline: ReturnType<typeof timelines.samples>, span: TimeSpan) => {
    const read: number[] = [];
    for await (const { table } of timeline.readSegments(span)) read.push(...table.times);
    return read;
  };
  return {
    paths,
    samples: (span: TimeSpan) => read(timelines.samples(STREAM_ID), span),
    frames: (span: TimeSpan) => read(timelines.frames(STREAM_ID, 60), span),
    frameCounts: async (span: TimeSpan) => {
      const counts: number[] = [];
      for await (const { table } of timelines.frames(STREAM_ID, 60).readSegments(span)) {
        counts.push(...(table.columns[0] ?? []));
      }
      return counts;
    },
  };
}

function toRows(found: readonly number[], all: readonly number[]) {
  return found.map((ms) => ({
    ...{ id: all.indexOf(ms) + 1, stream_id: STREAM_ID, sample_date: new Date(ms).toISOString(), value: '1' },
  }));
}

function toFrames(found: readonly number[]) {
  const starts = [...new Set(found.map((ms) => Math.floor(ms / HOUR_MS) * HOUR_MS))];
  return starts.map((startMs) => ({
    ...{ stream_id: STREAM_ID, start_date: new Date(startMs).toISOString() },
    number_of_samples: found.filter((ms) => ms >= startMs && ms < startMs + HOUR_MS).length,
    agg_values: { min: '1', max: '1', avg: '1', sum: '1' },
  }));
}

const BEFORE: TimeSpan = { fromMs: MIDNIGHT_MS - HOUR_MS, toMs: MIDNIGHT_MS };
const AFTER: TimeSpan = { fromMs: MIDNIGHT_MS, toMs: MIDNIGHT_MS + HOUR_MS };

const sampleTimes = [
  { name: 'on whole seconds', fractionMs: 0 },
  { name: 'between whole seconds', fractionMs: 500 },
].map(({ name, fractionMs }) => ({
  name,
  times: [-HOUR_MS, -SECOND_MS, 0, HOUR_MS - SECOND_MS].map((ms) => MIDNIGHT_MS + ms + fractionMs),
}));
const ends = [
  { end: 'included', includesEnd: true },
  { end: 'excluded', includesEnd: false },
];

it.each(sampleTimes.flatMap((one) => ends.map((end) => ({ ...one, ...end }))))(
  'reads samples $name, with the end of the span $end',
  async ({ times, includesEnd }) => {
    const { samples, frameCounts } = createStream({ includesEnd, times });
    expect(await samples(BEFORE)).toEqual(times.slice(0, 2));
    expect(await samples(AFTER)).toEqual(times.slice(2));
    expect(await samples({ fromMs: BEFORE.fromMs, toMs: AFTER.toMs })).toEqual(times);
    expect(await frameCounts(BEFORE)).toEqual([2]);
    expect(await frameCounts({ fromMs: BEFORE.fromMs, toMs: AFTER.toMs })).toEqual([2, 2]);
  },
);

it('divides a span between two samples of one second', async () => {
  const times = [200, 700].map((ms) => MIDNIGHT_MS + ms);
  const { samples, paths } = createStream({ includesEnd: true, times });
  const middleMs = MIDNIGHT_MS + 400;
  expect(await samples({ fromMs: MIDNIGHT_MS, toMs: middleMs })).toEqual(times.slice(0, 1));
  expect(await samples({ fromMs: middleMs, toMs: MIDNIGHT_MS + SECOND_MS })).toEqual(times.slice(1));
  expect(paths).toHaveLength(1);
});

it('ends at a sample after the span, although the platform announces more', async () => {
  const times = [0, 300, 600, SECOND_MS].map((ms) => MIDNIGHT_MS + ms);
  const { rest, paths } = createComputedRest((path) => {
    const offset = Number(/offset=(\d+)/.exec(path)?.[1] ?? 1);
    return { samples: toRows(times.slice(Math.min(offset, 4) - 1).slice(0, 2), times), hasMore: true };
  });
  const source = createRangeSource(rest, STREAM_ID);
  const span = { fromMs: MIDNIGHT_MS, toMs: MIDNIGHT_MS + SECOND_MS };
  expect([...(await source.fetch(span, 2, {})).table.times]).toEqual(times.slice(0, 3));
  expect(paths).toHaveLength(2);
});

it('counts a row that the platform repeats once', async () => {
  const times = [0, HOUR_MS].map((ms) => MIDNIGHT_MS + ms);
  const { samples, frameCounts } = createStream({ includesEnd: true, times, repeatsRows: true });
  const day = { fromMs: MIDNIGHT_MS, toMs: MIDNIGHT_MS + DAY_MS };
  expect(await samples(day)).toEqual(times);
  expect(await frameCounts(day)).toEqual([1, 1]);
});
