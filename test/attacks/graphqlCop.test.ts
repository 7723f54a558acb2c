/**
 * The checks of graphql-cop, with the requests that it sends: none may report a finding. The schema checks pass with
 * `INTROSPECTION=off`.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { defaultOperationLimits } from '../../src/graphql/limits/operationLimits.js';
import { type AttackTarget, startAttackTarget } from '../support/http/attackTarget.js';

let open: AttackTarget;
let closed: AttackTarget;
beforeAll(async () => {
  const operation = { ...defaultOperationLimits, allowsIntrospection: false };
  [open, closed] = await Promise.all([
    startAttackTarget(),
    startAttackTarget({ callerLimits: { operation } }),
  ]);
});

interface GraphqlResult {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions?: Record<string, unknown> }[];
  extensions?: Record<string, unknown>;
}

const json = { 'Content-Type': 'application/json' };

async function ask(target: AttackTarget, init: RequestInit, search = ''): Promise<GraphqlResult> {
  const response = await fetch(`${target.url}/graphql${search}`, init);
  return (await response.json()) as GraphqlResult;
}

function post(target: AttackTarget, query: unknown, isList = false): Promise<GraphqlResult> {
  const payload = { query, operationName: 'cop' };
  const body = JSON.stringify(isList ? Array(10).fill(payload) : payload);
  return ask(target, { method: 'POST', headers: json, body });
}

const inCircles = `query cop { __schema { types { fields { type { fields { type { fields { type { fields { type { name } } } } } } } } } } }`;

describe('the checks of graphql-cop', () => {
  it.each([
    [
      'no alias overloading',
      `query cop { ${Array.from({ length: 101 }, (_, i) => `alias${i}:__typename`).join(' ')} }`,
    ],
    ['no field duplication', `query cop { ${'__typename \n'.repeat(500)} }`],
    ['no circular introspection', inCircles],
    [
      'no circular fragment',
      'query cop { __schema { ...A } } fragment A on __Schema { __typename ...B } fragment B on __Schema { __typename ...A }',
    ],
  ])('%s', async (_, query) => {
    expect((await post(open, query)).data).toBeUndefined();
  });

  it('find no directive overloading', async () => {
    const { errors } = await post(open, 'query cop { __typename @aa@aa@aa@aa@aa@aa@aa@aa@aa@aa }');
    expect(errors).toHaveLength(1);
  });

  it('find no batching', async () => {
    const result = await post(open, 'query cop { __typename }', true);
    expect(Array.isArray(result)).toBe(false);
  });

  it('find no GET that a page of another site can send', async () => {
    const search = `?query=${encodeURIComponent('query cop { __typename }')}`;
    expect((await ask(open, { method: 'GET' }, search)).data).toBeUndefined();
  });

  it('find no GET that runs a mutation', async () => {
    const search = `?query=${encodeURIComponent('mutation cop { __typename }')}`;
    for (const headers of [{}, { 'Apollo-Require-Preflight': '1' }]) {
      expect((await ask(open, { method: 'GET', headers }, search)).data).toBeUndefined();
    }
  });

  it('find no form request that is executed, with the query in the body or in the address', async () => {
    const body = new URLSearchParams({ query: 'query cop { __typename }' });
    expect((await ask(open, { method: 'POST', body })).data).toBeUndefined();
    expect((await ask(open, { method: 'POST' }, `?${body}`)).data).toBeUndefined();
  });

  it('find no trace and no unhandled error', async () => {
    expect(await post(open, 'query cop { __typename }')).toEqual({ data: { __typename: 'Query' } });
    const { errors = [] } = await post(open, 'qwerty cop { abc }');
    expect(JSON.stringify(errors)).not.toMatch(/exception|stacktrace/i);
    expect(errors[0]?.extensions).toMatchObject({ code: 'GRAPHQL_PARSE_FAILED' });
  });

  it.each(['/', '/graphiql', '/playground', '/console', '/graphql'])(
    'find no GraphiQL at %s',
    async (path) => {
      const response = await fetch(open.url + path, { headers: { Accept: 'text/html' } });
      expect(await response.text()).not.toMatch(
        /graphiql\.min\.css|GraphQL Playground|GraphiQL|graphql-playground/,
      );
    },
  );

  it('find no introspection', async () => {
    const result = await post(closed, 'query cop { __schema { types { name fields { name } } } }');
    expect(result).toMatchObject({ errors: [{ extensions: { code: 'INTROSPECTION_OFF' } }] });
    expect(result.data).toBeUndefined();
    const hint = await post(closed, 'query cop { __schema { directive } }');
    expect(hint).toMatchObject({ errors: [{ extensions: { code: 'INTROSPECTION_OFF' } }] });
    expect(JSON.stringify(hint)).not.toMatch(/Did you mean/);
  });

  it.each([
    ['query cop { site }', 'POST'],
    ['query cop { sitess { totalCount } }', 'POST'],
    ['query cop { sites(orderBy: { field: NAMEE }) { totalCount } }', 'websocket'],
    ['query cop { sitess { totalCount } }', 'websocket'],
    ['query cop { sites(frst: 1) { totalCount } }', 'POST'],
    ['query cop { sites { name } }', 'POST'],
    ['query cop { sites { name } }', 'websocket'],
  ] as const)('find no suggestion for %s over %s', async (query, way) => {
    const [error] = await closed.errorsOf(way, { query });
    expect(error?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(error?.message).not.toMatch(/Did you mean/);
    const [hint] = await open.errorsOf(way, { query });
    if (!query.includes('{ site }')) expect(hint?.message).toMatch(/Did you mean/);
  });

  it('find no suggestion for a variable of the wrong type', async () => {
    const query = 'query ($o: SiteOrder) { sites(orderBy: $o) { totalCount } }';
    for (const way of ['POST', 'websocket'] as const) {
      const [error] = await closed.errorsOf(way, { query, variables: { o: { field: 'NAMEE' } } });
      expect(error?.message).toMatch(/does not exist/);
      expect(error?.message).not.toMatch(/Did you mean/);
    }
  });
});
