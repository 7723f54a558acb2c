/** Clients that do not read a response in parts. */
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { defaultOperationLimits } from '../../src/graphql/limits/operationLimits.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { createRecordingLogger } from '../support/http/edgeGateway.js';
import { WAIT } from '../support/http/live.js';
import { metricIn, readMetrics } from '../support/http/metrics.js';
import { openInitialized, type RawSocket } from '../support/http/socket.js';

const operation = { ...defaultOperationLimits, maxCost: 1e9 };

const logger = createRecordingLogger();
let gateway: TestGateway;
const closing: (() => void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) close();
  logger.lines.length = 0;
  await gateway.stop();
});

const ALIASES = Array.from({ length: 15 }, (_, index) => `${'a'.repeat(1400)}${index}: id`).join(' ');
/** 20 KB for each item, and 20 MB for each stream: more than the buffers of the kernel take. */
const HUGE = `{ sites(first: 3) { nodes { streams { samples(first: 1000) { edges @stream { node { ${ALIASES} } } } } } } }`;
const MAX_RECEIVED = 40_000_000;

const start = async () => {
  gateway = await startTestGateway({
    gateway: { logger, callerLimits: { maxUnsentBytes: 65_536, maxUnsentMs: 200, operation } },
  });
};

async function refusals(): Promise<number> {
  const page = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(/code="SLOW_CONSUMER"\} (\d+)/.exec(page)?.[1] ?? 0);
}

/** Sends the request and reads nothing. */
function sendUnread(method: string, headers: Readonly<Record<string, string>>, body = ''): Socket {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
  closing.push(() => socket.destroy());
  const all = { Host: hostname, 'Content-Length': String(body.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.pause().write(`${method} /graphql HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  return socket;
}

/** The log names the client as on every other transport. */
function expectLine(): void {
  const lines = logger.lines.filter(({ message }) => message === 'Operation refused');
  expect(lines).toMatchObject([{ level: 'info', fields: { code: 'SLOW_CONSUMER', address: '127.0.0.1' } }]);
}

async function expectEnd(socket: Socket): Promise<void> {
  await vi.waitFor(async () => expect(await refusals()).toBe(1), WAIT);
  expectLine();
  let received = 0;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('data', ({ length }) => {
    received += length;
  });
  // The gateway cuts the connection of a client that does not read the end; otherwise the response ends.
  socket.end().resume();
  await closed;
  expect(received).toBeLessThan(MAX_RECEIVED);
}

it.each([
  ['multipart', 'multipart/mixed;incrementalSpec=v0.2'],
  ['the earlier multipart', 'multipart/mixed;deferSpec=20220824'],
  ['SSE', 'text/event-stream;incrementalSpec=v0.2'],
])('lose their response over %s with SLOW_CONSUMER', async (_, accept) => {
  await start();
  const headers = { Accept: accept, 'Content-Type': 'application/json' };
  await expectEnd(sendUnread('POST', headers, JSON.stringify({ query: HUGE })));
});

it.each([
  ['reads the rest', (socket: Socket) => socket.end().resume()],
  ['disconnects', (socket: Socket) => socket.destroy()],
])('end the execution of the other parts if the client then %s', async (_, proceed) => {
  await start();
  gateway.sandbox.faults.add({ match: '/v2.0/user', hangBeforeHeaders: true });
  const query = `{ ... @defer { users { nodes { id } } } ${HUGE.slice(1)}`;
  const headers = { Accept: 'multipart/mixed;incrementalSpec=v0.2', 'Content-Type': 'application/json' };
  const socket = sendUnread('POST', headers, JSON.stringify({ query }));
  await vi.waitFor(async () => expect(await refusals()).toBe(1), WAIT);
  const name = 'fieldgraph_rest_calls_total{endpoint="GET /v2.0/user",outcome="cancelled"}';
  const cancelled = async () => metricIn(await readMetrics(gateway.url), name);
  proceed(socket);
  await expect.poll(cancelled, WAIT).toBe(1);
});

it('lose their stream in single connection mode with SLOW_CONSUMER', async () => {
  await start();
  const token = await (await fetch(`${gateway.url}/graphql`, { method: 'PUT' })).text();
  const headers = { 'X-GraphQL-Event-Stream-Token': token };
  const socket = sendUnread('GET', { Accept: 'text/event-stream', ...headers });
  const extensions = { operationId: '1', incrementalSpec: 'v0.2' };
  const sent = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query: HUGE, extensions }),
  });
  expect(sent.status).toBe(202);
  await expectEnd(socket);
});

it('lose their websocket with SLOW_CONSUMER', async () => {
  await start();
  const raw: RawSocket = await openInitialized(gateway.url);
  closing.push(() => raw.socket.terminate());
  raw.socket.pause();
  const payload = { query: HUGE, extensions: { incrementalSpec: 'v0.2' } };
  raw.send({ type: 'subscribe', id: '1', payload });
  await vi.waitFor(async () => expect(await refusals()).toBe(1), WAIT);
  expectLine();
  raw.socket.resume();
  expect(await raw.closed).toMatchObject({ code: 1013, reason: expect.stringMatching(/^SLOW_CONSUMER: /) });
  expect(JSON.stringify(raw.messages).length).toBeLessThan(MAX_RECEIVED);
});
