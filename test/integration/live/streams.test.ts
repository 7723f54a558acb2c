/** Subscriptions, queries and mutations over SSE and multipart HTTP, as their clients use them. */
import { ApolloClient, type ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { fetchExchange, Client as UrqlClient } from '@urql/core';
import { createClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import {
  anyStream,
  LISTEN,
  LISTEN_BARE,
  socketUrl,
  startLiveGateway,
  untilListening,
  WAIT,
} from '../../support/http/live.js';
import { MULTIPART, openStream, readEvents, SSE, untilSubscribed } from '../../support/http/streams.js';

const gateway = await startLiveGateway({
  gateway: { callerLimits: { corsOrigins: ['https://dashboard.example'] } },
});
const url = `${gateway.url}/graphql`;

/** Otherwise a test would count the poll of an earlier subscription as its own. */
afterEach(async () => {
  await untilSubscribed(gateway.url, 0);
  gateway.sandbox.calls.reset();
});

interface Received {
  ids: string[];
  errors: unknown[];
  isDone: boolean;
}

const toId = (data: unknown) => (data as { sampleReceived: { id: string } }).sampleReceived.id;

/** Records the results of one subscription. */
function createSink() {
  const seen: Received = { ids: [], errors: [], isDone: false };
  return {
    seen,
    next({ data, errors = [] }: { data?: unknown; errors?: readonly unknown[] | undefined }) {
      if (data) seen.ids.push(toId(data));
      seen.errors.push(...errors);
    },
    error: (error: unknown) => void seen.errors.push(error),
    complete() {
      seen.isDone = true;
    },
  };
}

const untilReceived = ({ ids }: Received, expected: readonly string[]) =>
  vi.waitFor(() => expect(ids).toEqual(expected), WAIT);

const COUNT = '{ sites { totalCount } }';
const scalars = { kinds: ['SCALAR'] };

describe.each([
  ['distinct connections mode', false],
  ['single connection mode', true],
])('graphql-sse in %s', (_, singleConnection) => {
  it('receives samples until it stops', async () => {
    const client = createClient({ url, singleConnection, retryAttempts: 0 });
    const sink = createSink();
    const stop = client.subscribe({ query: LISTEN_BARE, variables: scalars }, sink);
    await untilListening(gateway);
    await untilReceived(sink.seen, gateway.append(anyStream(gateway), [1, 2, 3]));
    stop();
    await vi.waitFor(() => expect(sink.seen.isDone).toBe(true), WAIT);
    expect(sink.seen.errors).toEqual([]);
    client.dispose();
  });

  it('gets the result of a query and of a mutation', async () => {
    const client = createClient({ url, singleConnection, retryAttempts: 0 });
    const resultsOf = async (query: string) => {
      const results: unknown[] = [];
      for await (const result of client.iterate({ query })) results.push(result);
      return results;
    };
    expect(await resultsOf(COUNT)).toEqual([{ data: { sites: { totalCount: expect.any(Number) } } }]);
    // It names no attribute that exists, so that nothing is sent.
    const write = `mutation { setStreamCustomAttributes(input: { attributes: [
      { streamId: "${anyStream(gateway)}", name: "no such attribute", value: "x" }] }) { userErrors { code } } }`;
    expect(await resultsOf(write)).toEqual([
      { data: { setStreamCustomAttributes: { userErrors: [{ code: expect.any(String) }] } } },
    ]);
    client.dispose();
  });

  it('reads the platform with no-cache, and gets the explanation that it requests', async () => {
    const headers = { 'Cache-Control': 'no-cache', 'X-Explain': '1' };
    const client = createClient({ url, singleConnection, headers, retryAttempts: 0 });
    for (const expectedCalls of [1, 2]) {
      const { value: result } = await client.iterate({ query: COUNT }).next();
      const explained = { explain: { calls: [{ endpoint: '/v2.0/site', origin: 'network' }] } };
      expect(result).toMatchObject({ data: { sites: {} }, extensions: explained });
      expect(gateway.sandbox.calls.countOf('/v2.0/site')).toBe(expectedCalls);
    }
    client.dispose();
  });
});

describe('graphql-sse', () => {
  it('runs several operations over one connection', async () => {
    const client = createClient({ url, singleConnection: true, retryAttempts: 0 });
    const sinks = [createSink(), createSink()];
    const stops = sinks.map((sink) => client.subscribe({ query: LISTEN_BARE, variables: scalars }, sink));
    await untilSubscribed(gateway.url, 2);
    await untilListening(gateway);
    const ids = gateway.append(anyStream(gateway), [4, 5]);
    await Promise.all(sinks.map(({ seen }) => untilReceived(seen, ids)));
    stops[0]?.();
    await vi.waitFor(() => expect(sinks[0]?.seen.isDone).toBe(true), WAIT);
    const more = gateway.append(anyStream(gateway), [6]);
    await untilReceived(sinks[1]?.seen ?? createSink().seen, [...ids, ...more]);
    expect(sinks[0]?.seen.ids).toEqual(ids);
    client.dispose();
  });

  it.each([
    ['a stream', { streams: ['Stream:1'] }, 'streamIds[0]: There is no Stream:1.'],
    ['a site', { sites: ['1'] }, 'siteIds[0]: There is no Site:1.'],
  ])('gets an error at once for %s that does not exist', async (_, variables, message) => {
    const client = createClient({ url, retryAttempts: 0 });
    const { value: result } = await client.iterate({ query: LISTEN, variables }).next();
    expect(result?.errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
    client.dispose();
  });

  it('gets an error at once for a list without kinds', async () => {
    const client = createClient({ url, retryAttempts: 0 });
    const { value: result } = await client.iterate({ query: LISTEN, variables: { kinds: [] } }).next();
    const message = 'kinds: The list is empty; omit it for all kinds.';
    expect(result?.errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
    client.dispose();
  });

  it('gets the errors of an invalid operation as a result', async () => {
    const client = createClient({ url, retryAttempts: 0 });
    const { value: result } = await client.iterate({ query: 'subscription { nothing }' }).next();
    expect(result?.errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    client.dispose();
  });
});

it('urql receives samples over SSE', async () => {
  const client = new UrqlClient({ url, exchanges: [fetchExchange], fetchSubscriptions: true });
  const seen: string[] = [];
  const { unsubscribe } = client
    .subscription(LISTEN_BARE, scalars)
    .subscribe(({ data }) => data && seen.push(toId(data)));
  await untilListening(gateway);
  const ids = gateway.append(anyStream(gateway), [1, 2, 3]);
  await vi.waitFor(() => expect(seen).toEqual(ids), WAIT);
  unsubscribe();
});

describe('Apollo Client', () => {
  const wsClient = createWsClient({ url: socketUrl(gateway.url), webSocketImpl: WebSocket });

  it.each<[string, ApolloLink]>([
    ['multipart HTTP', new HttpLink({ uri: url })],
    ['a websocket', new GraphQLWsLink(wsClient)],
  ])('receives samples over %s', async (_, link) => {
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const sink = createSink();
    const subscription = client.subscribe({ query: gql(LISTEN_BARE), variables: scalars }).subscribe(sink);
    await untilListening(gateway);
    await untilReceived(sink.seen, gateway.append(anyStream(gateway), [1, 2, 3]));
    subscription.unsubscribe();
    expect(sink.seen.errors).toEqual([]);
  });

  it('shows the error of a subscription that cannot start', async () => {
    const client = new ApolloClient({ link: new HttpLink({ uri: url }), cache: new InMemoryCache() });
    const seen: unknown[] = [];
    const variables = { streams: ['Stream:1'] };
    const subscription = client
      .subscribe({ query: gql(LISTEN_BARE), variables, errorPolicy: 'all' })
      .subscribe({ next: ({ error }) => seen.push(error), error: (error) => seen.push(error) });
    await vi.waitFor(
      () => expect(seen).toMatchObject([{ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] }]),
      WAIT,
    );
    subscription.unsubscribe();
  });
});

describe('Last-Event-ID', () => {
  it('resumes after the last event, without loss or repetition', async () => {
    const stream = anyStream(gateway);
    const query = 'subscription { sampleReceived(kinds: [SCALAR]) { id } }';
    const first = await openStream(gateway.url, { query, method: 'GET' });
    await untilListening(gateway);
    gateway.append(stream, [1, 2]);
    const eventsOf = ({ text }: typeof first) => readEvents(text()).filter(({ event }) => event === 'next');
    await vi.waitFor(() => expect(eventsOf(first)).toHaveLength(2), WAIT);
    first.close();
    const missed = gateway.append(stream, [3, 4, 5]);
    const headers = { ...SSE, 'Last-Event-ID': eventsOf(first).at(-1)?.id ?? '' };
    const second = await openStream(gateway.url, { query, method: 'GET', headers });
    await vi.waitFor(() => expect(eventsOf(second).map(({ id }) => id)).toEqual(missed), WAIT);
    const later = gateway.append(stream, [6]);
    await vi.waitFor(() => expect(eventsOf(second).map(({ id }) => id)).toEqual([...missed, ...later]), WAIT);
    second.close();
  });

  it('of the first heartbeat resumes without an event of any kind', async () => {
    const query = 'subscription { sampleReceived(kinds: [SCALAR, RFID]) { id } }';
    const first = await openStream(gateway.url, { query, method: 'GET' });
    const beat = () => readEvents(first.text()).at(0);
    await vi.waitFor(() => expect(beat()?.event).toBe('heartbeat'), WAIT);
    const cursor = beat()?.id ?? '';
    const newest = { scalar: gateway.newestId(), rfid: gateway.newestId('rfid') };
    expect(cursor).toBe(`ScalarSample:${newest.scalar},RfidSample:${newest.rfid}`);
    first.close();
    gateway.pass(240);
    const missed = [
      ...gateway.scalarsAfter(newest.scalar).map(({ id }) => id),
      ...gateway.readsAfter(newest.rfid),
    ];
    expect(missed.join()).toMatch(/Scalar.*Rfid/);
    const second = await openStream(gateway.url, {
      query,
      variables: {},
      headers: { ...SSE, 'Last-Event-ID': cursor },
    });
    const ids = () =>
      readEvents(second.text())
        .map(({ data }) => (JSON.parse(data) as { data: unknown }).data)
        .map(toId);
    await vi.waitFor(() => expect(ids().sort()).toEqual([...missed].sort()), WAIT);
    second.close();
  });

  it('that is not a cursor is an error', async () => {
    const headers = { ...SSE, 'Last-Event-ID': 'Site:1' };
    const stream = await openStream(gateway.url, { query: LISTEN_BARE, method: 'GET', headers });
    await stream.ended;
    expect(readEvents(stream.text()).map(({ event }) => event)).toEqual(['next', 'complete']);
    expect(stream.text()).toContain('BAD_USER_INPUT');
  });
});

describe('a request', () => {
  it('that accepts JSON too gets JSON for a query', async () => {
    const { headers, text, ended } = await openStream(gateway.url, { query: COUNT, headers: MULTIPART });
    await ended;
    expect(headers.get('content-type')).toContain('application/json');
    expect(JSON.parse(text())).toEqual({ data: { sites: { totalCount: expect.any(Number) } } });
  });

  it('of a page of another site opens no stream, unless its origin is allowed', async () => {
    const query = COUNT;
    const open = (headers: Record<string, string>) =>
      openStream(gateway.url, { query, method: 'GET', headers: { ...SSE, ...headers } });
    const foreign = await open({ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' });
    await foreign.ended;
    expect([foreign.status, foreign.text()]).toEqual([400, expect.stringContaining('CSRF_REFUSED')]);
    const linked = await open({ 'Sec-Fetch-Site': 'cross-site' });
    await linked.ended;
    expect([linked.status, linked.text()]).toEqual([
      400,
      expect.stringContaining('without naming its origin'),
    ]);
    const allowed = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://dashboard.example' };
    expect((await open(allowed)).status).toBe(200);
    expect((await open({ 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
  });

  it('with the hash of an unknown document gets the code on which clients send its text', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { ...SSE, 'Content-Type': 'application/json' },
      body: JSON.stringify({ extensions }),
    });
    const text = await response.text();
    expect(text).toContain('"code":"PERSISTED_QUERY_NOT_FOUND"');
    expect(text).toContain('"message":"PersistedQueryNotFound"');
  });

  it.each([undefined, 'text/plain'])(
    'by POST with the content type %s gets the advice to send JSON',
    async (type) => {
      const body = new TextEncoder().encode(JSON.stringify({ query: COUNT }));
      const headers = { ...SSE, ...(type && { 'Content-Type': type }) };
      const response = await fetch(url, { method: 'POST', headers, body });
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining(
          'Send the operation as JSON, with the header Content-Type: application/json.',
        ),
      ]);
    },
  );

  it('by GET executes no mutation', async () => {
    const query =
      'mutation { acknowledgeSamples(input: { kind: SCALAR, sampleId: "1" }) { userErrors { code } } }';
    const stream = await openStream(gateway.url, { query, method: 'GET' });
    await stream.ended;
    expect(stream.text()).toContain('Send mutations by POST.');
  });
});

describe('single connection mode', () => {
  const send = (method: string, headers: Record<string, string> = {}, search = '', body?: object) =>
    fetch(`${url}${search}`, {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const reserve = async () => ({ 'X-GraphQL-Event-Stream-Token': await (await send('PUT')).text() });

  it('responds to requests with a token as the protocol says', async () => {
    const token = await reserve();
    expect(token['X-GraphQL-Event-Stream-Token']).toMatch(/^[\w-]{32}$/);
    const statusOf = async (...args: Parameters<typeof send>) => (await send(...args)).status;
    const operation = { query: LISTEN_BARE, variables: scalars, extensions: { operationId: 'a' } };
    expect(await statusOf('POST', token, '', operation)).toBe(202);
    expect(await statusOf('POST', token, '', operation)).toBe(400);
    expect(await statusOf('POST', token, '', { query: COUNT })).toBe(400);
    const invalid = { query: '{ nothing }', extensions: { operationId: 'b' } };
    expect(await statusOf('POST', token, '', invalid)).toBe(400);
    expect(await statusOf('POST', { 'X-GraphQL-Event-Stream-Token': 'guessed' }, '', operation)).toBe(400);
    const stream = await send('GET', { ...token, ...SSE });
    expect(stream.status).toBe(200);
    expect(await statusOf('GET', { ...token, ...SSE })).toBe(400);
    expect(await statusOf('DELETE', token, '?operationId=a')).toBe(200);
    expect(await statusOf('POST', token, '', operation)).toBe(202);
    await stream.body?.cancel();
    await vi.waitFor(async () => expect(await statusOf('DELETE', token, '?operationId=a')).toBe(400), WAIT);
  });

  it('reserves a stream by a PUT without a body, whatever its content type', async () => {
    const json = { 'Content-Type': 'application/json' };
    const reserved = await send('PUT', json);
    expect([reserved.status, await reserved.text()]).toEqual([201, expect.stringMatching(/^[\w-]{32}$/)]);
    expect((await send('PUT', json, '', { query: COUNT })).status).toBe(405);
  });

  it('sends results of operations that began before the stream was opened', async () => {
    const token = await reserve();
    await send('POST', token, '', { query: COUNT, extensions: { operationId: 'early' } });
    const stream = await send('GET', { ...token, ...SSE });
    const reader = stream.body?.getReader();
    let text = '';
    while (!text.includes('event: complete')) {
      text += new TextDecoder().decode((await reader?.read())?.value);
    }
    expect(text).toContain('data: {"id":"early","payload":{"data":{"sites":{"totalCount":');
    await reader?.cancel();
  });
});
