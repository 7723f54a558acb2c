/** The limits of one caller on websockets, and the error beyond each: connections, subscriptions, unsent bytes. */
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hashDocument } from '../../src/graphql/documents/trustedDocuments.js';
import type { CallerLimits } from '../../src/http/requests/callerLimits.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { createKeysFile } from '../support/http/callers.js';
import { WAIT } from '../support/http/live.js';
import { type Message, openInitialized, openSocket, type RawSocket } from '../support/http/socket.js';

const LISTEN = 'subscription { sampleReceived(kinds: [SCALAR]) { id } }';

let gateway: TestGateway;
const sockets: RawSocket[] = [];

afterEach(async () => {
  for (const { socket } of sockets.splice(0)) socket.terminate();
  await gateway.stop();
});

async function start(callerLimits: Partial<CallerLimits>): Promise<TestGateway> {
  gateway = await startTestGateway({ sandbox: { siteCount: 8 }, gateway: { callerLimits } });
  return gateway;
}

async function connect(): Promise<RawSocket> {
  const raw = await openInitialized(gateway.url);
  sockets.push(raw);
  return raw;
}

const codesOf = ({ messages }: RawSocket) =>
  messages
    .filter(({ type }) => type === 'error')
    .map(({ payload }) => (payload as { extensions: { code: string } }[])[0]?.extensions.code);

async function readMetric(pattern: RegExp): Promise<number> {
  const page = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(pattern.exec(page)?.[1] ?? 0);
}

const refusals = (code: string) => readMetric(new RegExp(`code="${code}"\\} (\\d+)`));
const openSubscriptions = () => readMetric(/^fieldgraph_subscriptions\{transport="websocket"\} (\d+)/m);
const openSockets = () => readMetric(/^fieldgraph_websocket_connections (\d+)/m);

