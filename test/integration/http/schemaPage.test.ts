/** The schema as a file, for tools: who may read it, and that it is the schema that operations run against. */
import { buildSchema, getIntrospectionQuery, graphqlSync, type IntrospectionQuery } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../src/cli/commands.js';
import type { ErrorExtensions } from '../../../src/errors.js';
import { defaultOperationLimits } from '../../../src/graphql/limits/operationLimits.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { createKeysFile } from '../../support/http/callers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});

const read = (headers: Record<string, string> = {}, method = 'GET', { url } = gateway) =>
  fetch(`${url}/schema.graphql`, { method, headers });

const introspection = {
  descriptions: true,
  specifiedByUrl: true,
  inputValueDeprecation: true,
  schemaDescription: true,
  oneOf: true,
};

/** Types in the order of their names: the order in a file has no meaning. */
function sorted({ __schema: { types, directives, ...schema } }: IntrospectionQuery) {
  const byName = (left: { name: string }, right: { name: string }) => (left.name < right.name ? -1 : 1);
  const standard = new Set(['deprecated', 'include', 'oneOf', 'skip', 'specifiedBy']);
  const own = directives.filter(({ name }) => !standard.has(name));
  return { ...schema, types: [...types].sort(byName), directives: own.sort(byName) };
}

describe('/schema.graphql', () => {
  it('equals the schema by introspection, and has the directives too', async () => {
    const response = await read();
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const sdl = await response.text();
    const served = await gateway.ask<IntrospectionQuery>(getIntrospectionQuery(introspection));
    const { data } = graphqlSync({ schema: buildSchema(sdl), source: getIntrospectionQuery(introspection) });
    const built = JSON.parse(JSON.stringify(data)) as IntrospectionQuery;
    expect(sorted(built)).toEqual(sorted(served));
    expect(served.__schema.description).toContain('Start with `Query.sites`');
    expect(sdl).toMatch(/@cost\(weight: 100\)/);
    const oneOf = served.__schema.types.filter((type) => type.kind === 'INPUT_OBJECT' && type.isOneOf);
    expect(oneOf.map(({ name }) => name).sort()).toEqual(['AggregateInterval', 'Duration']);
    for (const type of served.__schema.types) {
      if (type.kind === 'SCALAR' && type.name === 'DateTime')
        expect(type.specifiedByURL).toContain('rfc3339');
    }
  });

  it('equals `fieldgraph schema`', async () => {
    const result = await runCommand(['schema']);
    expect(result).toMatchObject({ kind: 'done', text: (await (await read()).text()).trimEnd() });
    expect(await runCommand(['schema', 'now'])).toMatchObject({ kind: 'failed' });
  });

  it('is revalidated by its tag, compressed or not', async () => {
    const [compressed, plain] = await Promise.all([read(), read({ 'Accept-Encoding': 'identity' })]);
    const tags = [compressed, plain].map(({ headers }) => headers.get('etag') ?? '');
    expect(new Set(tags).size).toBe(2);
    expect(compressed.headers.get('cache-control')).toBe('private, no-cache');
    for (const tag of tags) {
      const again = await read({ 'If-None-Match': tag });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe('');
    }
  });

  it('responds to HEAD without a body, and refuses other methods', async () => {
    const head = await read({}, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    const posted = await read({}, 'POST');
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each([
    ['INTROSPECTION=off', { operation: { ...defaultOperationLimits, allowsIntrospection: false } }],
    ['TRUSTED_DOCUMENTS_ONLY', { trustedDocumentsOnly: true }],
  ])('is hidden with %s', async (_, callerLimits) => {
    const closed = await startTestGateway({ gateway: { callerLimits } });
    const response = await read({}, 'GET', closed);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'INTROSPECTION_OFF' } }] });
  });

  it('needs a credential with the scope "read" where callers have credentials', async () => {
    const keys = await createKeysFile();
    const [reader, writer] = [await keys.add({}), await keys.add({ name: 'writer', scopes: ['write'] })];
    const callerAuth = { kind: 'api-key', file: keys.file } as const;
    const closed = await startTestGateway({ gateway: { callerAuth } });
    const statusWith = async (key: string) =>
      (await read(key === '' ? {} : { 'X-API-Key': key }, 'GET', closed)).status;
    expect([await statusWith(''), await statusWith(writer), await statusWith(reader)]).toEqual([
      401, 403, 200,
    ]);
  });

  it('counts as an operation of its caller', async () => {
    const limited = await startTestGateway({
      gateway: { callerLimits: { rate: { perSecond: 0.01, burst: 2 } } },
    });
    const statuses = [];
    for (let request = 0; request < 3; request++) statuses.push((await read({}, 'GET', limited)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('an input with @oneOf', () => {
  const query = (every: string) =>
    `{ streams(first: 1) { nodes { aggregates(range: { from: 0, to: 1 }, every: ${every}) { count } } } }`;

  it.each(['{}', '{ minutes: 10, hours: 1 }', '{ minutes: null }'])(
    'refuses the literal %s',
    async (every) => {
      const { body } = await gateway.query(query(every));
      expect(body.errors?.[0]).toMatchObject({ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });
    },
  );

  it.each([{}, { minutes: 10, hours: 1 }, { minutes: null }])('refuses the variable %j', async (every) => {
    const operation = query('$every').replace('{', 'query ($every: AggregateInterval!) {');
    const { body } = await gateway.query(operation, { every });
    expect(body.errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
  });
});

it('COST_TOO_HIGH names the fields that cost most, with their parts of the cost', async () => {
  const fragments =
    'fragment S on Stream { samples(first: 1000) { ...Page } } fragment Page on ScalarSampleConnection { nodes { value } }';
  const { body } = await gateway.query(`{ streams(first: 1000) { nodes { name ...S } } } ${fragments}`);
  const [error] = body.errors ?? [];
  const { costliestFields = [] } = (error?.extensions ?? {}) as Partial<ErrorExtensions>;
  expect(costliestFields.map(({ field }) => field).slice(0, 3)).toEqual([
    'ScalarSampleConnection.nodes',
    'ScalarSample.value',
    'Stream.samples',
  ]);
  const sum = costliestFields.reduce((total, { cost }) => total + cost, 0);
  const estimated = Number(/cost of ([\d.]+)\./.exec(error?.message ?? '')?.[1]);
  // The sixth field, `Query.streams`, costs 1.
  expect(estimated - sum).toBeCloseTo(1, 5);
  expect(error?.message).toContain('ScalarSampleConnection.nodes costs most: 1000000.');
});
