/** Ranges, aggregates and charts of made streams, each compared with what the sandbox's own rows come to. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { groupBy } from '../../src/sources/answers.js';
import { required, startStillGateway, type TestGateway, toText } from '../support/gateway.js';
import { addSamples, type MadeSample, makeStreams } from '../support/madeStream.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startStillGateway({ sandbox: { siteCount: 1, historyDays: 0.1 } });
  unused = makeStreams(gateway, 2000);
});

let unused: number[];

/** A stream with these samples that no test has asked for yet. */
function fillStream(samples: readonly MadeSample[]): number {
  const id = required(unused.pop());
  addSamples(gateway, id, samples);
  return id;
}

const DAY = 86_400;
/** Around the nights in which Zurich, New York and Lord Howe Island change their clocks. */
const STARTS = ['2025-03-08', '2025-03-29', '2025-04-05', '2025-10-03', '2025-10-25', '2025-11-01'].map(
  (day) => Date.parse(`${day}T00:00:00Z`) / 1000,
);
const ZONES = ['UTC', 'Europe/Zurich', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];

/** About two days: some regular, some in bursts, with gaps, words, and several samples of one second. */
const stream = fc.record({
  start: fc.constantFrom(...STARTS),
  step: fc.constantFrom(60, 300, 600, 900),
  jitter: fc.integer({ min: 0, max: 40 }),
  gaps: fc.array(
    fc.record({ from: fc.integer({ min: 0, max: 2 * DAY }), length: fc.integer({ min: 60, max: DAY }) }),
    {
      maxLength: 4,
    },
  ),
  lateShare: fc.double({ min: 0, max: 0.3, noNaN: true }),
  wordEvery: fc.constantFrom(0, 0, 7, 1),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});
type StreamPlan = typeof stream extends fc.Arbitrary<infer Plan> ? Plan : never;

/** The same plan gives the same samples; a late one arrives behind all others. */
function samplesOf({ start, step, jitter, gaps, lateShare, wordEvery, seed }: StreamPlan): MadeSample[] {
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const [onTime, late]: [MadeSample[], MadeSample[]] = [[], []];
  for (let at = start, index = 1; at < start + 2 * DAY; at += step, index++) {
    const isLost = gaps.some(({ from, length }) => at - start >= from && at - start < from + length);
    if (isLost) continue;
    const value = wordEvery > 0 && index % wordEvery === 0 ? 'ERR' : Math.round(random() * 1e6 - 5e5) / 1000;
    const sample = { at: at + Math.floor(random() * jitter), value };
    (random() < lateShare ? late : onTime).push(sample);
  }
  return [...onTime, ...late];
}

/** Somewhere in or around the two days. */
const range = fc
  .tuple(fc.integer({ min: -DAY, max: 3 * DAY }), fc.integer({ min: 1, max: 3 * DAY }))
  .map(([from, length]) => ({ from, length }));

function textRange({ start }: StreamPlan, { from, length }: { from: number; length: number }) {
  return { from: toText(start + from), to: toText(start + from + length) };
}

interface Row {
  id: number;
  at: number;
  value: number | string;
}

function rowsIn(streamId: number, { from, to }: { from: string; to: string }): Row[] {
  return gateway.sql(
    `SELECT id, sample_date AS at, value FROM scalar_sample
     WHERE stream_id = ? AND sample_date >= ? AND sample_date < ? ORDER BY sample_date, id`,
    streamId,
    Date.parse(from) / 1000,
    Date.parse(to) / 1000,
  );
}

const numbersIn = (...args: Parameters<typeof rowsIn>) =>
  rowsIn(...args).filter((row): row is Row & { value: number } => typeof row.value === 'number');

const runs = (numRuns: number) => ({ numRuns });

