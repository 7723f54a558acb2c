/** Charts that are refreshed by cursor, compared with full results. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { required, STILL_NOW_MS, toText } from '../../support/gateway.js';
import { addSamples, evenly } from '../../support/samples/generatedStream.js';
import { DAY, samplesOf, startStreamPool, stream } from '../../support/samples/streamPlans.js';

const { gateway, pool } = await startStreamPool();
const [site] = gateway.sql<{ id: number }>(
  'SELECT id FROM site WHERE account_id = ? ORDER BY id LIMIT 1',
  gateway.accountId,
);

interface Columns {
  times: number[];
  values: (number | null)[];
  min: (number | null)[];
  max: (number | null)[];
  cursor: string;
  replaceFrom: number;
}
interface SharedColumns {
  times: number[];
  lines: Omit<Columns, 'times' | 'cursor' | 'replaceFrom'>[];
  cursor: string;
  replaceFrom: number;
}
interface Interval {
  startAt: string;
  count: number;
  sum: number | null;
  cursor: string | null;
  replaceFrom: string | null;
}
interface Row extends Pick<Interval, 'cursor' | 'replaceFrom'> {
  time: string;
  value: number | null;
  min: number | null;
  max: number | null;
  streamId: string;
}
interface GraphqlResult {
  points: Row[];
  intervals: Row[];
  stream: Record<'lttb' | 'minMax' | 'mean', Columns> & Record<'hours' | 'days' | 'details', Interval[]>;
  site: { series: SharedColumns };
}

const COLUMNS = '{ times values min max cursor replaceFrom }';
const ROWS = '{ startAt endAt count min max avg sum cursor replaceFrom }';
const CHART_ROWS = '{ time value min max streamId streamName siteName units cursor replaceFrom }';
const CHARTS = `query ($id: ID!, $ids: [ID!], $site: ID!, $range: TimeRange!, $maxPoints: Int,
    $lttb: String, $minMax: String, $mean: String, $hours: String, $days: String, $details: String, $shared: String,
    $points: String, $intervals: String) {
  stream(id: $id) {
    lttb: series(range: $range, maxPoints: $maxPoints, after: $lttb) ${COLUMNS}
    minMax: series(range: $range, maxPoints: $maxPoints, method: MIN_MAX, after: $minMax) ${COLUMNS}
    mean: series(range: $range, maxPoints: $maxPoints, method: MEAN, after: $mean) ${COLUMNS}
    hours: aggregates(range: $range, every: { hours: 3 }, timeZone: "Australia/Lord_Howe", fill: NULL, after: $hours) ${ROWS}
    days: aggregates(range: $range, every: { days: 1 }, timeZone: "Europe/Zurich", after: $days) ${ROWS}
    details: aggregates(range: $range, every: { minutes: 10 }, fill: NULL, after: $details) {
      startAt first last delta deltaResets integral timeWeightedAvg stdDev percentile(p: 95) cursor replaceFrom }
  }
  site(id: $site) { series(streamIds: $ids, range: $range, maxPoints: $maxPoints, after: $shared) {
    times lines { values min max } cursor replaceFrom } }
  points: chart(streamIds: $ids, range: $range, maxPoints: $maxPoints, after: $points) ${CHART_ROWS}
  intervals: chart(streamIds: $ids, range: $range, every: { hours: 1 }, after: $intervals) ${CHART_ROWS} }`;

async function ask(variables: object): Promise<GraphqlResult> {
  const { body } = await gateway.query<GraphqlResult>(
    CHARTS,
    { ...variables },
    { 'Cache-Control': 'no-cache' },
  );
  expect(body.errors).toBeUndefined();
  return required(body.data);
}

/** The client's part in a refresh: 3 lines for each shape. */
function foldColumns(old: Columns, delta: Columns): Columns {
  const kept = old.times.filter((time) => time < delta.replaceFrom).length;
  const join = <Item>(one: Item[], other: Item[]) => [...one.slice(0, kept), ...other];
  return {
    times: join(old.times, delta.times),
    values: join(old.values, delta.values),
    min: join(old.min, delta.min),
    max: join(old.max, delta.max),
    cursor: delta.cursor,
    replaceFrom: delta.replaceFrom,
  };
}