describe('one caller', () => {
  it('has a limit of subscriptions, and can start new ones after ending some', async () => {
    await start({ maxCallerBytes: 1_048_576 });
    const raw = await connect();
    for (let id = 0; id < 60; id++) raw.send({ type: 'subscribe', id: `${id}`, payload: { query: LISTEN } });
    await vi.waitFor(async () => {
      expect((await openSubscriptions()) + codesOf(raw).length).toBe(60);
      expect(await refusals('TOO_MANY_SUBSCRIPTIONS')).toBe(codesOf(raw).length);
    }, WAIT);
    expect(codesOf(raw).length).toBeGreaterThan(20);
    expect(new Set(codesOf(raw))).toEqual(new Set(['TOO_MANY_SUBSCRIPTIONS']));
    const refused = codesOf(raw).length;
    for (let id = 0; id < 10; id++) raw.send({ type: 'complete', id: `${id}` });
    raw.send({ type: 'subscribe', id: 'again', payload: { query: LISTEN } });
    raw.send({ type: 'subscribe', id: 'query', payload: { query: '{ __typename }' } });
    await raw.take('complete');
    expect(codesOf(raw)).toHaveLength(refused);
  });

  it('has a limit of connections with one API key from any number of addresses', async () => {
    const keys = await createKeysFile();
    const key = await keys.add({});
    const callerAuth = { kind: 'api-key' as const, file: keys.file };
    gateway = await startTestGateway({
      sandbox: { siteCount: 1 },
      gateway: { callerAuth, trustedProxies: ['127.0.0.1'], callerLimits: { maxCallerBytes: 1_048_576 } },
    });
    const refused: { code: number; reason: string }[] = [];
    for (let index = 0; index < 60; index++) {
      const headers = { 'X-Forwarded-For': `192.0.2.${index}` };
      const raw = await openSocket(gateway.url, undefined, { headers });
      sockets.push(raw);
      raw.send({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } });
      const end = await Promise.race([raw.take('connection_ack').catch(() => undefined), raw.closed]);
      if (end === undefined || 'code' in end) refused.push(await raw.closed);
    }
    // 16 KB for each, in half of the memory.
    expect(refused).toHaveLength(60 - 32);
    expect(new Set(refused.map(({ code, reason }) => `${code} ${reason.split(':')[0]}`))).toEqual(
      new Set(['1013 TOO_MANY_SUBSCRIPTIONS']),
    );
  });

  it('is not charged for subscriptions that it completes before they start', async () => {
    await start({ maxCallerBytes: 1_048_576 });
    // The messages of one connection are handled more slowly than operations start.
    const opened = await Promise.all(Array.from({ length: 6 }, connect));
    for (let id = 0; id < 20; id++) {
      for (const raw of opened) {
        raw.send({ type: 'subscribe', id: `${id}`, payload: { query: LISTEN } });
        raw.send({ type: 'complete', id: `${id}` });
      }
    }
    for (const raw of opened) {
      raw.send({ type: 'subscribe', id: 'query', payload: { query: '{ __typename }' } });
      await raw.take('complete');
      raw.send({ type: 'subscribe', id: 'last', payload: { query: LISTEN } });
    }
    await vi.waitFor(async () => expect(await openSubscriptions()).toBe(opened.length), WAIT);
    expect(opened.flatMap(codesOf)).toEqual([]);
  });

  it('is not charged for subscriptions that it cuts with the connection before they start', async () => {
    await start({ maxCallerBytes: 1_048_576 });
    for (let round = 0; round < 20; round++) {
      const opened = await Promise.all(Array.from({ length: 6 }, connect));
      for (const raw of opened) {
        for (let id = 0; id < 3; id++)
          raw.send({ type: 'subscribe', id: `${id}`, payload: { query: LISTEN } });
      }
      await new Promise((resolve) => setTimeout(resolve, round % 5));
      for (const { socket } of opened) socket.terminate();
      await vi.waitFor(async () => expect(await openSockets()).toBe(0), WAIT);
    }
    const raw = await connect();
    raw.send({ type: 'subscribe', id: 'last', payload: { query: LISTEN } });
    await vi.waitFor(async () => expect(await openSubscriptions()).toBe(1), WAIT);
  });

  it('is charged the length of each subscription document', async () => {
    await start({ maxCallerBytes: 1_048_576 });
    const raw = await connect();
    const streamIds = Array.from({ length: 10_000 }, (_, index) => `${index + 1}`);
    const query = 'subscription ($ids: [ID!]) { sampleReceived(streamIds: $ids) { id } }';
    raw.send({ type: 'subscribe', id: '1', payload: { query, variables: { ids: streamIds } } });
    await raw.take('error');
    expect(codesOf(raw)).toEqual(['TOO_MANY_SUBSCRIPTIONS']);
  });

  it('is charged each document that its subscriptions name by its hash', async () => {
    await start({ maxCallerBytes: 4_194_304 });
    const raw = await connect();
    const fields = ['id', 'name', 'units', 'createdAt', 'platformId']
      .map((name) => `${name} `.repeat(40))
      .join('');
    const subscribe = async (id: string, index: number) => {
      const query = `query Q { __typename } subscription S { sampleReceived(kinds: [SCALAR]) { x${index}: id
        stream { ${fields} site { ${fields.replaceAll('units', 'status')} } } } }`;
      const extensions = { persistedQuery: { version: 1, sha256Hash: hashDocument(query) } };
      const body = JSON.stringify({ query, operationName: 'Q', extensions });
      const headers = { 'Content-Type': 'application/json' };
      const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body });
      expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
      raw.send({ type: 'subscribe', id, payload: { query: '', operationName: 'S', extensions } });
    };
    for (let index = 0; index < 40; index++) await subscribe(`${index}`, index);
    await vi.waitFor(async () => expect((await openSubscriptions()) + codesOf(raw).length).toBe(40), WAIT);
    const open = await openSubscriptions();
    // Each document takes about 200 KB.
    expect(open).toBeLessThan(20);
    expect(new Set(codesOf(raw))).toEqual(new Set(['TOO_MANY_SUBSCRIPTIONS']));
    for (let id = 0; id < open; id++) raw.send({ type: 'complete', id: `${id}` });
    await vi.waitFor(async () => expect(await openSubscriptions()).toBe(0), WAIT);
    // Equal documents are charged once.
    for (let id = 0; id < 40; id++) await subscribe(`equal ${id}`, 100);
    await vi.waitFor(async () => expect(await openSubscriptions()).toBe(40), WAIT);
  });

  it('has a limit of connections, and can open new ones after closing some', async () => {
    await start({ maxCallerBytes: 1_048_576 });
    const opened = await Promise.all(Array.from({ length: 32 }, connect));
    await expect(openSocket(gateway.url)).rejects.toThrow('429');
    opened[0]?.socket.close();
    await opened[0]?.closed;
    await vi.waitFor(connect, WAIT);
  });

  it('that does not read loses its connection with SLOW_CONSUMER', async () => {
    await start({ maxUnsentBytes: 65_536, maxUnsentMs: 200 });
    const raw = await connect();
    raw.socket.pause();
    const sites = 'sites { nodes { id name devices { id name channels { id name } } streams { id name } } }';
    const query = `{ ${['a', 'b', 'c', 'd'].map((alias) => `${alias}: ${sites}`).join(' ')} }`;
    for (let id = 0; id < 3000; id++) raw.send({ type: 'subscribe', id: `${id}`, payload: { query } });
    await vi.waitFor(async () => expect(await refusals('SLOW_CONSUMER')).toBe(1), WAIT);
    raw.socket.resume();
    expect(await raw.closed).toMatchObject({ code: 1013, reason: expect.stringMatching(/^SLOW_CONSUMER: /) });
    expect(raw.messages.length).toBeLessThan(3000);
  });

  it('that sends messages without a pause loses its connection with RATE_LIMITED', async () => {
    let nowMs = 1_700_000_000_000;
    gateway = await startTestGateway({
      sandbox: { siteCount: 1 },
      gateway: { clock: { now: () => nowMs }, callerLimits: { messages: { perSecond: 10, burst: 20 } } },
    });
    const raw = await connect();
    for (let count = 0; count < 2000; count++) raw.send({ type: 'ping' });
    await vi.waitFor(() => expect(raw.messages.length).toBeGreaterThan(15), WAIT);
    expect(raw.messages.length).toBeLessThan(25);
    for (let step = 0; step < 100 && raw.socket.readyState === raw.socket.OPEN; step++) {
      nowMs += 500;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(await raw.closed).toMatchObject({ code: 1013, reason: expect.stringMatching(/^RATE_LIMITED: /) });
    expect(raw.messages.length).toBeLessThan(200);
  });

  it('that leaves long messages unfinished loses connections with RATE_LIMITED', async () => {
    await start({ maxCallerBytes: 1_048_576 });
    const opened = await Promise.all(Array.from({ length: 4 }, connect));
    const codes: number[] = [];
    for (const raw of opened) void raw.closed.then(({ code }) => codes.push(code));
    for (const { socket } of opened) socket.send(' '.repeat(200_000), { fin: false });
    // Each message is charged twice its bytes, so that two fit.
    await vi.waitFor(() => expect(codes).toEqual([1013, 1013]), WAIT);
    expect(await refusals('RATE_LIMITED')).toBe(2);
    const query = JSON.stringify({ type: 'subscribe', id: '1', payload: { query: '{ __typename }' } });
    const [rest] = opened.filter(({ socket }) => socket.readyState === socket.OPEN);
    rest?.socket.send(query, { fin: true });
    await rest?.take('next');
  });

  it('that announces a message of 8 PB is closed for its length, and not charged with it', async () => {
    await start({ maxCallerBytes: 1_048_576 });
    const { socket, closed } = await connect();
    const { _socket: connection } = socket as unknown as { _socket: Duplex };
    connection.write(Buffer.from('81ff001fffffffffffff00000000', 'hex'));
    expect((await closed).code).toBe(1009);
    expect(await refusals('RATE_LIMITED')).toBe(0);
  });

  it('gets a response to each of many concurrent queries if it reads them', async () => {
    await start({});
    const raw = await connect();
    for (let id = 0; id < 300; id++) {
      raw.send({ type: 'subscribe', id: `${id}`, payload: { query: '{ sites { totalCount } }' } });
    }
    const resultIds = () => raw.messages.filter(({ type }) => type === 'next').map(({ id }) => Number(id));
    await vi.waitFor(() => expect(resultIds()).toHaveLength(300), WAIT);
    expect(new Set(resultIds()).size).toBe(300);
  });

  it('that sends no connection_init is closed, for any other message', async () => {
    await start({});
    const raw = await openSocket(gateway.url);
    sockets.push(raw);
    const timer = setInterval(() => raw.send({ type: 'ping' }), 100);
    expect((await raw.closed).code).toBe(4408);
    clearInterval(timer);
  });

  it('that sends many messages before connection_init is closed', async () => {
    await start({});
    const raw = await openSocket(gateway.url);
    sockets.push(raw);
    for (let count = 0; count < 200; count++) raw.send({ type: 'ping' });
    expect(await raw.closed).toMatchObject({ code: 1013, reason: expect.stringMatching(/^RATE_LIMITED: /) });
    expect(raw.messages.length).toBeLessThanOrEqual(100);
  });

  it('gets a pong for each ping frame', async () => {
    await start({});
    const raw = await connect();
    const pongs: string[] = [];
    raw.socket.on('pong', (data) => pongs.push(String(data)));
    for (let count = 0; count < 50; count++) raw.socket.ping(`${count}`);
    await vi.waitFor(() => expect(pongs).toHaveLength(50), WAIT);
    expect(pongs).toEqual(Array.from({ length: 50 }, (_, index) => `${index}`));
  });
});

