/** A query that Apollo Server has validated before is executed beside it, with the same response byte for byte. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STILL_NOW_MS, startTestGateway, type TestGateway } from '../../support/gateway.js';

let gateway: TestGateway;
let sent = 0;

beforeAll(async () => {
  const clock = { now: () => STILL_NOW_MS };
  gateway = await startTestGateway({ sandbox: { clock }, gateway: { clock } });
});
afterAll(() => gateway.stop());

/** Spaces make the bodies differ, so that no response is cached. */
async function post(body: object, headers: Readonly<Record<string, string>> = {}) {
  sent += 1;
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'known', ...headers },
    body: JSON.stringify(body) + ' '.repeat(sent),
  });
  const sentHeaders = [...response.headers].filter(([name]) => name !== 'date');
  return { status: response.status, headers: sentHeaders, text: await response.text() };
}

const query =
  'query Some($first: Int) { sites(first: $first) { nodes { id name } } } query Other { __typename }';
const some = { query, operationName: 'Some' };
const bodies: [string, object][] = [
  ['variables', { ...some, variables: { first: 2 } }],
  ['parameters that are null', { ...some, variables: null, extensions: null }],
  ['the other operation', { query, operationName: 'Other' }],
  ['extensions', { ...some, extensions: { clientLibrary: { name: 'client' } } }],
  ['an operation that does not exist', { query, operationName: 'None' }],
  ['no name of an operation', { query }],
  ['an empty name', { query, operationName: '' }],
  ['a variable of another type', { ...some, variables: { first: 'two' } }],
  ['an argument that is refused', { ...some, variables: { first: -1 } }],
  ['variables that are a list', { ...some, variables: [] }],
  ['variables that are a text', { ...some, variables: '{}' }],
  ['a wrong hash', { ...some, extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } }],
  ['field errors', { query: '{ node(id: "Site:nothing") { id } sites { nodes { id } } }' }],
  ['a fault of validation', { query: '{ sites { nodes { id nothing } } }' }],
  [
    'a mutation',
    { query: 'mutation { acknowledgeSamples(input: { throughId: "x" }) { userErrors { code } } }' },
  ],
];
const accepts = [
  undefined,
  '*/*',
  'application/json',
  'application/graphql-response+json, application/json;q=0.9',
  'application/graphql-response+json',
  'text/html',
];

it.each(bodies)('%s', async (_, body) => {
  for (const accept of accepts) {
    const headers = accept === undefined ? {} : { Accept: accept };
    const [first, second, third] = [
      await post(body, headers),
      await post(body, headers),
      await post(body, headers),
    ];
    expect([second, third]).toEqual([first, first]);
  }
});

it('responses are what they are after a header `Accept` of another client', async () => {
  const [json, response] = [accepts[2], accepts[4]].map((accept = '') => ({ Accept: accept }));
  for (const headers of [json, response, json, response]) {
    const { headers: sentHeaders } = await post({ query: '{ organizations { nodes { name } } }' }, headers);
    expect(new Map(sentHeaders).get('content-type')).toBe(`${headers?.Accept}; charset=utf-8`);
  }
});

it('an explained query is explained', async () => {
  const body = { query: '{ sites { totalCount } }' };
  for (const header of ['0', '1', '0', '1']) {
    const { text } = await post(body, { 'X-Explain': header });
    expect(text.includes('"explain"')).toBe(header === '1');
  }
});
