/** The graph as a Federation subgraph: its SDL, and `_entities` beside `nodes`. */
import {
  composeSchemaContract,
  composeServices,
  type ServiceDefinition,
} from '@theguild/federation-composition';
import { parse } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../src/cli/commands.js';
import { defaultOperationLimits } from '../../../src/graphql/limits/operationLimits.js';
import { required, startStillGateway, startTestGateway } from '../../support/gateway.js';
import {
  dataOf,
  type RestrictedGateway,
  startRestrictedGateway,
} from '../../support/http/restrictedGateway.js';
import { warrantySdl } from '../../support/http/warrantySubgraph.js';

const TYPES = ['Organization', 'User', 'Site', 'Device', 'Channel', 'Stream'] as const;
const FIELDS = TYPES.map((type) => `... on ${type} { id platformId }`).join(' ');
const ENTITIES = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) { __typename ${FIELDS} ... on Device { serialNumber } } }`;
const NODES = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename ${FIELDS} ... on Device { serialNumber } } }`;

interface Entity {
  __typename: string;
  id: string;
  platformId: string;
  serialNumber?: string;
}

let gateway: RestrictedGateway;
let ids: string[];
let nodes: Entity[];

beforeAll(async () => {
  gateway = await startRestrictedGateway({ isSubgraph: true });
  // Objects of the other account are null.
  const all = TYPES.flatMap((type) => gateway.idsOf(type));
  const body = await gateway.askAs<{ nodes: (Entity | null)[] }>('*', NODES, { ids: all });
  nodes = dataOf(body).nodes.filter((node) => node !== null);
  ids = nodes.map(({ id }) => id);
});

const ask = async (representations: readonly unknown[], entry: '*' | number[] = '*') =>
  gateway.askAs<{ _entities: (Entity | null)[] }>(entry, ENTITIES, { representations });

it('the gateway logs nothing about federated tracing, and sends no traces', async () => {
  const lines: string[] = [];
  const note = (_: object, message: string) => void lines.push(message);
  const logger = { debug: note, info: note, warn: note, error: note };
  const { query } = await startTestGateway({ gateway: { isSubgraph: true, logger } });
  const { body } = await query('{ __typename }', {}, { 'Apollo-Federation-Include-Trace': 'ftv1' });
  expect(body).toEqual({ data: { __typename: 'Query' } });
  expect(lines.filter((line) => /tracing/i.test(line))).toEqual([]);
});

