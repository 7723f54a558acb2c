/** Traces reach an OTLP collector: the spans of each kind of operation, and the context on its way in and out. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fullestStream, readOperation, STILL_NOW_MS, startStillGateway } from '../../support/gateway.js';
import { createRecordingLogger } from '../../support/http/edgeGateway.js';
import { listen, WAIT } from '../../support/http/live.js';
import { metricIn, readMetrics } from '../../support/http/metrics.js';
import { openInitialized } from '../../support/http/socket.js';
import { MULTIPART, openStream, SSE } from '../../support/http/streams.js';
import { startTraceCollector, toTree, tracingTo, type WireSpan } from '../../support/http/traceCollector.js';
import { createGate } from '../../support/waiting.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

const logger = createRecordingLogger();
const collector = await startTraceCollector();
const gateway = await startStillGateway({
  gateway: { logger, tracing: tracingTo(collector.url), accessLog: 1 },
});

beforeEach(() => {
  collector.batches.length = 0;
  collector.status = 200;
  logger.lines.length = 0;
});

/** `traceparent` of the requests to the sandbox. */
let sentToPlatform: string[] = [];

function watch(message: unknown): void {
  const { request } = message as { request: IncomingMessage };
  const { traceparent } = request.headers;
  if (request.url?.startsWith('/v2.0/')) sentToPlatform.push(String(traceparent));
}

beforeAll(() => subscribe('http.server.request.start', watch));
afterAll(() => void unsubscribe('http.server.request.start', watch));

/** The spans of the trace that begins with this root, when all have arrived. */
async function spansOf(root: string): Promise<WireSpan[]> {
  return vi.waitFor(() => {
    const spans = collector.spans();
    const found = spans.find(({ name }) => name === root);
    expect(found).toBeDefined();
    return spans.filter(({ traceId }) => traceId === found?.traceId);
  }, WAIT);
}

const FRESH = { 'Cache-Control': 'no-cache' };

