/** A caller that sends many expensive operations at once, over all transports. */
import { Agent, request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { GatewayOptions } from '../../src/gateway/gatewayOptions.js';
import { defaultOperationLimits } from '../../src/graphql/limits/operationLimits.js';
import { startStillGateway, type TestGateway } from '../support/gateway.js';
import { createRecordingLogger } from '../support/http/edgeGateway.js';
import { WAIT } from '../support/http/live.js';
import { metricIn, readMetrics } from '../support/http/metrics.js';
import { openInitialized } from '../support/http/socket.js';
import { openStream, SSE } from '../support/http/streams.js';

const SITE = '/v2.0/site/{siteId}';
const INCREMENTAL = { Accept: 'multipart/mixed;incrementalSpec=v0.2, application/json' };
/** Every operation counts with 100, so that four of them execute at a time. */
const operation = { ...defaultOperationLimits, maxCost: 100 };

const logger = createRecordingLogger();
let gateway: TestGateway;
let siteIds: number[];
/** Lets the platform respond. */
let respond: () => void;

beforeEach(() => start());

async function start({ callerLimits, timeouts }: Pick<GatewayOptions, 'callerLimits' | 'timeouts'> = {}) {
  gateway = await startStillGateway({
    sandbox: { siteCount: 12 },
    gateway: {
      callerLimits: { operation, rate: { perSecond: 0, burst: 1 }, ...callerLimits },
      ...{ logger, accessLog: 1, timeouts },
    },
  });
  siteIds = gateway
    .sql<{ id: number }>('SELECT id FROM site WHERE account_id = ?', gateway.accountId)
    .map(({ id }) => id);
  const until = new Promise<void>((resolve) => {
    respond = resolve;
  });
  gateway.sandbox.faults.add({ match: `GET ${SITE}`, until });
}

afterEach(() => gateway.stop());

const calls = () => gateway.sandbox.calls.countOf(SITE);
const queryFor = (index: number, field = 'name') => `{ site(id: "Site:${siteIds[index]}") { id ${field} } }`;

const ways: Record<string, (query: string) => Promise<string>> = {
  async POST(query) {
    return JSON.stringify((await gateway.query(query)).body);
  },
  async websocket(query) {
    const socket = await openInitialized(gateway.url);
    socket.send({ type: 'subscribe', id: '1', payload: { query } });
    await socket.take('complete');
    return JSON.stringify(socket.messages);
  },
  async SSE(query) {
    const stream = await openStream(gateway.url, { query, headers: SSE });
    await stream.ended;
    return stream.text();
  },
  async multipart(query) {
    const deferred = query.replace('name', '... @defer { name }');
    const stream = await openStream(gateway.url, { query: deferred, headers: INCREMENTAL });
    await stream.ended;
    return stream.text();
  },
};

async function untilCounts(expected: { executing: number; waiting: number }): Promise<void> {
  await vi.waitFor(async () => {
    const metrics = await readMetrics(gateway.url);
    const countOf = (state: string) => metricIn(metrics, `fieldgraph_operations{state="${state}"}`);
    expect({ executing: countOf('executing'), waiting: countOf('waiting') }).toEqual(expected);
  }, WAIT);
}

/** Resolves when everything that has been received is processed. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await setImmediate();
}

it.each(Object.keys(ways))(
  'executes four at a time over %s, and the others when one has ended',
  async (way) => {
    const results = Promise.all(siteIds.slice(0, 6).map((_, index) => ways[way]?.(queryFor(index))));
    await vi.waitFor(() => expect(calls()).toBe(4), WAIT);
    await settle();
    expect(calls()).toBe(4);
    await untilCounts({ executing: 4, waiting: 2 });
    respond();
    for (const result of await results) expect(result).toMatch(/"name":"/);
    await untilCounts({ executing: 0, waiting: 0 });
  },
);

it('counts the operations of all transports together', async () => {
  const results = Object.values(ways).flatMap((send, index) => [
    send(queryFor(index)),
    send(queryFor(index + 4)),
    send(queryFor(index + 8)),
  ]);
  await vi.waitFor(() => expect(calls()).toBe(4), WAIT);
  await settle();
  expect(calls()).toBe(4);
  respond();
  for (const result of await Promise.all(results)) expect(result).toMatch(/"name":"/);
});

it('refuses further ones over every transport while 1,000 wait, and none when they have ended', async () => {
  const agent = new Agent({ keepAlive: true });
  const statuses: unknown[] = [];
  for (let index = 0; index < 1010; index++) {
    const headers = { 'Content-Type': 'application/json' };
    const sent = request(`${gateway.url}/graphql`, { agent, method: 'POST', headers }).on('error', () => {});
    sent.once('response', (response) => statuses.push(response.resume().statusCode));
    sent.end(JSON.stringify({ query: queryFor(index % siteIds.length, `a${index}: name`) }));
  }
  await vi.waitFor(() => expect(statuses).toEqual(Array(6).fill(429)), WAIT);
  for (const send of Object.values(ways)) expect(await send(queryFor(0))).toContain('RATE_LIMITED');
  respond();
  await vi.waitFor(() => expect(statuses.filter((status) => status === 200)).toHaveLength(1004), WAIT);
  for (const send of Object.values(ways)) expect(await send(queryFor(0))).toMatch(/"name":"/);
  agent.destroy();
});

/** Sends an operation as another caller. */
function postFrom(localAddress: string, query: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { Accept: '*/*', 'Content-Type': 'application/json' };
    const sent = request(`${gateway.url}/graphql`, { method: 'POST', headers, localAddress }, (response) => {
      response.setEncoding('utf8').once('data', resolve);
    });
    sent.once('error', reject).end(JSON.stringify({ query, variables: {} }));
  });
}

