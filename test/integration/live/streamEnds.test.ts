/** Heartbeats while nothing happens, and the end of subscriptions that end early, on every transport. */
import { ApolloClient, gql, HttpLink, InMemoryCache, setLogVerbosity } from '@apollo/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GatewayOptions } from '../../../src/gateway/gatewayOptions.js';
import { createKeysFile } from '../../support/http/callers.js';
import { createRecordingLogger } from '../../support/http/edgeGateway.js';
import {
  anyStream,
  LISTEN_BARE,
  type LiveGateway,
  startLiveGateway,
  untilListening,
  WAIT,
} from '../../support/http/live.js';
import { openInitialized } from '../../support/http/socket.js';
import { MULTIPART, openStream, readEvents, SSE, untilSubscribed } from '../../support/http/streams.js';

const scalars = { kinds: ['SCALAR'] };
const subscription = { query: LISTEN_BARE, variables: scalars };

let gateway: LiveGateway;

async function start(options: Partial<GatewayOptions> = {}): Promise<LiveGateway> {
  gateway = await startLiveGateway({ gateway: options });
  return gateway;
}

afterEach(() => gateway.stop());

const parse = (json: string | undefined) => JSON.parse(json ?? 'null') as unknown;

describe('a heartbeat', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('says within 15 s up to when the platform has been polled, on every transport', async () => {
    await start();
    const websocket = await openInitialized(gateway.url);
    websocket.send({ type: 'subscribe', id: '1', payload: subscription });
    const [bySse, byEventSource, byMultipart] = await Promise.all([
      openStream(gateway.url, subscription),
      openStream(gateway.url, { ...subscription, method: 'GET' }),
      openStream(gateway.url, { ...subscription, headers: MULTIPART }),
    ]);
    await untilSubscribed(gateway.url, 4);
    await untilListening(gateway);
    const startedAt = new Date(gateway.clock.now()).toISOString();
    const [id = ''] = gateway.append(anyStream(gateway), [1]);
    const texts = () => [
      JSON.stringify(websocket.messages),
      ...[bySse, byEventSource, byMultipart].map(({ text }) => text()),
    ];
    await vi.waitFor(() => expect(texts().every((text) => text.includes(id))).toBe(true), WAIT);
    // Once: a second round would disconnect a websocket whose pong of the first round is late.
    vi.advanceTimersByTime(15_000);
    const beats = () => ({
      websocket: websocket.messages.findLast(({ type }) => type === 'ping')?.payload,
      sse: parse([...bySse.text().matchAll(/^: heartbeat (\{"asOf".*)$/gm)].at(-1)?.[1]),
      eventSource: parse(readEvents(byEventSource.text()).at(-1)?.data),
      multipart: [
        ...byMultipart
          .text()
          .matchAll(
            /content-type: application\/json; asOf="(?<asOf>[^"]*)"; cursor="(?<cursor>.*)"\r\n\r\n\{\}\r\n--graphql/g,
          ),
      ].at(-1)?.groups,
    });
    const asOf = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    const heartbeat = { asOf, cursor: id };
    await vi.waitFor(
      () =>
        expect(beats()).toEqual({
          websocket: { asOf, cursors: { 1: id } },
          sse: heartbeat,
          eventSource: heartbeat,
          multipart: heartbeat,
        }),
      WAIT,
    );
    expect(readEvents(byEventSource.text()).at(-1)).toMatchObject({ event: 'heartbeat', id });
    for (const beat of Object.values(beats())) {
      expect((beat as { asOf: string }).asOf >= startedAt).toBe(true);
    }
    for (const stream of [bySse, byEventSource, byMultipart]) stream.close();
    websocket.socket.terminate();
  });

  it('says so at the start of the first subscription to a kind, on every transport', async () => {
    await start();
    const startedAt = new Date(gateway.clock.now()).toISOString();
    const websocket = await openInitialized(gateway.url);
    websocket.send({ type: 'subscribe', id: '1', payload: subscription });
    const [bySse, byMultipart] = await Promise.all([
      openStream(gateway.url, subscription),
      openStream(gateway.url, { ...subscription, headers: MULTIPART }),
    ]);
    const firstBeats = () => {
      const ping = websocket.messages.find(({ type }) => type === 'ping')?.payload;
      return [
        (ping as { asOf?: string } | undefined)?.asOf,
        /^: heartbeat \{"asOf":"([^"]*)".*$/m.exec(bySse.text())?.[1],
        /^content-type: application\/json; asOf="([^"]*)"/m.exec(byMultipart.text())?.[1],
      ];
    };
    await vi.waitFor(() => expect(firstBeats()).not.toContain(undefined), WAIT);
    for (const asOf of firstBeats()) expect(asOf && asOf >= startedAt).toBe(true);
    for (const stream of [bySse, byMultipart]) stream.close();
    websocket.socket.terminate();
  });

  it('is sent without a time while the platform does not respond at the start, on every transport', async () => {
    await start();
    gateway.sandbox.faults.add({ match: '/v2.0/stream/{streamId}', hangBeforeHeaders: true });
    const ofStream = { query: LISTEN_BARE, variables: { streams: [anyStream(gateway)] } };
    const websocket = await openInitialized(gateway.url);
    websocket.send({ type: 'subscribe', id: '1', payload: ofStream });
    const [bySse, byMultipart] = await Promise.all([
      openStream(gateway.url, ofStream),
      openStream(gateway.url, { ...ofStream, headers: MULTIPART }),
    ]);
    await untilSubscribed(gateway.url, 3);
    vi.advanceTimersByTime(15_000);
    const beats = () => [
      websocket.messages.find(({ type }) => type === 'ping')?.payload,
      /^: heartbeat (.*)$/m.exec(bySse.text())?.[1],
      /^content-type: (application\/json.*)\r\n\r\n\{\}/m.exec(byMultipart.text())?.[1],
    ];
    await vi.waitFor(() => expect(beats()).toEqual([{ cursors: {} }, '{}', 'application/json']), WAIT);
    for (const stream of [bySse, byMultipart]) stream.close();
    websocket.socket.terminate();
  });

  it('is sent over a single connection without an operation', async () => {
    await start();
    const token = await (await fetch(`${gateway.url}/graphql`, { method: 'PUT' })).text();
    const response = await fetch(`${gateway.url}/graphql?token=${token}`, { headers: SSE });
    const reader = response.body?.getReader();
    let text = '';
    void vi.advanceTimersByTimeAsync(15_000);
    while (!text.includes(': heartbeat')) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
  });
});

