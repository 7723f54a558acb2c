/** A failing REST endpoint makes the fields that need it null, with an error that contains no internal details. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GraphqlError, required, startStillGateway, type TestGateway } from '../../support/gateway.js';

/**
 * Two gateways over the same data: one without failures, and one for each test, so that no pause or cache entry lasts.
 */
let sound: TestGateway;
let gateway: TestGateway;

beforeAll(async () => {
  sound = await startStillGateway();
});

beforeEach(async () => {
  gateway = await startStillGateway();
});

afterEach(() => gateway.stop());

/** Queries for the ids that the operations below name in capitals. */
const places = {
  SITE: 'SELECT site_id AS id FROM device WHERE account_id = ? ORDER BY id',
  UNOWNED: 'SELECT id FROM site WHERE account_id = ? AND account_organization_id IS NULL',
  DEVICE: 'SELECT id FROM device WHERE account_id = ? ORDER BY id',
  CHANNEL: 'SELECT id FROM channel WHERE account_id = ? ORDER BY id',
  STREAM: 'SELECT id FROM stream WHERE account_id = ? ORDER BY id',
  LIMITED:
    'SELECT s.id FROM stream s JOIN threshold t ON t.stream_id = s.id WHERE account_id = ? ORDER BY s.id',
  IMAGE:
    'SELECT x.id FROM image_sample x JOIN stream s ON s.id = x.stream_id WHERE account_id = ? ORDER BY x.id',
  CAMERA: "SELECT id FROM stream WHERE account_id = ? AND type_display_name = 'Image' ORDER BY id",
  READER: "SELECT id FROM stream WHERE account_id = ? AND type_display_name = 'RFID' ORDER BY id",
};

function idOf(place: keyof typeof places): number {
  return required(sound.sql<{ id: number }>(places[place], sound.accountId)[0], place).id;
}

function withIds(operation: string): string {
  return operation.replace(/\b[A-Z]{4,}\b/g, (name) =>
    name in places ? String(idOf(name as keyof typeof places)) : name,
  );
}

/** The data with every field of these names set to null. */
function blank(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => blank(item, names));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, names.includes(name) ? null : blank(inner, names)]),
  );
}

function expectPlatformError(error: GraphqlError, names: readonly string[]): void {
  expect(names).toContain(error.path?.at(-1));
  expect(Object.keys(error.extensions).sort()).toEqual(['code', 'platform', 'requestId', 'retryable']);
  expect(error.extensions).toMatchObject({
    code: 'PLATFORM_UNAVAILABLE',
    retryable: true,
    requestId: expect.stringMatching(/\S+/),
    platform: { status: 500, requestId: expect.stringMatching(/\S+/) },
  });
  expect(JSON.stringify(error)).not.toMatch(/https?:|127\.0\.0\.1|Bearer|at .*\.(js|ts)/);
}

const SITE = (fields: string, id = 'SITE') =>
  `{ site(id: ${id}) { name ${fields} } other: users { totalCount } }`;
const STREAM = (fields: string, id = 'STREAM') =>
  `{ stream(id: ${id}) { name ${fields} } other: users { totalCount } }`;
const DEVICE = (fields: string) => `{ device(id: DEVICE) { name ${fields} } other: users { totalCount } }`;
const RANGE = 'range: { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" }';
const SINCE = 'since: "2020-01-01T00:00:00Z"';

