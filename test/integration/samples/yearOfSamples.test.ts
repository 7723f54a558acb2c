/** The REST calls for a year of five-minute samples, and the reuse between overlapping queries. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  required,
  STILL_NOW_MS,
  startStillGateway,
  type TestGateway,
  toText,
} from '../../support/gateway.js';
import { addSamples, evenly, makeStreams } from '../../support/samples/generatedStream.js';

const STEP_SECONDS = 300;
const YEAR = 105_120;
const RANGE_CALL = '/v2.0/stream/{streamId}/sample/range';
const FRAME_CALL = '/v2.0/stream/{streamId}/sample/agg';

let gateway: TestGateway;
let streamIds: number[];
const end = STILL_NOW_MS / 1000;
const start = end - YEAR * STEP_SECONDS;

beforeAll(async () => {
  gateway = await startStillGateway({ sandbox: { siteCount: 1, historyDays: 0.1 } });
  streamIds = makeStreams(gateway, 6);
  const [dense, ...others] = [...streamIds].reverse();
  for (const id of others) addSamples(gateway, id, evenly(YEAR, start, STEP_SECONDS));
  addSamples(gateway, required(dense), evenly(140_000, end - 140_000 * 60, 60));
});

/** The REST calls of an operation, by their templates. */
async function callsOf(ask: () => Promise<unknown>): Promise<string[]> {
  gateway.sandbox.calls.reset();
  await ask();
  return gateway.restCalls().map(({ pathTemplate }) => pathTemplate);
}

interface GraphqlResult {
  stream: {
    series: {
      times: number[];
      values: (number | null)[];
      sourceCount: number;
      coverage: number;
      source: string;
    };
  };
}

function chart(id: number | undefined, from: number, to: number, method = 'LTTB'): Promise<GraphqlResult> {
  return gateway.ask(
    `query ($id: ID!, $range: TimeRange!, $method: SeriesMethod) { stream(id: $id) {
      series(range: $range, maxPoints: 1000, method: $method) { times values sourceCount coverage source } } }`,
    { id, range: { from: toText(from), to: toText(to) }, method },
  );
}

describe('a year as a chart', () => {
  it('takes one call for each page, and a month within it none', async () => {
    const calls = await callsOf(async () => {
      const { series } = (await chart(streamIds[0], start, end)).stream;
      expect([series.times.length, series.sourceCount, series.coverage]).toEqual([1000, YEAR, 1]);
    });
    expect(calls.filter((template) => template === RANGE_CALL)).toHaveLength(11);
    for (const to of [end, end - 3600]) {
      expect(await callsOf(() => chart(streamIds[0], to - 30 * 86_400, to))).toEqual([]);
    }
  });

  it.each(['MEAN', 'MIN_MAX'])(
    'by %s takes one page of aggregates and the remaining edges',
    async (method) => {
      const calls = await callsOf(async () => {
        const { series } = (await chart(streamIds[method === 'MEAN' ? 1 : 2], start, end, method)).stream;
        expect([series.sourceCount, series.coverage, series.source]).toEqual([YEAR, 1, 'AGGREGATES']);
      });
      expect(calls.filter((template) => template === FRAME_CALL)).toHaveLength(1);
      expect(calls.filter((template) => template === RANGE_CALL).length).toBeLessThanOrEqual(2);
    },
  );

  it.each(['MEAN', 'MIN_MAX'])(
    'by %s takes none for a month within it, or one for the frame that the month cuts',
    async (method) => {
      const id = streamIds[method === 'MEAN' ? 3 : 4];
      await chart(id, start, end, method);
      const hour = Math.floor(end / 3600) * 3600;
      expect(await callsOf(() => chart(id, hour - 30 * 86_400, hour, method))).toEqual([]);
      expect(await callsOf(() => chart(id, end - 30 * 86_400, end, method))).toEqual([RANGE_CALL]);
      expect(await callsOf(() => chart(id, end - 30 * 86_400, end, method))).toEqual([]);
    },
  );
});

describe('more samples than the limit of one operation', () => {
  it('are refused by name, and fewer are returned', async () => {
    // Equal ranges would share one read.
    const fields = Array.from({ length: 15 }, (_, index) => {
      const range = `{ from: "${toText(end - 140_000 * 60 - index)}", to: "${toText(end)}" }`;
      return `a${index}: series(range: ${range}, maxPoints: 10) { sourceCount }`;
    });
    const variables = { id: streamIds[5] };
    const query = `query ($id: ID!) { stream(id: $id) { ${fields.join(' ')} } }`;
    const { body } = await gateway.query<{ stream: Record<string, { sourceCount: number } | null> }>(
      query,
      variables,
    );
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
    expect(body.errors?.[0]?.message).toMatch(/^range: .* 2000000 samples/);
    const counts = Object.values(body.data?.stream ?? {}).map((response) => response?.sourceCount);
    expect(counts.sort()).toEqual([...Array.from({ length: 14 }, () => 140_000), undefined]);
  });
});

