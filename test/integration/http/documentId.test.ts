/** Trusted documents that requests name by `documentId` (GraphQL over HTTP, "Persisted Documents"). */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hashDocument } from '../../../src/graphql/documents/trustedDocuments.js';
import { type GraphqlBody, startTestGateway } from '../../support/gateway.js';
import { anyStream } from '../../support/http/live.js';
import { openInitialized } from '../../support/http/socket.js';
import { readEvents } from '../../support/http/streams.js';

const NAMES = 'query Names($first: Int!) { sites(first: $first) { nodes { name } } }';
const PARTS = 'query Parts { sites(first: 1) { nodes { name ... @defer { id } } } }';
const WRITE =
  'mutation Write($input: SetSiteCustomAttributesInput!) { setSiteCustomAttributes(input: $input) { __typename } }';
const CLOSED =
  'query Closed($id: ID!) { stream(id: $id) { id series(range: { from: 0, to: 86400000 }) { values } } }';
const OWN_ID = 'x-dashboard:names-2';
const PLAIN_ID = 'dashboard~2~names';
const OWN_CLOSED_ID = 'x-dashboard:closed';

const directory = mkdtempSync(path.join(tmpdir(), 'documents-'));
const manifest = {
  [OWN_ID]: NAMES,
  [PLAIN_ID]: NAMES,
  [OWN_CLOSED_ID]: CLOSED,
  [`sha256:${hashDocument(PARTS)}`]: PARTS,
  [hashDocument(WRITE)]: WRITE,
};
writeFileSync(path.join(directory, 'manifest.json'), JSON.stringify(manifest));
const sandbox = { siteCount: 2 };
const callerLimits = { trustedDocuments: directory, trustedDocumentsOnly: true };
const gateway = await startTestGateway({ sandbox, gateway: { callerLimits } });
const open = await startTestGateway({ sandbox: { siteCount: 1 } });

afterAll(() => rmSync(directory, { recursive: true }));

type Parameters = Record<string, unknown>;

function post(url: string, parameters: Parameters, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(parameters),
  });
}

function get(url: string, parameters: Parameters): Promise<Response> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    search.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  return fetch(`${url}/graphql?${search}`, { headers: { 'Apollo-Require-Preflight': '1' } });
}

/** The client of graphql-ws sends nothing without `query`. */
async function overSocket(url: string, parameters: Parameters): Promise<unknown> {
  const { send, take, socket } = await openInitialized(url);
  const responded = Promise.race([once(socket, 'message'), once(socket, 'close')]);
  send({ type: 'subscribe', id: '1', payload: parameters });
  await responded;
  expect(socket.readyState).toBe(socket.OPEN);
  const { type, payload } = await Promise.any([take('next'), take('error')]);
  socket.terminate();
  return type === 'error' ? { errors: payload } : payload;
}

async function overSse(url: string, parameters: Parameters): Promise<unknown> {
  const text = await (await post(url, parameters, { Accept: 'text/event-stream' })).text();
  return JSON.parse(readEvents(text)[0]?.data ?? '');
}

const toBody = async (response: Promise<Response>): Promise<unknown> => (await response).json();

const ways: [string, (url: string, parameters: Parameters) => Promise<unknown>][] = [
  ['POST', (url, parameters) => toBody(post(url, parameters))],
  ['GET', (url, parameters) => toBody(get(url, parameters))],
  ['websocket', overSocket],
  ['SSE', overSse],
];
const firstError = (result: unknown) => (result as GraphqlBody<unknown>).errors?.[0];

describe.each(ways)('a documentId by %s', (_, send) => {
  it.each([
    ['a hash', hashDocument(NAMES)],
    ['a hash with its prefix', `sha256:${hashDocument(NAMES)}`],
    ['an id of the application', OWN_ID],
    ['an id without a colon', PLAIN_ID],
  ])('names a trusted document: %s', async (_form, documentId) => {
    const sent = { documentId, operationName: 'Names', variables: { first: 1 } };
    const expected = { data: { sites: { nodes: [{ name: expect.any(String) }] } } };
    // The second and third are shared or cached where the transport does so.
    for (let at = 0; at < 3; at++) expect(await send(gateway.url, sent)).toMatchObject(expected);
    expect(await send(gateway.url, { ...sent, query: '' })).toMatchObject(expected);
  });

  it.each([
    ['names no trusted document', { documentId: 'sha256:0' }, 'DOCUMENT_NOT_TRUSTED', /has this documentId/],
    ['comes with a query', { documentId: OWN_ID, query: NAMES }, 'BAD_REQUEST', /without query/],
    [
      'comes with a hash',
      { documentId: OWN_ID, extensions: { persistedQuery: { version: 1, sha256Hash: hashDocument(NAMES) } } },
      'BAD_REQUEST',
      /without query and extensions\.persistedQuery/,
    ],
    ['is too long', { documentId: 'x'.repeat(257) }, 'BAD_REQUEST', /at most 256 characters/],
  ])('is refused if it %s', async (_form, parameters, code, message) => {
    const error = firstError(await send(gateway.url, { ...parameters, variables: { first: 1 } }));
    expect(error).toMatchObject({ message: expect.stringMatching(message), extensions: { code } });
  });

  it('is refused without trusted documents, also for a document that a caller has registered', async () => {
    const query = '{ __typename }';
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashDocument(query) } };
    expect((await post(open.url, { query, extensions })).status).toBe(200);
    const error = firstError(await send(open.url, { documentId: hashDocument(query) }));
    expect(error?.extensions.code).toBe('DOCUMENT_NOT_TRUSTED');
  });
});