describe('the SDL of the subgraph', () => {
  const readSdl = async () =>
    dataOf(await gateway.askAs<{ _service: { sdl: string } }>('*', '{ _service { sdl } }'))._service.sdl;

  it('composes by itself and with another subgraph that extends sites and devices', async () => {
    const subgraph = (name: string, sdl: string): ServiceDefinition => ({ name, typeDefs: parse(sdl) });
    const own = subgraph('fieldgraph', await readSdl());
    for (const services of [[own], [own, subgraph('warranty', warrantySdl)]]) {
      const { errors, supergraphSdl } = composeServices(services);
      expect(errors).toBeUndefined();
      expect(supergraphSdl).toContain('type Stream');
    }
  });

  it.each([
    [
      'composes',
      '@requires',
      'type Site @key(fields: "id") { id: ID! name: String! @external size: Int @requires(fields: "name") }',
    ],
    [
      'composes',
      '@override',
      'type Site @key(fields: "id") { id: ID! name: String! @override(from: "fieldgraph") }',
    ],
    ['composes', '@inaccessible', 'type Site @key(fields: "id") { id: ID! size: Int @inaccessible }'],
    [
      'does not compose',
      '@interfaceObject',
      'type Node @interfaceObject @key(fields: "id") { id: ID! size: Int }',
    ],
  ])('%s with another subgraph that uses %s', async (result, directive, type) => {
    const imports = ['@key', '@external', directive].map((name) => JSON.stringify(name)).join(', ');
    const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [${imports}])`;
    const { errors = [] } = composeServices([
      { name: 'fieldgraph', typeDefs: parse(await readSdl()) },
      { name: 'other', typeDefs: parse(`${link} ${type} type Query { size: Int }`) },
    ]);
    expect(errors.length > 0 ? 'does not compose' : 'composes').toBe(result);
  });

  it('equals `fieldgraph schema --subgraph`', async () => {
    const printed = await runCommand(['schema', '--subgraph']);
    expect(printed).toEqual({ kind: 'done', text: (await readSdl()).trimEnd() });
    expect(await runCommand(['schema', '--subgraph', 'now'])).toMatchObject({ kind: 'failed' });
  });

  it('keeps tags, costs and list sizes in the supergraph, so that a contract leaves out internal fields', async () => {
    const own = { name: 'fieldgraph', typeDefs: parse(await readSdl()) };
    const { supergraphSdl, publicSdl } = composeServices([own]);
    expect(supergraphSdl).toMatch(/sampleBatch\([^)]*\)[^\n]* @tag\(name: "internal"\)/);
    expect(supergraphSdl).toMatch(/@cost\(weight: 20\)/);
    expect(supergraphSdl).toMatch(/@listSize\([^)]*assumedSize: 50\b/);
    expect(publicSdl).toMatch(/sampleBatch\(|acknowledgeSamples\(/);
    const filter = { include: new Set<string>(), exclude: new Set(['internal']) };
    const contract = composeSchemaContract([own], filter, true);
    expect(contract.errors).toBeUndefined();
    expect(contract.publicSdl).toContain('type Stream');
    expect(contract.publicSdl).not.toMatch(/sampleBatch|acknowledgeSamples|backfillSamples/);
  });

  it('declares the keys, the value types, whole costs and internal fields', async () => {
    const sdl = await readSdl();
    expect(sdl).toMatch(
      /type Device implements Node @key\(fields: "id"\) @key\(fields: "platformId"\) @key\(fields: "serialNumber"\)/,
    );
    expect(sdl).toContain('type Location @shareable');
    expect(sdl).not.toMatch(/type (Query|Site|Stream|\w+Connection)\b[^{]*@shareable/);
    expect(sdl).not.toMatch(/@cost\(weight: \d+\.|perDay|enclosingArguments|intervalArguments/);
    expect(sdl).toMatch(/sampleBatch\([^)]*\): SampleBatch [^\n]*@tag\(name: "internal"\)/);
    expect(sdl).not.toMatch(/_Any|_entities|directive @(cost|listSize)/);
  });

  it('is hidden where introspection is off, and absent where the gateway is no subgraph', async () => {
    const operation = { ...defaultOperationLimits, allowsIntrospection: false };
    const [closed, plain] = await Promise.all([
      startStillGateway({ gateway: { isSubgraph: true, callerLimits: { operation } } }),
      startStillGateway(),
    ]);
    const codeOf = async ({ query }: typeof plain) =>
      required((await query('{ _service { sdl } }')).body.errors?.[0]).extensions.code;
    expect(await codeOf(closed)).toBe('INTROSPECTION_OFF');
    expect(await codeOf(plain)).toBe('GRAPHQL_VALIDATION_FAILED');
    await Promise.all([closed.stop(), plain.stop()]);
  });
});

describe('_entities', () => {
  it('loads every type by each key, in the order of the representations', async () => {
    const byKey = (key: 'id' | 'platformId' | 'serialNumber') =>
      nodes
        .filter((node) => node[key] !== undefined)
        .map((node) => ({
          expected: node,
          representation: { __typename: node.__typename, [key]: node[key] },
        }));
    const cases = [...byKey('platformId'), ...byKey('serialNumber'), ...byKey('id')].reverse();
    for (let start = 0; start < cases.length; start += 1000) {
      const part = cases.slice(start, start + 1000);
      const { _entities } = dataOf(await ask(part.map(({ representation }) => representation)));
      expect(_entities).toEqual(part.map(({ expected }) => expected));
    }
  });

  it('returns null where nothing has the key', async () => {
    const { _entities } = dataOf(
      await ask([
        { __typename: 'Site', id: 'Site:999999' },
        { __typename: 'Device', serialNumber: 'none' },
      ]),
    );
    expect(_entities).toEqual([null, null]);
  });

  it.each([
    ['no object', 'Site:1', '__typename must be one of'],
    ['an unknown type', { __typename: 'Classification', id: '1' }, '__typename must be one of'],
    ['no key', { __typename: 'Device', name: 'x' }, 'A Device needs one of id, platformId, serialNumber.'],
    ['an id of another type', { __typename: 'Site', id: 'Device:1' }, 'is not a Site id'],
    ['a key that is not a string', { __typename: 'Site', id: { of: 1 } }, 'is not a Site id'],
  ])('reports %s in its place alone', async (_, invalid, message) => {
    const [site] = gateway.idsOf('Site');
    const body = await ask([{ __typename: 'Site', id: site }, invalid]);
    expect(body.data?._entities.map((entity) => entity?.id)).toEqual([site, undefined]);
    expect(body.errors).toHaveLength(1);
    expect(body.errors?.[0]).toMatchObject({
      path: ['_entities', 1],
      extensions: { code: 'BAD_USER_INPUT' },
    });
    expect(body.errors?.[0]?.message).toContain('representations[1]');
    expect(body.errors?.[0]?.message).toContain(message);
  });

  it('refuses more than 1,000 representations', async () => {
    const representation = { __typename: 'Site', id: 'Site:1' };
    const body = await ask(Array.from({ length: 1001 }, () => representation));
    expect(body.errors?.[0]?.message).toBe(
      'representations: 1001 representations exceed the maximum of 1000.',
    );
  });

  it('tells router caches how long all entities of the response stay fresh', async () => {
    const cacheControl = async (id: string, fields: string) => {
      const query = `query ($representations: [_Any!]!) { _entities(representations: $representations) { ${fields} } }`;
      const headers = { Authorization: `Bearer ${await gateway.tokenOf('*')}` };
      const variables = { representations: [{ __typename: id.split(':')[0], id }] };
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ query, variables }),
      });
      dataOf((await response.json()) as Parameters<typeof dataOf>[0]);
      return response.headers.get('cache-control');
    };
    const [stream] = gateway.idsOf('Stream');
    const id = required(stream, 'stream');
    expect(await cacheControl(id, '... on Stream { name }')).toMatch(/^private, max-age=60$/);
    // The shortest time counts.
    expect(await cacheControl(id, '... on Stream { name lastSample { value } }')).toBe('private, max-age=10');
    expect(await cacheControl('Stream:999999999', '__typename')).toMatch(/^(private, max-age=\d+|no-store)$/);
  });

  const restCallsOf = async (query: string, variables: Record<string, unknown>) => {
    gateway.sandbox.calls.reset();
    dataOf(await gateway.askAs('*', query, variables, { 'Cache-Control': 'no-cache' }));
    return gateway
      .restCalls()
      .map(({ path }) => path)
      .sort();
  };

  it('needs as many REST calls as `nodes` with the same ids', async () => {
    const many = ids.slice(-1000);
    const representations = many.map((id) => ({ __typename: id.split(':')[0], id }));
    await restCallsOf(NODES, { ids: many });
    const byNodes = await restCallsOf(NODES, { ids: many });
    expect(await restCallsOf(ENTITIES, { representations })).toEqual(byNodes);
    expect(byNodes.length).toBeLessThan(many.length / 10);
  });

  it('reads the list of devices for many serial numbers, as for many ids', async () => {
    const devices = nodes.filter(({ __typename }) => __typename === 'Device');
    const representations = devices.map(({ serialNumber }) => ({ __typename: 'Device', serialNumber }));
    expect(devices.length).toBeGreaterThan(10);
    expect(await restCallsOf(ENTITIES, { representations })).toEqual(['/v2.0/device']);
    const impossible = await ask([{ __typename: 'Device', serialNumber: '..' }, ...representations]);
    expect(impossible.errors).toMatchObject([
      { path: ['_entities', 0], extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    expect(impossible.data?._entities).toMatchObject([null, ...devices]);
  });

  it('shows restricted callers only their organizations, by every key', async () => {
    const isVisible = (id: string) => gateway.ownerOf(id) === 310;
    const devices = nodes.filter(({ __typename }) => __typename === 'Device');
    for (const key of ['id', 'platformId', 'serialNumber'] as const) {
      const representations = devices.map((device) => ({ __typename: 'Device', [key]: device[key] }));
      const { _entities } = dataOf(await ask(representations, [310]));
      expect(_entities).toEqual(devices.map((device) => (isVisible(device.id) ? device : null)));
    }
    const others = ids.filter((id) => !id.startsWith('Device:')).slice(0, 1000);
    const representations = others.map((id) => ({ __typename: id.split(':')[0], id }));
    const { _entities } = dataOf(await ask(representations, [310]));
    expect(_entities.map((entity) => entity?.id ?? null)).toEqual(
      others.map((id) => (isVisible(id) ? id : null)),
    );
  });
});
