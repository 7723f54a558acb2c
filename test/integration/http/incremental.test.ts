/** `@defer` and `@stream` over HTTP, SSE and websocket, as clients read them. */
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import { fetchExchange, Client as UrqlClient } from '@urql/core';
import { createClient as createWsClient } from 'graphql-ws';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { chainFragments } from '../../support/execution/countVisits.js';
import type { JsonResult } from '../../support/execution/incrementalReference.js';
import { mergeParts } from '../../support/execution/mergeParts.js';
import { fullestStream, required, startTestGateway } from '../../support/gateway.js';
import { socketUrl, WAIT } from '../../support/http/live.js';
import { startRestrictedGateway } from '../../support/http/restrictedGateway.js';
import { openStream, readEvents } from '../../support/http/streams.js';
import { collectUnhandled } from '../../support/unhandledRejections.js';

const CURRENT = 'multipart/mixed;incrementalSpec=v0.2, application/json';
const EARLIER = 'multipart/mixed;deferSpec=20220824, application/json';

const SITES = `query Sites($isDeferred: Boolean! = true) { sites(first: 3) { nodes { id name
  ...Streams @defer(label: "streams", if: $isDeferred) } } }
  fragment Streams on Site { name streams { name lastSample { value } } }`;
const PLAIN = `{ sites(first: 3) { nodes { id name streams { name lastSample { value } } } } }`;

const gateway = await startTestGateway();
const { url } = gateway;

beforeEach(() => {
  gateway.sandbox.faults.clear();
  gateway.sandbox.calls.reset();
});

/** The JSON bodies of a multipart response. */
function readBodies(text: string): JsonResult[] {
  return text
    .split('--graphql')
    .map((part) => part.split('\r\n\r\n')[1])
    .filter((body) => body !== undefined)
    .map((body) => JSON.parse(body) as JsonResult);
}

async function ask(query: string, accept: string, headers: Readonly<Record<string, string>> = {}) {
  const stream = await openStream(url, { query, headers: { Accept: accept, ...headers } });
  await stream.ended;
  return { ...stream, type: stream.headers.get('content-type') ?? '', bodies: readBodies(stream.text()) };
}

