/** Scalar samples over the real REST API, compared with the sandbox's rows. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  fullestStream,
  required,
  startStillGateway,
  type TestGateway,
  toText,
} from '../../support/gateway.js';

let gateway: TestGateway;
/** The stream with the most numbers, and one whose values are words. */
let streams: Record<'scalar' | 'text', number>;

beforeAll(async () => {
  gateway = await startStillGateway();
  streams = { scalar: fullestStream(gateway, 'scalar'), text: textStream() };
});

function textStream(): number {
  const [row] = gateway.sql<{ id: number }>(
    `SELECT stream_id AS id FROM scalar_sample JOIN stream s ON s.id = stream_id
     WHERE value = 'ERR' AND account_id = ? LIMIT 1`,
    gateway.accountId,
  );
  return required(row, 'stream of texts').id;
}

interface ScalarRow {
  id: number;
  sample_date: number;
  value: number | string;
}

function rowsOf(streamId: number, condition = '1'): ScalarRow[] {
  return gateway.sql(
    `SELECT id, sample_date, value FROM scalar_sample WHERE stream_id = ? AND ${condition} ORDER BY sample_date, id`,
    streamId,
  );
}

interface Connection {
  totalCount?: number;
  nodes: { platformId: string; sampledAt: string; value: number | null; rawValue: string }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const NODES = 'nodes { platformId sampledAt value rawValue } pageInfo { hasNextPage endCursor }';

function toNode({ id, sample_date, value }: ScalarRow) {
  const isNumber = typeof value === 'number';
  const rawValue = isNumber ? value.toFixed(4) : value;
  return {
    platformId: String(id),
    sampledAt: toText(sample_date),
    value: isNumber ? Number(rawValue) : null,
    rawValue,
  };
}

async function walk(field: string, id: number, first: number, parent = 'stream') {
  const nodes: Connection['nodes'] = [];
  let after: string | null = null;
  do {
    const result: Record<string, { list: Connection }> = await gateway.ask(
      `query ($id: ID!, $first: Int, $after: String) {
        ${parent}(id: $id) { list: ${field.replace('PAGE', 'first: $first, after: $after')} { ${NODES} } } }`,
      { id, first, after },
    );
    const list = required(result[parent]?.list);
    expect(list.nodes.length).toBeLessThanOrEqual(first);
    nodes.push(...list.nodes);
    after = list.pageInfo.hasNextPage ? list.pageInfo.endCursor : null;
  } while (after !== null);
  return nodes;
}

/** A page that the platform repeats begins here. */
const REPEATED_FROM_S = Date.UTC(2021, 0, 1) / 1000;

const ALL = '{ from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" }';

describe('Stream.samples', () => {
  it.each([7, 50, 1000])('in pages of %i contain every number once, oldest first', async (first) => {
    const expected = rowsOf(streams.scalar).map(toNode);
    expect(expected.length).toBeGreaterThan(100);
    expect(await walk(`samples(range: ${ALL}, PAGE)`, streams.scalar, first)).toEqual(expected);
  });

  it('include `from` and exclude `to`', async () => {
    const rows = rowsOf(streams.scalar);
    const [from, to] = [required(rows[10]).sample_date, required(rows[20]).sample_date];
    const range = `{ from: "${toText(from)}", to: "${toText(to)}" }`;
    expect(await walk(`samples(range: ${range}, PAGE)`, streams.scalar, 3)).toEqual(
      rowsOf(streams.scalar, `sample_date >= ${from} AND sample_date < ${to}`).map(toNode),
    );
  });

  it('respect fractions of a second at both ends', async () => {
    const row = required(rowsOf(streams.scalar)[10]);
    const at = (ms: number) => new Date(row.sample_date * 1000 + ms).toISOString();
    const within = (from: number, to: number) =>
      walk(`samples(range: { from: "${at(from)}", to: "${at(to)}" }, PAGE)`, streams.scalar, 5);
    const inIt = rowsOf(streams.scalar, `sample_date = ${row.sample_date}`).map(toNode);
    expect(await within(-500, 500)).toEqual(inIt);
    expect(await within(0, 1)).toEqual(inIt);
    expect(await within(500, 900)).toEqual([]);
    expect(await within(-900, -500)).toEqual([]);
    expect(await within(-900, 0)).toEqual([]);
  });

  it('count the whole range for any page size', async () => {
    const { stream } = await gateway.ask<{ stream: { samples: Connection } }>(
      `query ($id: ID!) { stream(id: $id) { samples(range: ${ALL}, first: 2) { totalCount ${NODES} } } }`,
      { id: streams.scalar },
    );
    expect(stream.samples.totalCount).toBe(rowsOf(streams.scalar).length);
    expect(stream.samples.nodes).toHaveLength(2);
  });

  it('fail after a few calls where the platform repeats a page', async () => {
    // A stream that no other test reads: its first page is cached.
    const streamId = fullestStream(gateway, 'rfid');
    const rows = Array.from({ length: 100 }, (_, index) => ({
      ...{ id: index + 1, stream_id: streamId, sample_date: toText(REPEATED_FROM_S + index), value: '1' },
    }));
    const body = JSON.stringify({ samples: rows, hasMore: true });
    const match = 'GET /v2.0/stream/{streamId}/sample/range';
    onTestFinished(gateway.sandbox.faults.add({ match, status: 200, body }));
    gateway.sandbox.calls.reset();
    const range = `{ from: "${toText(REPEATED_FROM_S - 3600)}", to: "${toText(REPEATED_FROM_S + 3600)}" }`;
    const result = await gateway.query(
      `{ stream(id: ${streamId}) { samples(range: ${range}) { nodes { sampledAt } } } }`,
    );
    expect(result.body.errors?.[0]?.extensions.code).toBe('PLATFORM_BAD_RESPONSE');
    expect(
      gateway.restCalls().filter(({ pathTemplate }) => match.endsWith(pathTemplate)).length,
    ).toBeLessThan(5);
  });

  it('without a range contain the newest by date, and newer ones after its cursor', async () => {
    const newest = rowsOf(streams.scalar).slice(-40).map(toNode);
    expect(await walk('samples(PAGE)', streams.scalar, 40)).toEqual(newest);
  });

  it.each([7, 50, 1000])('newest first, in pages of %i, contain every number once', async (first) => {
    const expected = rowsOf(streams.scalar).map(toNode).reverse();
    expect(await walk(`samples(range: ${ALL}, order: DESC, PAGE)`, streams.scalar, first)).toEqual(expected);
    expect(await walk('samples(order: DESC, PAGE)', streams.scalar, first)).toEqual(expected);
  });

  it.each([
    [`{ from: "2024-01-02T00:00:00Z", to: "2024-01-01T00:00:00Z" }`, /^range: /],
    [`{ from: "2024-01-01T00:00:00Z", to: "2024-01-01T00:00:00Z" }`, /^range: /],
    [`{ from: "2024-02-31T00:00:00Z", to: "2024-03-01T00:00:00Z" }`, /is not an RFC 3339 date-time/],
    [`{ from: "2024-01-01", to: "2024-03-01T00:00:00Z" }`, /is not an RFC 3339 date-time/],
  ])('refuses the range %s', async (range, message) => {
    const { body } = await gateway.query(
      `{ stream(id: 88001) { samples(range: ${range}) { nodes { id } } } }`,
    );
    expect(body.errors?.[0]?.extensions.code).toMatch(/BAD_USER_INPUT|GRAPHQL_VALIDATION_FAILED/);
    expect(body.errors?.[0]?.message).toMatch(message);
    expect(body.errors?.[0]?.locations).toHaveLength(1);
  });
});

describe('Stream.samplesSince and Site.samplesSince', () => {
  it('contain all samples at or after the date, over all pages', async () => {
    const since = required(rowsOf(streams.scalar)[5]).sample_date;
    const condition = `sample_date >= ${since}`;
    expect(await walk(`samplesSince(since: "${toText(since)}", PAGE)`, streams.scalar, 30)).toEqual(
      rowsOf(streams.scalar, condition).map(toNode),
    );
    const ofSite = gateway.sql<ScalarRow>(
      `SELECT id, sample_date, value FROM scalar_sample WHERE ${condition} AND stream_id IN
        (SELECT id FROM stream WHERE site_id = 16801) ORDER BY sample_date, id`,
    );
    expect(ofSite.length).toBeGreaterThan(100);
    expect(await walk(`samplesSince(since: "${toText(since)}", PAGE)`, 16801, 300, 'site')).toEqual(
      ofSite.map(toNode),
    );
  });
});

describe('Stream.samplesAfter and Site.samplesAfter', () => {
  it('contain up to a hundred that arrived after a sample, with either form of its id', async () => {
    const rows = rowsOf(streams.scalar).sort((one, other) => one.id - other.id);
    const { id } = required(rows[3]);
    for (const after of [`ScalarSample:${id}`, String(id)]) {
      const { stream } = await gateway.ask<{ stream: { samplesAfter: { platformId: string }[] } }>(
        'query ($id: ID!, $after: ID) { stream(id: $id) { samplesAfter(after: $after) { platformId } } }',
        { id: streams.scalar, after },
      );
      expect(stream.samplesAfter.map(({ platformId }) => Number(platformId))).toEqual(
        rows.slice(4, 104).map((row) => row.id),
      );
    }
    const { site } = await gateway.ask<{ site: { samplesAfter: { platformId: string }[] } }>(
      '{ site(id: 16801) { samplesAfter { platformId } } }',
    );
    const newest = gateway.sql<{ id: number }>(
      `SELECT id FROM scalar_sample WHERE stream_id IN (SELECT id FROM stream WHERE site_id = 16801)
       ORDER BY id DESC LIMIT 100`,
    );
    expect(site.samplesAfter.map(({ platformId }) => Number(platformId))).toEqual(
      newest.map((row) => row.id).reverse(),
    );
  });
});

describe('a value that is not a number', () => {
  it('is null beside the text of the device', async () => {
    const nodes = await walk(`samples(range: ${ALL}, PAGE)`, streams.text, 1000);
    expect(nodes).toEqual(rowsOf(streams.text).map(toNode));
    expect(nodes.some(({ value, rawValue }) => value === null && rawValue === 'ERR')).toBe(true);
  });
});