/** The failing endpoint, the fields that become null, and the operation. */
const edges: [endpoint: string, names: string[], operation: string][] = [
  ['/v2.0/account/organization', ['organizations'], '{ organizations { totalCount } sites { totalCount } }'],
  ['/v2.0/account/organization/{organizationId}', ['organization'], SITE('organization { name }')],
  ['/v2.0/user', ['users'], '{ users { totalCount } sites { totalCount } }'],
  ['/v2.0/user/uiPreferences', ['uiPreferences'], '{ uiPreferences { dateFormat } sites { totalCount } }'],
  [
    '/v2.0/user/{userId}',
    ['firstName', 'timezoneName'],
    '{ users { nodes { userName firstName timezoneName } } }',
  ],
  [
    '/v2.0/site',
    ['sites'],
    '{ organizations { nodes { name sites { totalCount } } } devices { totalCount } }',
  ],
  ['/v2.0/site/{siteId}', ['site'], DEVICE('serialNumber site { name }')],
  ['/v2.0/site/{siteId}/devices', ['devices'], SITE('devices { name } streams { name }')],
  ['/v2.0/site/{siteId}/streams', ['streams'], SITE('devices { name } streams { name }')],
  ['/v2.0/site/{siteId}/customAttributes', ['customAttributes'], SITE('customAttributes { value } status')],
  ['/v2.0/site/{siteId}/sample', ['samplesAfter'], SITE('samplesAfter { value } status')],
  ['/v2.0/site/{siteId}/sample/batch', ['samplesSince'], SITE(`samplesSince(${SINCE}) { nodes { value } }`)],
  ['/v2.0/site/{siteId}/sample/rfid/batch', ['rfidReads'], SITE(`rfidReads(${SINCE}) { nodes { tagIds } }`)],
  [
    '/v2.0/site/customAttributes/names',
    ['names'],
    '{ names: siteCustomAttributeNames { name } sites { totalCount } }',
  ],
  ['/v2.0/device/id/{deviceId}', ['device'], '{ channel(id: CHANNEL) { name device { name } } }'],
  ['/v2.0/device/{deviceId}/channels', ['channels'], DEVICE('channels { name } lastLog { message }')],
  ['/v2.0/device/{deviceId}/health', ['health'], DEVICE('health { nodes { value } } lastHealth { value }')],
  [
    '/v2.0/device/{deviceId}/lastHealth',
    ['lastHealth'],
    DEVICE('health { nodes { value } } lastHealth { value }'),
  ],
  ['/v2.0/device/{deviceId}/log', ['logs'], DEVICE('logs { nodes { message } } lastLog { message }')],
  ['/v2.0/device/{deviceId}/lastLog', ['lastLog'], DEVICE('logs { nodes { message } } lastLog { message }')],
  ['/v2.0/stream/{streamId}', ['stream'], '{ image(id: IMAGE) { width stream { name } } }'],
  [
    '/v2.0/stream/{streamId}/customAttributes',
    ['customAttributes'],
    STREAM('customAttributes { value } units'),
  ],
  [
    '/v2.0/stream/{streamId}/threshold',
    ['levels'],
    STREAM('threshold { status levels { name } }', 'LIMITED'),
  ],
  [
    '/v2.0/stream/{streamId}/threshold/status',
    ['status'],
    STREAM('threshold { status levels { name } }', 'LIMITED'),
  ],
  ['/v2.0/stream/{streamId}/sample/last', ['lastSample'], STREAM('units lastSample { value }')],
  ['/v2.0/stream/{streamId}/sample/image/last', ['lastImage'], STREAM('units lastImage { width }', 'CAMERA')],
  [
    '/v2.0/stream/{streamId}/sample/rfid/last',
    ['lastRfidRead'],
    STREAM('units lastRfidRead { tagIds }', 'READER'),
  ],
  ['/v2.0/stream/{streamId}/sample', ['samplesAfter'], STREAM('units samplesAfter { value }')],
  [
    '/v2.0/stream/{streamId}/sample/range',
    ['samples', 'series'],
    STREAM(`samples(${RANGE}) { nodes { value } }
    series(${RANGE}) { values } aggregates(${RANGE}, every: { minutes: 60 }) { avg }`),
  ],
  [
    '/v2.0/stream/{streamId}/sample/batch',
    ['samplesSince'],
    STREAM(`samplesSince(${SINCE}) { nodes { value } }`),
  ],
  ['/v2.0/sample/image/batch', ['images'], `{ images(${SINCE}) { nodes { width } } sites { totalCount } }`],
  ['/v2.0/sample/batch', ['sampleBatch'], '{ sampleBatch(kind: SCALAR) { hasMore } sites { totalCount } }'],
  [
    '/v2.0/sample/rfid/batch',
    ['sampleBatch'],
    '{ sampleBatch(kind: RFID) { hasMore } sites { totalCount } }',
  ],
];

/** Whole lists, with operations whose data is also available by parent. */
const collections: [endpoint: string, operation: string][] = [
  ['/v2.0/site/customAttributes', '{ sites { nodes { name customAttributes { value } } } }'],
  ['/v2.0/device', '{ sites { nodes { name devices { name } streams { name } } } }'],
  ['/v2.0/channel', '{ devices { nodes { name channels { name } site { name } } } }'],
  ['/v2.0/stream', '{ sites { nodes { name devices { name } streams { name } } } }'],
];

