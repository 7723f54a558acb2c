/** Aggregates and chart series, compared with the same computation over the sandbox's rows. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  fullestStream,
  required,
  startStillGateway,
  type TestGateway,
  toText,
} from '../../support/gateway.js';

let gateway: TestGateway;
let streamId: number;
let rows: { at: number; value: number }[];

beforeAll(async () => {
  gateway = await startStillGateway();
  streamId = fullestStream(gateway, 'scalar');
  rows = gateway.sql(
    'SELECT sample_date AS at, value FROM scalar_sample WHERE stream_id = ? ORDER BY sample_date, id',
    streamId,
  );
});

interface Aggregate {
  startAt: string;
  count: number;
  min: number;
  max: number;
  avg: number;
  sum: number;
}

const AGGREGATES = `query ($id: ID!, $range: TimeRange!, $minutes: Int!) {
  stream(id: $id) { aggregates(range: $range, every: { minutes: $minutes }) { startAt count min max avg sum } } }`;

async function aggregates(range: { from: string; to: string }, minutes: number): Promise<Aggregate[]> {
  const result = await gateway.ask<{ stream: { aggregates: Aggregate[] } }>(AGGREGATES, {
    ...{ id: streamId, range, minutes },
  });
  return result.stream.aggregates;
}

/** The reference computation: frames of whole minutes of Unix time. */
function fold(from: number, to: number, minutes: number) {
  const frames = new Map<number, number[]>();
  for (const { at, value } of rows) {
    if (at < from || at >= to) continue;
    const start = Math.floor(at / (minutes * 60)) * minutes * 60;
    frames.set(start, [...(frames.get(start) ?? []), value]);
  }
  return [...frames].map(([start, values]) => {
    const sum = values.reduce((total, value) => total + value, 0);
    return {
      ...{ startAt: toText(start), count: values.length, min: Math.min(...values), max: Math.max(...values) },
      ...{ avg: sum / values.length, sum },
    };
  });
}

function expectFrames(found: Aggregate[], expected: Aggregate[]): void {
  expect(found.map(({ startAt, count }) => [startAt, count])).toEqual(
    expected.map(({ startAt, count }) => [startAt, count]),
  );
  for (const [index, frame] of expected.entries()) {
    for (const name of ['min', 'max', 'avg', 'sum'] as const) {
      expect(required(found[index])[name]).toBeCloseTo(frame[name], 3);
    }
  }
}