describe('the format', () => {
  it('v0.2 announces parts, and sends no field twice', async () => {
    const { type, bodies } = await ask(SITES, CURRENT);
    expect(type).toBe('multipart/mixed;boundary="graphql";incrementalSpec=v0.2');
    expect(bodies[0]).toMatchObject({
      pending: [0, 1, 2].map((index) => ({
        id: String(index),
        path: ['sites', 'nodes', index],
        label: 'streams',
      })),
      hasNext: true,
    });
    expect(mergeParts(bodies).data).toEqual(await gateway.ask(PLAIN));
  });

  it('20220824 sends each fragment whole, as Relay expects', async () => {
    const { type, bodies } = await ask(SITES, EARLIER);
    expect(type).toBe('multipart/mixed;boundary="graphql";deferSpec=20220824');
    const { sites } = await gateway.ask<{ sites: { nodes: Record<string, unknown>[] } }>(PLAIN);
    const [initial, ...later] = bodies;
    expect(initial?.['hasNext']).toBe(true);
    expect(initial).not.toHaveProperty('pending');
    // Relay normalizes each payload with the fragment that its label and path name, apart from the others.
    const payloads = later.flatMap(({ incremental = [] }) => incremental as JsonResult[]);
    expect(payloads).toEqual(
      sites.nodes.map(({ name, streams }, index) => ({
        data: { name, streams },
        path: ['sites', 'nodes', index],
        label: 'streams',
      })),
    );
    expect(later.at(-1)?.['hasNext']).toBe(false);
  });

  it('20220824 sends a bounded number of fragments that spread each other repeatedly', async () => {
    const { nodes } = (await gateway.ask<{ sites: { nodes: { id: string; name: string }[] } }>(PLAIN)).sites;
    const { id, name } = required(nodes[0], 'site');
    const fragments = chainFragments('Site', 12, (next) => `${next} @defer ${next} @defer`, 'id name');
    const { bodies } = await ask(`{ site(id: "${id}") { ...F0 } } ${fragments}`, EARLIER);
    const [initial, ...later] = bodies;
    const payloads = later.flatMap(({ incremental = [] }) => incremental as JsonResult[]);
    expect(payloads.length).toBeGreaterThan(1);
    expect(payloads.length).toBeLessThanOrEqual(100);
    for (const payload of payloads) expect(payload).toEqual({ data: { id, name }, path: ['site'] });
    expect(initial).toMatchObject({ data: { site: { id, name } } });
  });

  it('is the earlier one for plain multipart/mixed', async () => {
    const { type } = await ask(SITES, 'application/json, text/event-stream, multipart/mixed');
    expect(type).toContain('deferSpec=20220824');
  });

  it.each([
    ['no multipart', SITES, 'application/json'],
    ['an unknown format', SITES, 'multipart/mixed;incrementalSpec=v9, application/json'],
    ['a condition that is off', SITES.replace('= true', '= false'), CURRENT],
    ['an operation without directives', PLAIN, CURRENT],
    ['an operation without directives, if only parts are accepted', PLAIN, 'multipart/mixed'],
    ['an operation without directives, if only one format is', PLAIN, 'multipart/mixed;incrementalSpec=v0.2'],
  ])('is one result with %s', async (_, query, accept) => {
    const { type, text } = await ask(query, accept);
    expect(type).toBe('application/json; charset=utf-8');
    expect(JSON.parse(text())).toEqual({ data: await gateway.ask(PLAIN) });
  });

  it('is that of other errors where an operation is refused', async () => {
    const query = '{ sites { ... @defer(label: "a") { totalCount } ... @defer(label: "a") { totalCount } } }';
    for (const accept of [CURRENT, 'multipart/mixed']) {
      const refused = await ask(query, accept);
      expect(refused.status).toBe(400);
      expect(JSON.parse(refused.text())).toMatchObject({
        errors: [
          { message: expect.stringContaining('unique'), extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
        ],
      });
    }
    const costly = await ask('{ sites(first: 100000) { nodes { ... @defer { name } } } }', CURRENT);
    expect(JSON.parse(costly.text())).toMatchObject({ errors: [{ extensions: { code: 'COST_TOO_HIGH' } }] });
  });

  it('is refused by GET unless a header forces a preflight', async () => {
    const get = async (headers: Readonly<Record<string, string>>) => {
      const stream = await openStream(url, {
        query: SITES,
        method: 'GET',
        headers: { Accept: CURRENT, ...headers },
      });
      await stream.ended;
      return stream;
    };
    expect((await get({})).text()).toContain('CSRF_REFUSED');
    expect(readBodies((await get({ 'Apollo-Require-Preflight': '1' })).text()).length).toBeGreaterThan(1);
  });

  it('can be sent over SSE', async () => {
    const { text } = await ask(SITES, 'text/event-stream;incrementalSpec=v0.2');
    const events = readEvents(text());
    const results = events.filter(({ event }) => event === 'next').map(({ data }) => JSON.parse(data));
    expect(mergeParts(results as JsonResult[]).data).toEqual(await gateway.ask(PLAIN));
    expect(events.at(-1)?.event).toBe('complete');
  });

  it('can be requested over a websocket', async () => {
    const client = createWsClient({ url: socketUrl(url), webSocketImpl: WebSocket, retryAttempts: 0 });
    const results: JsonResult[] = [];
    for await (const result of client.iterate({ query: SITES, extensions: { incrementalSpec: 'v0.2' } })) {
      results.push(result as unknown as JsonResult);
    }
    expect(results.length).toBeGreaterThan(1);
    expect(mergeParts(results).data).toEqual(await gateway.ask(PLAIN));
    await client.dispose();
  });
});

describe('a format that is not known', () => {
  it.each([{ toString: 1, valueOf: 1 }, ['20220824'], 'x', null, true])(
    'is ignored: %j',
    async (deferSpec) => {
      const client = createWsClient({ url: socketUrl(url), webSocketImpl: WebSocket, retryAttempts: 0 });
      const results: unknown[] = [];
      for await (const result of client.iterate({ query: SITES, extensions: { deferSpec } }))
        results.push(result);
      expect(results).toEqual([{ data: await gateway.ask(PLAIN) }]);
      await client.dispose();
    },
  );
});

describe('a list with @stream', () => {
  it('is delivered in order after its first items', async () => {
    const { bodies } = await ask(
      '{ sites(first: 3) { nodes @stream(initialCount: 1, label: "sites") { id name streams { name lastSample { value } } } } }',
      CURRENT,
    );
    expect(bodies[0]).toMatchObject({
      data: { sites: { nodes: [{ id: expect.any(String) }] } },
      pending: [{ path: ['sites', 'nodes'], label: 'sites' }],
    });
    expect(mergeParts(bodies).data).toEqual(await gateway.ask(PLAIN));
  });

  it('is executed in slices', async () => {
    const list = 'samples(first: 120) { edges @stream { node { value } } }';
    const { bodies } = await ask(`{ sites(first: 1) { nodes { streams { ${list} } } } }`, CURRENT);
    const items = bodies.flatMap(({ incremental = [] }) => incremental as { items: unknown[] }[]);
    const lengths = items.map((part) => part.items.length);
    expect(Math.max(...lengths)).toBe(100);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(100);
  });

  it('ends with its error where an initialCount is invalid', async () => {
    const query = '{ sites(first: 3) { nodes @stream(initialCount: -1) { id } } }';
    const { text } = await ask(query, CURRENT);
    expect(JSON.parse(text())).toHaveProperty('errors');
  });
});

describe('nodes with @stream', () => {
  // More than a slice of the list: the nodes after it load, too, before they are executed.
  const ids = Array.from({ length: 150 }, (_, index) => `Threshold:${index + 1}`);
  const request = {
    query: 'query ($ids: [ID!]!) { nodes(ids: $ids) @stream { id } }',
    variables: { ids },
    headers: { Accept: CURRENT, 'Cache-Control': 'no-cache' },
  };
  const isOfStreams = ({ path }: { path: string }) => path.startsWith('/v2.0/stream');

  it('fail one by one if the platform fails', async () => {
    gateway.sandbox.faults.add({ match: isOfStreams, status: 400 });
    const unhandled = await collectUnhandled(async () => {
      const stream = await openStream(url, request);
      await stream.ended;
      const { data, nullPaths } = mergeParts(readBodies(stream.text()));
      expect(data).toEqual({ nodes: ids.map(() => null) });
      expect(nullPaths).toHaveLength(ids.length);
    });
    expect(unhandled).toEqual([]);
  });

  it('are cancelled when the client leaves', async () => {
    gateway.sandbox.faults.add({ match: isOfStreams, hangBeforeHeaders: true });
    const unhandled = await collectUnhandled(async () => {
      const stream = await openStream(url, request);
      await vi.waitFor(() => expect(readBodies(stream.text())).toHaveLength(1), WAIT);
      await vi.waitFor(() => expect(gateway.restCalls().some(isOfStreams)).toBe(true), WAIT);
      stream.close();
      gateway.sandbox.faults.clear();
      expect((await gateway.query(PLAIN, {}, { 'Cache-Control': 'no-cache' })).body.errors).toBeUndefined();
    });
    expect(unhandled).toEqual([]);
  });
});

describe('a deferred part', () => {
  it('does not delay the first part, and fails alone', async () => {
    gateway.sandbox.faults.add({ match: '/v2.0/user', status: 500 });
    const query = '{ sites(first: 1) { nodes { name } } ... @defer { users { nodes { id } } } }';
    const { bodies } = await ask(query, CURRENT, { 'Cache-Control': 'no-cache' });
    expect(bodies[0]).toMatchObject({
      data: { sites: { nodes: [{ name: expect.any(String) }] } },
      hasNext: true,
    });
    expect(bodies[0]).not.toHaveProperty('errors');
    const codes = JSON.stringify(bodies.slice(1));
    expect(codes).toContain('"code":"PLATFORM_');
    expect(codes).toContain('"requestId"');
  });

  it('is cancelled when the client leaves', async () => {
    gateway.sandbox.faults.add({ match: '/v2.0/user', hangBeforeHeaders: true });
    const query = '{ sites(first: 1) { nodes { name } } ... @defer { users { nodes { id } } } }';
    const headers = { Accept: CURRENT, 'Cache-Control': 'no-cache' };
    const stream = await openStream(url, { query, headers });
    // The first part is there while the second one waits for the platform.
    await vi.waitFor(() => expect(readBodies(stream.text())).toHaveLength(1), WAIT);
    await vi.waitFor(() => expect(gateway.restCalls().map(({ path }) => path)).toContain('/v2.0/user'), WAIT);
    stream.close();
    gateway.sandbox.faults.clear();
    expect((await ask(SITES, CURRENT)).bodies.length).toBeGreaterThan(1);
  });

  it('shares the loads of the operation, and is explained in its result', async () => {
    const fresh = { 'Cache-Control': 'no-cache' };
    await gateway.query(PLAIN, {}, fresh);
    const plainCalls = gateway.restCalls().length;
    gateway.sandbox.calls.reset();
    const { bodies } = await ask(SITES, CURRENT, { ...fresh, 'X-Explain': '1' });
    expect(gateway.restCalls().length).toBeLessThanOrEqual(plainCalls);
    const explained = bodies.map(({ extensions }) => {
      const { explain } = extensions as { explain: { calls: { endpoint: string }[] } };
      return explain.calls.map(({ endpoint }) => endpoint);
    });
    expect(required(explained[0], 'explanation')).not.toEqual([]);
    expect(explained.slice(1).flat()).not.toEqual([]);
    expect(explained.flat().length).toBe(gateway.restCalls().length);
  });

  it('is not stored in the response cache', async () => {
    for (let time = 0; time < 3; time += 1) {
      const { headers, bodies } = await ask(SITES, CURRENT);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('etag')).toBeNull();
      expect(bodies.length).toBeGreaterThan(1);
    }
  });

  it('shows a restricted caller nothing more', async () => {
    const restricted = await startRestrictedGateway();
    const sites = restricted.idsOf('Site');
    const owner = required(restricted.ownerOf(required(sites[0], 'site')), 'owner');
    const hidden = required(
      sites.find((id) => restricted.ownerOf(id) !== owner),
      'hidden site',
    );
    const query = `{ ... @defer { site(id: "${hidden}") { name } node(id: "${hidden}") { id } }
      sites(first: 100) { nodes @stream { organization { id } } } }`;
    const headers = { Accept: CURRENT, Authorization: `Bearer ${await restricted.tokenOf([owner])}` };
    const stream = await openStream(restricted.url, { query, headers });
    await stream.ended;
    const { data } = mergeParts(readBodies(stream.text()));
    expect(data).toMatchObject({ site: null, node: null });
    const { nodes } = (data as { sites: { nodes: { organization: { id: string } }[] } }).sites;
    expect(new Set(nodes.map(({ organization }) => organization.id))).toEqual(
      new Set([`Organization:${owner}`]),
    );
  });
});

