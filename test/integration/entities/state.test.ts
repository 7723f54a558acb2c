/** Filters and orders by state, compared with the sandbox's rows, with the REST calls that they need. */
import { describe, expect, it } from 'vitest';
import { required, STILL_NOW_MS, startStillGateway } from '../../support/gateway.js';

const NOW = STILL_NOW_MS / 1000;

const gateway = await startStillGateway({
  sandbox: { siteCount: 44 },
  gateway: { healthCounters: [{ typeId: 1, name: 'Battery', units: 'mV' }] },
});

interface Edge {
  orderValue?: number | null;
  node: { platformId: string };
}

async function list(root: string, given: object, fields = ''): Promise<{ ids: number[]; edges: Edge[] }> {
  const type = `${root[0]?.toUpperCase()}${root.slice(1, -1)}`;
  const result = await gateway.ask<{ list: { edges: Edge[] } }>(
    `query ($filter: ${type}Filter, $orderBy: ${type}Order) {
      list: ${root}(first: 1000, filter: $filter, orderBy: $orderBy) { edges { ${fields} node { platformId } } }
    }`,
    { ...given },
  );
  const { edges } = result.list;
  return { ids: edges.map(({ node }) => Number(node.platformId)), edges };
}

interface StreamRow {
  id: number;
  site_id: number;
  units: string;
  type: string;
  value: number | string | null;
  at: number | null;
  levels: string | null;
}

function streamRows(): StreamRow[] {
  return gateway.sql<StreamRow>(
    `SELECT s.id, s.site_id, s.units, s.type_display_name AS type, t.levels,
      (SELECT value FROM scalar_sample WHERE stream_id = s.id ORDER BY sample_date DESC, id DESC LIMIT 1) AS value,
      (SELECT max(sample_date) FROM scalar_sample WHERE stream_id = s.id) AS at
     FROM stream s LEFT JOIN threshold t ON t.stream_id = s.id WHERE s.account_id = ? ORDER BY s.id`,
    gateway.accountId,
  );
}

/** The name of the level of the newest value, as the platform returns it. */
function levelIn({ levels, value }: StreamRow): string | undefined {
  if (levels === null || typeof value !== 'number') return undefined;
  const parsed = JSON.parse(levels) as { display_name: string; upper_limit?: number }[];
  const rounded = Number(value.toFixed(4));
  return (parsed.find(({ upper_limit: upper }) => upper == null || rounded < upper) ?? parsed.at(-1))
    ?.display_name;
}

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);
const templates = () => gateway.restCalls().map(({ pathTemplate }) => pathTemplate);

