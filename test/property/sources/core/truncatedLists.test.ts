/** Results over truncated lists equal those of a platform that truncates no list. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STILL_NOW_MS, startTestGateway, type TestGateway } from '../../../support/gateway.js';

/** Above every list of one parent, below the lists of the account. */
const LIST_LENGTH = 14;
/** The batch of the account has several pages. */
const BATCH_LENGTH = 150;
const clock = { now: () => STILL_NOW_MS };
let cut: TestGateway;
let whole: TestGateway;
let siteIds: string[];
let deviceIds: string[];
let streamIds: string[];

/** Moves devices to other sites, and adds samples that arrive late or on time, the same on both platforms. */
function change({ sql, accountId }: TestGateway): void {
  sql(`UPDATE device SET site_id = (SELECT min(id) FROM site WHERE account_id = device.account_id)
       WHERE account_id = ${accountId} AND id % 5 = 0`);
  const now = STILL_NOW_MS / 1000;
  const ages = [30, 600, 3590, 3610, 7200, 90_000];
  for (const [index, age] of ages.entries()) {
    sql(`INSERT INTO scalar_sample (id, stream_id, sample_date, value)
         SELECT (SELECT max(id) FROM scalar_sample) + row_number() OVER (ORDER BY id), id, ${now - age}, ${index}
         FROM stream WHERE account_id = ${accountId} AND id % 7 = ${index}`);
  }
}

beforeAll(async () => {
  const sandbox = { clock, siteCount: 8, historyDays: 1 };
  whole = await startTestGateway({ sandbox, gateway: { clock } });
  cut = await startTestGateway({
    sandbox: { ...sandbox, limits: { listLength: LIST_LENGTH, batchLength: BATCH_LENGTH } },
    gateway: { clock, maxListLength: LIST_LENGTH },
  });
  for (const gateway of [whole, cut]) change(gateway);
  const arrived = cut.sql('SELECT id FROM scalar_sample WHERE sample_date = ?', STILL_NOW_MS / 1000 - 3610);
  expect(arrived).not.toHaveLength(0);
  const moved = (gateway: TestGateway) => gateway.sql('SELECT id, site_id FROM device ORDER BY id');
  expect(moved(cut)).toEqual(moved(whole));
  const idsOf = async (list: string) => {
    const { all } = await whole.ask<{ all: { nodes: { id: string }[] } }>(
      `{ all: ${list}(first: 1000) { nodes { id } } }`,
    );
    return all.nodes.map(({ id }) => id);
  };
  siteIds = await idsOf('sites');
  deviceIds = await idsOf('devices');
  streamIds = await idsOf('streams');
});

afterAll(() => Promise.all([cut.stop(), whole.stop()]));

const LAST = 'lastSample { id rawValue sampledAt }';
const siteFields = fc.subarray(
  [
    'devices { id channels { id name } }',
    `streams { id ${LAST} }`,
    'devices { channels { streams { id channelLink } } }',
    'streams { customAttributes { name value } channel { id device { site { id } } } }',
    'customAttributes { name value }',
  ],
  { minLength: 1 },
);
const streamFields = fc.subarray(
  [LAST, 'customAttributes { value }', 'channel { id device { id serialNumber } }', 'site { id name }'],
  { minLength: 1 },
);
/** A list of the account before, which may be cached, truncated, when the ids are looked up. */
const before = fc.subarray([
  'a: streams { isComplete }',
  'b: devices { nodes { site { name } } }',
  'c: sites { nodes { id } }',
]);

async function expectEqual(operation: string, ids: readonly string[], noCache: boolean): Promise<void> {
  const headers: Record<string, string> = noCache ? { 'Cache-Control': 'no-cache' } : {};
  const [expected, actual] = await Promise.all(
    [whole, cut].map((gateway) => gateway.query(operation, { ids }, headers)),
  );
  expect(actual?.body.errors).toBeUndefined();
  expect(actual?.body).toEqual(expected?.body);
}

describe('over truncated lists', () => {
  it('the lists of the account are truncated, and batches have several pages', async () => {
    const { data, calls } = await cut.count<{ streams: { isComplete: boolean } }>(
      `{ streams { isComplete } sites(first: 100) { nodes { streams { ${LAST} } } } }`,
    );
    expect(data.streams.isComplete).toBe(false);
    expect(calls.filter((path) => path === '/v2.0/sample/batch').length).toBeGreaterThan(1);
  });

  it('sites have the same devices, channels, streams and last samples', async () => {
    const ids = () => fc.subarray(siteIds, { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(ids(), siteFields, fc.boolean(), (chosen, fields, noCache) =>
        expectEqual(
          `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Site { id ${fields.join(' ')} } } }`,
          chosen,
          noCache,
        ),
      ),
      { numRuns: 25 },
    );
  });

  it('streams have the same relations by id, whichever lists are cached', async () => {
    const ids = () => fc.subarray(streamIds, { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(ids(), streamFields, before, fc.boolean(), async (chosen, fields, first, noCache) => {
        if (first.length > 0) await cut.ask(`{ ${first.join(' ')} }`);
        await expectEqual(
          `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Stream { id ${fields.join(' ')} } } }`,
          chosen,
          noCache,
        );
      }),
      { numRuns: 25 },
    );
  });

  it('lists that a filter restricts to ids are complete, whichever lists are cached', async () => {
    const some = (ids: readonly string[]) =>
      fc.subarray([...ids], { minLength: 1, maxLength: 6 }).map((chosen) => JSON.stringify(chosen));
    const one = (ids: readonly string[]) => fc.constantFrom(...ids).map((id) => JSON.stringify(id));
    const list = fc.oneof(
      some(siteIds).map((ids) => `streams(filter: { siteIds: ${ids} }, first: 1000)`),
      one(siteIds).map((id) => `streams(filter: { siteId: ${id}, nameContains: "e" })`),
      fc
        .tuple(one(siteIds), some(siteIds))
        .map(([id, ids]) => `streams(filter: { siteId: ${id}, siteIds: ${ids} })`),
      fc
        .tuple(some(streamIds), some(siteIds))
        .map(([ids, ofSites]) => `streams(filter: { ids: ${ids}, siteIds: ${ofSites} })`),
      some(streamIds).map((ids) => `streams(filter: { ids: ${ids} }, orderBy: { field: NAME })`),
      some(siteIds).map((ids) => `devices(filter: { siteIds: ${ids} }, first: 1000)`),
      some(deviceIds).map((ids) => `devices(filter: { ids: ${ids} })`),
      one(deviceIds).map((id) => `channels(filter: { deviceId: ${id} })`),
      some(siteIds).map((ids) => `sites(filter: { ids: ${ids} })`),
    );
    await fc.assert(
      fc.asyncProperty(list, before, fc.boolean(), async (field, first, noCache) => {
        if (first.length > 0) await cut.ask(`{ ${first.join(' ')} }`);
        await expectEqual(`{ list: ${field} { totalCount isComplete nodes { id name } } }`, [], noCache);
      }),
      { numRuns: 50 },
    );
  });
});
