/** Filters and order of every root field, compared with the same conditions in SQL. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { distanceKm, type GeoPoint } from '../../../src/lib/geography.js';
import { startStillGateway } from '../../support/gateway.js';
import { tokenFor } from '../../support/sandbox/sandbox.js';

const gateway = await startStillGateway({ sandbox: { siteCount: 40 } });

async function ids(root: string, given: object, from = gateway): Promise<string[]> {
  const type = `${root[0]?.toUpperCase()}${root.slice(1, -1)}`;
  const result = await from.ask<{ list: { totalCount: number; nodes: { platformId: string }[] } }>(
    `query ($filter: ${type}Filter, $orderBy: ${type}Order) {
      list: ${root}(first: 1000, filter: $filter, orderBy: $orderBy) { totalCount nodes { platformId } }
    }`,
    { ...given },
  );
  expect(result.list.totalCount).toBe(result.list.nodes.length);
  return result.list.nodes.map(({ platformId }) => platformId);
}

function rows(table: string, condition: string, from = gateway): string[] {
  return from
    .sql<{ id: number }>(
      `SELECT id FROM ${table} WHERE account_id = ? AND (${condition}) ORDER BY id`,
      from.accountId,
    )
    .map(({ id }) => String(id));
}

const cases: [root: string, table: string, filter: object, condition: string][] = [
  ['sites', 'site', { nameContains: 'STATION' }, "lower(display_name) LIKE '%station%'"],
  ['sites', 'site', { status: 'inactive' }, "status = 'Inactive'"],
  ['sites', 'site', { organizationId: 'Organization:310' }, 'account_organization_id = 310'],
  [
    'sites',
    'site',
    { organizationId: '311', nameContains: 'mast' },
    "account_organization_id = 311 AND lower(display_name) LIKE '%mast%'",
  ],
  [
    'sites',
    'site',
    { within: { south: 39, north: 40, west: -85, east: -84 } },
    "latitude <> '' AND latitude + 0 BETWEEN 39 AND 40 AND longitude + 0 BETWEEN -85 AND -84",
  ],
  [
    'sites',
    'site',
    { within: { south: -90, north: 90, west: 160, east: -60 } },
    "latitude <> '' AND (longitude + 0 >= 160 OR longitude + 0 <= -60)",
  ],
  ['sites', 'site', { within: { south: -90, north: 90, west: -180, east: 180 } }, "latitude <> ''"],
  ['sites', 'site', {}, '1'],
  ['devices', 'device', { nameContains: 'logger 1' }, "lower(display_name) LIKE '%logger 1%'"],
  ['devices', 'device', { modelNumber: 'fl-400 lte' }, "model_number = 'FL-400 LTE'"],
  ['devices', 'device', { firmwareVersion: '4.0.2' }, "firmware_version = '4.0.2'"],
  ['devices', 'device', { siteId: 'Site:16802' }, 'site_id = 16802'],
  [
    'devices',
    'device',
    { modelNumber: 'FL-200', firmwareVersion: '3.4.7' },
    "model_number = 'FL-200' AND firmware_version = '3.4.7'",
  ],
  ['channels', 'channel', { nameContains: 'analog' }, "lower(display_name) LIKE '%analog%'"],
  ['channels', 'channel', { type: 'digital' }, "type_display_name = 'DIGITAL'"],
  ['channels', 'channel', { deviceId: '20411' }, 'device_id = 20411'],
  ['streams', 'stream', { nameContains: 'pressure' }, "lower(display_name) LIKE '%pressure%'"],
  ['streams', 'stream', { type: 'pressure' }, "type_display_name = 'Pressure'"],
  ['streams', 'stream', { units: '°C' }, "units = '°C'"],
  ['streams', 'stream', { units: '' }, "units = ''"],
  ['streams', 'stream', { siteId: 'Site:16803' }, 'site_id = 16803'],
  ['streams', 'stream', { siteId: '16801', type: 'Flow' }, "site_id = 16801 AND type_display_name = 'Flow'"],
];

describe('filters', () => {
  it.each(cases)('%s: %s by %j', async (root, table, filter, condition) => {
    const expected = rows(table, condition);
    expect(expected.length).toBeGreaterThan(0);
    expect(await ids(root, { filter })).toEqual(expected);
  });

  it('are ignored when they are null', async () => {
    const all = rows('site', '1');
    expect(await ids('sites', { filter: null })).toEqual(all);
    const filter = { nameContains: null, status: null, organizationId: null, within: null, near: null };
    expect(await ids('sites', { filter })).toEqual(all);
  });

  it('treat pattern characters literally', async () => {
    for (const nameContains of ['%', '.*', '_']) {
      expect(await ids('sites', { filter: { nameContains } })).toEqual([]);
    }
  });

  it('return nothing for an organization, site or device that does not exist', async () => {
    expect(await ids('sites', { filter: { organizationId: '999999' } })).toEqual([]);
    expect(await ids('devices', { filter: { siteId: '999999' } })).toEqual([]);
    expect(await ids('channels', { filter: { deviceId: '999999' } })).toEqual([]);
  });

  it('restrict an organization to its own sites, for any filter', async () => {
    const { organization } = await gateway.ask<{ organization: { sites: { totalCount: number } } }>(
      '{ organization(id: 310) { sites(filter: { organizationId: 311 }) { totalCount } } }',
    );
    expect(organization.sites.totalCount).toBe(0);
  });

  const box = { south: 0, west: 0, north: 1, east: 1 };
  const near = { latitude: 0, longitude: 0, radiusKm: 1 };
  it.each([
    [{ within: { ...box, north: 91 } }, 'filter.within.north'],
    [{ within: { ...box, south: -90.5 } }, 'filter.within.south'],
    [{ within: { ...box, west: -181 } }, 'filter.within.west'],
    [{ within: { ...box, east: 1e9 } }, 'filter.within.east'],
    [{ within: { ...box, south: 2 } }, 'filter.within'],
    [{ near: { ...near, latitude: 90.1 } }, 'filter.near.latitude'],
    [{ near: { ...near, longitude: -200 } }, 'filter.near.longitude'],
    [{ near: { ...near, radiusKm: 0 } }, 'filter.near.radiusKm'],
    [{ near: { ...near, radiusKm: -3 } }, 'filter.near.radiusKm'],
  ])('refuse %j by name', async (filter, argument) => {
    const { body } = await gateway.query(
      'query ($filter: SiteFilter) { sites(filter: $filter) { totalCount } }',
      {
        filter,
      },
    );
    expect(body.data).toEqual({ sites: null });
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message.startsWith(`${argument}: `)).toBe(true);
  });
});

describe('near', () => {
  interface Edge {
    distanceKm: number | null;
    node: { name: string; location: GeoPoint | null };
  }
  interface Near {
    sites: { edges: Edge[] };
  }
  const EDGES = 'edges { distanceKm node { name location { latitude longitude } } }';
  const query = (more: string) => `{ sites(first: 1000, ${more}) { ${EDGES} } }`;
  const AROUND = 'filter: { near: { latitude: 39.1, longitude: -84.51, radiusKm: 6 } }';

  it('sorts by distance unless another order is given, and returns each distance', async () => {
    const near = (await gateway.ask<Near>(query(AROUND))).sites.edges;
    const far = (await gateway.ask<Near>(query(`${AROUND}, orderBy: { field: DISTANCE, direction: DESC }`)))
      .sites;
    expect(near.length).toBeGreaterThan(2);
    const distances = near.map((edge) => Number(edge.distanceKm));
    expect(distances).toEqual([...distances].sort((one, other) => one - other));
    expect(Math.min(...distances)).toBeGreaterThan(0);
    expect(Math.max(...distances)).toBeLessThanOrEqual(6);
    expect(distances).toEqual(distances.map((km) => Number(km.toFixed(3))));
    expect(far.edges).toEqual([...near].reverse());
    const named = (await gateway.ask<Near>(query(`${AROUND}, orderBy: { field: NAME }`))).sites.edges;
    expect(named.map(({ node }) => node.name).sort()).toEqual(near.map(({ node }) => node.name).sort());
  });

  it('works alike on the edges of an organization', async () => {
    const { sites } = await gateway.ask<Near>(query(AROUND));
    const { organizations } = await gateway.ask<{ organizations: { nodes: Near[] } }>(
      `{ organizations { nodes { sites(first: 1000, ${AROUND}) { ${EDGES} } } } }`,
    );
    const owned = organizations.nodes.flatMap((organization) => organization.sites.edges);
    expect(owned.length).toBeGreaterThan(2);
    expect(sites.edges).toEqual(expect.arrayContaining(owned));
  });

  it('works across the 180th meridian', async () => {
    const { sites } = await gateway.ask<Near>(
      query('filter: { near: { latitude: -43.7, longitude: -179.9, radiusKm: 900 } }'),
    );
    expect(sites.edges.some(({ node }) => node.name.includes('Mount Cook'))).toBe(true);
  });

  it('is required for distanceKm and for sorting by it', async () => {
    const { sites } = await gateway.ask<Near>(`{ sites { ${EDGES} } }`);
    expect(new Set(sites.edges.map((edge) => edge.distanceKm))).toEqual(new Set([null]));
    const { body } = await gateway.query(query('orderBy: { field: DISTANCE }'));
    expect(body.errors?.[0]?.message).toMatch(/^orderBy\.field: /);
  });
});

describe('the distance of a site', () => {
  const QUERY = `query ($point: PointInput!) { sites(first: 1000) { nodes {
    distanceKm(from: $point) location { latitude longitude } } } }`;

  it.each([
    { latitude: 39.1, longitude: -84.51 },
    { latitude: -90, longitude: 180 },
  ])('is measured from %j', async (point) => {
    interface Measured {
      distanceKm: number | null;
      location: GeoPoint | null;
    }
    const { sites } = await gateway.ask<{ sites: { nodes: Measured[] } }>(QUERY, { point });
    const expected = sites.nodes.map(({ location }) =>
      location === null ? null : Number(distanceKm(point, location).toFixed(3)),
    );
    expect(sites.nodes.map((node) => node.distanceKm)).toEqual(expected);
    expect(expected).toContain(null);
  });

  it('is null with an error where the point is not on the earth', async () => {
    const { body } = await gateway.query(QUERY, { point: { latitude: 91, longitude: 0 } });
    expect(body.errors?.[0]?.message).toBe('from.latitude: 91 is not between -90 and 90.');
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe('sites without organization', () => {
  it('belong to none of several, by filter and by edge', async () => {
    const unowned = rows('site', 'account_organization_id IS NULL');
    expect(unowned).toHaveLength(1);
    for (const id of rows('organization', '1')) {
      expect(await ids('sites', { filter: { organizationId: id } })).not.toContain(unowned[0]);
    }
  });

  it('belong to the only one, by filter and by edge, in both directions', async () => {
    const single = await startStillGateway({ account: 1 });
    onTestFinished(() => single.stop());
    const { key, secret } = single.sandbox.credentials[1];
    const headers = { Authorization: `Bearer ${await tokenFor(single.sandbox.url, key, secret)}` };
    const sites = (await (await fetch(`${single.sandbox.url}/v2.0/site`, { headers })).json()) as object[];
    const unowned = sites.map((site, index) =>
      index === 0 ? site : { ...site, account_organization_id: undefined },
    );
    single.sandbox.faults.add({ match: 'GET /v2.0/site', status: 200, body: JSON.stringify(unowned) });

    const [organization] = rows('organization', '1', single);
    const all = rows('site', '1', single);
    expect(all).toHaveLength(3);
    expect(await ids('sites', { filter: { organizationId: organization } }, single)).toEqual(all);
    const result = await single.ask(`{
      organizations { nodes { sites { totalCount } } } sites { nodes { organization { platformId } } }
    }`);
    expect(result).toEqual({
      organizations: { nodes: [{ sites: { totalCount: 3 } }] },
      sites: { nodes: all.map(() => ({ organization: { platformId: organization } })) },
    });
  });
});

describe('order', () => {
  const orders: [root: string, fields: string[]][] = [
    ['sites', ['NAME', 'STATUS', 'CREATED_AT', 'ID']],
    ['devices', ['NAME', 'SERIAL_NUMBER', 'MODEL_NUMBER', 'FIRMWARE_VERSION', 'ID']],
    ['channels', ['NAME', 'TYPE', 'CREATED_AT', 'NUMBER_ON_DEVICE', 'ID']],
    ['streams', ['NAME', 'TYPE', 'UNITS', 'CREATED_AT', 'ID']],
    ['organizations', ['NAME', 'ID']],
    ['users', ['USER_NAME', 'ID']],
  ];
  const columns: Record<string, string> = {
    ...{
      NAME: 'display_name',
      STATUS: 'status',
      CREATED_AT: 'creation_date',
      ID: 'id',
      TYPE: 'type_display_name',
    },
    ...{ SERIAL_NUMBER: 'serial_number', MODEL_NUMBER: 'model_number', FIRMWARE_VERSION: 'firmware_version' },
    ...{ NUMBER_ON_DEVICE: 'on_device_num', UNITS: 'units', USER_NAME: 'user_name' },
  };
  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

  it.each(orders.flatMap(([root, fields]) => fields.map((field) => [root, field] as const)))(
    'sorts %s by %s in both directions, and equal values by id',
    async (root, field) => {
      const type = `${root[0]?.toUpperCase()}${root.slice(1, -1)}`;
      const query = `query ($orderBy: ${type}Order) {
        list: ${root}(first: 1000, orderBy: $orderBy) { nodes { platformId } } }`;
      const sorted = async (orderBy: object) =>
        (await gateway.ask<{ list: { nodes: { platformId: string }[] } }>(query, { orderBy })).list.nodes.map(
          ({ platformId }) => platformId,
        );
      const items = gateway.sql<{ id: number; key: string | number }>(
        `SELECT id, ${columns[field]} AS key FROM ${root.slice(0, -1)} WHERE account_id = ? ORDER BY id`,
        gateway.accountId,
      );
      const by = (sign: number) =>
        [...items]
          .sort((one, other) => sign * collator.compare(String(one.key), String(other.key)))
          .map(({ id }) => String(id));
      expect(await sorted({ field })).toEqual(by(1));
      expect(await sorted({ field, direction: 'DESC' })).toEqual(by(-1));
    },
  );
});
