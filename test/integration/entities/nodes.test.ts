/** Ids: both forms, every type, and the errors for ids without an object. */
import { beforeAll, describe, expect, it } from 'vitest';
import { fullestStream, startStillGateway, type TestGateway } from '../../support/gateway.js';

let gateway: TestGateway;
let ids: { type: string; root: string; id: number }[];

const ROOTS = [
  ['Organization', 'organization', 'organization'],
  ['User', 'user', 'user'],
  ['Site', 'site', 'site'],
  ['Device', 'device', 'device'],
  ['Channel', 'channel', 'channel'],
  ['Stream', 'stream', 'stream'],
  ['ImageSample', 'image', 'image_sample'],
] as const;

beforeAll(async () => {
  gateway = await startStillGateway();
  ids = ROOTS.map(([type, root, table]) => ({
    type,
    root,
    id: firstIdOf(table),
  }));
});

function firstIdOf(table: string): number {
  const mine =
    table === 'image_sample' ? 'stream_id IN (SELECT id FROM stream WHERE account_id = ?)' : 'account_id = ?';
  const sql = `SELECT id FROM ${table} WHERE ${mine} ORDER BY id LIMIT 1`;
  return gateway.sql<{ id: number }>(sql, gateway.accountId)[0]?.id ?? 0;
}

interface Entity {
  __typename: string;
  id: string;
  platformId: string;
}

const NODE = 'query ($id: ID!) { node(id: $id) { __typename id } }';

describe.each(ROOTS)('%s', (type, root) => {
  const idOf = () => ids.find((one) => one.type === type)?.id ?? 0;
  const rootOperation = `query ($id: ID!) { found: ${root}(id: $id) { __typename id platformId } }`;

  it('is found by either form of its id, and by `node`', async () => {
    const id = idOf();
    const expected = { __typename: type, id: `${type}:${id}`, platformId: String(id) };
    for (const form of [`${type}:${id}`, String(id), id]) {
      expect(await gateway.ask<{ found: Entity }>(rootOperation, { id: form })).toEqual({ found: expected });
    }
    const { node } = await gateway.ask<{ node: Entity }>(NODE, { id: `${type}:${id}` });
    expect(node).toEqual({ __typename: type, id: `${type}:${id}` });
  });

  it('is null for an unknown id', async () => {
    expect(await gateway.ask(rootOperation, { id: '999999999' })).toEqual({ found: null });
    expect(await gateway.ask(NODE, { id: `${type}:999999999` })).toEqual({ node: null });
  });

  it('refuses the id of another type and an invalid id, and names the argument', async () => {
    const other = type === 'Site' ? 'Device' : 'Site';
    for (const wrong of [
      `${other}:16801`,
      'Nothing:1',
      `${type}:`,
      'abc',
      '',
      '0',
      '-1',
      '1.5',
      '9'.repeat(25),
    ]) {
      const { status, body } = await gateway.query(rootOperation, { id: wrong });
      expect(status).toBe(200);
      expect(body.data).toEqual({ found: null });
      expect(body.errors).toHaveLength(1);
      expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', retryable: false });
      expect(body.errors?.[0]?.message).toMatch(/^id: .*is not an? \w+ id/);
    }
  });
});

describe('objects of another account', () => {
  it('are not found', async () => {
    const [site] = gateway.sql<{ id: number }>(
      'SELECT id FROM site WHERE account_id <> ?',
      gateway.accountId,
    );
    const [device] = gateway.sql<{ id: number; serial_number: string }>(
      'SELECT id, serial_number FROM device WHERE account_id <> ?',
      gateway.accountId,
    );
    const result = await gateway.ask(
      `query ($site: ID!, $node: ID!, $device: ID!, $serial: String!) {
        site(id: $site) { id } node(id: $node) { id } device(id: $device) { id }
        deviceBySerialNumber(serialNumber: $serial) { id }
      }`,
      { site: site?.id, node: `Site:${site?.id}`, device: device?.id, serial: device?.serial_number },
    );
    expect(result).toEqual({ site: null, node: null, device: null, deviceBySerialNumber: null });
  });
});