describe('the trace of', () => {
  it.each(['Fleet', 'SitePage', 'Chart', 'Nearby'])('%s', async (name) => {
    const id = String(fullestStream(gateway, 'scalar'));
    const [site] = gateway.sql<{ id: number }>(
      'SELECT id FROM site WHERE account_id = ? ORDER BY id',
      gateway.accountId,
    );
    const to = new Date(STILL_NOW_MS).toISOString();
    const from = new Date(STILL_NOW_MS - 6 * 3_600_000).toISOString();
    const variables = name === 'SitePage' ? { id: String(site?.id) } : { id, from, to };
    const { body } = await gateway.query(
      await readOperation(name),
      name === 'Fleet' || name === 'Nearby' ? {} : variables,
      FRESH,
    );
    expect(body.errors).toBeUndefined();
    expect(toTree(await spansOf('POST /graphql'))).toMatchSnapshot();
  });

  it('Live', async () => {
    const id = String(fullestStream(gateway, 'scalar'));
    const listener = listen(gateway.url, { ids: [id] }, await readOperation('Live'));
    const spans = await spansOf('subscription');
    await listener.leave();
    expect(toTree(spans)).toMatchSnapshot();
  });

  it.each([
    ['over SSE', SSE],
    ['by multipart', MULTIPART],
  ])('Live %s', async (_, headers) => {
    const query = await readOperation('Live');
    const variables = { ids: [String(fullestStream(gateway, 'scalar'))] };
    const stream = await openStream(gateway.url, { query, variables, headers });
    const subscription = await spansOf('subscription');
    stream.close();
    const spans = await vi.waitFor(() => {
      const all = collector.spans().filter(({ traceId }) => traceId === subscription[0]?.traceId);
      expect(all).toHaveLength(4);
      return all;
    }, WAIT);
    expect(toTree(spans)).toMatchSnapshot();
  });

  it.each([
    ['by multipart', 'multipart/mixed;incrementalSpec=v0.2, application/json'],
    ['over SSE', 'text/event-stream;incrementalSpec=v0.2'],
  ])('an operation with @defer and @stream %s', async (_, Accept) => {
    const query = `query InParts { sites(first: 2) { nodes @stream(initialCount: 1) { name
      ... @defer { organization { name } missing: streams { name lastSample { value } } } } } }`;
    const stream = await openStream(gateway.url, { query, headers: { Accept, ...FRESH } });
    await stream.ended;
    expect(stream.text()).toContain('"hasNext":false');
    expect(toTree(await spansOf('POST /graphql'))).toMatchSnapshot();
  });

  it('an operation with @defer that is executed in one piece has one span, and each span has its parent', async () => {
    const query = 'query ($first: Int!) { sites(first: $first) { nodes { ... @defer { name } } } }';
    const headers = { Accept: 'multipart/mixed;incrementalSpec=v0.2, application/json' };
    const { body } = await gateway.query(query, { first: 'two' }, headers);
    expect(body.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    const spans = await spansOf('POST /graphql');
    expect(spans.filter(({ name }) => name === 'query')).toHaveLength(1);
    const ids = spans.map(({ spanId }) => spanId);
    expect(spans.filter(({ parentSpanId }) => parentSpanId && !ids.includes(parentSpanId))).toEqual([]);
  });

  it('an operation whose later part has an error is marked', async () => {
    const match = ({ pathTemplate }: { pathTemplate: string }) => pathTemplate.includes('/organization');
    gateway.sandbox.faults.add({ match, status: 500 });
    const query =
      'query LatePart { sites(first: 1) { nodes { name ... @defer { organization { name } } } } }';
    const headers = { Accept: 'multipart/mixed;incrementalSpec=v0.2', 'X-Explain': '1', ...FRESH };
    const stream = await openStream(gateway.url, { query, headers });
    await stream.ended;
    gateway.sandbox.faults.clear();
    expect(stream.text()).toContain('"errors"');
    const spans = await spansOf('POST /graphql');
    const operation = spans.find(({ name }) => name === 'query');
    expect(operation?.status).toEqual({ code: 2 });
    expect(stream.text()).toContain(`"trace_id":"${operation?.traceId}"`);
  });

  it('a cached response is one span', async () => {
    const query = 'query Cached { sites { totalCount } }';
    for (let times = 0; times < 3; times++) await gateway.query(query);
    const sources = await vi.waitFor(() => {
      const requests = collector.spans().filter(({ name }) => name === 'POST /graphql');
      const read = requests.map(({ attributes }) =>
        attributes.find(({ key }) => key === 'fieldgraph.response.source'),
      );
      expect(read).toHaveLength(3);
      return read.map((attribute) => attribute?.value.stringValue);
    }, WAIT);
    expect(sources.sort()).toEqual(['cached', 'executed', 'executed']);
    expect(collector.spans().filter(({ name }) => name === 'query')).toHaveLength(2);
  });

  it('a refused operation says so', async () => {
    await gateway.query('{ unknown }');
    const request = (await spansOf('POST /graphql')).find(({ name }) => name === 'POST /graphql');
    expect(request?.attributes).toContainEqual({
      key: 'fieldgraph.response.source',
      value: { stringValue: 'refused' },
    });
  });

  it('a subscription that its client completes before it starts ends', async () => {
    // The messages of one connection are handled more slowly than operations start.
    const opened = await Promise.all(Array.from({ length: 6 }, () => openInitialized(gateway.url)));
    const query = 'subscription { sampleReceived(kinds: [SCALAR]) { id } }';
    const COUNT = 20;
    for (let id = 0; id < COUNT; id++) {
      for (const raw of opened) {
        raw.send({ type: 'subscribe', id: `${id}`, payload: { query } });
        raw.send({ type: 'complete', id: `${id}` });
      }
    }
    await vi.waitFor(() => {
      const subscriptions = collector.spans().filter(({ name }) => name === 'subscription');
      expect(subscriptions).toHaveLength(COUNT * opened.length);
    }, WAIT);
    for (const { socket } of opened) socket.terminate();
  });

  it('a request whose client disconnects has the status 499', async () => {
    const { open, opened } = createGate();
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site', until: opened });
    gateway.sandbox.calls.reset();
    const client = new AbortController();
    const outcome = fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...FRESH },
      body: JSON.stringify({ query: '{ sites { totalCount } }' }),
      signal: client.signal,
    }).catch(() => 'disconnected');
    await vi.waitFor(() => expect(gateway.sandbox.calls.countOf('/v2.0/site')).toBe(1), WAIT);
    client.abort();
    expect(await outcome).toBe('disconnected');
    const spans = await spansOf('POST /graphql');
    gateway.sandbox.faults.clear();
    open();
    const request = spans.find(({ name }) => name === 'POST /graphql');
    const status = request?.attributes.find(({ key }) => key === 'http.response.status_code');
    expect(status?.value.intValue).toBe('499');
  });

  it.each([
    [{ status: 400 }, ['400', '400']],
    [{ destroySocket: true }, [undefined, 'PLATFORM_UNAVAILABLE']],
  ])('a call that fails with %j has its status or its code', async (fault, expected) => {
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site', ...fault });
    await gateway.query('{ sites { totalCount } }', {}, FRESH);
    const call = (await spansOf('POST /graphql')).find(({ name }) => name === 'GET /v2.0/site');
    gateway.sandbox.faults.clear();
    const values = new Map(call?.attributes.map(({ key, value }) => [key, value]));
    const status = values.get('http.response.status_code')?.intValue;
    expect([status, values.get('error.type')?.stringValue]).toEqual(expected);
    expect(values.has('http.response.body.size')).toBe(status !== undefined);
  });

  it('an operation that is refused ends with an error', async () => {
    await gateway.query('{ nothing }');
    const spans = await spansOf('POST /graphql');
    expect(spans.find(({ name }) => name === 'query')?.status).toEqual({ code: 2 });
  });
});

