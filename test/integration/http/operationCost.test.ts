/** The estimated cost of an operation is at least the size of its response, where arguments determine that size. */
import { beforeAll, describe, expect, it } from 'vitest';
import { fullestStream, STILL_NOW_MS, startStillGateway, type TestGateway } from '../../support/gateway.js';

let gateway: TestGateway;
let streamId: number;
let site: { id: number; streams: number };
beforeAll(async () => {
  gateway = await startStillGateway({ sandbox: { siteCount: 4, historyDays: 3 } });
  streamId = fullestStream(gateway, 'scalar');
  const [fullest] = gateway.sql<{ id: number; streams: number }>(
    'SELECT site_id AS id, count(*) AS streams FROM stream WHERE account_id = ? GROUP BY site_id ORDER BY 2 DESC LIMIT 1',
    gateway.accountId,
  );
  if (!fullest) throw new Error('There is no site.');
  site = fullest;
});

/** With the weights of the estimate: a tenth for each value, one for each object. */
function weigh(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + weigh(item), 0);
  if (typeof value !== 'object' || value === null) return 0.1;
  return Object.values(value).reduce((sum: number, inner) => sum + weigh(inner), 1);
}

interface EstimatedCost {
  estimated: number;
  actual: number;
}

async function ask(query: string, variables: Record<string, unknown>): Promise<EstimatedCost> {
  const { body } = await gateway.query<object>(query, variables, { 'X-Explain': '1' });
  expect(body.errors).toBeUndefined();
  const { extensions } = body as { extensions?: { explain: { cost: { estimated: number } } } };
  // The response object itself is not an object of the graph.
  return { estimated: extensions?.explain.cost.estimated ?? 0, actual: weigh(body.data) - 1 };
}

const toText = (ms: number) => new Date(ms).toISOString();
const ofDays = (days: number) => ({
  from: toText(STILL_NOW_MS - days * 86_400_000),
  to: toText(STILL_NOW_MS),
});

const samples = 'nodes { value sampledAt } edges { cursor node { value } }';
const columns = 'times lines { values min max sourceCount }';
const aggregate = 'startAt count min max avg sum';

describe('the estimate covers the response of', () => {
  it.each([10, 1000])('samplesOf, %i each', async (first) => {
    const streamIds = Array(12).fill(`Stream:${streamId}`);
    const { estimated, actual } = await ask(
      `query ($streamIds: [ID!]!, $range: TimeRange, $first: Int) {
         samplesOf(streamIds: $streamIds, range: $range, first: $first) { streamId samples { ${samples} } } }`,
      { streamIds, range: ofDays(3), first },
    );
    expect(actual).toBeGreaterThan(12 * 3 * Math.min(first, 400));
    expect(estimated).toBeGreaterThanOrEqual(actual);
  });

  it('samplesOf by its default, in a fragment inside fields with arguments of the same names', async () => {
    const { estimated, actual } = await ask(
      `query ($ids: [ID!]!, $range: TimeRange) { samplesOf(streamIds: $ids, range: $range, first: null) { ...Samples } }
       fragment Samples on StreamSamples { samples { ${samples} } }`,
      { ids: [streamId, streamId], range: ofDays(3) },
    );
    expect(actual).toBeGreaterThan(2 * 100);
    expect(estimated).toBeGreaterThanOrEqual(actual);
  });

  it.each([20, 500, 3000])('Site.series, %i points', async (maxPoints) => {
    const streams = gateway.sql<{ id: number }>('SELECT id FROM stream WHERE site_id = ?', site.id);
    const { estimated, actual } = await ask(
      `query ($id: ID!, $ids: [ID!], $range: TimeRange!, $maxPoints: Int) {
         site(id: $id) { series(streamIds: $ids, range: $range, maxPoints: $maxPoints) { ${columns} } } }`,
      { id: site.id, ids: streams.map(({ id }) => id), range: ofDays(3), maxPoints },
    );
    expect(actual).toBeGreaterThan(10);
    expect(estimated).toBeGreaterThanOrEqual(actual);
  });

  it.each([
    ['minutes', 7],
    ['minutes', 10],
    ['hours', 1],
    ['hours', 5],
    ['days', 1],
    ['weeks', 1],
  ])('Stream.aggregates, every %s: %i', async (unit, count) => {
    const { estimated, actual } = await ask(
      `query ($id: ID!, $from: DateTime!, $to: DateTime!) { stream(id: $id) {
         aggregates(range: { from: $from, to: $to }, every: { ${unit}: ${count} }, fill: NULL, timeZone: "Asia/Kathmandu") { ${aggregate} } } }`,
      { id: streamId, ...ofDays(3.3) },
    );
    expect(actual).toBeGreaterThan(1);
    expect(estimated).toBeGreaterThanOrEqual(actual);
  });

  it('Stream.aggregates over a clock change', async () => {
    const { estimated, actual } = await ask(
      `query ($id: ID!) { stream(id: $id) { aggregates(
         range: { from: "2025-10-25T12:00:00Z", to: "2025-10-27T12:00:00Z" },
         every: { hours: 1 }, fill: NULL, timeZone: "Europe/Zurich") { ${aggregate} } } }`,
      { id: streamId },
    );
    expect(actual).toBeGreaterThan(48);
    expect(estimated).toBeGreaterThanOrEqual(actual);
  });
});

describe('the estimate uses', () => {
  const costOf = async (query: string, variables = {}) =>
    (await ask(query, { id: site.id, range: ofDays(1), ...variables })).estimated;

  it('the product of the streams and the points of a shared chart', async () => {
    const series = (inside: string) =>
      `query ($id: ID!, $range: TimeRange!) { site(id: $id) { series(${inside}, range: $range) { lines { values } } } }`;
    const one = await costOf(series(`streamIds: [${streamIdsOf(1)}], maxPoints: 100`));
    const two = await costOf(series(`streamIds: [${streamIdsOf(2)}], maxPoints: 100`));
    const more = await costOf(series(`streamIds: [${streamIdsOf(2)}], maxPoints: 1100`));
    const ofType = await costOf(series('type: "Pressure", maxPoints: 100'));
    expect(two - one).toBeCloseTo(1 + 10);
    expect(more - two).toBeCloseTo(2 * 100);
    expect(ofType - one).toBeCloseTo(49 * 11);
  });

  it('the days of a range, each of which needs a lookup', async () => {
    const series = `query ($id: ID!, $range: TimeRange!) { stream(id: $id) {
      series(range: $range) { sourceCount } aggregates(range: $range, every: { months: 12 }) { count } } }`;
    const costOfDays = (days: number) => costOf(series, { id: streamId, range: ofDays(days) });
    expect((await costOfDays(300)) - (await costOfDays(200))).toBeCloseTo(2 * 100 * 1.5, 0);
  });

  it('the nearest enclosing field that has the argument', async () => {
    const query = (first: string) => `query ($range: TimeRange!, $id: ID!) { site(id: $id) { id }
      samplesOf(streamIds: [${streamId}], range: $range, first: 1) { stream { site { series(${first}, range: $range) { lines { sourceCount } } } } } }`;
    const inner = await costOf(query('type: "Pressure"'));
    const named = await costOf(query(`streamIds: [${streamId}]`));
    expect(inner - named).toBeCloseTo(49 * 1.1);
  });

  function streamIdsOf(count: number): string {
    const rows = gateway.sql<{ id: number }>(
      'SELECT id FROM stream WHERE site_id = ? LIMIT ?',
      site.id,
      count,
    );
    return rows.map(({ id }) => `"${id}"`).join();
  }
});