function foldShared(old: SharedColumns, delta: SharedColumns): SharedColumns {
  const kept = old.times.filter((time) => time < delta.replaceFrom).length;
  const join = <Item>(one: Item[], other: Item[]) => [...one.slice(0, kept), ...other];
  const lines = delta.lines.map((line, index) => ({
    values: join(required(old.lines[index]).values, line.values),
    min: join(required(old.lines[index]).min, line.min),
    max: join(required(old.lines[index]).max, line.max),
  }));
  return { ...delta, times: join(old.times, delta.times), lines };
}

function foldRows<Item extends Interval | Row>(old: Item[], delta: Item[]): Item[] {
  const last = delta.at(-1);
  if (last === undefined) return old;
  const fromMs = Date.parse(required(last.replaceFrom));
  const timeOf = (row: Interval | Row) => Date.parse('time' in row ? row.time : row.startAt);
  return [...old.filter((row) => timeOf(row) < fromMs), ...delta];
}

function fold(old: GraphqlResult, delta: GraphqlResult): GraphqlResult {
  const { lttb, minMax, mean, hours, days, details } = delta.stream;
  return {
    stream: {
      lttb: foldColumns(old.stream.lttb, lttb),
      minMax: foldColumns(old.stream.minMax, minMax),
      mean: foldColumns(old.stream.mean, mean),
      hours: foldRows(old.stream.hours, hours),
      days: foldRows(old.stream.days, days),
      details: foldRows(old.stream.details, details),
    },
    site: { series: foldShared(old.site.series, delta.site.series) },
    points: foldRows(old.points, delta.points),
    intervals: foldRows(old.intervals, delta.intervals),
  };
}

function cursorsOf({ stream, site: { series }, points, intervals }: GraphqlResult) {
  const { lttb, minMax, mean, hours, days, details } = stream;
  return {
    ...{ points: points.at(-1)?.cursor, intervals: intervals.at(-1)?.cursor },
    ...{ lttb: lttb.cursor, minMax: minMax.cursor, mean: mean.cursor, shared: series.cursor },
    ...{ hours: hours.at(-1)?.cursor, days: days.at(-1)?.cursor, details: details.at(-1)?.cursor },
  };
}

/** Without the fields that belong to one result. */
function dataOf(result: GraphqlResult): unknown {
  const isOfAnswer = (key: string) => key === 'cursor' || key === 'replaceFrom';
  return JSON.parse(JSON.stringify(result, (key, value) => (isOfAnswer(key) ? undefined : value)));
}

/** The share of the samples that has arrived, and where the range ends, in seconds after the first sample. */
const refresh = fc.record({ arrived: fc.double({ min: 0, max: 1, noNaN: true }), to: fc.nat(2 * DAY) });

