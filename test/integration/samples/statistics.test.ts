/** Statistics of intervals, RFID reads of the account, series of several sites and search, compared with the rows. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  fullestStream,
  required,
  STILL_NOW_MS,
  startStillGateway,
  type TestGateway,
} from '../../support/gateway.js';
import { addSamples, evenly, makeStreams } from '../../support/samples/generatedStream.js';

const NOW = STILL_NOW_MS / 1000;
const DAY = 86_400;

let gateway: TestGateway;
/** Streams without samples. */
let [steadyId, emptyId] = [0, 0];

beforeAll(async () => {
  gateway = await startStillGateway({ sandbox: { siteCount: 12, historyDays: 2 } });
  [steadyId = 0, emptyId = 0] = makeStreams(gateway, 2);
});

interface Row {
  at: number;
  value: number;
}

const rowsOf = (streamId: number, from: number, to: number) =>
  gateway.sql<Row>(
    `SELECT sample_date AS at, round(value, 4) AS value FROM scalar_sample
     WHERE stream_id = ? AND sample_date >= ? AND sample_date < ? AND typeof(value) <> 'text'
     ORDER BY sample_date, id`,
    streamId,
    from,
    to,
  );

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

describe('aggregates', () => {
  it('have statistics that need the samples', async () => {
    const streamId = fullestStream(gateway, 'scalar');
    const [from, to] = [NOW - 6 * 3600, NOW];
    const { stream } = await gateway.ask<{
      stream: { units: string; aggregates: Record<string, number | string>[] };
    }>(
      `query ($range: TimeRange!) { stream(id: ${streamId}) { units aggregates(range: $range, every: { days: 1 }) {
        count first last delta deltaResets integral integralUnits timeWeightedAvg stdDev
        p0: percentile(p: 0) p50: percentile(p: 50) p100: percentile(p: 100) min max
      } } }`,
      { range: { from: iso(from), to: iso(to) } },
    );
    const rows = rowsOf(streamId, from, to);
    const [one] = stream.aggregates;
    const aggregate = required(one);
    const values = rows.map(({ value }) => value).sort((a, b) => a - b);
    expect(aggregate).toMatchObject({
      count: rows.length,
      first: rows[0]?.value,
      last: rows.at(-1)?.value,
      p0: values[0],
      p100: values.at(-1),
      min: values[0],
      max: values.at(-1),
    });
    const middle = values.length / 2;
    const median = ((values[Math.floor(middle - 0.5)] ?? 0) + (values[Math.ceil(middle - 0.5)] ?? 0)) / 2;
    expect(aggregate['p50']).toBeCloseTo(median, 6);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    expect(aggregate['stdDev']).toBeCloseTo(Math.sqrt(variance), 6);
    expect(aggregate['integralUnits']).toBe(
      stream.units.replace(/\/s$/, '') === stream.units
        ? `${stream.units}·h`
        : stream.units.replace(/\/s$/, ''),
    );
  });

  it('state the consumption of a counter, and the volume of a flow with its unit', async () => {
    const pick = (units: string, type: string) =>
      required(
        gateway.sql<{ id: number }>(
          `SELECT s.id FROM stream s WHERE s.account_id = ? AND units = ? AND type_display_name = ?
           AND (SELECT count(*) FROM scalar_sample WHERE stream_id = s.id AND typeof(value) <> 'text') > 50 ORDER BY s.id LIMIT 1`,
          gateway.accountId,
          units,
          type,
        )[0],
      ).id;
    const [counter, flow] = [pick('m³', 'Volume'), pick('l/s', 'Flow')];
    const range = { from: iso(NOW - DAY), to: iso(NOW) };
    const result = await gateway.ask<Record<'counter' | 'flow', { aggregates: Record<string, number>[] }>>(
      `query ($range: TimeRange!) {
        counter: stream(id: ${counter}) { aggregates(range: $range, every: { hours: 1 }) { delta deltaResets } }
        flow: stream(id: ${flow}) { aggregates(range: $range, every: { hours: 1 }) { integral integralUnits } }
      }`,
      { range },
    );
    const rows = rowsOf(counter, NOW - DAY, NOW);
    const sum = (list: Record<string, number>[], name: string) =>
      list.reduce((total, one) => total + (one[name] ?? 0), 0);
    expect(sum(result.counter.aggregates, 'deltaResets')).toBe(0);
    expect(sum(result.counter.aggregates, 'delta')).toBeCloseTo(
      (rows.at(-1)?.value ?? 0) - (rows[0]?.value ?? 0),
      3,
    );
    const flows = rowsOf(flow, NOW - DAY, NOW);
    const pauses = flows.slice(1).map(({ at }, index) => at - (flows[index]?.at ?? 0));
    const median = required([...pauses].sort((a, b) => a - b)[Math.floor((pauses.length - 1) / 2)]);
    const volume = pauses.reduce((total, pause, index) => {
      const mean = ((flows[index]?.value ?? 0) + (flows[index + 1]?.value ?? 0)) / 2;
      return total + (pause <= median * 2.5 ? mean * pause : 0);
    }, 0);
    expect(sum(result.flow.aggregates, 'integral')).toBeCloseTo(volume, 2);
    expect(result.flow.aggregates[0]).toMatchObject({ integralUnits: 'l' });
  });

  describe('of a closed day whose samples arrive late', () => {
    const from = Math.floor(NOW / DAY) * DAY - 4 * DAY;
    const fiveOClock = from + 5 * 3600;
    const range = { from: iso(from), to: iso(from + DAY) };
    const late = [
      { at: fiveOClock + 60, value: 77 },
      { at: fiveOClock + 120, value: 99 },
    ];

    it('come from the same samples', async () => {
      const steady = evenly(288, from, 300).filter(({ at }) => at < fiveOClock || at >= fiveOClock + 3600);
      addSamples(gateway, steadyId, steady);
      const ask = async (fields: string) => {
        const { stream } = await gateway.ask<{ stream: { aggregates: Record<string, number | string>[] } }>(
          `query ($range: TimeRange!) { stream(id: ${steadyId}) {
            aggregates(range: $range, every: { hours: 1 }) { startAt ${fields} } } }`,
          { range },
        );
        return stream.aggregates;
      };
      expect(await ask('count')).toHaveLength(23);
      addSamples(gateway, steadyId, late);
      const hours = await ask('count min sum first last delta stdDev percentile(p: 50)');
      expect(hours).toHaveLength(24);
      expect(hours[5]).toMatchObject({
        ...{ startAt: iso(fiveOClock).replace('.000', ''), count: 2, min: 77, sum: 176 },
        ...{ first: 77, last: 99, stdDev: 11, percentile: 88 },
      });
    });

    it('order streams by these samples', async () => {
      const orderValue = async (statistic: string) => {
        const { streams } = await gateway.ask<{ streams: { edges: { orderValue: number | null }[] } }>(
          `query ($range: TimeRange!) { streams(filter: { ids: ["${emptyId}"] },
            orderBy: { field: AGGREGATE, aggregate: { range: $range, statistic: ${statistic} } }) { edges { orderValue } } }`,
          { range },
        );
        return streams.edges[0]?.orderValue;
      };
      expect(await orderValue('COUNT')).toBeNull();
      addSamples(gateway, emptyId, late);
      expect([await orderValue('LAST'), await orderValue('DELTA')]).toEqual([99, 22]);
    });
  });

  it('of all hours of the day equal those without hours, from one day to the next', async () => {
    const { stream } = await gateway.ask<{ stream: Record<'all' | 'day', object[]> }>(
      `query ($range: TimeRange!) { stream(id: ${fullestStream(gateway, 'scalar')}) {
        all: aggregates(range: $range, every: { days: 10 }) { ...Statistics }
        day: aggregates(range: $range, every: { days: 10 }, hoursOfDay: { from: 0, to: 24 }) { ...Statistics } } }
      fragment Statistics on Aggregate { startAt count sum delta integral timeWeightedAvg }`,
      { range: { from: iso(NOW - DAY), to: iso(NOW) } },
    );
    expect(stream.day).toEqual(stream.all);
    expect(stream.all.length).toBeGreaterThan(0);
  });

  it('count only the hours of the day that are given', async () => {
    const streamId = fullestStream(gateway, 'scalar');
    const range = { from: iso(NOW - DAY), to: iso(NOW) };
    const { stream } = await gateway.ask<{ stream: { aggregates: { count: number; min: number }[] } }>(
      `query ($range: TimeRange!) { stream(id: ${streamId}) {
        aggregates(range: $range, every: { days: 10 }, hoursOfDay: { from: 23, to: 2 }) { count min }
      } }`,
      { range },
    );
    const night = rowsOf(streamId, NOW - DAY, NOW).filter(({ at }) =>
      [23, 0, 1].includes(Math.floor((at % DAY) / 3600)),
    );
    expect(stream.aggregates.reduce((sum, { count }) => sum + count, 0)).toBe(night.length);
    expect(Math.min(...stream.aggregates.map(({ min }) => min))).toBe(
      Math.min(...night.map(({ value }) => value)),
    );
    const { body } = await gateway.query(
      `query ($range: TimeRange!) { stream(id: ${streamId}) {
        aggregates(range: $range, every: { days: 1 }, hoursOfDay: { from: 5, to: 5 }) { count } } }`,
      { range },
    );
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

it.each([
  ['percentile(p: 101)', 101],
  ['percentile(p: $p)', -1],
  ['median: percentile(p: 50) ... @include(if: true) { highest: percentile(p: 100.5) }', 100.5],
])('%s is one error for all intervals, before samples are loaded', async (fields, value) => {
  await gateway.ask('{ streams { totalCount } }');
  gateway.sandbox.calls.reset();
  const { body } = await gateway.query(
    `query ($range: TimeRange!, $p: Float = 50) { stream(id: ${fullestStream(gateway, 'scalar')}) {
      aggregates(range: $range, every: { hours: 1 }) { count ${fields} at: percentile(p: $p) } } }`,
    { range: { from: iso(NOW - DAY), to: iso(NOW) }, ...(fields.includes('$p') && { p: -1 }) },
  );
  const message = `percentile.p: ${value} is not between 0 and 100.`;
  const extensions = { code: 'BAD_USER_INPUT' };
  expect(body.errors).toMatchObject([{ message, path: ['stream', 'aggregates'], extensions }]);
  expect(body.data).toEqual({ stream: { aggregates: null } });
  expect(gateway.restCalls()).toEqual([]);
});

describe('RFID reads of the account', () => {
  const query = `query ($since: DateTime!, $filter: RfidReadFilter, $first: Int, $after: String) {
    rfidReads(since: $since, filter: $filter, first: $first, after: $after) {
      totalCount tagCount pageInfo { hasNextPage endCursor } nodes { platformId tagIds }
      tags(first: 1000) { tagId readCount firstSeenAt lastSeenAt lastRead { platformId } }
    } }`;
  interface GraphqlResult {
    rfidReads: {
      totalCount: number;
      tagCount: number;
      pageInfo: { hasNextPage: boolean; endCursor: string };
      nodes: { platformId: string; tagIds: string[] }[];
      tags: { tagId: string; readCount: number; firstSeenAt: string; lastSeenAt: string }[];
    };
  }
  const expected = (since: number) =>
    gateway.sql<{ id: number; at: number }>(
      `SELECT r.id, sample_date AS at FROM rfid_sample r JOIN stream s ON s.id = stream_id
       WHERE account_id = ? AND sample_date >= ? ORDER BY sample_date, r.id`,
      gateway.accountId,
      since,
    );

  it('come in one call, with the tags in them', async () => {
    const since = NOW - 8 * 3600;
    const { data, calls } = await gateway.count<GraphqlResult>(query, { since: iso(since), first: 1000 });
    const rows = expected(since);
    expect(rows.length).toBeGreaterThan(5);
    expect(calls).toEqual(['/v2.0/sample/rfid/batch']);
    const { nodes, tags, tagCount, totalCount } = data.rfidReads;
    expect(nodes.map(({ platformId }) => Number(platformId))).toEqual(rows.map(({ id }) => id));
    expect(totalCount).toBe(rows.length);
    const distinct = new Set(nodes.flatMap(({ tagIds }) => tagIds));
    expect([tagCount, tags.length]).toEqual([distinct.size, distinct.size]);
    for (const { tagId, readCount, firstSeenAt, lastSeenAt } of tags.slice(0, 5)) {
      const at = rows.filter((_, index) => nodes[index]?.tagIds.includes(tagId)).map((row) => row.at);
      expect([readCount, Date.parse(firstSeenAt) / 1000, Date.parse(lastSeenAt) / 1000]).toEqual([
        at.length,
        at[0],
        at.at(-1),
      ]);
    }
    const [tag] = tags;
    const filtered = await gateway.ask<GraphqlResult>(query, {
      since: iso(since),
      filter: { tagIds: [tag?.tagId] },
    });
    expect(filtered.rfidReads).toMatchObject({ totalCount: tag?.readCount, tags: [{ tagId: tag?.tagId }] });
  });

  it('continue page by page without a further call', async () => {
    const since = NOW - 8 * 3600;
    const first = await gateway.ask<GraphqlResult>(query, { since: iso(since), first: 2 });
    gateway.sandbox.calls.reset();
    const second = await gateway.ask<GraphqlResult>(query, {
      since: iso(since),
      first: 2,
      after: first.rfidReads.pageInfo.endCursor,
    });
    const ids = [...first.rfidReads.nodes, ...second.rfidReads.nodes].map(({ platformId }) =>
      Number(platformId),
    );
    expect(ids).toEqual(
      expected(since)
        .slice(0, 4)
        .map(({ id }) => id),
    );
    expect(gateway.restCalls()).toEqual([]);
  });
});

describe('RFID reads of a large account', () => {
  const match = 'GET /v2.0/sample/rfid/batch';
  const query = 'query ($since: DateTime!) { rfidReads(since: $since) { totalCount } }';
  const toRow = (id: number, seconds: number) => ({
    ...{ id, stream_id: 1, sample_date: iso(seconds).replace('.000', ''), tag_ids: 'A1' },
  });

  it('come from the sites where the batch has more pages than there are sites with readers', async () => {
    const since = NOW - 5 * 3600;
    const body = JSON.stringify({ hasMore: true, samples: [toRow(1, since + 60)] });
    gateway.sandbox.faults.add({ match, status: 200, body, times: 1 });
    const { data, calls } = await gateway.count<{ rfidReads: { totalCount: number } }>(query, {
      since: iso(since),
    });
    const [row] = gateway.sql<{ count: number }>(
      `SELECT count(*) AS count FROM rfid_sample r JOIN stream s ON s.id = stream_id
       WHERE account_id = ? AND sample_date >= ?`,
      gateway.accountId,
      since,
    );
    expect(data.rfidReads.totalCount).toBe(row?.count);
    expect(calls.slice(0, 2)).toEqual(['/v2.0/sample/rfid/batch', '/v2.0/stream']);
    expect(new Set(calls.slice(2))).toEqual(new Set(['/v2.0/site/{siteId}/sample/rfid/batch']));
  });

  it('are refused beyond 50,000', async () => {
    const samples = Array.from({ length: 50_001 }, (_, index) => toRow(index + 1, NOW - 60));
    const body = JSON.stringify({ hasMore: false, samples });
    gateway.sandbox.faults.add({ match, status: 200, body, times: 1 });
    const { body: result } = await gateway.query(query, { since: iso(NOW - 4 * 3600) });
    expect(result.errors?.[0]?.message).toContain('more than 50000 RFID reads');
  });
});

describe('search', () => {
  it('finds sites, devices and streams by names and numbers', async () => {
    const [device] = gateway.sql<{ serial_number: string; id: number; site: string }>(
      `SELECT d.serial_number, d.id, s.display_name AS site FROM device d JOIN site s ON s.id = d.site_id
       WHERE d.account_id = ? ORDER BY d.id LIMIT 1`,
      gateway.accountId,
    );
    const { serial_number, id, site } = required(device);
    const query = `query ($text: String!) { search(text: $text, first: 5) {
      sites { name } devices { platformId } streams { name site { name } } } }`;
    interface GraphqlResult {
      search: {
        sites: { name: string }[];
        devices: { platformId: string }[];
        streams: { name: string; site: { name: string } }[];
      };
    }
    const bySerial = await gateway.ask<GraphqlResult>(query, { text: serial_number.slice(3) });
    expect(bySerial.search.devices).toEqual([{ platformId: String(id) }]);
    const bySite = await gateway.ask<GraphqlResult>(query, { text: site.toUpperCase() });
    expect(bySite.search.sites[0]).toEqual({ name: site });
    const words = await gateway.ask<GraphqlResult>(query, { text: `${site} pressure` });
    expect(words.search.streams.length).toBeGreaterThan(0);
    for (const stream of words.search.streams) {
      expect([stream.name.toLowerCase().includes('pressure'), stream.site.name]).toEqual([true, site]);
    }
    for (const text of ['  ', 'x'.repeat(201)]) {
      const { body } = await gateway.query(query, { text });
      expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    }
  });

  it('is refused for more than 100 objects of each kind', async () => {
    const query = 'query ($first: Int!) { search(text: "a", first: $first) { sites { id } } }';
    const { search } = await gateway.ask<{ search: { sites: object[] } }>(query, { first: 100 });
    expect(search.sites.length).toBeGreaterThan(0);
    const { body } = await gateway.query(query, { first: 101 });
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toMatch(/^first: /);
  });
});

describe('series of several sites', () => {
  it('share one time axis, and continue after a cursor', async () => {
    const streams = gateway.sql<{ id: number }>(
      `SELECT min(s.id) AS id FROM stream s WHERE account_id = ? AND type_display_name = 'Pressure'
       GROUP BY site_id ORDER BY 1 LIMIT 2`,
      gateway.accountId,
    );
    const query = `query ($ids: [ID!]!, $range: TimeRange!, $after: String) {
      seriesOf(streamIds: $ids, range: $range, maxPoints: 50, after: $after) {
        times cursor lines { stream { platformId } values } } }`;
    interface GraphqlResult {
      seriesOf: { times: number[]; cursor: string; lines: { stream: object; values: number[] }[] };
    }
    const ids = streams.map(({ id }) => String(id));
    const range = { from: iso(NOW - 6 * 3600), to: iso(NOW) };
    const { seriesOf } = await gateway.ask<GraphqlResult>(query, { ids: [...ids, '999999'], range });
    expect(seriesOf.lines.map(({ stream }) => stream)).toEqual(ids.map((platformId) => ({ platformId })));
    for (const { values } of seriesOf.lines) expect(values).toHaveLength(seriesOf.times.length);
    const delta = await gateway.ask<GraphqlResult>(query, { ids, range, after: seriesOf.cursor });
    expect(delta.seriesOf.times).toEqual([]);
  });
});

describe('charts of more than 1,000 ids', () => {
  const range = { from: iso(NOW - 3600), to: iso(NOW) };

  it('count streams, not ids', async () => {
    const streamIds = Array.from({ length: 1001 }, () => `${fullestStream(gateway, 'scalar')}`);
    const { seriesOf, chart } = await gateway.ask<{
      seriesOf: { lines: { stream: { site: { id: string } } }[] };
      chart: unknown[];
    }>(
      `query ($streamIds: [ID!]!, $range: TimeRange!) {
        seriesOf(streamIds: $streamIds, range: $range) { lines { stream { site { id } } } }
        chart(streamIds: $streamIds, range: $range) { time }
      }`,
      { streamIds, range },
    );
    expect(seriesOf.lines).toHaveLength(1);
    expect(chart.length).toBeGreaterThan(0);
    const { site } = await gateway.ask<{ site: { series: { lines: unknown[] } } }>(
      `query ($id: ID!, $streamIds: [ID!]!, $range: TimeRange!) {
        site(id: $id) { series(streamIds: $streamIds, range: $range) { lines { stream { id } } } }
      }`,
      { id: seriesOf.lines[0]?.stream.site.id, streamIds, range },
    );
    expect(site.series.lines).toHaveLength(1);
  });

  it('are refused with the limit of streams', async () => {
    const streamIds = Array.from({ length: 1001 }, (_, index) => `${index + 1}`);
    const { body } = await gateway.query(
      `query ($streamIds: [ID!]!, $range: TimeRange!) {
        seriesOf(streamIds: $streamIds, range: $range) { times }
        thresholdChanges(streamIds: $streamIds, range: $range) { time }
        chart(streamIds: $streamIds, range: $range) { time }
      }`,
      { streamIds, range },
    );
    expect(new Set(body.errors?.map(({ message }) => message))).toEqual(
      new Set(['streamIds: 1001 streams exceed the limit of 50.']),
    );
  });
});
