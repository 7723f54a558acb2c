/** The end of operations over a websocket: the client disconnects, does not read, or the gateway stops. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Gateway } from '../../../src/gateway/gateway.js';
import { type GraphqlError, required, startGatewayFor } from '../../support/gateway.js';
import { startPlainServer } from '../../support/http/edgeGateway.js';
import {
  anyStream,
  LISTEN_BARE,
  type LiveGateway,
  listen,
  received,
  SCALARS,
  startLiveGateway,
  untilListening,
  WAIT,
} from '../../support/http/live.js';
import { openInitialized, type RawSocket } from '../../support/http/socket.js';
import { createGate, WAIT_MS } from '../../support/waiting.js';

/** A platform that accepts every login, responds to no other request, and records disconnects. */
async function startSilentPlatform() {
  const seen = { waiting: 0, left: 0 };
  const { url } = await startPlainServer((request, response) => {
    if (request.url === '/auth/token') {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ access_token: 'token', token_type: 'JWT', expires_in: 3600 }));
      return;
    }
    seen.waiting += 1;
    response.on('close', () => {
      seen.left += 1;
    });
  });
  return { url, seen };
}

describe('a client', () => {
  let gateway: Gateway;
  let platform: Awaited<ReturnType<typeof startSilentPlatform>>;
  let raw: RawSocket;

  beforeEach(async () => {
    platform = await startSilentPlatform();
    gateway = await startGatewayFor({ url: platform.url, key: 'k', secret: 's' });
    raw = await openInitialized(gateway.url);
  });

  afterEach(() => {
    // The gateway completes operations in flight before it stops.
    raw.socket.terminate();
    return gateway.stop();
  });

  const ask = (id: string, query: string) => raw.send({ type: 'subscribe', id, payload: { query } });
  const untilWaiting = (count: number) => vi.waitFor(() => expect(platform.seen.waiting).toBe(count), WAIT);
  const untilLeft = (count: number) => vi.waitFor(() => expect(platform.seen.left).toBe(count), WAIT);

  it('that closes its connection cancels the REST calls of all its operations', async () => {
    ask('1', '{ sites { totalCount } users { totalCount } }');
    ask('2', '{ devices { totalCount } }');
    await untilWaiting(3);
    raw.socket.close();
    await untilLeft(3);
  });

  it('that vanishes cancels them as well', async () => {
    ask('1', '{ sites { totalCount } }');
    await untilWaiting(1);
    raw.socket.terminate();
    await untilLeft(1);
  });

  it('that completes one operation cancels the calls of that one alone', async () => {
    ask('1', '{ sites { totalCount } }');
    ask('2', '{ devices { totalCount } }');
    await untilWaiting(2);
    raw.send({ type: 'complete', id: '1' });
    await untilLeft(1);
    ask('1', '{ users { totalCount } }');
    await untilWaiting(3);
    expect(platform.seen.left).toBe(1);
    raw.send({ type: 'complete', id: '1' });
    await untilLeft(2);
    expect(raw.messages.map(({ type }) => type)).toEqual(['connection_ack']);
  });
});

/** The length of these messages, so that some hundred of them fill a connection. */
const wide = `subscription { sampleReceived(kinds: [SCALAR]) { id ${Array.from(
  { length: 15 },
  (_, index) => `${'a'.repeat(1400)}${index}: sampledAt`,
).join(' ')} } }`;

type EventMessage = { data?: { sampleReceived: { id: string } } | null; errors?: GraphqlError[] };

function eventMessages(raw: RawSocket): EventMessage[] {
  return raw.messages.filter(({ type }) => type === 'next').map(({ payload }) => payload as EventMessage);
}

const receivedIds = (raw: RawSocket) =>
  eventMessages(raw).flatMap(({ data }) => (data?.sampleReceived ? [data.sampleReceived.id] : []));