describe('the results since a cursor', () => {
  it('add up to the full result, for any arrivals and reductions', async () => {
    const refreshes = fc.array(refresh, { minLength: 2, maxLength: 5 });
    const maxPoints = fc.constantFrom(3, 10, 60, 300, 2000);
    await fc.assert(
      fc.asyncProperty(stream, refreshes, maxPoints, fc.nat(DAY), async (plan, steps, most, offset) => {
        const made = samplesOf(plan);
        const ids = [pool.fill([]), pool.fill(made.slice(0, made.length / 3))];
        let arrived = 0;
        let folded: GraphqlResult | undefined;
        const ends = steps.map(({ to }) => to).sort((one, other) => one - other);
        const shares = steps.map((step) => step.arrived).sort((one, other) => one - other);
        for (const [index, to] of ends.entries()) {
          const next = Math.floor(required(shares[index]) * made.length);
          addSamples(gateway, required(ids[0]), made.slice(arrived, next));
          arrived = next;
          const [from, end] = [plan.start + offset, plan.start + Math.max(to, offset + 60)];
          const range = { from: toText(from), to: toText(end) };
          const variables = { id: ids[0], ids, site: site?.id, range, maxPoints: most };
          const full = await ask(variables);
          folded = folded ? fold(folded, await ask({ ...variables, ...cursorsOf(folded) })) : full;
          expect(dataOf(folded)).toEqual(dataOf(full));
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('integrals since a cursor', () => {
  const startSeconds = Math.floor(STILL_NOW_MS / 1000) - 3 * DAY;
  const INTEGRALS = `query ($id: ID!, $range: TimeRange!, $minutes: Int, $fill: AggregateFill, $after: String) { stream(id: $id) {
    rows: aggregates(range: $range, every: { minutes: $minutes }, fill: $fill, after: $after) {
      startAt integral timeWeightedAvg cursor replaceFrom } } }`;

  async function askRows(variables: object): Promise<Interval[]> {
    const { body } = await gateway.query<{ stream: { rows: Interval[] } }>(
      INTEGRALS,
      { ...variables },
      { 'Cache-Control': 'no-cache' },
    );
    return required(body.data).stream.rows;
  }

  it.each([
    // A pause of 40 minutes is a gap for samples every 5 minutes, and none for samples every 20 minutes.
    {
      name: 'when a pause is a gap no more',
      request: { minutes: 60, fill: 'NONE' },
      seconds: 3 * DAY,
      before: [...evenly(20, startSeconds, 300), ...evenly(100, startSeconds + 8100, 300)],
      added: evenly(130, startSeconds + 39_000, 1200),
    },
    // Intervals without a number extend up to the next number. They are in the first chunk of the cursor, and that
    // number is not.
    {
      name: 'in intervals shorter than the time between samples',
      request: { minutes: 1, fill: 'NULL' },
      seconds: (39 + 64) * 60,
      before: evenly(8, startSeconds, 300),
      added: evenly(1, startSeconds + 2400, 300),
    },
  ])('add up to the full list $name', async ({ request, seconds, before, added }) => {
    const id = pool.fill(before);
    const range = { from: toText(startSeconds), to: toText(startSeconds + seconds) };
    const variables = { id, range, ...request };
    const earlier = await askRows(variables);
    addSamples(gateway, id, added);
    const full = await askRows(variables);
    const delta = await askRows({ ...variables, after: earlier.at(-1)?.cursor });
    const dataOfRow = ({ cursor: _cursor, replaceFrom: _from, ...row }: Interval) => row;
    expect(foldRows(earlier, delta).map(dataOfRow)).toEqual(full.map(dataOfRow));
  });
});

describe('statistics of a closed day whose samples arrive late', () => {
  const dayStart = Math.floor(STILL_NOW_MS / 1000 / DAY) * DAY - 4 * DAY;
  const range = { from: toText(dayStart), to: toText(dayStart + DAY) };
  const STATISTICS = `query ($id: ID!, $range: TimeRange!, $after: String) { stream(id: $id) {
    rows: aggregates(range: $range, every: { hours: 1 }, after: $after) {
      startAt count max last delta stdDev highest: percentile(p: 100) cursor replaceFrom } } }`;
  interface Statistics extends Interval {
    max: number;
    last: number;
    delta: number;
    highest: number;
  }
  const counter = Array.from({ length: 288 }, (_, index) => ({ at: dayStart + index * 300, value: index }));

  it.each([119, 120])('are those of their interval, and add up to the full list after %i', async (early) => {
    const id = pool.fill(counter.slice(0, early));
    const ask = async (after?: string | null) => {
      const { body } = await gateway.query<{ stream: { rows: Statistics[] } }>(
        STATISTICS,
        { id, range, after },
        { 'Cache-Control': 'no-cache' },
      );
      return required(body.data).stream.rows;
    };
    const earlier = await ask();
    const last = required(earlier.at(-1));
    expect(earlier.map(({ count }) => count)).toEqual([...Array.from({ length: 9 }, () => 12), early - 108]);
    expect([last.last, last.highest, last.delta]).toEqual([early - 1, early - 1, early - 108]);
    addSamples(gateway, id, counter.slice(early));
    const delta = await ask(last.cursor);
    const full = await ask();
    expect(full.map(({ count }) => count)).toEqual(Array.from({ length: 24 }, () => 12));
    const dataOfRow = ({ cursor: _cursor, replaceFrom: _from, ...row }: Statistics) => row;
    const folded = foldRows(earlier, delta).map(dataOfRow);
    expect(folded).toEqual(full.map(dataOfRow));
    expect(folded.reduce((sum, row) => sum + row.delta, 0)).toBe(287);
  });
});

describe('a chart of 30 days of five-minute samples', () => {
  const SERIES = `query ($id: ID!, $range: TimeRange!, $maxPoints: Int, $method: SeriesMethod, $after: String) {
    stream(id: $id) { series(range: $range, maxPoints: $maxPoints, method: $method, after: $after) {
      times values min max cursor replaceFrom } } }`;
  const INTERVAL = 300;
  const COUNT = (30 * DAY) / INTERVAL;
  const endSeconds = Math.floor(STILL_NOW_MS / 1000);

  async function measure(variables: object) {
    const { body } = await gateway.query<{ stream: { series: Columns } }>(
      SERIES,
      { ...variables },
      { 'Cache-Control': 'no-cache' },
    );
    return { bytes: JSON.stringify(body).length, series: required(body.data).stream.series };
  }

  it.each(['LTTB', 'MIN_MAX', 'MEAN'])(
    'by %s takes a fiftieth of the bytes where it is refreshed every 5 s',
    async (method) => {
      const samples = evenly(COUNT + 1, endSeconds - 30 * DAY, INTERVAL);
      const id = pool.fill(samples.slice(0, -1));
      const from = toText(endSeconds - 30 * DAY);
      const variables = { id, maxPoints: 500, method, range: { from, to: toText(endSeconds + 5) } };
      const full = await measure(variables);
      const unchanged = await measure({ ...variables, after: full.series.cursor });
      expect([unchanged.series.times, unchanged.series.cursor]).toEqual([[], full.series.cursor]);
      addSamples(gateway, id, samples.slice(-1));
      const changed = await measure({ ...variables, after: full.series.cursor });
      expect(changed.series.times.length).toBeGreaterThan(0);
      const refreshes = (INTERVAL / 5 - 1) * unchanged.bytes + changed.bytes;
      expect(((INTERVAL / 5) * full.bytes) / refreshes).toBeGreaterThan(50);
    },
  );

  it('with a text that is not a cursor is refused by name', async () => {
    const variables = { id: pool.fill([]), range: { from: toText(0), to: toText(1000) }, after: 'nonsense' };
    const { body } = await gateway.query(SERIES, variables);
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toMatch(/^after: "nonsense" is not a cursor of a chart/);
  });
});

describe('chart', () => {
  const CHART = `query ($ids: [ID!], $sites: [ID!], $range: TimeRange!, $every: AggregateInterval, $maxPoints: Int) {
    chart(streamIds: $ids, siteIds: $sites, range: $range, every: $every, maxPoints: $maxPoints) {
      time value min max streamId streamName siteId siteName units } }`;
  const start = Math.floor(STILL_NOW_MS / 1000) - 2 * DAY;
  const range = { from: start * 1000, to: String(STILL_NOW_MS) };

  async function chart(variables: object): Promise<Row[]> {
    return (await gateway.ask<{ chart: Row[] }>(CHART, { range, ...variables })).chart;
  }

  it('has the points of each stream as rows by time, then in the order of the streams', async () => {
    const ids = [pool.fill(evenly(50, start, 600)), pool.fill(evenly(30, start, 1200))];
    const rows = await chart({ ids, maxPoints: 20 });
    const keys = rows.map(({ time, streamId }) => [
      Date.parse(time),
      ids.map((id) => `Stream:${id}`).indexOf(streamId),
    ]);
    expect(keys).toEqual([...keys].sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d));
    for (const id of ids) {
      const { stream: found } = await gateway.ask<{ stream: { series: Columns } }>(
        'query ($id: ID!, $range: TimeRange!) { stream(id: $id) { series(range: $range, maxPoints: 20) { times values } } }',
        { id, range },
      );
      const own = rows.filter(({ streamId }) => streamId === `Stream:${id}`);
      expect(own.map(({ time }) => Date.parse(time))).toEqual(found.series.times);
      expect(own.map(({ value }) => value)).toEqual(found.series.values);
    }
    expect(rows[0]).toMatchObject({ streamName: `Made ${ids[0]}`, units: 'bar', siteId: `Site:${site?.id}` });
  });

  it('by interval has the mean of each interval with samples', async () => {
    const rows = await chart({ ids: [pool.fill(evenly(13, start, 600))], every: { hours: 2 } });
    expect(rows).toHaveLength(2);
    expect(required(rows[0]).min).toBeLessThan(required(required(rows[0]).value));
  });

  it('has no rows for an empty list of streams', async () => {
    expect(await chart({ ids: [] })).toEqual([]);
    expect(await chart({ ids: [], every: { hours: 2 } })).toEqual([]);
  });

  it.each<[string, { points?: number; ids?: string[] }, RegExp]>([
    ['neither streams nor sites', {}, /^streamIds: set `streamIds`/],
    [
      '51 streams',
      { ids: Array.from({ length: 51 }, (_, index) => String(index + 1)) },
      /^streamIds: 51 streams/,
    ],
    ['25,001 rows or more', { points: 10_000 }, /^maxPoints: 3 streams with 10000 points/],
  ])('with %s is refused by name', async (_, { points, ...variables }, message) => {
    const ids = points === undefined ? undefined : [pool.fill([]), pool.fill([]), pool.fill([])];
    const given = { range, ids, ...(points && { maxPoints: points }), ...variables };
    const { body } = await gateway.query(CHART, given);
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toMatch(message);
  });
});

describe('a GET of closed ranges', () => {
  const days = (ago: number) => STILL_NOW_MS - ago * 86_400_000;
  const get = async (query: string): Promise<string | null> => {
    const url = `${gateway.url}/graphql?query=${encodeURIComponent(query)}`;
    const response = await fetch(url, { headers: { 'Apollo-Require-Preflight': '1' } });
    expect(await response.json()).not.toHaveProperty('errors');
    return response.headers.get('cache-control');
  };
  const chartOf = (from: number, to: number, fields = '') =>
    `{ stream(id: "${closedId}") { id ${fields} series(range: { from: ${days(from)}, to: ${days(to)} }) { times values } } }`;
  const closedId = pool.fill(evenly(2000, days(12) / 1000, 300));

  it('is immutable for clients, for as long as the range has been over', async () => {
    expect(await get(chartOf(10, 5))).toBe(`private, max-age=${5 * DAY}, immutable`);
    expect(await get(chartOf(60, 50))).toBe(`private, max-age=${30 * DAY}, immutable`);
    const rows = `{ chart(streamIds: ["${closedId}"], range: { from: ${days(10)}, to: ${days(5)} }) { time value } }`;
    expect(await get(rows)).toBe(`private, max-age=${5 * DAY}, immutable`);
  });

  it('is fresh for seconds where the range is open, or where something else may change', async () => {
    const others = [
      chartOf(10, 1),
      chartOf(10, 5, 'name'),
      `{ a: ${chartOf(10, 5).slice(1, -1)} sites { totalCount } }`,
      `{ chart(streamIds: ["${closedId}"], range: { from: ${days(10)}, to: ${days(5)} }) { time units } }`,
      chartOf(10, 5)
        .replace('times values', 'cursor')
        .replace('series(', 'aggregates(every: { hours: 1 }, ')
        .replace('cursor', 'integral'),
    ];
    for (const query of others) expect(await get(query)).toMatch(/^private, max-age=\d\d$/);
  });
});

describe('a GET of closed ranges of a stream or site that does not exist yet', () => {
  const range = `range: { from: ${STILL_NOW_MS - 10 * 86_400_000}, to: ${STILL_NOW_MS - 5 * 86_400_000} }`;
  const knownId = pool.fill(evenly(200, (STILL_NOW_MS - 9 * 86_400_000) / 1000, 300));

  it.each([
    ['stream', `{ stream(id: "Stream:999999999") { series(${range}) { times } } }`],
    ['site', `{ site(id: 999999999) { series(streamIds: ["${knownId}"], ${range}) { times } } }`],
    ['stream of a chart', `{ chart(streamIds: ["${knownId}", 999999999], ${range}) { time value } }`],
    [
      'default of a variable',
      `query ($id: ID = "Stream:999999999") { stream(id: $id) { series(${range}) { times } } }`,
    ],
    [
      'site in a default',
      `query ($id: ID! = 999999999) { site(id: $id) { series(streamIds: ["${knownId}"], ${range}) { times } } }`,
    ],
    [
      'chart with a default',
      `query ($ids: [ID!] = ["${knownId}", 999999999]) { chart(streamIds: $ids, ${range}) { time value } }`,
    ],
    [
      'type in a default',
      `query ($type: String = "Flow") { site(id: 16801) { series(type: $type, ${range}) { times } } }`,
    ],
    ['only stream of a chart', `{ chart(streamIds: 999999999, ${range}) { time value } }`],
  ])('is fresh for seconds: %s', async (_, query) => {
    const url = `${gateway.url}/graphql?query=${encodeURIComponent(query)}`;
    const response = await fetch(url, { headers: { 'Apollo-Require-Preflight': '1' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).not.toContain('immutable');
  });
});

describe('thresholdChanges', () => {
  const start = Math.floor(STILL_NOW_MS / 1000) - DAY;
  const CHANGES = `query ($ids: [ID!], $range: TimeRange!) { thresholdChanges(streamIds: $ids, range: $range) {
    time title text level previousLevel value streamId siteId units } }`;

  function fillWithLevels(values: readonly number[], filterSeconds = 600): number {
    const level = (name: string, limits: object, filter: number) => ({
      ...{ display_name: name, false_alarm_filter: filter, ...limits },
    });
    const levels = [
      level('Normal', { upper_limit: 10 }, 0),
      level('High', { lower_limit: 10 }, filterSeconds),
    ];
    const id = pool.fill(values.map((value, index) => ({ at: start + index * 300, value })));
    gateway.sandbox.database.prepare('INSERT INTO threshold VALUES (?, ?)').run(id, JSON.stringify(levels));
    return id;
  }

  it('are rows by time, when the values stayed in the level for long enough', async () => {
    const ids = [
      fillWithLevels([1, 20, 1, 20, 20, 20, 20, 1]),
      fillWithLevels([20, 20, 20, 1]),
      pool.fill([]),
    ];
    const range = { from: start * 1000, to: STILL_NOW_MS };
    const { thresholdChanges } = await gateway.ask<{ thresholdChanges: object[] }>(CHANGES, { ids, range });
    const common = (index: number) => ({
      streamId: `Stream:${ids[index]}`,
      siteId: `Site:${site?.id}`,
      units: 'bar',
    });
    expect(thresholdChanges).toMatchObject([
      { time: toText(start + 900), level: 'High', previousLevel: 'Normal', value: 20, ...common(0) },
      { time: toText(start + 900), level: 'Normal', previousLevel: 'High', value: 1, ...common(1) },
      { time: toText(start + 2100), level: 'Normal', previousLevel: 'High', value: 1, ...common(0) },
    ]);
    expect(thresholdChanges[0]).toMatchObject({
      title: `Made ${ids[0]}: High`,
      text: expect.stringMatching(/^Normal → High at 20 bar, /),
    });
  });

  it('of more than 20,000 samples of a stream are refused by name', async () => {
    const id = fillWithLevels(Array.from({ length: 20_001 }, () => 1));
    const range = { from: start * 1000, to: (start + 20_001 * 300) * 1000 };
    const { body } = await gateway.query(CHANGES, { ids: [id], range });
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toMatch(/^range: has more than 20000 samples/);
  });

  it('are at most 10,000 rows', async () => {
    const values = Array.from({ length: 10_002 }, (_, index) => (index % 2 === 0 ? 1 : 20));
    const id = fillWithLevels(values, 0);
    const toRange = (samples: number) => ({ from: start * 1000, to: (start + samples * 300) * 1000 });
    const range = toRange(10_001);
    const { thresholdChanges } = await gateway.ask<{ thresholdChanges: object[] }>(CHANGES, {
      ids: [id],
      range,
    });
    expect(thresholdChanges).toHaveLength(10_000);
    const { body } = await gateway.query(CHANGES, { ids: [id], range: toRange(10_002) });
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toMatch(/^range: has more than 10000 changes/);
  });
});
