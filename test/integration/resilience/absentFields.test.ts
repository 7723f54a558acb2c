/**
 * Fields that the platform omits, adds, writes or orders differently do not change results, if their values follow from
 * the request or from the written value.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  fullestStream,
  queryGateway,
  required,
  startStillGateway,
  type TestGateway,
} from '../../support/gateway.js';
import { createRecordingLogger } from '../../support/http/edgeGateway.js';

/** Two gateways over the same data, so that both plan the same calls. */
let sound: TestGateway;
let gateway: TestGateway;
let stream: number;
let site: number;
let device: number;
let channel: number;

beforeAll(async () => {
  sound = await startStillGateway();
  stream = fullestStream(sound, 'scalar');
  const [row] = sound.sql<{ site: number; device: number; channel: number }>(
    'SELECT s.site_id AS site, d.id AS device, c.id AS channel FROM stream s JOIN device d ON d.site_id = s.site_id JOIN channel c ON c.device_id = d.id WHERE s.id = ?',
    stream,
  );
  ({ site, device, channel } = required(row));
});

beforeEach(async () => {
  gateway = await startStillGateway();
});

const RANGE = 'range: { from: "2026-03-14T02:00:00Z", to: "2026-03-14T09:00:00Z" }';
const SINCE = 'since: "2026-03-14T02:00:00Z", first: 1000';

type Row = Record<string, unknown>;

/** Edits the rows of a list or a batch, or the only row. */
function editRows(edit: (rows: readonly Row[]) => readonly object[]) {
  return (json: unknown) => {
    const { samples } = json as { samples?: Row[] };
    if (Array.isArray(json)) return edit(json);
    return samples ? { ...(json as object), samples: edit(samples) } : edit([json as Row])[0];
  };
}

const editEach = (edit: (row: Row) => object) => editRows((rows) => rows.map(edit));

const fillIn = (operation: string) =>
  operation
    .replace('STREAM', `${stream}`)
    .replace('SITE', `${site}`)
    .replace('DEVICE', `${device}`)
    .replace('CHANNEL', `${channel}`);

/** Both gateways run the operation; the platform of one of them sends other JSON. */
async function expectSame(endpoint: string, edit: (json: unknown) => unknown, operation: string) {
  gateway.sandbox.faults.add({ match: `GET ${endpoint}`, edit });
  const text = fillIn(operation);
  const { data, calls } = await gateway.count(text);
  expect(calls).toContain(endpoint);
  expect(data).toEqual((await sound.count(text)).data);
  await gateway.stop();
}

/** The lists of one parent: the endpoint, the field with the id of the parent, and an operation that reads the list. */
const listsOfParents: [endpoint: string, field: string, operation: string][] = [
  ['/v2.0/site/{siteId}/devices', 'site_id', '{ site(id: SITE) { devices { name site { name } } } }'],
  [
    '/v2.0/site/{siteId}/streams',
    'site_id',
    '{ site(id: SITE) { streams { name site { name } channel { name } } } }',
  ],
  [
    '/v2.0/site/{siteId}/customAttributes',
    'parent_id',
    '{ site(id: SITE) { customAttributes { name value } } }',
  ],
  [
    '/v2.0/device/{deviceId}/channels',
    'device_id',
    '{ device(id: DEVICE) { channels { name device { name } streams { name } } } }',
  ],
  [
    '/v2.0/device/{deviceId}/health',
    'device_id',
    '{ device(id: DEVICE) { health { nodes { counterTypeId value sampledAt } } } }',
  ],
  [
    '/v2.0/device/{deviceId}/lastHealth',
    'device_id',
    '{ device(id: DEVICE) { lastHealth { counterTypeId value sampledAt } } }',
  ],
  ['/v2.0/device/{deviceId}/log', 'device_id', '{ device(id: DEVICE) { logs { nodes { message } } } }'],
  ['/v2.0/device/{deviceId}/lastLog', 'device_id', '{ device(id: DEVICE) { lastLog { message loggedAt } } }'],
  ['/v2.0/stream/{streamId}/sample', 'stream_id', '{ stream(id: STREAM) { samplesAfter { value } } }'],
  [
    '/v2.0/stream/{streamId}/sample/batch',
    'stream_id',
    `{ stream(id: STREAM) { samplesSince(${SINCE}) { totalCount } } }`,
  ],
  [
    '/v2.0/stream/{streamId}/sample/range',
    'stream_id',
    `{ stream(id: STREAM) { samples(${RANGE}) { totalCount } } }`,
  ],
  [
    '/v2.0/stream/{streamId}/sample/agg',
    'stream_id',
    `{ stream(id: STREAM) { aggregates(${RANGE}, every: { minutes: 60 }) { count } } }`,
  ],
];

describe('rows without the id that the path has', () => {
  it.each([
    ...listsOfParents,
    ['/v2.0/stream/{streamId}/sample/last', 'stream_id', '{ stream(id: STREAM) { lastSample { value } } }'],
  ])('of %s have it, without %s', async (endpoint, field, operation) => {
    await expectSame(
      endpoint,
      editEach((row) => ({ ...row, [field]: undefined })),
      operation,
    );
  });
});

