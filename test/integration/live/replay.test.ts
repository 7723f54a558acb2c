/**
 * The replay of missed samples: read page by page as the client reads, within the limits of the caller and the
 * operation.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CallerLimits } from '../../../src/http/requests/callerLimits.js';
import {
  anyStream,
  LISTEN_BARE,
  type LiveGateway,
  listen,
  MANY_POLLS_MS,
  received,
  SCALARS,
  startLiveGateway,
  WAIT,
} from '../../support/http/live.js';
import { openInitialized, type RawSocket } from '../../support/http/socket.js';

/** The platform returns 10,000 samples at once. */
const THOUSANDS_PER_PAGE = 10;

let gateway: LiveGateway;

afterEach(() => gateway.stop());

/** Appends samples of which `own` in every thousand belong to the subscribed stream; returns their ids. */
function append(thousands: number, own: number): string[] {
  const ids: string[] = [];
  for (let block = 0; block < thousands; block++) {
    gateway.append(anyStream(gateway, 1), Array(1000 - own).fill(block));
    ids.push(...gateway.append(anyStream(gateway), Array(own).fill(block)));
  }
  return ids;
}

async function start(callerLimits: Partial<CallerLimits> = {}) {
  gateway = await startLiveGateway({ sandbox: { siteCount: 2 }, gateway: { callerLimits } });
  const lastId = gateway.newestId();
  return { lastId, after: `ScalarSample:${lastId}`, streams: [`${anyStream(gateway)}`] };
}

/** Calls that read pages of the past; polls continue from its end. */
function pagesRead(lastId: number, endId: number): number {
  const isOfPast = ({
    pathTemplate,
    query,
  }: {
    pathTemplate: string;
    query: Readonly<Record<string, string>>;
  }) => {
    const id = Number(query['sampleID'] ?? query['sampleId']);
    return pathTemplate === SCALARS && id >= lastId && id < endId;
  };
  return gateway.sandbox.calls.list().filter(isOfPast).length;
}

const idsOf = ({ messages }: RawSocket) =>
  messages
    .filter(({ type }) => type === 'next')
    .map(({ payload }) => (payload as { data: { sampleReceived: { id: string } } }).data.sampleReceived.id);

/** Long names make long messages, so that few of them fill a connection. */
const wide = (after: string) =>
  `subscription { sampleReceived(kinds: [SCALAR], streamIds: ["${anyStream(gateway)}"], after: "${after}") { id ${Array.from(
    { length: 15 },
    (_, index) => `${'a'.repeat(1400)}${index}: sampledAt`,
  ).join(' ')} } }`;

/**
 * Resolves to the figure when it has stayed the same over many timers. Gateway and sandbox share the process with the test,
 * so that a machine under load delays the timers as it delays the work.
 */
async function untilConstant(figure: () => number): Promise<number> {
  let last = figure();
  for (let same = 0; same < 100; same++) {
    await new Promise((resolve) => setTimeout(resolve, 15));
    const next = figure();
    if (next !== last) same = 0;
    last = next;
  }
  return last;
}