describe('ten thousand samples, a thousand at a time', () => {
  interface Page {
    stream: {
      samples: {
        nodes: { platformId: string }[];
        pageInfo: { hasNextPage: boolean; endCursor: string | null };
      };
    };
  }

  it.each([
    ['ASC', 3],
    ['DESC', 4],
  ])('%s take two calls, the stream itself included', async (order, place) => {
    const id = streamIds[place];
    const range = { from: toText(start), to: toText(start + 10_000 * STEP_SECONDS) };
    const found = new Set<string>();
    const calls = await callsOf(async () => {
      let after: string | null = null;
      do {
        const page: Page = await gateway.ask(
          `query ($id: ID!, $range: TimeRange!, $after: String, $order: OrderDirection) { stream(id: $id) {
            samples(range: $range, first: 1000, after: $after, order: $order) {
              nodes { platformId } pageInfo { hasNextPage endCursor } } } }`,
          { id, range, after, order },
        );
        for (const { platformId } of page.stream.samples.nodes) found.add(platformId);
        after = page.stream.samples.pageInfo.hasNextPage ? page.stream.samples.pageInfo.endCursor : null;
      } while (after !== null);
    });
    expect(found.size).toBe(10_000);
    expect(calls.length).toBeLessThanOrEqual(2);
  });
});

describe('several streams at once', () => {
  it('share one time column, each with the means of its own numbers', async () => {
    const range = { from: toText(end - 86_400), to: toText(end) };
    const { stream } = await gateway.ask<{
      stream: { site: { series: { times: number[]; intervalSeconds: number; lines: Line[] } } };
    }>(
      `query ($id: ID!, $ids: [ID!], $range: TimeRange!) { stream(id: $id) { site {
        series(streamIds: $ids, range: $range, maxPoints: 100) {
          times intervalSeconds lines { stream { platformId } values min max sourceCount coverage } } } } }`,
      { id: streamIds[0], ids: streamIds.slice(0, 3), range },
    );
    const { times, intervalSeconds, lines } = stream.site.series;
    expect(times.length).toBeLessThanOrEqual(100);
    expect(lines.map((line) => line.stream.platformId)).toEqual(streamIds.slice(0, 3).map(String));
    for (const line of lines) {
      expect([line.values.length, line.sourceCount, line.coverage]).toEqual([times.length, 288, 1]);
      for (const [index, time] of times.entries()) {
        const [mean] = gateway.sql<{ value: number }>(
          `SELECT avg(value) AS value FROM scalar_sample WHERE stream_id = ? AND sample_date >= ? AND sample_date < ?
           AND CAST(sample_date / CAST(? AS INTEGER) AS INTEGER) = ?`,
          Number(line.stream.platformId),
          end - 86_400,
          end,
          intervalSeconds,
          Math.floor(time / 1000 / intervalSeconds),
        );
        expect(required(line.values[index])).toBeCloseTo(required(mean).value, 3);
      }
    }
  });

  interface Line {
    stream: { platformId: string };
    values: (number | null)[];
    sourceCount: number;
    coverage: number;
  }

  it('return the samples of each stream, newest first on request', async () => {
    const ids = streamIds.slice(0, 4);
    const { samplesOf } = await gateway.ask<{
      samplesOf: { streamId: string; samples: { nodes: { sampledAt: string }[] } }[];
    }>(
      `query ($ids: [ID!]!) { samplesOf(streamIds: $ids, first: 3, order: DESC) {
        streamId samples { nodes { sampledAt } } } }`,
      { ids: [...ids, 999_999] },
    );
    const newest = [1, 2, 3].map((back) => ({ sampledAt: toText(end - back * STEP_SECONDS) }));
    expect(samplesOf.map(({ streamId }) => streamId)).toEqual([...ids, 999_999].map((id) => `Stream:${id}`));
    expect(samplesOf.map(({ samples }) => samples.nodes)).toEqual([...ids.map(() => newest), []]);
  });

  it('select the streams of a type, without regard to case and accents', async () => {
    const range = { from: toText(end - 3600), to: toText(end) };
    const { stream } = await gateway.ask<{
      stream: { site: Record<'named' | 'empty', { lines: unknown[] }> };
    }>(
      `query ($id: ID!, $range: TimeRange!) { stream(id: $id) { site {
        named: series(type: "M\u00c1DE", range: $range) { lines { __typename } }
        empty: series(type: "", range: $range) { lines { __typename } } } } }`,
      { id: streamIds[0], range },
    );
    expect(stream.site.named.lines.length).toBeGreaterThan(0);
    expect(stream.site.empty.lines).toEqual([]);
  });

  it.each([
    ['series(streamIds: ["1"], range: $range) { times }', /^streamIds\[0\]: /],
    ['series(range: $range) { times }', /^streamIds: /],
    ['series(streamIds: [], type: "Made", range: $range) { times }', /^streamIds: /],
  ])('refuse %s', async (field, message) => {
    const range = { from: toText(start), to: toText(end) };
    const { body } = await gateway.query(
      `query ($id: ID!, $range: TimeRange!) { stream(id: $id) { site { ${field} } } }`,
      { id: streamIds[0], range },
    );
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toMatch(message);
  });
});