describe('when one endpoint fails', () => {
  it.each(collections)('%s loses nothing that another endpoint can provide', async (endpoint, operation) => {
    gateway.sandbox.faults.add({ match: `GET ${endpoint}`, status: 500 });
    expect(await gateway.ask(operation)).toEqual(await sound.ask(operation));
    expect(gateway.restCalls().map(({ pathTemplate }) => pathTemplate)).toContain(endpoint);
  });

  it.each([500, 404, 204])(
    'with %i, charts are computed from samples instead of aggregates',
    async (status) => {
      const range = 'range: { from: "2026-03-13T12:10:00Z", to: "2026-03-14T08:20:00Z" }';
      const aggregates = `aggregates(${range}, every: { minutes: 60 }) { startAt count min max avg sum }`;
      const series = `series(${range}, maxPoints: 20, method: MEAN) { sourceCount source }`;
      const match = 'GET /v2.0/stream/{streamId}/sample/agg';
      gateway.sandbox.faults.add({ match, status });
      const { data: whole, calls } = await sound.count<object>(withIds(STREAM(aggregates)));
      expect(calls).toContain('/v2.0/stream/{streamId}/sample/agg');
      expect(await gateway.ask(withIds(STREAM(aggregates)))).toEqual(whole);
      const { data } = await sound.count<{ stream: { series: object } }>(withIds(STREAM(series)));
      expect(data.stream.series).toMatchObject({ source: 'AGGREGATES' });
      expect((await gateway.count(withIds(STREAM(series)))).data).toMatchObject({
        stream: { series: { ...data.stream.series, source: 'SAMPLES' } },
      });
    },
  );

  it.each(edges)('%s returns null for %j and keeps the rest', async (endpoint, names, template) => {
    const operation = withIds(template);
    const whole = await sound.ask(operation);
    const blanked = blank(whole, names);
    expect(blanked).not.toEqual(whole);

    gateway.sandbox.faults.add({ match: `GET ${endpoint}`, status: 500 });
    const { status, body } = await gateway.query(operation);
    expect(status).toBe(200);
    expect(body.data).toEqual(blanked);
    for (const error of required(body.errors, 'errors')) expectPlatformError(error, names);
  });

  it('a site that names no organization has none, with an error, while their number is unknown', async () => {
    gateway.sandbox.faults.add({ match: 'GET /v2.0/account/organization', status: 500 });
    const { body } = await gateway.query(withIds(SITE('organization { name }', 'UNOWNED')));
    expect(body.data).toMatchObject({ site: { organization: null } });
    expect(body.errors?.map(({ path }) => path)).toEqual([['site', 'organization']]);
  });

  it.each([
    '/v2.0/site/{siteId}/streams/customAttributes',
    '/v2.0/site/{siteId}/devices',
    '/v2.0/device/{deviceId}/channels',
  ])(
    '%s, needed to link a stream, makes channel and link null: a missing list is not a missing link',
    async (endpoint) => {
      gateway.sandbox.faults.add({ match: `GET ${endpoint}`, status: 500 });
      const { body } = await gateway.query(withIds(STREAM('channel { name } channelLink')));
      expect(body.data).toMatchObject({
        stream: { name: expect.any(String), channel: null, channelLink: null },
      });
      expect(body.errors?.map(({ path }) => path?.join('.')).sort()).toEqual([
        'stream.channel',
        'stream.channelLink',
      ]);
    },
  );

  it("the attributes of all streams make every channel's streams null, not the channels", async () => {
    // All of them fail, because one failing list would be replaced by the others.
    const lists = [
      '/v2.0/stream/customAttributes',
      '/v2.0/site/{siteId}/streams/customAttributes',
      '/v2.0/stream/{streamId}/customAttributes',
    ];
    gateway.sandbox.faults.add({
      match: ({ method, pathTemplate }) => method === 'GET' && lists.includes(pathTemplate),
      status: 500,
    });
    const { body } = await gateway.query<{ channels: { nodes: { name: string; streams: null }[] } }>(
      '{ channels { nodes { name streams { name } } } }',
    );
    const channels = body.data?.channels.nodes ?? [];
    expect(channels.length).toBeGreaterThan(20);
    expect(channels.filter(({ name, streams }) => name === '' || streams !== null)).toEqual([]);
    expect(body.errors).toHaveLength(channels.length);
  });
});

describe('when one of many fails', () => {
  it('only its own field is null', async () => {
    const id = idOf('DEVICE');
    gateway.sandbox.faults.add({
      match: ({ path }) => path === `/v2.0/device/${id}/lastHealth`,
      status: 500,
    });
    const { body } = await gateway.query<{
      devices: { nodes: { platformId: string; lastHealth: unknown }[] };
    }>('{ devices { nodes { platformId lastHealth { value } } } }');
    const failed = body.data?.devices.nodes.filter(({ lastHealth }) => lastHealth === null);
    expect(failed?.map(({ platformId }) => platformId)).toEqual([String(id)]);
    expect(body.errors).toHaveLength(1);
  });

  it('only its own node is null', async () => {
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site/{siteId}', status: 500 });
    const { body } = await gateway.query(
      withIds('{ nodes(ids: ["Site:SITE", "Device:DEVICE", "Stream:999999999"]) { id } }'),
    );
    expect(body.data).toEqual({ nodes: [null, { id: `Device:${idOf('DEVICE')}` }, null] });
    expect(body.errors?.map(({ path }) => path)).toEqual([['nodes', 0]]);
  });
});