describe('rows of another parent than that of the path', () => {
  it.each(listsOfParents)('in %s are left out', async (endpoint, field, operation) => {
    const toOther = (row: Row) => ({
      ...row,
      id: Number(row['id']) + 1000,
      [field]: Number(row[field]) + 1000,
    });
    const addOthers = (rows: readonly Row[]) => rows.flatMap((row) => [toOther(row), row]);
    await expectSame(endpoint, editRows(addOthers), operation);
  });
});

describe('an entity with another id than that of the path', () => {
  it.each([
    ['channel', '{ channel(id: CHANNEL) { name } }', '/v2.0/channel/{channelId}'],
    ['site', '{ site(id: SITE) { name } }', '/v2.0/site/{siteId}'],
    ['device', '{ device(id: DEVICE) { name } }', '/v2.0/device/id/{deviceId}'],
    ['stream', '{ stream(id: STREAM) { name } }', '/v2.0/stream/{streamId}'],
  ])('is no %s', async (field, operation, endpoint) => {
    const toOther = (row: Row) => ({ ...row, id: Number(row['id']) + 1 });
    gateway.sandbox.faults.add({ match: `GET ${endpoint}`, edit: editEach(toOther) });
    const { body } = await queryGateway(gateway.url, fillIn(operation));
    expect(body).toMatchObject({
      data: { [field]: null },
      errors: [{ extensions: { code: 'PLATFORM_BAD_RESPONSE', retryable: false } }],
    });
    await gateway.stop();
  });
});

const toUnix = (text: unknown) => Date.parse(String(text)) / 1000;

describe('dates in Unix time', () => {
  it.each([
    ['/v2.0/stream/{streamId}/sample/last', '{ stream(id: STREAM) { lastSample { value sampledAt } } }'],
    [
      '/v2.0/stream/{streamId}/sample/range',
      `{ stream(id: STREAM) { samples(${RANGE}) { totalCount nodes { sampledAt value } } } }`,
    ],
    ['/v2.0/sample/batch', '{ sampleBatch(kind: SCALAR) { samples { id sampledAt } } }'],
  ])('of %s are read', async (endpoint, operation) => {
    const edit = (row: Row) => ({ ...row, sample_date: toUnix(row['sample_date']) });
    await expectSame(endpoint, editEach(edit), operation);
  });

  it('of aggregates are read', async () => {
    const operation = `{ stream(id: STREAM) { aggregates(${RANGE}, every: { minutes: 60 }) { startAt count } } }`;
    const edit = (row: Row) => ({ ...row, start_date: toUnix(row['start_date']) });
    await expectSame('/v2.0/stream/{streamId}/sample/agg', editEach(edit), operation);
  });
});

describe('samples without a readable date', () => {
  it.each([
    ['/v2.0/stream/{streamId}/sample/last', '{ stream(id: STREAM) { lastSample { id } } }'],
    ['/v2.0/stream/{streamId}/sample', '{ stream(id: STREAM) { samplesAfter { id } } }'],
    [
      '/v2.0/stream/{streamId}/sample/batch',
      `{ stream(id: STREAM) { samplesSince(${SINCE}) { totalCount } } }`,
    ],
    ['/v2.0/stream/{streamId}/sample/range', `{ stream(id: STREAM) { samples(${RANGE}) { totalCount } } }`],
    ['/v2.0/sample/batch', '{ sampleBatch(kind: SCALAR) { samples { id } } }'],
  ])('of %s are reported once a minute', async (template, operation) => {
    const logger = createRecordingLogger();
    const { lines } = logger;
    const logged = await startStillGateway({ gateway: { logger } });
    let edited = 0;
    const edit = (row: Row) => ({ ...row, ...(edited++ % 2 === 0 && { sample_date: 'yesterday' }) });
    logged.sandbox.faults.add({ match: `GET ${template}`, edit: editEach(edit) });
    const undatedRows: number[] = [];
    for (let round = 0; round < 2; round++) {
      edited = 0;
      await logged.count(operation.replace('STREAM', `${stream}`));
      undatedRows.push(Math.ceil(edited / 2));
    }
    const fields = { template, parameter: template.includes('{') ? stream : undefined, skippedRows: 0 };
    const message = 'Unreadable rows were left out';
    expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { message, fields: { ...fields, undatedRows: undatedRows[0] } },
    ]);
    await logged.stop();
  });
});

describe('samples in another order', () => {
  it('are in the order of arrival', async () => {
    const operation = `{ stream(id: ${stream}) { samplesAfter { id } } }`;
    const edit = (json: unknown) => (json as object[]).toReversed();
    gateway.sandbox.faults.add({ match: 'GET /v2.0/stream/{streamId}/sample', edit });
    expect(await gateway.ask(operation)).toEqual(await sound.ask(operation));
  });
});
