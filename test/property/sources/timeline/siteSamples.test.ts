/** Streams that share a batch of their site have the same samples as streams that are read one by one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HOUR_MS, SECOND_MS } from '../../../../src/lib/clock.js';
import { createSeries } from '../../../../src/sources/charts/series.js';
import { formatDateTime } from '../../../../src/sources/core/wireValues.js';
import { createSamples } from '../../../../src/sources/timeline/sampleSources.js';
import { createTimelines } from '../../../../src/sources/timeline/timelines.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

const SITE_ID = 7;
const STREAMS = [1, 2, 3].map((id) => ({ id, siteId: SITE_ID }));
const NOW_MS = Date.UTC(2026, 2, 14, 9, 30, 17);

interface Row {
  streamId: number;
  /** Seconds before now; negative for a date in the future. */
  age: number;
}

/** Each stream has a sample before all ranges. */
const OLDEST: readonly Row[] = STREAMS.map(({ id }) => ({ streamId: id, age: 40 * 3600 }));

/** A platform that returns at most `pageLength` samples. */
function createPlatform(samples: readonly Row[], pageLength: number) {
  const rows = [...OLDEST, ...samples].map(({ streamId, age }, index) => ({
    ...{ id: index + 1, stream_id: streamId, value: String(index) },
    ms: NOW_MS - age * SECOND_MS,
    sample_date: formatDateTime(NOW_MS - age * SECOND_MS),
  }));
  rows.sort((one, other) => one.ms - other.ms || one.id - other.id);
  return (path: string) => {
    const { pathname, searchParams } = new URL(path, 'http://platform');
    const read = (name: string) => Number(searchParams.get(name) ?? Number.NaN);
    const ofSite = pathname.startsWith('/v2.0/site');
    const [fromMs, toMs] = [read(ofSite ? 'sampleDate' : 'fromDate') * 1000, read('toDate') * 1000];
    const found = rows.filter(
      ({ stream_id, ms }) =>
        (ofSite || pathname.includes(`/stream/${stream_id}/`)) && !(ms < fromMs) && !(ms > toMs),
    );
    if (pathname.endsWith('/last')) return found.at(-1);
    const start = (read('offset') || 1) - 1;
    const end = start + Math.min(pageLength, read('limit') || pageLength);
    return { samples: found.slice(start, end), hasMore: found.length > end };
  };
}

/** What one operation reads of all streams at the same time. */
async function readAll(parts: ReturnType<typeof createParts>, span: { fromMs: number; toMs: number }) {
  const timelines = parts.createTimelines();
  const series = createSeries(timelines, parts.nowMs);
  const { inRange, last } = createSamples(parts.rest, parts.reader(), timelines, parts.nowMs);
  const page = { span, after: undefined, count: 5 };
  const ofStream = async (stream: (typeof STREAMS)[number]) => {
    const [lastSample, chart, oldest, newest] = await Promise.all([
      last(stream),
      series.ofStream({ stream, span, maxPoints: 1000, method: 'LTTB' }),
      inRange(stream).oldestFirst(page),
      inRange(stream).newestFirst(page),
    ]);
    const idsOf = ({ items }: typeof oldest) => [...items].map(({ id }) => id);
    return { lastSample, chart, oldest: idsOf(oldest), newest: idsOf(newest) };
  };
  return Promise.all(STREAMS.map(ofStream));
}

function createParts(respond: (path: string) => unknown, countStreams: () => number | undefined) {
  const clock = createManualClock(NOW_MS);
  const { rest, paths } = createComputedRest((path) => respond(path), clock);
  const readers = createReaders({ clock });
  const reader = () => readers.createReader();
  const create = () => createTimelines(rest, reader(), clock.now, undefined, countStreams);
  return { rest, paths, clock, reader, nowMs: clock.now, createTimelines: create };
}

const row = fc.record({
  streamId: fc.constantFrom(1, 2, 3, 4),
  // Several samples share a second; some have dates in the future.
  age: fc.oneof(fc.integer({ min: -3600, max: 30 * 3600 }), fc.integer({ min: 0, max: 20 })),
});

it('returns the same samples and charts', async () => {
  const world = fc.record({
    samples: fc.array(row, { minLength: 20, maxLength: 200, size: 'max' }),
    late: fc.array(row, { maxLength: 10 }),
    pageLength: fc.integer({ min: 21, max: 60 }),
    hours: fc.integer({ min: 1, max: 30 }),
    endsInFuture: fc.boolean(),
  });
  let batches = 0;
  await fc.assert(
    fc.asyncProperty(world, async ({ samples, late, pageLength, hours, endsInFuture }) => {
      let respond = createPlatform(samples, pageLength);
      const singles = createParts(
        (path) => respond(path),
        () => undefined,
      );
      const shared = createParts(
        (path) => respond(path),
        () => STREAMS.length,
      );
      const span = { fromMs: NOW_MS - hours * HOUR_MS, toMs: NOW_MS + (endsInFuture ? HOUR_MS : 0) };
      expect(await readAll(shared, span)).toEqual(await readAll(singles, span));
      respond = createPlatform([...samples, ...late], pageLength);
      for (const { clock } of [singles, shared]) clock.pass(60_000);
      expect(await readAll(shared, span)).toEqual(await readAll(singles, span));
      batches += shared.paths.filter((path) => path.startsWith('/v2.0/site')).length;
    }),
    { numRuns: 25 },
  );
  expect(batches).toBeGreaterThan(25);
});
