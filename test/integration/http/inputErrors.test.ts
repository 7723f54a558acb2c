/** Mistakes of callers that only execution finds have the code BAD_USER_INPUT, and no line in the log. */
import { expect, it } from 'vitest';
import { startTestGateway } from '../../support/gateway.js';
import { createRecordingLogger } from '../../support/http/edgeGateway.js';

const logger = createRecordingLogger();
const gateway = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { logger } });
await gateway.ask('{ sites { totalCount } }');

const NEAR = 'filter: { near: { latitude: $v, longitude: 0, radiusKm: 1 } }';
const SERIES = 'series(range: { from: $v, to: "2026-01-02T00:00:00Z" }) { times }';
const WRITE = 'setStreamThreshold(input: { streamId: $v, levels: [] }) { userErrors { code } }';

it.each([
  ['an id', 'query ($v: ID = "Site:16801") { site(id: $v) { id } }', ['site']],
  ['a part of a filter', `query ($v: Float = 1) { sites(${NEAR}) { totalCount } }`, ['sites']],
  ['a part of a range', `query ($v: DateTime = 0) { stream(id: 88001) { ${SERIES} } }`, ['stream', 'series']],
  ['a condition', 'query ($v: Boolean = false) { sites { totalCount @skip(if: $v) } }', ['sites']],
  ['an input of a mutation', `mutation ($v: ID = "1") { ${WRITE} }`, ['setStreamThreshold']],
])('a null variable with a default in %s', async (_, query, path) => {
  logger.lines.length = 0;
  const { body } = await gateway.query(query, { v: null });
  expect(body.errors).toMatchObject([{ path, extensions: { code: 'BAD_USER_INPUT', retryable: false } }]);
  expect(body.errors?.[0]?.message).toMatch(/must not be null|non-null|\$v/);
  expect(logger.lines).toEqual([]);
});

it('an id that is an object, in a GET of a closed range', async () => {
  logger.lines.length = 0;
  const query = 'query ($id: ID!) { stream(id: $id) { series(range: { from: 0, to: 1000 }) { times } } }';
  const variables = JSON.stringify({ id: { toString: 1, valueOf: 1 } });
  const search = `query=${encodeURIComponent(query)}&variables=${encodeURIComponent(variables)}`;
  const headers = { 'Apollo-Require-Preflight': '1' };
  const response = await fetch(`${gateway.url}/graphql?${search}`, { headers });
  expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  expect(logger.lines).toEqual([]);
});

it.each(['variables', 'extensions'])('%s of a GET that are nested too deeply', async (name) => {
  const deep = `{"a":${'['.repeat(200)}${']'.repeat(200)}}`;
  const search = new URLSearchParams({ query: '{ __typename }', [name]: deep });
  const headers = { 'Apollo-Require-Preflight': '1' };
  const response = await fetch(`${gateway.url}/graphql?${search}`, { headers });
  const message = `The parameter ${name} is nested too deeply: more than 200 levels of lists and objects`;
  expect(await response.json()).toMatchObject({ errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] });
});

it.each(['application/json', 'text/event-stream'])(
  'a parameter that occurs twice in a GET of %s',
  async (Accept) => {
    const search = 'query={__typename}&variables={}&variables={}';
    const headers = { 'Apollo-Require-Preflight': '1', Accept };
    const response = await fetch(`${gateway.url}/graphql?${search}`, { headers });
    expect(response.status).toBe(400);
    const message = 'Send the parameter variables only once.';
    expect(await response.json()).toMatchObject({
      errors: [{ message, extensions: { code: 'BAD_REQUEST' } }],
    });
  },
);

it('a body of another type than JSON', async () => {
  const headers = { 'Content-Type': 'application/graphql' };
  const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: '{ __typename }' });
  const message = 'Send the operation as JSON, with the header Content-Type: application/json.';
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] });
});

it.each([
  ['PATCH', '{}', 405, 'Send operations by POST, or queries by GET.'],
  ['POST', '{}', 400, 'The body must be a JSON object with the operation as `query`.'],
  ['POST', '"{ __typename }"', 400, 'The body must be a JSON object with the operation as `query`.'],
])('a %s with the body %s', async (method, body, status, message) => {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${gateway.url}/graphql`, { method, headers, body });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] });
});

it.each(['DELETE', 'PATCH', 'OPTIONS'])('a %s without a body', async (method) => {
  const response = await fetch(`${gateway.url}/graphql`, { method });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
  const message = 'Send operations by POST, or queries by GET.';
  expect(await response.json()).toMatchObject({ errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] });
});

it('a body that is nested too deeply', async () => {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: `{"query":"{ __typename }","variables":{"a":${'['.repeat(200)}${']'.repeat(200)}}}`,
  });
  const message = 'The body is nested too deeply: more than 200 levels of lists and objects';
  expect(await response.json()).toMatchObject({ errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] });
});

it('a negative initialCount', async () => {
  logger.lines.length = 0;
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'multipart/mixed;incrementalSpec=v0.2, application/json',
    },
    body: JSON.stringify({ query: '{ sites { nodes @stream(initialCount: -1) { id } } }' }),
  });
  const text = await response.text();
  expect(text).toContain('"code":"BAD_USER_INPUT"');
  expect(text).toContain('initialCount must not be negative.');
  expect(logger.lines).toEqual([]);
});

it.each([
  ['of the operation', 'subscription A { sampleReceived @skip(if: true) { id } }'],
  [
    'in a fragment',
    'subscription A($v: Boolean!) { ...F } fragment F on Subscription { sampleReceived @include(if: $v) { id } }',
  ],
  [
    'of another operation',
    'query A { sites { totalCount } } subscription B($v: Boolean!) { sampleReceived @include(if: $v) { id } }',
  ],
])('a condition at the root of a subscription: %s', async (_, query) => {
  logger.lines.length = 0;
  const body = JSON.stringify({ query, operationName: 'A', variables: { v: true } });
  for (const Accept of ['application/json', 'text/event-stream']) {
    const headers = { 'Content-Type': 'application/json', Accept };
    const text = await (await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })).text();
    expect(text).toContain('"code":"GRAPHQL_VALIDATION_FAILED"');
    expect(text).toContain('on the root field of a subscription');
  }
  expect(logger.lines.filter(({ message }) => message !== 'Operation refused')).toEqual([]);
});

it('no mistake: a body whose Content-Encoding says in capitals that it is not compressed', async () => {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'IDENTITY' },
    body: '{"query":"{ __typename }"}',
  });
  expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
});