describe('a subscriber', () => {
  let gateway: LiveGateway;

  beforeEach(async () => {
    gateway = await startLiveGateway();
  });

  afterEach(() => gateway.stop());

  async function subscribe(query: string): Promise<RawSocket> {
    const raw = await openInitialized(gateway.url);
    raw.send({ type: 'subscribe', id: '1', payload: { query } });
    await untilListening(gateway);
    return raw;
  }

  it('that does not read is disconnected while others continue, and can resume without a loss', async () => {
    const lagging = await subscribe(wide);
    const other = listen(gateway.url, { kinds: ['SCALAR'] }, LISTEN_BARE);
    // Only a received sample shows that a subscription has started.
    const first: string[] = [];
    await vi.waitFor(() => {
      first.push(...gateway.append(anyStream(gateway), [0]));
      expect(other.ids()).not.toEqual([]);
    }, WAIT);
    const start = required(first.at(-1));
    await vi.waitFor(() => {
      expect([other.ids().at(-1), receivedIds(lagging).at(-1)]).toEqual([start, start]);
    }, WAIT);
    const skipped = { other: other.ids().length - 1, lagging: receivedIds(lagging).length - 1 };
    lagging.socket.pause();
    const values = Array.from({ length: 2500 }, (_, index) => index);
    const ids = [start];
    for (let burst = 0; burst < 6; burst++) {
      ids.push(...gateway.append(anyStream(gateway), values));
      await received(other, skipped.other + ids.length);
    }
    lagging.socket.resume();
    await lagging.take('complete');
    expect(other.ids().slice(skipped.other)).toEqual(ids);
    expect(other.errors).toEqual([]);
    expect(eventMessages(lagging).at(-1)?.errors).toMatchObject([
      { extensions: { code: 'SLOW_CONSUMER', retryable: true } },
    ]);
    const taken = receivedIds(lagging).slice(skipped.lagging);
    expect(taken.length).toBeLessThan(ids.length);
    const resumed = listen(gateway.url, { kinds: ['SCALAR'], after: taken.at(-1) }, LISTEN_BARE);
    await received(resumed, ids.length - taken.length);
    expect([...taken, ...resumed.ids()]).toEqual(ids);
    await Promise.all([other.leave(), resumed.leave()]);
  });

  it('is notified that the gateway stops, before its connection closes', async () => {
    const raw = await subscribe('subscription { sampleReceived { id } }');
    const stopped = gateway.stop();
    expect((await raw.closed).code).toBe(1001);
    expect(eventMessages(raw)).toMatchObject([
      { errors: [{ extensions: { code: 'STOPPING', retryable: true } }] },
    ]);
    await stopped;
  });

  it('is refused further operations while the gateway polls for the last time', async () => {
    await gateway.stop();
    gateway = await startLiveGateway({ gateway: { lastPollMs: WAIT_MS } });
    const raw = await subscribe('subscription { sampleReceived { id } }');
    const { open: release, opened: until } = createGate();
    gateway.sandbox.faults.add({ match: SCALARS, until });
    const stopped = gateway.stop();
    raw.send({ type: 'subscribe', id: '2', payload: { query: '{ __typename }' } });
    const refusal = await raw.take('error');
    expect(refusal).toMatchObject({ id: '2', payload: [{ extensions: { code: 'STOPPING' } }] });
    release();
    expect((await raw.closed).code).toBe(1001);
    await stopped;
  });

  it('gets the result of a query in flight before its connection closes', async () => {
    const raw = await subscribe('subscription { sampleReceived { id } }');
    const { open: release, opened: until } = createGate();
    gateway.sandbox.faults.add({ match: '/v2.0/user', until });
    raw.send({ type: 'subscribe', id: '2', payload: { query: '{ users { totalCount } }' } });
    await vi.waitFor(() => expect(gateway.sandbox.calls.countOf('/v2.0/user')).toBe(1), WAIT);
    const stopped = gateway.stop();
    // The subscription ends at once; the connection stays open, but not for further operations.
    await raw.take('complete');
    raw.send({ type: 'subscribe', id: '3', payload: { query: '{ __typename }' } });
    expect(await raw.take('error')).toMatchObject({
      id: '3',
      payload: [{ extensions: { code: 'STOPPING' } }],
    });
    release();
    expect((await raw.closed).code).toBe(1001);
    expect(raw.messages.find(({ id, type }) => id === '2' && type === 'next')?.payload).toEqual({
      data: { users: { totalCount: expect.any(Number) } },
    });
    await stopped;
  });

  it('that neither reads nor confirms the close does not delay the shutdown', {
    timeout: WAIT_MS,
  }, async () => {
    const raw = await subscribe(wide);
    raw.socket.pause();
    await gateway.stop();
    await expect(openInitialized(gateway.url)).rejects.toThrow('ECONNREFUSED');
  });
});