it('refuses operations over every transport while those of other callers take the memory', async () => {
  await gateway.stop();
  // Room for three operations in half of the heap, beside the part that is reserved for cheap ones.
  await start({ callerLimits: { maxHeapBytes: 2 * 400 * 1500 }, timeouts: { idleMarginMs: 300 } });
  const executing = siteIds.slice(0, 3).map((_, index) => postFrom(`127.0.0.${2 + index}`, queryFor(index)));
  await vi.waitFor(() => expect(calls()).toBe(3), WAIT);
  for (const send of Object.values(ways)) expect(await send(queryFor(3))).toContain('"code":"OVERLOADED"');
  const { status, headers } = await gateway.query(queryFor(3));
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  expect(calls()).toBe(3);
  await untilCounts({ executing: 3, waiting: 0 });
  respond();
  for (const result of await Promise.all(executing)) expect(result).toMatch(/"name":"/);
  for (const send of Object.values(ways)) expect(await send(queryFor(3))).toMatch(/"name":"/);
});

it('lets a caller wait for its own operations only, also for a query that another one has sent', async () => {
  const executing = siteIds.slice(0, 4).map((_, index) => ways['POST']?.(queryFor(index)));
  await vi.waitFor(() => expect(calls()).toBe(4), WAIT);
  const query = '{ __typename }';
  const waiting = [gateway.query(query), gateway.query(query)];
  await settle();
  expect(await postFrom('127.0.0.2', query)).toContain('"__typename":"Query"');
  respond();
  for (const { body } of await Promise.all(waiting)) expect(body.data).toEqual({ __typename: 'Query' });
  await Promise.all(executing);
});

/** Sends an operation. The returned function cancels it. */
const begins: Record<string, (query: string) => Promise<() => void>> = {
  POST: async (query) => beginPost(query, {}),
  SSE: async (query) => beginPost(query, SSE),
  multipart: async (query) => beginPost(query.replace('name', '... @defer { name }'), INCREMENTAL),
  async websocket(query) {
    const socket = await openInitialized(gateway.url);
    socket.send({ type: 'subscribe', id: '1', payload: { query } });
    return () => socket.send({ type: 'complete', id: '1' });
  },
};

function beginPost(query: string, headers: Readonly<Record<string, string>>): () => void {
  const controller = new AbortController();
  void fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    signal: controller.signal,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  }).catch(() => undefined);
  return () => controller.abort();
}

it.each(Object.keys(begins))(
  'logs an operation over %s that its client cancels while it waits',
  async (way) => {
    const executing = siteIds.slice(0, 4).map((_, index) => ways['POST']?.(queryFor(index)));
    await vi.waitFor(() => expect(calls()).toBe(4), WAIT);
    const cancel = await begins[way]?.(`query Left ${queryFor(4)}`);
    await untilCounts({ executing: 4, waiting: 1 });
    logger.lines.length = 0;
    cancel?.();
    await untilCounts({ executing: 4, waiting: 0 });
    const line = {
      operation: 'Left',
      type: 'query',
      response: 'executed',
      restCalls: 0,
      errors: ['CANCELLED'],
    };
    await vi.waitFor(
      () => expect(logger.lines).toMatchObject([{ message: 'Operation completed', fields: line }]),
      WAIT,
    );
    respond();
    await Promise.all(executing);
  },
);
