/** Neither account sees a row of the other, on any path. */
import { beforeAll, expect, it } from 'vitest';
import { runningClock } from '../support/runningClock.js';
import { type FoundOperation, listOperations, type OpenApiDocument } from '../support/sandbox/openapi.js';
import { type Api, startSandboxWithApis, type Values } from '../support/sandbox/sandbox.js';
import type { TestSandbox } from '../support/sandbox/testSandbox.js';

let sandbox: TestSandbox;
let api: Api;
let neighbour: Api;
let document: OpenApiDocument;

beforeAll(async () => {
  ({ sandbox, api, neighbour, document } = await startSandboxWithApis({ siteCount: 8 }));
});

/** An object of the first account for each path parameter. */
const OWNED: Readonly<Record<string, string>> = {
  organizationId: 'SELECT id FROM organization WHERE account_id = 1207',
  userId: 'SELECT id FROM user WHERE account_id = 1207',
  siteId: 'SELECT id FROM site WHERE account_id = 1207',
  deviceId: 'SELECT id FROM device WHERE account_id = 1207',
  serialNumber: 'SELECT serial_number AS id FROM device WHERE account_id = 1207',
  channelId: 'SELECT id FROM channel WHERE account_id = 1207',
  streamId: 'SELECT id FROM stream WHERE account_id = 1207',
  imageId:
    'SELECT i.id AS id FROM image_sample i JOIN stream s ON s.id = i.stream_id WHERE account_id = 1207',
};

function idsOf(sql: string): (number | string)[] {
  return (sandbox.database.prepare(sql).all() as { id: number | string }[]).map(({ id }) => id);
}

const now = Math.floor(runningClock.now() / 1000);
const COMMON: Values = { sampleDate: 1_700_000_000, fromDate: 1_700_000_000, toDate: now, timeFrame: 60 };

function bodyOf({ method, operationId }: FoundOperation): unknown {
  if (method === 'GET') return undefined;
  return operationId === 'setThreshold' ? { levels: [] } : { attributes: [] };
}

it('the API returns 404 for objects of the other account, as for missing ones', async () => {
  const operations = listOperations(document).filter(({ path }) => path.includes('{'));
  expect(operations.length).toBeGreaterThan(25);
  for (const operation of operations) {
    const parameter = /\{(\w+)\}/.exec(operation.path)?.[1] ?? '';
    const [id] = idsOf(OWNED[parameter] ?? '');
    const values = { ...COMMON, [parameter]: id };
    const unknown = { ...COMMON, [parameter]: parameter === 'serialNumber' ? 'none' : 999 };
    const foreign = await neighbour.call(operation.operationId, values, bodyOf(operation));
    const missing = await neighbour.call(operation.operationId, unknown, bodyOf(operation));
    expect([operation.operationId, foreign.status, missing.status]).toEqual([
      operation.operationId,
      404,
      404,
    ]);
  }
});

it('lists and batches contain nothing of the other account', async () => {
  const mine = new Set(idsOf('SELECT id FROM stream WHERE account_id = 1207'));
  for (const [operationId, values] of [
    ['readScalarBatch', { sampleID: 1 }],
    ['readScalarBatch', { backfillHours: 1000 }],
    ['readScalarBatch', {}],
    ['listImageBatch', { sampleDate: 1_700_000_000 }],
    ['readRfidBatch', { sampleId: 1 }],
  ] as const) {
    const { samples } = await neighbour.get<{ samples: { stream_id: number }[] }>(operationId, values);
    expect(samples.filter(({ stream_id }) => mine.has(stream_id))).toEqual([]);
    if (operationId !== 'readRfidBatch') expect(samples.length).toBeGreaterThan(0);
  }
  for (const list of [
    ...['listOrganizations', 'listUsers', 'listSites', 'listDevices', 'listChannels', 'listStreams'],
    ...['listAllSiteAttributes', 'listAllStreamAttributes', 'listSiteAttributeNames'],
  ]) {
    const own = await api.get<object[]>(list);
    const theirs = await neighbour.get<object[]>(list);
    expect(theirs.length).toBeGreaterThan(0);
    expect(own).not.toEqual(expect.arrayContaining([theirs[0]]));
  }
});

it('the API refuses writes to the other account', async () => {
  const [attribute] = idsOf("SELECT id FROM attribute WHERE account_id = 1207 AND target = 'site'");
  const [site] = idsOf('SELECT id FROM site WHERE account_id = 1207');
  const body = { attributes: [{ id: attribute, parent_id: site, value: 'x' }] };
  expect((await neighbour.call('setSiteAttributes', {}, body)).status).toBe(404);
  const [sampleId] = idsOf(
    'SELECT x.id AS id FROM scalar_sample x JOIN stream s ON s.id = x.stream_id WHERE account_id = 1207 LIMIT 1',
  );
  expect((await neighbour.call('acknowledgeScalarBatch', { sampleId })).status).toBe(404);
});
