/** Small operations with large results, over HTTP and websocket. Each is refused, or its result is truncated. */
import { beforeAll, describe, expect, it } from 'vitest';
import { STILL_NOW_MS, startTestGateway } from '../support/gateway.js';
import {
  type AskWay,
  type AttackTarget,
  socketErrors,
  startAttackTarget,
} from '../support/http/attackTarget.js';
import { createRecordingLogger } from '../support/http/edgeGateway.js';

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** A name that is repeated for each of 1,000 objects, by several root fields. */
const onNodes = (roots: number, fields: string) => ({
  query: `query ($ids: [ID!]!) { ${times(roots, (i) => `r${i}: nodes(ids: $ids) { ...F }`)} } fragment F on Node { ${fields} }`,
  variables: { ids: Array.from({ length: 1000 }, () => 'Site:16801') },
});

const introspectedNames = times(5, (index) => `${'A'.repeat(1998)}${index}: name`);
const introspections = (types: string) => times(5, (index) => `r${index}: __schema { types { ${types} } }`);
const repeatedFields = (fields: string) => times(5, (index) => `f${index}: fields { ${fields} }`);

let target: AttackTarget;
beforeAll(async () => {
  // The clock stands still, so that no attack meets the revalidation of data that an earlier test has read.
  target = await startAttackTarget({ clock: { now: () => STILL_NOW_MS } });
});

describe.each<AskWay>(['POST', 'websocket'])('an operation over %s', (way) => {
  const longName = 'A'.repeat(200_000);
  it.each([
    ['an alias', onNodes(5, `${longName}: id`)],
    ['an alias of introspection', { query: `{ __schema { types { fields { ${longName}: name } } } }` }],
    ['an alias of a root field', { query: `{ ${longName}: nodes(ids: ["x"]) { id } }` }],
    ['an operation', { query: `query ${longName} { __typename }` }],
    ['a name just above the limit', { query: `{ ${'a'.repeat(2001)}: __typename }` }],
  ])('is refused for a long name of %s', async (_, payload) => {
    const [error, ...others] = await target.attack(() => target.errorsOf(way, payload));
    expect(others).toEqual([]);
    expect(error).toMatchObject({ extensions: { code: 'GRAPHQL_PARSE_FAILED', retryable: false } });
    expect(error?.message).toMatch(
      /^The name at line 1, column \d+ has \d+ characters\. The limit is 2000\.$/,
    );
  });

  it('is charged for the length of aliases', async () => {
    const aliases = times(7, (index) => `${'a'.repeat(1999)}${index}: id`);
    const errors = await target.attack(() => target.errorsOf(way, onNodes(5, aliases)));
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['COST_TOO_HIGH']);
    expect(await target.errorsOf(way, { query: `{ ${'a'.repeat(2000)}: sites { totalCount } }` })).toEqual(
      [],
    );
  });

  it.each([
    ['selections', 'TOO_MANY_ALIASES', `{ ${introspections(repeatedFields(introspectedNames))} }`],
    [
      'fragments',
      'COST_TOO_HIGH',
      `{ ${introspections('...T')} } fragment T on __Type { ${repeatedFields('...F')} } fragment F on __Field { ${introspectedNames} }`,
    ],
  ])('is refused for long aliases in %s of introspection: %s', async (_, code, query) => {
    const errors = await target.attack(() => target.errorsOf(way, { query }));
    expect(errors.map(({ extensions }) => extensions.code)).toEqual([code]);
  });

  it.each([
    ['compiled', ''],
    ['executed by graphql-js', '__schema { queryType { name } }'],
  ])('lists the first errors only (%s)', async (_, introspection) => {
    const roots = times(5, (index) => `r${index}: nodes(ids: $ids) { id }`);
    const query = `query ($ids: [ID!]!) { ${introspection} ${roots} }`;
    const variables = { ids: Array.from({ length: 1000 }, () => 'x') };
    const errors = await target.attack(() => target.errorsOf(way, { query, variables }));
    expect(errors).toHaveLength(1001);
    expect(errors[999]).toMatchObject({ path: [expect.stringMatching(/^r\d$/), expect.any(Number)] });
    expect(errors[1000]?.message).toMatch(/^The operation has more than 1000 errors\./);
    expect(errors[1000]?.extensions).toMatchObject({ code: 'TOO_MANY_ERRORS', retryable: false });
  });
});

describe.each<AskWay>(['POST', 'websocket'])('a result over %s', (way) => {
  const query =
    'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Site { streams { id name units createdAt type { name } } } } }';
  const variables = (count: number) => ({ ids: Array.from({ length: count }, () => 'Site:16801') });

  it('is refused if it is larger than the memory of its caller', async () => {
    const small = await startAttackTarget({ callerLimits: { maxCallerBytes: 200_000 } });
    expect(await small.errorsOf(way, { query, variables: variables(50) })).toEqual([]);
    expect(await small.errorsOf(way, { query, variables: variables(1000) })).toEqual([
      {
        message: 'The result has more than 200000 characters. Request fewer items, or fewer fields of each.',
        extensions: { code: 'COST_TOO_HIGH', retryable: false, requestId: expect.any(String) },
      },
    ]);
  });
});

it.each(['v0.2', '20220824'])('a part that is too large is not sent in the format %s', async (format) => {
  const small = await startAttackTarget({ callerLimits: { maxCallerBytes: 200_000 } });
  const fields = 'streams { id name units createdAt type { name } }';
  const response = await fetch(`${small.url}/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: `multipart/mixed;${format === 'v0.2' ? 'incrementalSpec' : 'deferSpec'}=${format}`,
    },
    body: JSON.stringify({
      query: `query ($ids: [ID!]!) { ... @defer { sites { totalCount } } ... @defer { nodes(ids: $ids) { ... on Site { ${fields} } } } }`,
      variables: { ids: Array.from({ length: 1000 }, () => 'Site:16801') },
    }),
  });
  const text = await response.text();
  expect(text).toContain('{"sites":{"totalCount":3}}');
  expect(text).toContain('"code":"COST_TOO_HIGH"');
  expect(text.length).toBeLessThan(5000);
});

it('an operation with a long name has a short name in the access log', async () => {
  const logger = createRecordingLogger();
  const logged = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { logger, accessLog: 1 } });
  const query = `query ${'N'.repeat(2000)} { __typename }`;
  expect(await socketErrors(logged.url, { query })).toEqual([]);
  const fields = logger.lines.map((line) => line.fields);
  expect(fields).toContainEqual(expect.objectContaining({ operation: 'N'.repeat(128) }));
});