describe('the context of a trace', () => {
  it('comes from the caller, goes to the platform, and is in the log and the explanation', async () => {
    sentToPlatform = [];
    const { body } = await gateway.query(
      'query Traced { sites { nodes { name } } }',
      {},
      {
        traceparent: `00-${TRACE}-${PARENT}-01`,
        tracestate: 'vendor=1',
        'X-Explain': '1',
        'X-Request-Id': 'traced-1',
        ...FRESH,
      },
    );
    const spans = await spansOf('POST /graphql');
    expect(spans.every(({ traceId, traceState }) => traceId === TRACE && traceState === 'vendor=1')).toBe(
      true,
    );
    expect(spans.find(({ name }) => name === 'POST /graphql')?.parentSpanId).toBe(PARENT);
    const calls = spans.filter(({ kind }) => kind === 3);
    expect(calls.length).toBeGreaterThan(0);
    expect(sentToPlatform.sort()).toEqual(calls.map(({ spanId }) => `00-${TRACE}-${spanId}-01`).sort());
    expect((body as { extensions?: { explain: object } }).extensions?.explain).toMatchObject({
      trace_id: TRACE,
    });
    const [line] = logger.lines.filter(({ message }) => message === 'Operation completed');
    expect(line?.fields).toMatchObject({
      trace_id: TRACE,
      requestId: 'traced-1',
      operation: 'Traced',
      type: 'query',
      transport: 'http',
      response: 'executed',
      status: 200,
      restCalls: calls.length,
      caller: 'anyone',
    });
  });

  it('is passed on, without spans, if the caller does not sample', async () => {
    sentToPlatform = [];
    await gateway.query(
      '{ sites { nodes { id } } }',
      {},
      { traceparent: `00-${TRACE}-${PARENT}-00`, ...FRESH },
    );
    expect(sentToPlatform[0]).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    await gateway.query('query After { __typename }');
    await spansOf('POST /graphql');
    expect(collector.spans().some(({ traceId }) => traceId === TRACE)).toBe(false);
  });
});

it('a collector that fails is logged once, counted, and fails no request', async () => {
  collector.status = 500;
  for (let times = 0; times < 3; times++) {
    const batches = collector.batches.length;
    const { body } = await gateway.query(`query Unseen${times} { __typename }`);
    expect(body).toEqual({ data: { __typename: 'Query' } });
    await vi.waitFor(() => expect(collector.batches.length).toBeGreaterThan(batches), WAIT);
  }
  await vi.waitFor(async () => {
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    const dropped = /fieldgraph_trace_spans_total\{outcome="dropped"\} (\d+)/.exec(metrics)?.[1];
    expect(Number(dropped)).toBeGreaterThan(3);
  }, WAIT);
  const lines = logger.lines.filter(({ message }) => message === 'Exporting spans failed');
  expect(lines.map(({ level, fields }) => [level, fields])).toEqual([['warn', { reason: 'HTTP 500' }]]);
});

it('an error after the response has begun is recorded on its span, with the status that was sent', async () => {
  const failing = createRecordingLogger();
  const { info } = failing;
  failing.info = (fields, message) => {
    if (message === 'Operation completed') throw new Error('The disk is full.');
    info(fields, message);
  };
  const { url, query } = await startStillGateway({
    gateway: { logger: failing, tracing: tracingTo(collector.url), accessLog: 1 },
  });
  const before = await readMetrics(url);
  await query('query Late { __typename }').catch(() => undefined);
  const [span] = (await spansOf('POST /graphql')).filter(({ name }) => name === 'POST /graphql');
  expect(span?.status).toEqual({ code: 2 });
  const attributes = span === undefined ? [] : toTree([span]);
  expect(attributes.join()).toMatch(/http\.response\.status_code=200 error\.type=INTERNAL_SERVER_ERROR/);
  const after = await readMetrics(url);
  const grown = (place: string) => metricIn(after, place) - metricIn(before, place);
  expect(grown('fieldgraph_http_requests_total{status="5xx"}')).toBe(0);
  expect(grown('fieldgraph_http_requests_total{status="2xx"}')).toBe(1);
});