describe('samples', () => {
  interface Page {
    stream: {
      samples: {
        totalCount: number;
        nodes: { platformId: string; value: number | null; rawValue: string; sampledAt: string }[];
        pageInfo: { hasNextPage: boolean; endCursor: string | null };
      };
    };
  }
  const PAGE = `query ($id: ID!, $range: TimeRange!, $first: Int, $after: String, $order: OrderDirection) {
    stream(id: $id) { samples(range: $range, first: $first, after: $after, order: $order) {
      totalCount nodes { platformId value rawValue sampledAt } pageInfo { hasNextPage endCursor } } } }`;

  it('walked in either order give each sample of the range once, while late ones arrive', async () => {
    const first = fc.constantFrom(13, 60, 400, 1000);
    const order = fc.constantFrom('ASC', 'DESC');
    const arrival = fc.array(fc.integer({ min: 0, max: 2 * DAY }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(stream, range, first, order, arrival, async (plan, span, count, direction, late) => {
        const id = fillStream(samplesOf(plan));
        const wanted = textRange(plan, span);
        const rows = rowsIn(id, wanted);
        const found: Page['stream']['samples']['nodes'] = [];
        let after: string | null = null;
        do {
          const page: Page = await gateway.ask(PAGE, {
            id,
            range: wanted,
            first: count,
            after,
            order: direction,
          });
          if (after === null) expect(page.stream.samples.totalCount).toBe(rows.length);
          found.push(...page.stream.samples.nodes);
          after = page.stream.samples.pageInfo.hasNextPage ? page.stream.samples.pageInfo.endCursor : null;
          const second = late.pop();
          if (second !== undefined) addSamples(gateway, id, [{ at: plan.start + second, value: 1 }]);
        } while (after !== null);
        const known = new Map(rows.map((row) => [String(row.id), row]));
        const ours = found.filter(({ platformId }) => known.has(platformId));
        const expected = rows.map(({ id: sampleId, at, value }) => ({
          platformId: String(sampleId),
          sampledAt: toText(at),
          value: typeof value === 'number' ? value : null,
          rawValue: typeof value === 'number' ? value.toFixed(4) : value,
        }));
        expect(ours).toEqual(direction === 'ASC' ? expected : expected.reverse());
        expect(new Set(found.map(({ platformId }) => platformId)).size).toBe(found.length);
      }),
      runs(40),
    );
  });
});

describe('aggregates', () => {
  interface Aggregate {
    startAt: string;
    endAt: string;
    count: number;
    min: number | null;
    max: number | null;
    avg: number | null;
    sum: number | null;
  }
  const AGGREGATES = `query ($id: ID!, $range: TimeRange!, $every: AggregateInterval!, $zone: String, $fill: AggregateFill) {
    stream(id: $id) { aggregates(range: $range, every: $every, timeZone: $zone, fill: $fill) {
      startAt endAt count min max avg sum } } }`;

  const every = fc.oneof(
    fc.constantFrom(1, 7, 10, 15, 20, 30, 45, 60, 90, 240).map((minutes) => ({ minutes })),
    fc.constantFrom(1, 2, 6, 12, 24).map((hours) => ({ hours })),
    fc.constantFrom(1, 2).map((days) => ({ days })),
    fc.constantFrom(1, 2).map((weeks) => ({ weeks })),
    fc.constantFrom(1, 3).map((months) => ({ months })),
  );

  /** What calendars and clocks show at an instant, by the runtime's own formatting. */
  function wallOf(
    zone: string,
  ): (seconds: number) => { day: number; month: number; minute: number; shift: number } {
    const two = '2-digit' as const;
    const format = new Intl.DateTimeFormat('sv-SE', {
      ...{ timeZone: zone, year: 'numeric', month: two, day: two, hour: two, minute: two, second: two },
    });
    return (seconds) => {
      const text = format.format(seconds * 1000);
      const wall = Date.parse(`${text.replace(' ', 'T')}Z`) / 1000;
      const [year = 0, month = 0] = text.split('-').map(Number);
      const minute = Math.floor((wall % DAY) / 60);
      return {
        day: Math.floor(wall / DAY),
        month: (year - 1970) * 12 + month - 1,
        minute,
        shift: wall - seconds,
      };
    };
  }

  /** A name for the interval that an instant lies in; the same for all instants of one. */
  function intervalOf(unit: Record<string, number>, zone: string): (seconds: number) => string {
    const wall = wallOf(zone);
    const [name = '', count = 1] = Object.entries(unit)[0] ?? [];
    const minutes = name === 'hours' ? count * 60 : count;
    return (seconds) => {
      const { day, month, minute, shift } = wall(seconds);
      if (name === 'months') return `m${Math.floor(month / count)}`;
      if (name === 'weeks') return `w${Math.floor((day - 4) / (7 * count))}`;
      if (name === 'days') return `d${Math.floor(day / count)}`;
      if (minutes === 1440) return `d${day}`;
      // Up to an hour the repeated hour has intervals of its own; longer ones go by the wall alone.
      return `${day} ${Math.floor(minute / minutes)} ${minutes <= 60 ? shift : ''}`;
    };
  }

  it('of any interval, zone and range are what the numbers come to, to the platform’s rounding', async () => {
    const zone = fc.constantFrom(...ZONES);
    const fill = fc.constantFrom('NONE', 'NULL');
    await fc.assert(
      fc.asyncProperty(stream, range, every, zone, fill, async (plan, span, unit, timeZone, filling) => {
        const id = fillStream(samplesOf(plan));
        const wanted = textRange(plan, span);
        const { stream: answer } = await gateway.ask<{ stream: { aggregates: Aggregate[] } }>(AGGREGATES, {
          ...{ id, range: wanted, every: unit, zone: timeZone, fill: filling },
        });
        const interval = intervalOf(unit, timeZone);
        const expected = groupBy(numbersIn(id, wanted), ({ at }) => interval(at));
        const filled = answer.aggregates.filter(({ count }) => count > 0);
        const names = filled.map(({ startAt }) => interval(Date.parse(startAt) / 1000));
        expect(names).toEqual([...expected.keys()]);
        for (const [index, group] of [...expected.values()].entries()) {
          const values = group.map(({ value }) => value);
          const found = required(filled[index]);
          const sum = values.reduce((total, value) => total + value, 0);
          expect([found.count, found.min, found.max]).toEqual([
            group.length,
            Math.min(...values),
            Math.max(...values),
          ]);
          expect(Math.abs(required(found.sum) - sum)).toBeLessThan(0.0001 * group.length);
          expect(Math.abs(required(found.avg) - sum / group.length)).toBeLessThan(0.0001);
        }
        expectBounds(answer.aggregates, wanted, interval, filling);
      }),
      runs(120),
    );
  });

  /** Each interval ends where another begins, and filled ones leave no hole. */
  function expectBounds(
    aggregates: Aggregate[],
    wanted: { from: string; to: string },
    interval: (seconds: number) => string,
    filling: string,
  ): void {
    for (const { startAt, endAt } of aggregates) {
      const [start, end] = [Date.parse(startAt) / 1000, Date.parse(endAt) / 1000];
      expect(interval(end - 1)).toBe(interval(start));
      expect(interval(end)).not.toBe(interval(start));
      expect(interval(start - 1)).not.toBe(interval(start));
    }
    if (filling === 'NONE') return;
    expect(aggregates.slice(1).map(({ startAt }) => startAt)).toEqual(
      aggregates.slice(0, -1).map(({ endAt }) => endAt),
    );
    expect(Date.parse(required(aggregates[0]).startAt)).toBeLessThanOrEqual(Date.parse(wanted.from));
    expect(Date.parse(required(aggregates.at(-1)).endAt)).toBeGreaterThanOrEqual(Date.parse(wanted.to));
  }

  it.each([
    [{}, {}, /^every: /],
    [{ hours: 1, days: 1 }, {}, /^every: /],
    [{ hours: 25 }, {}, /^every\.hours: /],
    [{ days: 0 }, {}, /^every\.days: /],
    [{ days: 1 }, { zone: 'Mars/Olympus' }, /^timeZone: /],
    [
      { minutes: 1 },
      { fill: 'NULL', range: { from: '2025-01-01T00:00:00Z', to: '2025-02-01T00:00:00Z' } },
      /^range: /,
    ],
  ])('every %j with %j is refused by name', async (unit, more, message) => {
    const wanted = { from: '2025-01-01T00:00:00Z', to: '2025-01-02T00:00:00Z' };
    const { body } = await gateway.query(AGGREGATES, { id: 950_000, range: wanted, every: unit, ...more });
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toMatch(message);
  });
});

describe('series', () => {
  interface Series {
    times: number[];
    values: (number | null)[];
    min: (number | null)[];
    max: (number | null)[];
    sourceCount: number;
    coverage: number;
    reduced: boolean;
    source: string;
  }
  const SERIES = `query ($id: ID!, $range: TimeRange!, $maxPoints: Int, $method: SeriesMethod) {
    stream(id: $id) { series(range: $range, maxPoints: $maxPoints, method: $method) {
      times values min max sourceCount coverage reduced source } } }`;

  async function ask(variables: object): Promise<Series> {
    return (await gateway.ask<{ stream: { series: Series } }>(SERIES, { ...variables })).stream.series;
  }

  /** More than two and a half times the median interval. */
  function gapsOf(rows: Row[]) {
    const spacings = rows.slice(1).map(({ at }, index) => at - required(rows[index]).at);
    const sorted = spacings.filter((spacing) => spacing > 0).sort((one, other) => one - other);
    const usual = sorted[Math.floor((sorted.length - 1) / 2)] ?? 300;
    const gaps = spacings.flatMap((length, index) =>
      length > 2.5 * usual ? [{ from: required(rows[index]).at, length }] : [],
    );
    return { usual, gaps };
  }

  it('keep within their points, lose no extreme and bridge no gap', async () => {
    const maxPoints = fc.integer({ min: 3, max: 400 });
    const method = fc.constantFrom('LTTB', 'MIN_MAX', 'MEAN');
    await fc.assert(
      fc.asyncProperty(stream, range, maxPoints, method, async (plan, span, most, way) => {
        const id = fillStream(samplesOf(plan));
        const wanted = textRange(plan, span);
        const rows = numbersIn(id, wanted);
        const found = await ask({ id, range: wanted, maxPoints: most, method: way });
        expect(found.sourceCount).toBe(rows.length);
        expect(found.times.length).toBeLessThanOrEqual(most);
        expect(found.times).toEqual([...found.times].sort((one, other) => one - other));
        const [low, high] = [found.min, found.max].map((column) => column.filter((value) => value !== null));
        if (rows.length > 0) {
          const values = rows.map(({ value }) => value);
          expect([Math.min(...required(low)), Math.max(...required(high))]).toEqual([
            Math.min(...values),
            Math.max(...values),
          ]);
        }
        const { gaps, usual } = gapsOf(rows);
        expect(found.reduced).toBe(rows.length + gaps.length > most);
        expectCoverage(found, rows, wanted, usual, gaps);
        if (found.source === 'SAMPLES' && way !== 'MEAN') expectRealPoints(found, rows, gaps, way, most);
      }),
      runs(120),
    );
  });

  function expectCoverage(
    { coverage, source }: Series,
    rows: Row[],
    { from, to }: { from: string; to: string },
    usual: number,
    gaps: { length: number }[],
  ): void {
    if (source !== 'SAMPLES') return;
    const [start, end] = [Date.parse(from) / 1000, Date.parse(to) / 1000];
    const ends = rows.length === 0 ? [] : [required(rows[0]).at - start, end - required(rows.at(-1)).at];
    const missing = [...gaps.map(({ length }) => length), ...ends]
      .filter((length) => length > 2.5 * usual)
      .reduce((total, length) => total + length - usual, 0);
    expect(coverage).toBeCloseTo(rows.length === 0 ? 0 : 1 - missing / (end - start), 9);
  }

  function expectRealPoints(
    { times, values, reduced }: Series,
    rows: (Row & { value: number })[],
    gaps: { from: number }[],
    way: string,
    most: number,
  ): void {
    const real = new Set(rows.map(({ at, value }) => `${at * 1000} ${value}`));
    const points = times.map((time, index) => ({ time, value: values[index] }));
    const kept = points.filter(({ value }) => value !== null);
    for (const { time, value } of kept) expect(real).toContain(`${time} ${value}`);
    if (!reduced) expect(kept).toHaveLength(rows.length);
    if (way === 'LTTB' && reduced) {
      expect([kept[0]?.time, kept.at(-1)?.time]).toEqual([
        required(rows[0]).at * 1000,
        required(rows.at(-1)).at * 1000,
      ]);
      expect(kept.length).toBeGreaterThanOrEqual(Math.ceil(most / 2));
    }
    for (const [index, { time }] of points.entries()) {
      const next = points[index + 1];
      if (next === undefined || points[index]?.value === null || next.value === null) continue;
      expect(gaps.filter((gap) => gap.from * 1000 >= time && gap.from * 1000 < next.time)).toEqual([]);
    }
  }

  it.each(['MEAN', 'MIN_MAX'])('by %s are the same from aggregates as from samples', async (method) => {
    const start = Date.UTC(2025, 4, 1) / 1000 + 17;
    const plan = { start, step: 60 as const, jitter: 0, gaps: [{ from: 50_000, length: 30_000 }] };
    const made = [0, 2, 4, 6, 8].flatMap((day) =>
      samplesOf({ ...plan, start: start + day * DAY, lateShare: 0.1, wordEvery: 7 as const, seed: 5 + day }),
    );
    const id = fillStream(made);
    const wanted = { from: toText(start + 500), to: toText(start + 9.7 * DAY) };
    const fromFrames = await ask({ id, range: wanted, maxPoints: 60, method });
    await ask({ id, range: wanted, maxPoints: 60, method: 'LTTB' });
    const fromSamples = await ask({ id, range: wanted, maxPoints: 60, method });
    expect([fromFrames.source, fromSamples.source]).toEqual(['AGGREGATES', 'SAMPLES']);
    const { min, max, sourceCount } = fromSamples;
    const extremes = (columns: (number | null)[]) => [...columns].sort();
    expect(fromFrames.sourceCount).toBe(sourceCount);
    expect([extremes(fromFrames.min), extremes(fromFrames.max)]).toEqual([extremes(min), extremes(max)]);
    expect(fromFrames.coverage).toBeCloseTo(fromSamples.coverage, 1);
    if (method === 'MIN_MAX') return;
    expect(fromFrames.times.length).toBe(fromSamples.times.length);
    for (const [index, value] of fromSamples.values.entries()) {
      if (value === null) expect(fromFrames.values[index]).toBeNull();
      else expect(required(fromFrames.values[index])).toBeCloseTo(value, 3);
    }
  });
});