it.each(ways)('a hash in extensions.persistedQuery by %s names a trusted document', async (_, send) => {
  const extensions = { persistedQuery: { version: 1, sha256Hash: hashDocument(NAMES) } };
  const sent = { extensions, variables: { first: 1 } };
  const expected = { data: { sites: { nodes: [{ name: expect.any(String) }] } } };
  expect(await send(gateway.url, sent)).toMatchObject(expected);
  expect(await send(gateway.url, { ...sent, query: '' })).toMatchObject(expected);
});

it.each(ways)('a document that is sent with its hash by %s is found by the hash', async (name, send) => {
  const query = `{ ${name.replace(/\W/g, '')}: __typename }`;
  const extensions = { persistedQuery: { version: 1, sha256Hash: hashDocument(query) } };
  const unknown = { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] };
  expect(await send(open.url, { extensions })).toMatchObject(unknown);
  const response = await send(open.url, { query, extensions });
  expect(response).toHaveProperty('data');
  expect(await send(open.url, { extensions })).toEqual(response);
});

it.each(ways)('an id of an application in extensions.persistedQuery by %s is refused', async (_, send) => {
  const persistedQuery = { version: 1, sha256Hash: OWN_ID };
  expect(await send(gateway.url, { extensions: { persistedQuery }, variables: { first: 1 } })).toMatchObject({
    errors: [{ extensions: { code: 'BAD_REQUEST' } }],
  });
});

it.each(ways)(
  'a request by %s is refused alike if it names no document, or not the one that it sends',
  async (_, send) => {
    const persistedQuery = { version: 1, sha256Hash: hashDocument(NAMES) };
    const requests: Parameters[] = [
      { query: '' },
      { query: '', extensions: { persistedQuery: { ...persistedQuery, version: 2 } } },
      { query: '{ __typename }', extensions: { persistedQuery: { ...persistedQuery, version: 2 } } },
      { query: '{ __typename }', extensions: { persistedQuery } },
    ];
    for (const parameters of requests)
      expect(firstError(await send(open.url, parameters))?.extensions.code).toBe('BAD_REQUEST');
  },
);

describe('a documentId', () => {
  it.each(ways.filter(([name]) => name !== 'GET'))(
    'that is not a string is refused by %s',
    async (_, send) => {
      const error = firstError(await send(gateway.url, { documentId: 42 }));
      expect(error).toMatchObject({ message: expect.stringMatching(/must be a string/) });
      expect(error?.extensions.code).toBe('BAD_REQUEST');
    },
  );

  it.each(ways.filter(([name]) => name !== 'GET'))(
    'with a query of null names the document by %s',
    async (_, send) => {
      const sent = { query: null, documentId: OWN_ID, variables: { first: 1 } };
      const expected = { data: { sites: { nodes: [{ name: expect.any(String) }] } } };
      expect(await send(gateway.url, sent)).toMatchObject(expected);
    },
  );

  it('has the status 400 if it is refused', async () => {
    expect((await post(gateway.url, { documentId: 'none' })).status).toBe(400);
    expect((await get(gateway.url, { documentId: 'none' })).status).toBe(400);
  });

  it('of a mutation is refused by GET', async () => {
    const response = await get(gateway.url, { documentId: hashDocument(WRITE) });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('of an application gets no immutable response by GET, because its document may change', async () => {
    const variables = { id: `Stream:${anyStream(gateway)}` };
    const byHash = await get(gateway.url, { documentId: hashDocument(CLOSED), variables });
    const byPrefixedHash = await get(gateway.url, {
      documentId: `sha256:${hashDocument(CLOSED)}`,
      variables,
    });
    for (const { headers } of [byHash, byPrefixedHash])
      expect(headers.get('cache-control')).toMatch(/^private, max-age=\d{6,}, immutable$/);
    const byOwnId = await get(gateway.url, { documentId: OWN_CLOSED_ID, variables });
    expect(await byOwnId.text()).toBe(await byHash.text());
    expect(byOwnId.headers.get('cache-control')).not.toContain('immutable');
  });

  it('of a document with @defer is delivered in parts', async () => {
    const Accept = 'multipart/mixed;incrementalSpec=v0.2, application/json';
    const response = await post(gateway.url, { documentId: hashDocument(PARTS) }, { Accept });
    expect(response.headers.get('content-type')).toMatch(/^multipart\/mixed/);
    expect(await response.text()).toContain('"hasNext":false');
  });
});