describe('Stream.aggregates', () => {
  it.each([10, 15, 20, 30, 60])('of %i minutes equal the values of the database', async (minutes) => {
    const from = required(rows[0]).at;
    const to = required(rows.at(-1)).at + 1;
    const expected = fold(from, to, minutes);
    expect(expected.length).toBeGreaterThan(10);
    expectFrames(await aggregates({ from: toText(from), to: toText(to) }, minutes), expected);
  });

  it('exclude the sample at the very end of the range, and include the one at its start', async () => {
    const [from, to] = [required(rows[10]).at, required(rows[20]).at];
    const range = { from: toText(from), to: toText(to) };
    expectFrames(await aggregates(range, 60), fold(from, to, 60));
    const counted = (await aggregates(range, 10)).reduce((total, { count }) => total + count, 0);
    expect(counted).toBe(rows.filter(({ at }) => at >= from && at < to).length);
  });

  it('respect fractions of a second at both ends', async () => {
    const { at } = required(rows[10]);
    const text = (ms: number) => new Date(at * 1000 + ms).toISOString();
    expect(await aggregates({ from: text(0), to: text(1) }, 10)).toHaveLength(1);
    expect(await aggregates({ from: text(1), to: text(900) }, 10)).toEqual([]);
  });

  it('are complete where the platform returns them in pages', async () => {
    const [from, to] = [required(rows[0]).at, required(rows.at(-1)).at + 1];
    const expected = fold(from, to, 60);
    const firstFrame = required(expected[0]);
    const { count, startAt, ...values } = firstFrame;
    const text = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.toFixed(4)]));
    const sample = { stream_id: streamId, start_date: startAt, number_of_samples: count, agg_values: text };
    const body = JSON.stringify({ hasMore: true, samples: [sample] });
    const match = 'GET /v2.0/stream/{streamId}/sample/agg';
    onTestFinished(gateway.sandbox.faults.add({ match, status: 200, body, times: 1 }));
    expectFrames(await aggregates({ from: toText(from), to: toText(to) }, 60), expected);
    expect(gateway.sandbox.calls.countOf('/v2.0/stream/{streamId}/sample/agg')).toBeGreaterThan(1);
  });

  it.each([
    ['a field', '{ avg stdDev @include(if: $isShown) }', ''],
    ['an inline fragment', '{ avg ... @include(if: $isShown) { stdDev } }', ''],
    ['a fragment', '{ avg ...Details @include(if: $isShown) }', 'fragment Details on Aggregate { stdDev }'],
  ])('read no samples for details that the condition of %s leaves out', async (_, selection, fragment) => {
    const query = `query ($id: ID!, $range: TimeRange!, $isShown: Boolean!) {
      stream(id: $id) { aggregates(range: $range, every: { hours: 1 }) ${selection} } } ${fragment}`;
    const from = Math.floor(required(rows[0]).at / 3600) * 3600;
    const range = { from: toText(from), to: toText(from + 6 * 3600) };
    const endpointsOf = async (isShown: boolean) => {
      gateway.sandbox.calls.reset();
      const variables = { id: streamId, range, isShown };
      const { body } = await gateway.query(query, variables, { 'Cache-Control': 'no-cache' });
      expect(body.errors).toBeUndefined();
      return new Set(gateway.restCalls().map(({ pathTemplate }) => pathTemplate));
    };
    const [frames, samples] = ['agg', 'range'].map((name) => `/v2.0/stream/{streamId}/sample/${name}`);
    const skipped = await endpointsOf(false);
    expect(skipped).toContain(frames);
    expect(skipped).not.toContain(samples);
    expect(await endpointsOf(true)).toContain(samples);
  });

  it.each([0, -10, 1441])('of %i minutes are refused by name', async (minutes) => {
    const range = { from: '2024-01-01T00:00:00Z', to: '2024-01-02T00:00:00Z' };
    const { body } = await gateway.query(AGGREGATES, { id: streamId, range, minutes });
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toMatch(/^every\.minutes: .*between 1 and 1440/);
  });

  const EMPTY = `query ($id: ID!, $range: TimeRange!, $every: AggregateInterval!) {
    stream(id: $id) { aggregates(range: $range, every: $every, fill: NULL) { startAt endAt } } }`;

  it.each([
    [
      'that restart each day',
      { hours: 23 },
      '2010-01-01',
      '2024-01-01',
      /^range: has about 10226 intervals, more than 10000/,
    ],
    ['of an hour', { hours: 1 }, '2020-01-01', '2024-01-01', /^range: has about 35064 intervals/],
    ['beyond the year 9999', { months: 1000 }, '9990-01-01', '9999-01-01', /^range: .*year 9999/],
    ['before the year 0', { months: 1000 }, '0000-01-01', '0009-01-01', /^range: .*year 0 /],
  ])('%s are refused by name', async (_name, every, from, to, message) => {
    const range = { from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` };
    const { body } = await gateway.query(EMPTY, { id: streamId, range, every });
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toMatch(message);
  });

  it('of a range that ends before it begins are refused by name', async () => {
    const range = { from: '2024-01-02T00:00:00Z', to: '2024-01-01T00:00:00Z' };
    const { body } = await gateway.query(AGGREGATES, { id: streamId, range, minutes: 10 });
    expect(body.errors?.[0]?.message).toMatch(/^range: /);
  });
});

interface Series {
  times: number[];
  values: number[];
  min: number[];
  max: number[];
  sourceCount: number;
  reduced: boolean;
  method: string;
}

const SERIES = `query ($id: ID!, $range: TimeRange!, $maxPoints: Int, $method: SeriesMethod) {
  stream(id: $id) { series(range: $range, maxPoints: $maxPoints, method: $method) {
    times values min max sourceCount reduced method } } }`;
const ALL = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };

async function series(variables: object): Promise<Series> {
  const result = await gateway.ask<{ stream: { series: Series } }>(SERIES, {
    id: streamId,
    range: ALL,
    ...variables,
  });
  return result.stream.series;
}

describe('Stream.series', () => {
  it.each(['LTTB', 'MIN_MAX', 'MEAN'])(
    'by %s contains every point where there is room for all',
    async (method) => {
      expect(await series({ maxPoints: 10_000, method })).toEqual({
        ...{ times: rows.map(({ at }) => at * 1000), values: rows.map(({ value }) => value) },
        ...{ min: rows.map(({ value }) => value), max: rows.map(({ value }) => value) },
        ...{ sourceCount: rows.length, reduced: false, method },
      });
    },
  );

  it.each(
    ['LTTB', 'MIN_MAX', 'MEAN'].flatMap((method) => [3, 4, 25, 100].map((most) => [method, most] as const)),
  )('by %s reduces to at most %i representative points', async (method, maxPoints) => {
    const { times, values, min, max, sourceCount, reduced } = await series({ maxPoints, method });
    expect(times.length).toBeLessThanOrEqual(maxPoints);
    expect([values.length, min.length, max.length]).toEqual([times.length, times.length, times.length]);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect([sourceCount, reduced]).toEqual([rows.length, true]);
    const all = rows.map(({ value }) => value);
    expect(Math.max(...max)).toBe(Math.max(...all));
    expect(Math.min(...min)).toBe(Math.min(...all));
  });

  it('by LTTB contains real points, with the first and the last', async () => {
    const { times, values } = await series({ maxPoints: 20, method: 'LTTB' });
    const real = new Set(rows.map(({ at, value }) => `${at * 1000} ${value}`));
    expect(times.filter((time, index) => !real.has(`${time} ${values[index]}`))).toEqual([]);
    expect([times[0], times.at(-1)]).toEqual([required(rows[0]).at * 1000, required(rows.at(-1)).at * 1000]);
    expect(times).toHaveLength(20);
  });

  it('by MIN_MAX contains the highest and the lowest value', async () => {
    const { values } = await series({ maxPoints: 10, method: 'MIN_MAX' });
    const all = rows.map(({ value }) => value);
    expect([Math.min(...values), Math.max(...values)]).toEqual([Math.min(...all), Math.max(...all)]);
  });

  it('skips values that are not numbers, and does not count them', async () => {
    const [row] = gateway.sql<{ id: number }>(
      `SELECT stream_id AS id FROM scalar_sample JOIN stream s ON s.id = stream_id
       WHERE value = 'ERR' AND account_id = ? LIMIT 1`,
      gateway.accountId,
    );
    const found = await series({ id: required(row).id });
    expect(found).toMatchObject({ times: [], values: [], sourceCount: 0, reduced: false });
  });

  it.each([2, 0, -1, 10_001])('with maxPoints %i is refused by name', async (maxPoints) => {
    const { body } = await gateway.query(SERIES, { id: streamId, range: ALL, maxPoints });
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toMatch(/^maxPoints: /);
  });
});