describe('node', () => {
  it.each(['16801', 'ScalarSample:5', 'site:16801', 'Site: 16801', 'Site:16801x', 'Query:1'])(
    'refuses %j, whose type has no lookup by id',
    async (id) => {
      const { body } = await gateway.query(NODE, { id });
      expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
      expect(body.errors?.[0]?.message).toMatch(/^id: .*is not a typed id/);
    },
  );
});

describe('samples', () => {
  interface Sample extends Entity {
    sampledAt: string;
    stream: { id: string };
  }
  const FIELDS = `__typename id platformId sampledAt stream { id }
    ... on Sample { ... on ScalarSample { rawValue } ... on RfidSample { rawTagIds } }`;
  const NODES = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Sample { ${FIELDS} } } }`;

  const lists = {
    ScalarSample: ['scalar', 'samplesSince'],
    RfidSample: ['rfid', 'rfidReads'],
    ImageSample: ['image', 'images'],
  } as const;
  const inStreams = ['ScalarSample', 'RfidSample'] as const;

  async function samplesOf(type: keyof typeof lists): Promise<Sample[]> {
    const [kind, field] = lists[type];
    const result = await gateway.ask<{ stream: { list: { nodes: Sample[] } } }>(
      `query ($id: ID!) { stream(id: $id) {
        list: ${field}(since: "2000-01-01T00:00:00Z", first: 1000) { nodes { ${FIELDS} } } } }`,
      { id: fullestStream(gateway, kind) },
    );
    return result.stream.list.nodes;
  }

  it.each([...inStreams, 'ImageSample'] as const)('%s: each is found by its id', async (type) => {
    const samples = await samplesOf(type);
    expect(samples.length).toBeGreaterThan(1);
    expect(samples.every(({ __typename }) => __typename === type)).toBe(true);
    const ids = samples.map(({ id }) => id).reverse();
    expect(await gateway.ask(NODES, { ids })).toEqual({ nodes: [...samples].reverse() });
  });

  it.each(inStreams)('%s: a hundred of one stream take one call', async (type) => {
    const samples = await samplesOf(type);
    samples.sort((one, other) => Number(one.platformId) - Number(other.platformId));
    const ids = samples.slice(1, 101).map(({ id }) => id);
    const { calls } = await gateway.count(NODES, { ids });
    expect(calls.filter((template) => template.includes('/sample'))).toHaveLength(1);
  });

  it('are null where the stream has no such sample, is unknown or belongs to another account', async () => {
    const [foreign] = gateway.sql<{ id: number; stream_id: number }>(
      `SELECT x.id, stream_id FROM scalar_sample x JOIN stream s ON s.id = stream_id
       WHERE account_id <> ? LIMIT 1`,
      gateway.accountId,
    );
    const [own] = await samplesOf('ScalarSample');
    const ids = [
      `ScalarSample:${foreign?.stream_id}:${foreign?.id}`,
      `ScalarSample:${fullestStream(gateway, 'rfid')}:${own?.platformId}`,
      `ScalarSample:999999999:${own?.platformId}`,
      own?.id.replace(/\d+$/, '9007199254740991'),
    ];
    expect(await gateway.ask(NODES, { ids })).toEqual({ nodes: [null, null, null, null] });
  });
});

describe('nodes', () => {
  const NODES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';

  it('returns entities of all types in the order of the ids, with null for unknown ids and repeated ids twice', async () => {
    const typedIds = ids.map(({ type, id }) => `${type}:${id}`);
    const wanted = [...typedIds, 'Site:999999999', ...typedIds].reverse();
    const { nodes } = await gateway.ask<{ nodes: (Entity | null)[] }>(NODES, { ids: wanted });
    expect(nodes.map((node) => node?.id ?? null)).toEqual(
      wanted.map((id) => (id === 'Site:999999999' ? null : id)),
    );
  });

  it('returns an empty list for no ids', async () => {
    expect(await gateway.ask(NODES, { ids: [] })).toEqual({ nodes: [] });
  });

  it('reports the position of an invalid id', async () => {
    const { body } = await gateway.query(NODES, { ids: ['Site:16801', 'nonsense', 'Site:16802'] });
    expect(body.errors).toMatchObject([{ path: ['nodes', 1], extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(body.errors?.[0]?.message).toMatch(/^ids\[1\]: /);
    expect(body.data).toEqual({
      nodes: [{ __typename: 'Site', id: 'Site:16801' }, null, { __typename: 'Site', id: 'Site:16802' }],
    });
  });

  it('refuses more than a thousand ids', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => `Site:${index + 1}`);
    const { body } = await gateway.query(NODES, { ids: many });
    expect(body.errors?.[0]?.message).toMatch(/^ids: 1001 ids/);
    const { body: most } = await gateway.query<{ nodes: unknown[] }>(NODES, { ids: many.slice(1) });
    expect(most.data?.nodes).toHaveLength(1000);
  });
});

describe('a query with one unknown id', () => {
  it('returns the rest', async () => {
    const result = await gateway.ask(`{
      known: site(id: 16801) { id } unknown: site(id: 999999999) { id devices { id } }
      other: stream(id: "Stream:88001") { id }
    }`);
    expect(result).toEqual({ known: { id: 'Site:16801' }, unknown: null, other: { id: 'Stream:88001' } });
  });
});

describe('arguments with ids', () => {
  it.each([
    ['{ sites(filter: { organizationId: "Site:1" }) { totalCount } }', 'filter.organizationId'],
    ['{ devices(filter: { siteId: "Device:1" }) { totalCount } }', 'filter.siteId'],
    ['{ channels(filter: { deviceId: "Site:1" }) { totalCount } }', 'filter.deviceId'],
    ['{ streams(filter: { siteId: "x" }) { totalCount } }', 'filter.siteId'],
    ['{ stream(id: 88001) { samplesAfter(after: "Stream:1") { id } } }', 'after'],
    ['{ stream(id: 88001) { rfidReadsAfter(after: "ScalarSample:1") { id } } }', 'after'],
    ['{ site(id: 16801) { samplesAfter(after: "RfidSample:1") { id } } }', 'after'],
    ['{ device(id: 20411) { health(after: "Device:1") { nodes { value } } } }', 'after'],
    ['{ device(id: 20411) { logs(after: "-") { nodes { message } } } }', 'after'],
    ['{ sampleBatch(kind: SCALAR, after: "RfidSample:1") { hasMore } }', 'after'],
    ['{ sampleBatch(kind: RFID, after: "ScalarSample:1") { hasMore } }', 'after'],
  ])('%s is refused by name', async (operation, argument) => {
    const { body } = await gateway.query(operation);
    expect(body.errors).toHaveLength(1);
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message.startsWith(`${argument}: `)).toBe(true);
  });

  it.each(['', '.', '..', '../site', '%2e%2e', 'a/b', 'a?b', 'id/20411', '\u0000', '💧'])(
    'the serial number %j stays one segment of the path',
    async (serialNumber) => {
      gateway.sandbox.calls.reset();
      const { body } = await gateway.query<{ deviceBySerialNumber: unknown }>(
        'query ($s: String!) { deviceBySerialNumber(serialNumber: $s) { id } }',
        { s: serialNumber },
      );
      expect(body.data?.deviceBySerialNumber).toBeNull();
      const templates = gateway.restCalls().map(({ pathTemplate }) => pathTemplate);
      expect(templates.filter((template) => template !== '/v2.0/device/{serialNumber}')).toEqual([]);
      const codes = body.errors?.map(({ extensions }) => extensions.code) ?? [];
      expect(codes.filter((code) => code !== 'BAD_USER_INPUT' && code !== 'PLATFORM_REFUSED')).toEqual([]);
    },
  );
});

it('`node` finds the threshold of a stream by its id, which has the number of the stream', async () => {
  const id = fullestStream(gateway, 'scalar');
  const { stream } = await gateway.ask<{ stream: { threshold: { id: string } } }>(
    'query ($id: ID!) { stream(id: $id) { threshold { id } } }',
    { id },
  );
  expect(stream.threshold.id).toBe(`Threshold:${id}`);
  const query = 'query ($id: ID!) { node(id: $id) { __typename id ... on Threshold { levels { name } } } }';
  const { node } = await gateway.ask<{ node: object }>(query, { id: `Threshold:${id}` });
  expect(node).toEqual({
    __typename: 'Threshold',
    id: `Threshold:${id}`,
    levels: expect.any(Array) as unknown,
  });
  expect(await gateway.ask(query, { id: 'Threshold:999999999' })).toEqual({ node: null });
});