describe('a mutation', () => {
  const LEVELS = '[{ name: "Low", upperLimit: 1 }, { name: "High" }]';
  const write = (id: string) =>
    `mutation { set: setStreamThreshold(input: { streamId: "${id}", levels: ${LEVELS} }) { userErrors { code }
      ... @defer { stream { threshold { levels @stream { name } } } } } }`;
  const posts = () => gateway.restCalls().filter(({ method }) => method === 'POST' || method === 'PUT');

  it('is sent once, and its deferred fields see what it wrote', async () => {
    const id = `Stream:${fullestStream(gateway, 'scalar')}`;
    gateway.sandbox.calls.reset();
    const { bodies } = await ask(write(id), CURRENT);
    expect(bodies[0]).toMatchObject({ data: { set: { userErrors: [] } }, hasNext: true });
    expect(mergeParts(bodies).data).toEqual({
      set: { userErrors: [], stream: { threshold: { levels: [{ name: 'Low' }, { name: 'High' }] } } },
    });
    expect(posts()).toHaveLength(1);
  });

  it('is refused by GET', async () => {
    gateway.sandbox.calls.reset();
    const headers = { Accept: CURRENT, 'Apollo-Require-Preflight': '1' };
    const stream = await openStream(url, { query: write('Stream:1'), method: 'GET', headers });
    await stream.ended;
    expect(stream.status).toBe(405);
    expect(posts()).toEqual([]);
  });
});