describe('streams by state', () => {
  it('are found by the name of their level, warm with only the batch of the account', async () => {
    const rows = streamRows();
    const expected = idsOf(rows.filter((row) => levelIn(row) === 'High' || levelIn(row) === 'Low'));
    expect(expected.length).toBeGreaterThan(2);
    const filter = { thresholdStatus: ['high', 'LOW'] };
    expect((await list('streams', { filter })).ids).toEqual(expected);

    gateway.sandbox.calls.reset();
    expect((await list('streams', { filter, orderBy: { field: 'NAME' } })).ids.sort()).toEqual(
      [...expected].sort(),
    );
    expect(templates()).toEqual([]);
  });

  it('are found by new levels at once after a write', async () => {
    const own = await startStillGateway();
    const [row] = own.sql<{ id: number }>(
      `SELECT s.id FROM stream s JOIN threshold t ON t.stream_id = s.id
       WHERE account_id = ? AND EXISTS (SELECT 1 FROM scalar_sample WHERE stream_id = s.id) ORDER BY s.id LIMIT 1`,
      own.accountId,
    );
    const id = `Stream:${required(row).id}`;
    const query =
      '{ streams(filter: { thresholdStatus: ["tudo esta BEM"] }) { nodes { id threshold { alarmLevel } } } }';
    for (let round = 0; round < 2; round++) expect(await own.ask(query)).toEqual({ streams: { nodes: [] } });
    await own.ask(
      `mutation ($input: SetStreamThresholdInput!) { setStreamThreshold(input: $input) { userErrors { code } } }`,
      { input: { streamId: id, levels: [{ name: 'Tudo está bem', transmissionInterval: 'EMERGENCY' }] } },
    );
    const nodes = [{ id, threshold: { alarmLevel: 'EMERGENCY' } }];
    expect(await own.ask(query)).toEqual({ streams: { nodes } });
  });

  it('have the level that the platform names', async () => {
    const { streams } = await gateway.ask<{
      streams: { nodes: { threshold: { status: string | null; level: { name: string } | null } }[] };
    }>('{ streams(first: 60) { nodes { threshold { status level { name } alarmLevel } } } }');
    const levels = streams.nodes.map(({ threshold }) => threshold.level?.name ?? null);
    expect(levels.filter((name) => name !== null).length).toBeGreaterThan(5);
    expect(levels).toEqual(streams.nodes.map(({ threshold }) => threshold.status));
  });

  it('are found and sorted by their alarm level', async () => {
    const rows = streamRows();
    const high = idsOf(rows.filter((row) => levelIn(row) === 'High'));
    expect((await list('streams', { filter: { alarmLevel: ['EVENT', 'EMERGENCY'] } })).ids).toEqual(high);
    const given = { orderBy: { field: 'ALARM_LEVEL', direction: 'DESC' } };
    const { ids, edges } = await list('streams', given, 'orderValue');
    expect(ids.slice(0, high.length)).toEqual(high);
    expect(new Set(edges.map(({ orderValue }) => orderValue))).toEqual(new Set([null]));
  });

  it('are found by their newest value', async () => {
    const rows = streamRows();
    const expected = rows.filter(
      ({ value, type }) => typeof value === 'number' && type === 'Pressure' && value >= 3 && value <= 4,
    );
    expect(expected.length).toBeGreaterThan(0);
    const filter = { type: 'Pressure', newestValue: { min: 3, max: 4 } };
    expect((await list('streams', { filter })).ids).toEqual(idsOf(expected));
  });

  it('are sorted by their newest value, which their edges carry', async () => {
    const given = { filter: { type: 'Flow' }, orderBy: { field: 'NEWEST_VALUE', direction: 'DESC' } };
    const { edges } = await list('streams', given, 'orderValue');
    const values = edges.map(({ orderValue }) => orderValue ?? Number.NEGATIVE_INFINITY);
    expect(values.length).toBeGreaterThan(3);
    expect(values).toEqual([...values].sort((one, other) => other - one));
  });

  it.each([{ minutes: 30 }, { hours: 3 }])('are found by a silence of %j', async (silentFor) => {
    const seconds = 'minutes' in silentFor ? silentFor.minutes * 60 : silentFor.hours * 3600;
    const expected = streamRows().filter(({ at, units }) =>
      at === null ? units !== '' : at < NOW - seconds,
    );
    expect(expected.length).toBeGreaterThan(0);
    expect((await list('streams', { filter: { silentFor } })).ids).toEqual(idsOf(expected));
  });

  it('need no call of their own for a short silence', async () => {
    const query = '{ streams(filter: { type: "Flow", silentFor: { minutes: 30 } }) { totalCount } }';
    const { calls } = await gateway.count(query);
    expect(calls.filter((call) => call.includes('{streamId}'))).toEqual([]);
  });

  it('are sorted by an aggregate of a range, at most 200', async () => {
    const range = { from: new Date(STILL_NOW_MS - 6 * 3_600_000).toISOString(), to: STILL_NOW_MS };
    const orderBy = { field: 'AGGREGATE', direction: 'DESC', aggregate: { range, statistic: 'MAX' } };
    const { edges } = await list('streams', { filter: { type: 'Flow' }, orderBy }, 'orderValue');
    const expected = gateway.sql<{ id: number; most: number }>(
      `SELECT s.id, max(value) AS most FROM scalar_sample JOIN stream s ON s.id = stream_id
       WHERE s.account_id = ? AND type_display_name = 'Flow' AND sample_date >= ? AND sample_date < ?
         AND typeof(value) <> 'text' GROUP BY s.id ORDER BY most DESC`,
      gateway.accountId,
      NOW - 6 * 3600,
      NOW,
    );
    const ranked = edges.filter(({ orderValue }) => orderValue != null);
    expect(ranked.map(({ node }) => Number(node.platformId))).toEqual(idsOf(expected));
    const tooMany = await gateway.query(
      'query ($orderBy: StreamOrder) { streams(orderBy: $orderBy) { totalCount } }',
      { orderBy },
    );
    expect(tooMany.body.errors?.[0]?.message).toContain('more than 200');
    const { body } = await gateway.query(
      'query ($orderBy: StreamOrder) { streams(orderBy: $orderBy) { totalCount } }',
      { orderBy: { field: 'AGGREGATE' } },
    );
    expect(body.errors?.[0]?.message).toContain('orderBy.aggregate');
  });

  it('are found by attributes of their own and of their site', async () => {
    const own = gateway.sql<{ id: number }>(
      `SELECT DISTINCT s.id FROM stream s JOIN attribute_value v ON v.parent_id = s.id
       WHERE s.account_id = ? AND v.value = '2024-05-14' ORDER BY s.id`,
      gateway.accountId,
    );
    const customAttribute = { name: 'last CALIBRATION', valueContains: '2024' };
    expect((await list('streams', { filter: { customAttribute } })).ids).toEqual(idsOf(own));

    const [asset] = gateway.sql<{ name: string; value: string; site: number }>(
      `SELECT a.display_name AS name, v.value, v.parent_id AS site FROM attribute_value v
       JOIN attribute a ON a.id = v.attribute_id JOIN site s ON s.id = v.parent_id
       WHERE s.account_id = ? ORDER BY v.parent_id LIMIT 1`,
      gateway.accountId,
    );
    const { name, value, site } = required(asset, 'attribute of a site');
    const atSite = { siteCustomAttribute: { name, value }, siteIds: [String(site)] };
    const { ids } = await list('streams', { filter: atSite });
    expect(ids).toEqual(idsOf(streamRows().filter((row) => row.site_id === site)));
    expect((await list('sites', { filter: { customAttribute: { name, value } } })).ids).toContain(site);
  });

  it('are found by several ids, an organization and a status', async () => {
    const rows = streamRows();
    const [one, two] = rows.map(({ id }) => id);
    expect((await list('streams', { filter: { ids: [`Stream:${two}`, `${one}`] } })).ids).toEqual([one, two]);
    const owned = gateway.sql<{ id: number }>(
      'SELECT s.id FROM stream s JOIN site t ON t.id = s.site_id WHERE t.account_organization_id = 310 ORDER BY s.id',
    );
    expect((await list('streams', { filter: { organizationId: 310 } })).ids).toEqual(idsOf(owned));
    expect((await list('streams', { filter: { status: '1' } })).ids).toEqual(idsOf(rows));
    const { body } = await gateway.query('query ($f: StreamFilter) { streams(filter: $f) { totalCount } }', {
      f: { ids: Array.from({ length: 1001 }, (_, index) => `${index + 1}`) },
    });
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe('sites by state', () => {
  it('are found and sorted by their worst alarm', async () => {
    const rows = streamRows();
    const alarmed = new Set(rows.filter((row) => levelIn(row) === 'High').map(({ site_id }) => site_id));
    const { ids } = await list('sites', { filter: { worstAlarm: ['EVENT', 'EMERGENCY'] } });
    expect(ids).toEqual([...alarmed].sort());
    const sorted = await list('sites', { orderBy: { field: 'WORST_ALARM', direction: 'DESC' } });
    expect(sorted.ids.slice(0, alarmed.size)).toEqual(ids);
    const { site } = await gateway.ask<{ site: object }>(`{ site(id: ${ids[0]}) { worstAlarm } }`);
    expect(site).toEqual({ worstAlarm: 'EVENT' });
  });

  it('are found by silence, and sorted by their newest sample', async () => {
    const newest = new Map<number, number>();
    for (const { site_id, at } of streamRows()) {
      newest.set(site_id, Math.max(newest.get(site_id) ?? 0, at ?? 0));
    }
    const silent = [...newest].filter(([, at]) => at < NOW - 1800).map(([id]) => id);
    expect((await list('sites', { filter: { silentFor: { minutes: 30 } } })).ids).toEqual(silent.sort());
    const { calls } = await gateway.count('{ sites { nodes { newestSampledAt } } }');
    expect(calls).toEqual(['/v2.0/site', '/v2.0/stream', '/v2.0/sample/batch']);
    const { ids } = await list('sites', { orderBy: { field: 'NEWEST_SAMPLED_AT' } });
    const times = ids.map((id) => newest.get(id) || Number.POSITIVE_INFINITY);
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });
});

describe('devices by state', () => {
  it('are found by part of the serial number, and by an organization', async () => {
    const [row] = gateway.sql<{ id: number; serial_number: string }>(
      'SELECT id, serial_number FROM device WHERE account_id = ? ORDER BY id DESC LIMIT 1',
      gateway.accountId,
    );
    const { id, serial_number } = required(row);
    const part = serial_number.slice(2).toLowerCase();
    expect((await list('devices', { filter: { serialNumberContains: part } })).ids).toEqual([id]);
  });

  it('are found by their last contact', async () => {
    const contacts = gateway.sql<{ id: number; at: number | null }>(
      `SELECT d.id, max(coalesce((SELECT max(sample_date) FROM device_health WHERE device_id = d.id), 0),
        coalesce((SELECT max(log_date) FROM device_log WHERE device_id = d.id), 0)) AS at
       FROM device d WHERE d.account_id = ? ORDER BY d.id`,
      gateway.accountId,
    );
    const { ids } = await list('devices', { filter: { silentFor: { hours: 20 } } });
    expect(ids.length).toBeGreaterThan(0);
    const byId = new Map(contacts.map(({ id, at }) => [id, at ?? 0]));
    for (const id of ids) expect(byId.get(id)).toBeLessThan(NOW - 20 * 3600);
    const { device } = await gateway.ask<{ device: { lastContactAt: string | null } }>(
      `{ device(id: ${contacts[0]?.id}) { lastContactAt } }`,
    );
    expect(Date.parse(device.lastContactAt ?? '') / 1000).toBeGreaterThanOrEqual(contacts[0]?.at ?? 0);
  });

  it('are sorted by a health counter, which has the name and the unit of the setting', async () => {
    const given = { orderBy: { field: 'HEALTH_COUNTER', counter: 'battery' } };
    const { ids, edges } = await list('devices', given, 'orderValue');
    const values = edges.map(({ orderValue }) => orderValue ?? Number.POSITIVE_INFINITY);
    expect(values).toEqual([...values].sort((one, other) => one - other));
    const { device } = await gateway.ask<{ device: { lastHealth: object[] } }>(
      `{ device(id: ${ids[0]}) { lastHealth(counters: ["BATTERY"]) { counterTypeId name units value } } }`,
    );
    expect(device.lastHealth).toEqual([
      { counterTypeId: 1, name: 'Battery', units: 'mV', value: edges[0]?.orderValue },
    ]);
  });
});

describe('devices sorted by a health counter', () => {
  it.each(['nope', '', '1x'])('are refused for the unknown counter %j', async (counter) => {
    const query = `query ($counter: String) { devices(orderBy: { field: HEALTH_COUNTER, counter: $counter }) { totalCount } }`;
    gateway.sandbox.calls.reset();
    const { body } = await gateway.query(query, { counter });
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toMatch(/^orderBy\.counter: /);
    expect(gateway.restCalls().map(({ pathTemplate }) => pathTemplate)).not.toContain(
      '/v2.0/device/{deviceId}/lastHealth',
    );
  });

  it('may name it by the number of its type', async () => {
    const [byName, byNumber] = await Promise.all(
      [' battery ', '1'].map((counter) =>
        list('devices', { orderBy: { field: 'HEALTH_COUNTER', counter } }, 'orderValue'),
      ),
    );
    expect(byNumber).toEqual(byName);
  });
});

describe('lastHealth', () => {
  it('selects the counters of each request, given as constants or as variables', async () => {
    const types = async (operation: string, variables = {}) => {
      const { devices } = await gateway.ask<{
        devices: { nodes: { lastHealth: { counterTypeId: number }[] }[] };
      }>(operation, variables);
      return devices.nodes[0]?.lastHealth.map(({ counterTypeId }) => counterTypeId);
    };
    const variable =
      'query ($c: [String!]) { devices(first: 1) { nodes { lastHealth(counters: $c) { counterTypeId } } } }';
    for (let round = 0; round < 2; round++) {
      expect(await types(variable, { c: ['2'] })).toEqual([2]);
      expect(await types(variable, { c: ['1', '3'] })).toEqual([1, 3]);
      expect(await types(variable)).toEqual([1, 2, 3, 4]);
      for (const id of [1, 4]) {
        const constant = `{ devices(first: 1) { nodes { lastHealth(counters: ["${id}"]) { counterTypeId } } } }`;
        expect(await types(constant)).toEqual([id]);
      }
    }
  });

  it('names the counters that exist for an unknown one', async () => {
    gateway.sandbox.calls.reset();
    const { body } = await gateway.query<{ devices: { nodes: { lastHealth: null }[] } }>(
      '{ devices(first: 1) { nodes { lastHealth(counters: ["battery", "nope"]) { value } } } }',
    );
    expect(body.data?.devices.nodes).toEqual([{ lastHealth: null }]);
    expect(body.errors).toMatchObject([
      {
        message:
          'counters[1]: "nope" is neither a number nor a name in the setting HEALTH_COUNTERS ("Battery").',
        path: ['devices', 'nodes', 0, 'lastHealth'],
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ]);
    expect(gateway.restCalls().map(({ pathTemplate }) => pathTemplate)).not.toContain(
      '/v2.0/device/{deviceId}/lastHealth',
    );
  });
});