describe('one address', () => {
  let nowMs = 1_700_000_000_000;

  async function startLimited(messages: CallerLimits['messages']): Promise<void> {
    gateway = await startTestGateway({
      sandbox: { siteCount: 1 },
      gateway: { clock: { now: () => nowMs }, callerLimits: { messages } },
    });
  }

  async function opened(): Promise<RawSocket> {
    const raw = await openSocket(gateway.url);
    sockets.push(raw);
    return raw;
  }

  it('opens no more connections than it may send messages', async () => {
    await startLimited({ perSecond: 2, burst: 3 });
    for (let count = 0; count < 3; count++) await opened();
    await expect(opened()).rejects.toThrow('429');
    nowMs += 500;
    await opened();
    await expect(opened()).rejects.toThrow('429');
    expect(await refusals('RATE_LIMITED')).toBe(2);
  });

  const violations: [name: string, messages: (string | Message)[], code: number][] = [
    ['garbage', ['garbage'], 4400],
    [
      'an operation before connection_init',
      [{ type: 'subscribe', id: '1', payload: { query: LISTEN } }],
      4401,
    ],
    ['a second connection_init', [{ type: 'connection_init' }, { type: 'connection_init' }], 4429],
    ['many messages before connection_init', Array<Message>(101).fill({ type: 'ping' }), 1013],
  ];

  it.each(violations)('that sends %s often opens no connection for a while', async (_, messages, code) => {
    // A violation counts as 100 messages, in addition to the connection and the messages that were sent.
    await startLimited({ perSecond: 1, burst: 5 + 2 * (101 + messages.length) });
    for (let count = 0; count < 2; count++) {
      const raw = await opened();
      for (const message of messages) raw.send(message);
      expect((await raw.closed).code).toBe(code);
    }
    let refusal = '';
    for (let count = 0; count < 10 && refusal === ''; count++)
      await opened().catch((error) => {
        refusal = String(error);
      });
    expect(refusal).toContain('429');
    nowMs += 3000;
    await opened();
  });
});

describe('a subscription over HTTP', () => {
  const lines: string[] = [];
  const note = (_: object, message: string) => void lines.push(message);
  const logger = { debug: note, info: note, warn: note, error: note };

  it.each(['POST', 'GET'])('sent by %s is refused with a hint, and logs no failure', async (method) => {
    gateway = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { logger } });
    lines.length = 0;
    const headers = { 'Content-Type': 'application/json', 'Apollo-Require-Preflight': 'true' };
    const response =
      method === 'POST'
        ? await fetch(`${gateway.url}/graphql`, {
            method,
            headers,
            body: JSON.stringify({ query: LISTEN }),
          })
        : await fetch(`${gateway.url}/graphql?query=${encodeURIComponent(LISTEN)}`, { headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [
        {
          message: expect.stringContaining('graphql-transport-ws'),
          extensions: { code: 'SUBSCRIPTION_OVER_HTTP', retryable: false },
        },
      ],
    });
    expect(lines).toEqual(['Operation refused']);
  });
});