describe('Apollo Client', () => {
  it.each([
    ['Defer20220824Handler', new Defer20220824Handler()],
    // Its declaration lacks `undefined`, which `exactOptionalPropertyTypes` tells apart.
    ['GraphQL17Alpha9Handler', new GraphQL17Alpha9Handler() as unknown as Defer20220824Handler],
  ])('shows parts as they arrive with %s', async (_, incrementalHandler) => {
    const client = new ApolloClient({
      link: new HttpLink({ uri: `${url}/graphql` }),
      cache: new InMemoryCache(),
      incrementalHandler,
    });
    const states: (readonly [string, unknown])[] = [];
    const expected = await gateway.ask<{ sites: { nodes: { streams: unknown[] }[] } }>(PLAIN);
    const subscription = client
      .watchQuery({ query: gql(SITES), fetchPolicy: 'network-only' })
      .subscribe(({ dataState, data }) => states.push([dataState, data]));
    await vi.waitFor(() => {
      const [state, data] = states.at(-1) as [string, { sites: { nodes: { streams: unknown[] }[] } }];
      expect(state).toBe('complete');
      expect(data.sites.nodes.map(({ streams }) => streams.length)).toEqual(
        expected.sites.nodes.map(({ streams }) => streams.length),
      );
    }, WAIT);
    expect(states.some(([state]) => state === 'streaming')).toBe(true);
    subscription.unsubscribe();
    client.stop();
  });
});

it('urql merges the parts with its own Accept header', async () => {
  const client = new UrqlClient({
    url: `${url}/graphql`,
    exchanges: [fetchExchange],
    preferGetMethod: false,
  });
  const results: { data?: unknown; hasNext: boolean }[] = [];
  const { unsubscribe } = client.query(SITES, {}).subscribe((result) => {
    results.push({ data: structuredClone(result.data), hasNext: result.hasNext });
  });
  await vi.waitFor(() => expect(results.at(-1)?.hasNext).toBe(false), WAIT);
  unsubscribe();
  expect(results.length).toBeGreaterThan(1);
  expect(results.at(-1)?.data).toEqual(await gateway.ask(PLAIN));
});
