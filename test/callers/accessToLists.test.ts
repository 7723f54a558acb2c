/** Lists of restricted callers: those of the whole account without foreign objects, for every filter. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../../src/graphql/schema.js';
import { listEdges } from '../support/execution/schemaEdges.js';
import { required } from '../support/gateway.js';
import { dataOf, startRestrictedGateway } from '../support/http/restrictedGateway.js';
import { visibilityRules } from './visibilityRules.js';

const gateway = await startRestrictedGateway();

const canSee = (organizationIds: readonly number[]) => (id: string) =>
  organizationIds.includes(gateway.ownerOf(id) ?? 0);

interface Lists {
  [root: string]: { totalCount: number; nodes: { id: string }[]; pageInfo: { hasNextPage: boolean } };
}

const filters: Readonly<Record<string, fc.Arbitrary<string>>> = {
  organizations: fc.constant(''),
  sites: fc.constantFrom(
    '',
    ...[310, 311, 314, 999].map((id) => `filter: { organizationId: ${id} }`),
    'filter: { nameContains: "e" }',
    'filter: { near: { latitude: 39.1, longitude: -84.5, radiusKm: 9000 } }',
    'orderBy: { field: NAME, direction: DESC }',
    'filter: { worstAlarm: [NONE] }',
    'filter: { silentFor: { hours: 2 } }',
  ),
  devices: fc.constantFrom(
    '',
    'filter: { organizationId: 310 }',
    ...[16801, 16804, 16806, 16809, 9].map((id) => `filter: { siteId: ${id} }`),
  ),
  channels: fc.constantFrom('', 'filter: { nameContains: "a" }', 'orderBy: { field: NAME }'),
  streams: fc.constantFrom(
    '',
    ...[16802, 16805, 16806].map((id) => `filter: { siteId: ${id} }`),
    'orderBy: { field: UNITS }',
    'filter: { organizationId: 311 }',
    'filter: { alarmLevel: [NONE] }',
    'filter: { silentFor: { minutes: 30 } }',
    'filter: { newestValue: { min: 1 } }',
    'orderBy: { field: NEWEST_VALUE }',
  ),
};

const anyHeld = fc.uniqueArray(fc.constantFrom(310, 311, 312, 313, 314, 999), { minLength: 1, maxLength: 4 });
const anyList = fc
  .constantFrom(...Object.keys(filters))
  .chain((root) => fc.record({ root: fc.constant(root), given: required(filters[root]) }));

describe('lists', () => {
  it('are all tested', () => {
    const edges = listEdges(createSchema());
    const roots = edges.filter(({ name }) => visibilityRules[name] === 'list').map(({ field }) => field.name);
    expect([...Object.keys(filters), 'images'].sort()).toEqual(roots.sort());
  });

  it('contain those of the whole account without foreign objects, with counts to match', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyHeld,
        anyList,
        fc.integer({ min: 1, max: 40 }),
        async (organizationIds, { root, given }, first) => {
          const query = (count: number) =>
            `{ ${root}(first: ${count} ${given}) { totalCount nodes { id } pageInfo { hasNextPage } } }`;
          const whole = required(dataOf(await gateway.askAs<Lists>('*', query(1000)))[root]);
          const seen = required(dataOf(await gateway.askAs<Lists>(organizationIds, query(first)))[root]);
          const expected = whole.nodes.filter(({ id }) => canSee(organizationIds)(id));
          expect(seen).toEqual({
            totalCount: expected.length,
            nodes: expected.slice(0, first),
            pageInfo: { hasNextPage: expected.length > first },
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('that a filter restricts to ids contain no foreign objects if the list of the account is truncated', async () => {
    const truncated = await startRestrictedGateway({ maxListLength: 1 });
    const all = { streams: 'Stream', devices: 'Device', sites: 'Site' } as const;
    const isOwn = canSee([310]);
    for (const [root, type] of Object.entries(all)) {
      const ids = [...truncated.idsOf(type).slice(0, 30), `${type}:99999999`];
      expect(new Set(ids.map(isOwn))).toEqual(new Set([true, false]));
      const ofIds = `query ($ids: [ID!]) { ${root}(filter: { ids: $ids }) { totalCount isComplete nodes { id } } }`;
      const own = ids.filter(isOwn);
      expect(dataOf(await truncated.askAs<Lists>([310], ofIds, { ids }))[root]).toEqual({
        ...{ totalCount: own.length, isComplete: true },
        nodes: own.map((id) => ({ id })),
      });
    }
    const sites = truncated.idsOf('Site');
    const foreign = required(sites.find((id) => !isOwn(id)));
    const ofSite = 'query ($id: ID!) { streams(filter: { siteId: $id }) { totalCount } }';
    const countOf = async (id: string) =>
      dataOf(await truncated.askAs<Lists>([310], ofSite, { id }))['streams']?.totalCount;
    expect(await countOf(required(sites.find(isOwn)))).toBeGreaterThan(0);
    expect(await countOf(foreign)).toBe(0);
  });

  it('contain sites for which the platform names no organization if the account has only one', async () => {
    const query = '{ sites(filter: { organizationId: 310 }) { nodes { id organization { id } } } }';
    const fresh = await startRestrictedGateway();
    const rowsOf = (ids: readonly number[]) => JSON.stringify(ids.map((id) => ({ id, display_name: 'x' })));
    const sitesOf = async (organizationIds: readonly number[], organizations: readonly number[]) => {
      fresh.sandbox.faults.clear();
      fresh.sandbox.faults.add({ match: 'GET /v2.0/site', status: 200, body: rowsOf([1]) });
      const match = 'GET /v2.0/account/organization';
      fresh.sandbox.faults.add({ match, status: 200, body: rowsOf(organizations) });
      const noCache = { 'Cache-Control': 'no-cache' };
      return dataOf(await fresh.askAs<Lists>(organizationIds, query, {}, noCache))['sites']?.nodes;
    };
    const organization = { id: 'Organization:310' };
    expect(await sitesOf([310, 311], [310])).toEqual([{ id: 'Site:1', organization }]);
    expect(await sitesOf([311], [310])).toEqual([]);
    expect(await sitesOf([310], [310, 311])).toEqual([]);
  });

  it('of channels take no call for each device if the list of devices fails', async () => {
    const fresh = await startRestrictedGateway();
    fresh.sandbox.faults.add({ match: 'GET /v2.0/device', status: 400 });
    fresh.sandbox.calls.reset();
    const { errors } = await fresh.askAs([310], '{ channels { totalCount } }');
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['PLATFORM_REFUSED']);
    // A load whose result nobody needs would continue after the response.
    expect(dataOf(await fresh.askAs([310], '{ sites { totalCount } }'))).toHaveProperty('sites');
    const paths = new Set(fresh.restCalls().map(({ pathTemplate }) => pathTemplate));
    expect(paths).not.toContain('/v2.0/device/id/{deviceId}');
    expect(paths).toContain('/v2.0/channel');
  });

  it('of images reach the same end through all pages', async () => {
    for (const organizationIds of [[310], [311], [310, 311], [313]]) {
      const query = (first: number, after?: string) =>
        `{ images(since: "2026-03-13T00:00:00Z", first: ${first}${after ? `, after: "${after}"` : ''}) { totalCount nodes { id stream { id } } pageInfo { hasNextPage endCursor } } }`;
      interface Images {
        images: {
          totalCount: number;
          nodes: { id: string; stream: { id: string } }[];
          pageInfo: { hasNextPage: boolean; endCursor: string };
        };
      }
      const whole = dataOf(await gateway.askAs<Images>('*', query(1000))).images;
      const expected = whole.nodes.filter(({ stream }) => canSee(organizationIds)(stream.id));
      const found: unknown[] = [];
      for (let after: string | undefined; ; ) {
        const { images } = dataOf(await gateway.askAs<Images>(organizationIds, query(3, after)));
        expect(images.totalCount).toBe(expected.length);
        found.push(...images.nodes);
        if (!images.pageInfo.hasNextPage) break;
        after = images.pageInfo.endCursor;
      }
      expect(found).toEqual(expected);
    }
  });

  it('of RFID reads and their tags, and of search results, contain only those that the caller can see', async () => {
    interface Found {
      rfidReads: {
        totalCount: number;
        nodes: { stream: { id: string }; tagIds: string[] }[];
        tagCount: number;
      };
      search: Record<'sites' | 'devices' | 'streams', { id: string }[]>;
    }
    const query = `{
      rfidReads(since: "2026-03-13T00:00:00Z", first: 1000) { totalCount tagCount nodes { tagIds stream { id } } }
      search(text: "e", first: 100) { sites { id } devices { id } streams { id } }
    }`;
    const whole = dataOf(await gateway.askAs<Found>('*', query));
    expect(whole.rfidReads.nodes.length).toBeGreaterThan(0);
    for (const organizationIds of [[310], [312], [313], [310, 313], [999]]) {
      const { rfidReads, search } = dataOf(await gateway.askAs<Found>(organizationIds, query));
      const expected = whole.rfidReads.nodes.filter(({ stream }) => canSee(organizationIds)(stream.id));
      expect(rfidReads).toEqual({
        totalCount: expected.length,
        tagCount: new Set(expected.flatMap(({ tagIds }) => tagIds)).size,
        nodes: expected,
      });
      const found = Object.values(search).flat();
      expect(found.filter(({ id }) => !canSee(organizationIds)(id))).toEqual([]);
      if (organizationIds.includes(310)) expect(found.length).toBeGreaterThan(0);
    }
  });

  it('of RFID reads have their maximum for themselves, whatever the rest of the account has', async () => {
    const since = '2026-03-13T01:00:00Z';
    const query = `{ rfidReads(since: "${since}", first: 1000) { totalCount } }`;
    const toRow = (id: number) => ({ id, stream_id: 1, sample_date: '2026-03-13T02:00:00Z', tag_ids: 'A1' });
    const rest = Array.from({ length: 50_001 }, (_, index) => toRow(index + 2));
    const addBatch = (rows: readonly object[], hasMore: boolean) =>
      gateway.sandbox.faults.add({
        ...{ match: 'GET /v2.0/sample/rfid/batch', status: 200, times: 1 },
        body: JSON.stringify({ hasMore, samples: rows }),
      });
    addBatch([{ ...toRow(1), sample_date: '2026-03-13T23:00:00Z' }], true);
    addBatch(rest, false);
    const { data, errors } = await gateway.askAs<{ rfidReads: { totalCount: number } }>([312], query);
    gateway.sandbox.faults.clear();
    expect(errors).toBeUndefined();
    const [row] = gateway.sql<{ count: number }>(
      `SELECT count(*) AS count FROM rfid_sample r JOIN stream t ON t.id = stream_id JOIN site s ON s.id = t.site_id
       WHERE account_organization_id = 312 AND sample_date >= ${Date.parse(since) / 1000}`,
    );
    expect(data?.rfidReads.totalCount).toBe(row?.count);
    expect(row?.count).toBeGreaterThan(0);
  });
});
