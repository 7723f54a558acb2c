/** Pages of lists: paging returns every item once, and errors name the invalid argument. */
import { describe, expect, it } from 'vitest';
import { required, startStillGateway } from '../../support/gateway.js';

const gateway = await startStillGateway();

interface Connection {
  totalCount: number;
  nodes: { id: string }[];
  edges: { cursor: string; node: { id: string } }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}

const FIELDS = `totalCount nodes { id } edges { cursor node { id } }
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;

const roots = ['organizations', 'users', 'sites', 'devices', 'channels', 'streams'] as const;
const tables = { organizations: 'organization', users: 'user', sites: 'site', devices: 'device' } as const;

function tableOf(root: (typeof roots)[number]): string {
  return root === 'channels' || root === 'streams' ? root.slice(0, -1) : tables[root];
}

async function page(root: string, first: number, after: string | null, more = ''): Promise<Connection> {
  const result = await gateway.ask<{ list: Connection }>(
    `query ($first: Int, $after: String) { list: ${root}(first: $first, after: $after ${more}) { ${FIELDS} } }`,
    { first, after },
  );
  return result.list;
}

async function readAllPages(root: string, first: number, more?: string): Promise<string[]> {
  const found: string[] = [];
  let after: string | null = null;
  for (;;) {
    const list: Connection = await page(root, first, after, more);
    expect(list.nodes.length).toBeLessThanOrEqual(first);
    expect(list.edges.map(({ node }) => node)).toEqual(list.nodes);
    expect(list.pageInfo.startCursor).toBe(list.edges[0]?.cursor ?? null);
    expect(list.pageInfo.endCursor).toBe(list.edges.at(-1)?.cursor ?? null);
    expect(list.pageInfo.hasPreviousPage).toBe(found.length > 0);
    found.push(...list.nodes.map(({ id }) => id));
    expect(list.pageInfo.hasNextPage).toBe(found.length < list.totalCount);
    if (!list.pageInfo.hasNextPage) return found;
    after = list.pageInfo.endCursor;
  }
}

describe.each(roots)('%s', (root) => {
  it.each([1, 3, 1000])('in pages of %i return every item once, in one order', async (first) => {
    const table = tableOf(root);
    const rows = gateway.sql<{ id: number }>(
      `SELECT id FROM ${table} WHERE account_id = ? ORDER BY id`,
      gateway.accountId,
    );
    const type = `${table[0]?.toUpperCase()}${table.slice(1)}`;
    expect(await readAllPages(root, first)).toEqual(rows.map(({ id }) => `${type}:${id}`));
  });

  it('in reverse order return the same items', async () => {
    const forward = await readAllPages(root, 4);
    expect(await readAllPages(root, 4, ', orderBy: { field: ID, direction: DESC }')).toEqual(
      forward.reverse(),
    );
  });

  it.each([0, -1, 1001])('refuse first: %i', async (first) => {
    const { body } = await gateway.query(`{ ${root}(first: ${first}) { totalCount } }`);
    expect(body.data).toEqual({ [root]: null });
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toMatch(/^first: /);
  });

  it.each(['', 'nonsense', 'MTIz', '16801'])('refuse the cursor %j', async (after) => {
    const { body } = await gateway.query(`{ ${root}(after: "${after}") { totalCount } }`);
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toMatch(/^after: /);
  });

  it('refuse the cursors of all other lists', async () => {
    for (const other of roots.filter((name) => name !== root)) {
      const { pageInfo } = await page(other, 1, null);
      const { body } = await gateway.query(
        `query ($after: String) { ${root}(first: 1, after: $after) { totalCount } }`,
        { after: pageInfo.endCursor },
      );
      expect(body.data, other).toEqual({ [root]: null });
      expect(body.errors?.[0]?.message, other).toMatch(/^after: .* is not a cursor of this list/);
    }
  });

  it('return a hundred items where `first` is missing or null', async () => {
    const { list, other } = await gateway.ask<{ list: Connection; other: Connection }>(
      `{ list: ${root} { ${FIELDS} } other: ${root}(first: null, after: null) { ${FIELDS} } }`,
    );
    expect(list.nodes).toHaveLength(Math.min(100, list.totalCount));
    expect(other).toEqual(list);
  });
});

describe('a page of sites', () => {
  it('continues after its cursor in another order too', async () => {
    const sorted = await readAllPages('sites', 1000, ', orderBy: { field: NAME }');
    const { edges } = await page('sites', 3, null, ', orderBy: { field: NAME }');
    const next = await page('sites', 3, edges[1]?.cursor ?? null, ', orderBy: { field: NAME }');
    expect(next.nodes.map(({ id }) => id)).toEqual(sorted.slice(2, 5));
  });

  it('is empty after the last item, without cursors', async () => {
    const all = await page('sites', 1000, null);
    const { nodes, pageInfo, totalCount } = await page('sites', 5, all.pageInfo.endCursor);
    expect(nodes).toEqual([]);
    expect(totalCount).toBe(all.totalCount);
    expect(pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: true,
      startCursor: null,
      endCursor: null,
    });
  });

  it('of an organization behaves like a page of the root field', async () => {
    const { organization } = await gateway.ask<{ organization: { a: Connection; b: Connection } }>(
      `{ organization(id: 310) { a: sites(first: 2) { ${FIELDS} } b: sites(first: 1000) { ${FIELDS} } } }`,
    );
    const { a, b } = organization;
    expect(b.totalCount).toBeGreaterThan(2);
    expect(a.nodes).toEqual(b.nodes.slice(0, 2));
    expect(a.totalCount).toBe(b.totalCount);
    expect(a.pageInfo.hasNextPage).toBe(true);
  });
});

describe('the newest records of a device', () => {
  it.each([
    ['health', 'device_health'],
    ['logs', 'device_log'],
  ])('tell whether %s has older ones', async (field, table) => {
    const [most] = gateway.sql<{ id: number; count: number }>(
      `SELECT device_id AS id, count(*) AS count FROM ${table} r JOIN device d ON d.id = device_id
       WHERE account_id = ? GROUP BY device_id ORDER BY count(*) DESC LIMIT 1`,
      gateway.accountId,
    );
    const { id, count } = required(most);
    const { device } = await gateway.ask<{ device: Record<'few' | 'many', Connection> }>(
      `query ($id: ID!) { device(id: $id) {
        few: ${field}(first: ${Math.min(99, count - 1)}) { pageInfo { hasPreviousPage } }
        many: ${field}(first: 1000) { nodes { platformId } pageInfo { hasPreviousPage } }
      } }`,
      { id },
    );
    expect(device.few.pageInfo.hasPreviousPage).toBe(true);
    expect(device.many.pageInfo.hasPreviousPage).toBe(count > device.many.nodes.length);
  });
});

describe('facets', () => {
  it('count the values of the matching items on all pages', async () => {
    const { streams, devices } = await gateway.ask<{
      streams: { totalCount: number; facets: Record<string, { value: string; count: number }[]> };
      devices: { facets: Record<string, { value: string; count: number }[]> };
    }>(`{
      streams(first: 1, filter: { type: "Pressure" }) {
        totalCount facets { types { value count } units { value count } statuses { value count } }
      }
      devices(first: 1) { facets { models { value count } firmwareVersions { value count } } }
    }`);
    const { totalCount } = streams;
    expect(streams.facets).toEqual({
      types: [{ value: 'Pressure', count: totalCount }],
      units: [{ value: 'bar', count: totalCount }],
      statuses: [{ value: '1', count: totalCount }],
    });
    const models = gateway.sql(
      `SELECT model_number AS value, count(*) AS count FROM device WHERE account_id = ?
       GROUP BY 1 ORDER BY 2 DESC, 1`,
      gateway.accountId,
    );
    expect(devices.facets['models']).toEqual(models);
  });
});
