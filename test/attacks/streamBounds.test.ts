/** Hostile clients of streams over HTTP: they open too many, or do not read. */
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CallerLimits } from '../../src/http/requests/callerLimits.js';
import {
  anyStream,
  LISTEN_BARE,
  type LiveGateway,
  startLiveGateway,
  untilListening,
  WAIT,
} from '../support/http/live.js';
import { MULTIPART, openStream, type RawStream, readEvents, SSE } from '../support/http/streams.js';

let gateway: LiveGateway;
const sockets: Socket[] = [];

const start = async (callerLimits: Partial<CallerLimits>) => {
  gateway = await startLiveGateway({ gateway: { callerLimits } });
};

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway.stop();
});

const subscription = { query: LISTEN_BARE, variables: { kinds: ['SCALAR'] } };
const reserve = () => fetch(`${gateway.url}/graphql`, { method: 'PUT' });

async function refusals(code: string): Promise<number> {
  const page = await (await fetch(`${gateway.url}/metrics`)).text();
  return Number(new RegExp(`code="${code}"\\} (\\d+)`).exec(page)?.[1] ?? 0);
}

it('a caller has a limit of streams, and may open others after closing some', async () => {
  await start({ maxCallerBytes: 1_048_576 });
  const opened: RawStream[] = [];
  for (let count = 0; count < 40; count++) opened.push(await openStream(gateway.url, subscription));
  const isRefused = ({ status, text }: RawStream) =>
    status === 429 || text().includes('TOO_MANY_SUBSCRIPTIONS');
  await vi.waitFor(() => expect(opened.filter(isRefused).length).toBeGreaterThan(20), WAIT);
  for (const stream of opened) stream.close();
  await vi.waitFor(async () => {
    const again = await openStream(gateway.url, { query: '{ sites { totalCount } }' });
    await again.ended;
    expect(again.text()).toContain('totalCount');
  }, WAIT);
});

it('a subscription for which there is no room gets an error that says so', async () => {
  await start({ maxCallerBytes: 1_048_576 });
  const long = { ...subscription, query: `${LISTEN_BARE} #${'x'.repeat(100_000)}` };
  const stream = await openStream(gateway.url, long);
  await stream.ended;
  expect(readEvents(stream.text()).map(({ event }) => event)).toEqual(['next', 'complete']);
  expect(stream.text()).toContain('TOO_MANY_SUBSCRIPTIONS');
});

it('reservations of single connection mode are bounded, and expire', async () => {
  await start({ maxCallerBytes: 1_048_576 });
  // The time advances, because the refusal is delayed.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  try {
    let count = 0;
    while ((await reserve()).status === 201) count += 1;
    expect(count).toBeLessThan(50);
    vi.advanceTimersByTime(30_000);
    expect((await reserve()).status).toBe(201);
  } finally {
    vi.useRealTimers();
  }
});

it('results that wait for a stream to be opened count in the memory of their caller', async () => {
  await start({ maxCallerBytes: 1_048_576 });
  const token = { 'X-GraphQL-Event-Stream-Token': await (await reserve()).text() };
  const nested = 'sites { nodes { id name devices { id name channels { id name } } streams { id name } } }';
  const query = `{ ${Array.from({ length: 10 }, (_, index) => `a${index}: ${nested}`).join(' ')} }`;
  const post = async (operationId: string) => {
    const headers = { 'Content-Type': 'application/json', ...token };
    const body = JSON.stringify({ query, extensions: { operationId } });
    return (await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })).status;
  };
  expect(await post('0')).toBe(202);
  let operation = 1;
  // 429: no room for a response. 400: the reservation has ended.
  await vi.waitFor(async () => expect([400, 429]).toContain(await post(`${operation++}`)), WAIT);
  expect(operation).toBeLessThan(500);
});

describe('single connection mode', () => {
  /** Reserves a stream and reads it. Returns the function that sends an operation on it, or ends one. */
  async function openSingle() {
    const token = { 'X-GraphQL-Event-Stream-Token': await (await reserve()).text() };
    const stream = await fetch(`${gateway.url}/graphql`, { headers: { ...token, ...SSE } });
    stream.body?.pipeTo(new WritableStream()).catch(() => undefined);
    return {
      post: async (operationId: string) => {
        const headers = { 'Content-Type': 'application/json', ...token };
        const body = JSON.stringify({ ...subscription, extensions: { operationId } });
        const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body });
        return [response.status, await response.text()] as const;
      },
      async end(operationId: string) {
        const url = `${gateway.url}/graphql?operationId=${operationId}`;
        return (await fetch(url, { method: 'DELETE', headers: token })).status;
      },
    };
  }

  it('runs 1,000 operations on a stream, and another one when one has ended', async () => {
    await start({ maxCallerBytes: 256 * 1_048_576, rate: { perSecond: 10_000, burst: 10_000 } });
    const { post, end } = await openSingle();
    const accepted = [202, ''];
    for (let first = 0; first < 1000; first += 50) {
      const batch = Array.from({ length: 50 }, (_, index) => post(`${first + index}`));
      expect(await Promise.all(batch)).toEqual(batch.map(() => accepted));
    }
    const refused = expect.stringContaining('"code":"TOO_MANY_SUBSCRIPTIONS"');
    expect(await post('1000')).toEqual([expect.any(Number), refused]);
    expect(await end('7')).toBe(200);
    expect(await post('1000')).toEqual(accepted);
    expect(await post('1001')).toEqual([expect.any(Number), refused]);
  });

  it('accepts an operationId of 256 characters, and none of 257', async () => {
    await start({});
    const { post } = await openSingle();
    expect(await post('x'.repeat(256))).toEqual([202, '']);
    expect(await post('x'.repeat(257))).toEqual([400, expect.stringContaining('"code":"BAD_REQUEST"')]);
  });
});

it('operations beyond the rate are refused with the time to wait', async () => {
  await start({ rate: { perSecond: 0.001, burst: 3 } });
  const outcomes = [];
  for (const headers of [SSE, MULTIPART, SSE, SSE]) {
    const stream = await openStream(gateway.url, { ...subscription, headers });
    outcomes.push([stream.status, stream.headers.get('retry-after') !== null]);
    stream.close();
  }
  expect(outcomes).toEqual([...Array.from({ length: 3 }, () => [200, false]), [429, true]]);
});

it.each([
  ['SSE', SSE.Accept],
  ['multipart', MULTIPART.Accept],
])('a client that does not read its %s stream loses it, and others continue', async (_, accept) => {
  await start({ maxUnsentBytes: 65_536, maxUnsentMs: 200 });
  const other = await openStream(gateway.url, subscription);
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.push(socket.on('error', () => undefined).pause());
  const aliases = Array.from({ length: 15 }, (_, index) => `${'a'.repeat(1400)}${index}: sampledAt`).join(
    ' ',
  );
  const query = `subscription { sampleReceived(kinds: [SCALAR]) { id ${aliases} } }`;
  const body = JSON.stringify({ query });
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: ${hostname}\r\nAccept: ${accept}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await untilListening(gateway);
  const ids: string[] = [];
  await vi.waitFor(
    async () => {
      ids.push(
        ...gateway.append(
          anyStream(gateway),
          Array.from({ length: 100 }, (_, index) => index),
        ),
      );
      expect(await refusals('SLOW_CONSUMER')).toBe(1);
    },
    { ...WAIT, interval: 100 },
  );
  await vi.waitFor(() => {
    const received = readEvents(other.text()).flatMap(({ event, id }) => (event === 'next' ? [id] : []));
    expect(received.slice(-10)).toEqual(ids.slice(-10));
  }, WAIT);
  other.close();
});