/** The last event of an SSE stream before `complete`, and the part of a multipart stream with errors. */
function errorOf(text: string): unknown {
  const [last] = readEvents(text)
    .filter(({ event }) => event === 'next')
    .slice(-1);
  const json = last?.data ?? /\r\n(\{"payload":null.*)\r\n/.exec(text)?.[1] ?? '{}';
  return (JSON.parse(json) as { errors?: unknown[] }).errors?.[0];
}

describe('a gateway that stops', () => {
  it('ends streams with STOPPING and a time to retry', async () => {
    await start();
    const streams = await Promise.all([
      openStream(gateway.url, subscription),
      openStream(gateway.url, { ...subscription, headers: MULTIPART }),
    ]);
    await untilSubscribed(gateway.url, 2);
    await gateway.stop();
    await Promise.all(streams.map(({ ended }) => ended));
    const stopping = { extensions: { code: 'STOPPING', retryable: true, retryAfterMs: expect.any(Number) } };
    expect(streams.map(({ text }) => errorOf(text()))).toMatchObject([stopping, stopping]);
    expect(streams[0]?.text().endsWith('event: complete\ndata:\n\n')).toBe(true);
    expect(streams[1]?.text().endsWith('\r\n--graphql--\r\n')).toBe(true);
  });

  it('delivers what has arrived since the last poll before that', async () => {
    await start({ livePollMs: 2000, lastPollMs: WAIT.timeout });
    const streamId = anyStream(gateway);
    const levels = [{ display_name: 'Normal', upper_limit: 10 }, { display_name: 'High' }];
    gateway.run('DELETE FROM threshold WHERE stream_id = ?', streamId);
    gateway.run('INSERT INTO threshold (stream_id, levels) VALUES (?, ?)', streamId, JSON.stringify(levels));
    gateway.append(streamId, [5]);
    const changes = { query: 'subscription { thresholdStatusChanged { cursor level { name } } }' };
    const streams = await Promise.all([
      openStream(gateway.url, subscription),
      openStream(gateway.url, { ...subscription, headers: MULTIPART }),
      openStream(gateway.url, changes),
    ]);
    const idsOf = ([id = '']: readonly string[]) => [
      id,
      id,
      id.replace('ScalarSample', 'ThresholdStatusChange'),
    ];
    /** The error that ends a stream names the last id again. */
    const counts = (ids: readonly string[]) =>
      streams.map((stream, index) => {
        const [results = ''] = stream.text().split('"errors"');
        return results.split(`"${ids[index]}"`).length - 1;
      });
    await untilSubscribed(gateway.url, 3);
    await untilListening(gateway);
    const high = idsOf(gateway.append(streamId, [12]));
    await vi.waitFor(() => expect(counts(high)).toEqual([1, 1, 1]), WAIT);
    // The next poll follows two seconds later.
    const normal = idsOf(gateway.append(streamId, [5]));
    await gateway.stop();
    await Promise.all(streams.map(({ ended }) => ended));
    expect(counts(normal)).toEqual([1, 1, 1]);
    for (const stream of streams)
      expect(errorOf(stream.text())).toMatchObject({ extensions: { code: 'STOPPING' } });
  });

  it('lets an EventSource connect again by itself', async () => {
    await start();
    const stream = await openStream(gateway.url, { ...subscription, method: 'GET' });
    await untilListening(gateway);
    await gateway.stop();
    await stream.ended;
    expect(errorOf(stream.text())).toMatchObject({ extensions: { code: 'STOPPING' } });
    expect(stream.text()).toMatch(/^retry: \d+$/m);
    expect(stream.text()).not.toContain('event: complete');
  });

  it('is an error of Apollo Client', async () => {
    await start();
    // It warns of the missing data.
    setLogVerbosity('silent');
    const link = new HttpLink({ uri: `${gateway.url}/graphql` });
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const seen: unknown[] = [];
    client
      .subscribe({ query: gql(LISTEN_BARE), variables: scalars })
      .subscribe({ next: ({ error }) => seen.push(error), error: (error) => seen.push(error) });
    await untilListening(gateway);
    await gateway.stop();
    await vi.waitFor(
      () => expect(seen).toMatchObject([{ errors: [{ extensions: { code: 'STOPPING' } }] }]),
      WAIT,
    );
  });
});

it('a credential that expires ends streams with CREDENTIAL_EXPIRED', async () => {
  const keys = await createKeysFile();
  const key = await keys.add({ name: 'leaving' });
  const logger = createRecordingLogger();
  await start({ logger, callerAuth: { kind: 'api-key', file: keys.file }, recheckIntervalMs: 50 });
  const headers = { 'X-API-Key': key };
  const streams = await Promise.all([
    openStream(gateway.url, { ...subscription, headers: { ...SSE, ...headers } }),
    openStream(gateway.url, { ...subscription, headers: { ...MULTIPART, ...headers } }),
  ]);
  // The metrics are closed to everybody but callers.
  await untilListening(gateway);
  await keys.remove('leaving');
  await Promise.all(streams.map(({ ended }) => ended));
  const expired = { extensions: { code: 'CREDENTIAL_EXPIRED', retryable: false, retryAfterMs: 1000 } };
  expect(streams.map(({ text }) => errorOf(text()))).toMatchObject([expired, expired]);
  const lines = logger.lines.filter(({ message }) => message === 'Operation refused');
  const fields = { transport: 'stream', caller: 'leaving', code: 'UNAUTHENTICATED' };
  expect(lines).toMatchObject([{ fields }, { fields }]);
});

it('a token of single connection mode is of no use to another caller', async () => {
  const keys = await createKeysFile();
  const [one, other] = [await keys.add({ name: 'one' }), await keys.add({ name: 'other' })];
  await start({ callerAuth: { kind: 'api-key', file: keys.file } });
  const url = `${gateway.url}/graphql`;
  const reserved = await fetch(url, { method: 'PUT', headers: { 'X-API-Key': one } });
  const search = `?token=${await reserved.text()}`;
  const statusOf = async (key: string) => {
    const response = await fetch(url + search, { headers: { ...SSE, 'X-API-Key': key } });
    await response.body?.cancel();
    return response.status;
  };
  expect(await statusOf(other)).toBe(400);
  expect(await statusOf(one)).toBe(200);
  expect((await fetch(url + search, { headers: SSE })).status).toBe(401);
});

it('a stream whose credential was refused takes no further operation while a query runs', async () => {
  const keys = await createKeysFile();
  const key = await keys.add({ name: 'changing', scopes: ['read'] });
  await start({ callerAuth: { kind: 'api-key', file: keys.file }, recheckIntervalMs: 50 });
  const url = `${gateway.url}/graphql`;
  const own = { 'X-API-Key': key };
  const reserved = await fetch(url, { method: 'PUT', headers: own });
  const token = { ...own, 'X-GraphQL-Event-Stream-Token': await reserved.text() };
  const stream = await openStream(gateway.url, { query: '', method: 'GET', headers: { ...SSE, ...token } });
  const send = async (headers: Record<string, string>, body: object) => {
    const request = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
    return (await fetch(url, { ...request, body: JSON.stringify(body) })).status;
  };
  let finish: (value?: unknown) => void = () => {};
  gateway.sandbox.faults.add({ match: '/v2.0/user', until: new Promise((resolve) => (finish = resolve)) });
  const query = '{ users { totalCount } }';
  expect(await send(token, { query, extensions: { operationId: 'running' } })).toBe(202);
  expect(await send(token, { ...subscription, extensions: { operationId: 'first' } })).toBe(202);
  await keys.change('changing', { scopes: ['write'] });
  await vi.waitFor(() => expect(stream.text()).toContain('CREDENTIAL_EXPIRED'), WAIT);
  await keys.change('changing', { scopes: ['read'] });
  await vi.waitFor(async () => expect(await send(own, { query: '{ __typename }' })).toBe(200), WAIT);
  expect(await send(token, { ...subscription, extensions: { operationId: 'second' } })).toBe(400);
  finish();
  await stream.ended;
  expect(stream.text()).toContain('{"id":"running","payload":{"data":{"users":');
});