describe('the replay of a subscription', () => {
  it('advances as the client reads, and loses and repeats no sample that arrives in the meantime', async () => {
    const { after, lastId } = await start();
    const ids = append(2 * THOUSANDS_PER_PAGE + 1, 100);
    const end = gateway.newestId();
    const raw = await openInitialized(gateway.url);
    raw.socket.pause();
    raw.send({ type: 'subscribe', id: '1', payload: { query: wide(after) } });
    // The search for the start of polling ends before the first page of the past is read.
    await vi.waitFor(() => expect(pagesRead(lastId, lastId + 1)).toBe(1), WAIT);
    const before = pagesRead(lastId, end);
    ids.push(...append(1, 70));
    // After the time of many polls, the connection has long been full.
    await new Promise((resolve) => setTimeout(resolve, MANY_POLLS_MS));
    expect(pagesRead(lastId, end)).toBe(before);
    raw.socket.resume();
    await vi.waitFor(() => expect(idsOf(raw).length).toBeGreaterThan(1000), WAIT);
    ids.push(...append(1, 30));
    await vi.waitFor(() => expect(idsOf(raw).length).toBeGreaterThanOrEqual(ids.length), WAIT);
    expect(idsOf(raw)).toEqual(ids);
    expect(pagesRead(lastId, end)).toBe(before + 2);
    raw.socket.terminate();
  });

  it('of many subscriptions that nobody reads uses the memory and the calls of a few', async () => {
    const { after, lastId } = await start({ maxCallerBytes: 64 * 1024 * 1024 });
    append(3 * THOUSANDS_PER_PAGE, 1000);
    const end = gateway.newestId();
    const raw = await openInitialized(gateway.url);
    raw.socket.pause();
    const query = wide(after);
    for (let id = 0; id < 100; id++) raw.send({ type: 'subscribe', id: `${id}`, payload: { query } });
    await vi.waitFor(() => expect(pagesRead(lastId, end)).toBeGreaterThan(0), WAIT);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(pagesRead(lastId, end)).toBeLessThan(40);
    raw.socket.terminate();
  });

  it('refuses no other operation of its caller while it reads a page', async () => {
    // A page then reserves half of the caller's memory until the client has read it.
    const { after, lastId } = await start({ maxCallerBytes: 16 * 1024 * 1024 });
    append(THOUSANDS_PER_PAGE + 1, 1000);
    const end = gateway.newestId();
    const raw = await openInitialized(gateway.url);
    raw.socket.pause();
    raw.send({ type: 'subscribe', id: '1', payload: { query: wide(after) } });
    await vi.waitFor(() => expect(pagesRead(lastId, end)).toBeGreaterThan(0), WAIT);
    const headers = { 'apollo-require-preflight': 'true' };
    const response = await fetch(`${gateway.url}/graphql?query={__typename}`, { headers });
    expect([response.status, await response.json()]).toEqual([200, { data: { __typename: 'Query' } }]);
    raw.socket.terminate();
  });

  it('of a closed connection begins no call for subscriptions that waited for memory', async () => {
    const { lastId } = await start({ maxCallerBytes: 24 * 1024 * 1024 });
    append(2 * THOUSANDS_PER_PAGE, 1000);
    const end = gateway.newestId();
    const raw = await openInitialized(gateway.url);
    raw.socket.pause();
    // Each resumes after a different sample, so that they share no page.
    for (let id = 0; id < 40; id++) {
      const query = wide(`ScalarSample:${lastId + id}`);
      raw.send({ type: 'subscribe', id: `${id}`, payload: { query } });
    }
    await vi.waitFor(() => expect(pagesRead(lastId, end)).toBeGreaterThan(0), WAIT);
    const before = await untilConstant(() => pagesRead(lastId, end));
    expect(before).toBeLessThan(40);
    raw.socket.terminate();
    await new Promise((resolve) => setTimeout(resolve, MANY_POLLS_MS));
    expect(pagesRead(lastId, end)).toBe(before);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toContain('endpoint="GET /v2.0/sample/batch",outcome="2xx"');
    expect(metrics).not.toContain('outcome="cancelled"');
  });

  it('counts its calls for the operation, and explains how to continue when the limit is reached', async () => {
    const { after, streams } = await start({ maxRestCalls: 2 });
    const ids = append(3 * THOUSANDS_PER_PAGE, 10);
    const perPage = 10 * THOUSANDS_PER_PAGE;
    const first = listen(gateway.url, { kinds: ['SCALAR'], streams, after }, LISTEN_BARE);
    await first.ended;
    expect(first.ids()).toEqual(ids.slice(0, 2 * perPage));
    expect(first.errors).toMatchObject([
      {
        message: expect.stringContaining('`after`'),
        extensions: { code: 'TOO_MANY_REST_CALLS', retryable: true },
      },
    ]);
    const second = listen(
      gateway.url,
      { kinds: ['SCALAR'], streams, after: first.ids().at(-1) },
      LISTEN_BARE,
    );
    await received(second, perPage);
    expect(second.ids()).toEqual(ids.slice(2 * perPage));
    await second.leave();
  });

  it('that the platform refuses ends the subscription with the reason', async () => {
    const { after } = await start();
    const isPast = ({ pathTemplate }: { pathTemplate: string }) => pathTemplate === SCALARS;
    let calls = 0;
    // The search for the end of the queue makes some calls before.
    gateway.sandbox.faults.add({ match: (call) => isPast(call) && ++calls > 2, status: 409 });
    const listener = listen(gateway.url, { kinds: ['SCALAR'], after }, LISTEN_BARE);
    await listener.ended;
    expect(listener.errors).toMatchObject([{ extensions: { code: 'PLATFORM_REFUSED' } }]);
  });
});
