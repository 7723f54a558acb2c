/** The lines of a traced operation have the id of its trace, on each transport and for each of several requests. */
import { expect, it, vi } from 'vitest';
import { startStillGateway } from '../../support/gateway.js';
import { createRecordingLogger } from '../../support/http/edgeGateway.js';
import { WAIT } from '../../support/http/live.js';
import { openInitialized } from '../../support/http/socket.js';
import { openStream, SSE } from '../../support/http/streams.js';
import { startTraceCollector, tracingTo } from '../../support/http/traceCollector.js';
import { createGate } from '../../support/waiting.js';

const FIRST = { trace: 'a'.repeat(32), traceparent: `00-${'a'.repeat(32)}-${'1'.repeat(16)}-01` };
const SECOND = { trace: 'b'.repeat(32), traceparent: `00-${'b'.repeat(32)}-${'2'.repeat(16)}-01` };
const FAILING = '{ sites(first: 1) { nodes { organization { name } } } }';
const REFUSED = `{ ${Array.from({ length: 21 }, (_, index) => `_${index}: __typename`).join(' ')} }`;

const logger = createRecordingLogger();
const collector = await startTraceCollector();
const gateway = await startStillGateway({
  gateway: { logger, tracing: tracingTo(collector.url), accessLog: 1 },
});

/** The traces of the lines with these messages, once all of them are written. */
async function tracesOf(...messages: (string | RegExp)[]): Promise<unknown[]> {
  return vi.waitFor(() => {
    const found = messages.map((wanted) => logger.lines.find(({ message }) => message.match(wanted)));
    expect(found).not.toContain(undefined);
    return found.map((line) => Reflect.get(line?.fields ?? {}, 'trace_id'));
  }, WAIT);
}

async function overWebsocket(query: string): Promise<void> {
  const raw = await openInitialized(gateway.url);
  raw.send({ type: 'subscribe', id: '1', payload: { query, extensions: FIRST } as object });
  await Promise.race([raw.take('next'), raw.take('error')]);
  raw.socket.terminate();
}

async function overSse(query: string): Promise<void> {
  const { traceparent } = FIRST;
  await (await openStream(gateway.url, { query, headers: { ...SSE, traceparent } })).ended;
}

it.each([
  ['a websocket', overWebsocket],
  ['SSE', overSse],
])('of an operation over %s', async (_, send) => {
  logger.lines.length = 0;
  const match = ({ pathTemplate }: { pathTemplate: string }) => pathTemplate.includes('/organization');
  gateway.sandbox.faults.add({ match, status: 400 });
  await send(FAILING);
  expect(await tracesOf('Operation completed', /refused/)).toEqual([FIRST.trace, FIRST.trace]);
  gateway.sandbox.faults.clear();
  await send(REFUSED);
  expect(await tracesOf('Operation refused')).toEqual([FIRST.trace]);
});

it.each([
  ['one trace', FIRST, FIRST.trace],
  ['two traces, which the id does not tell apart', SECOND, undefined],
])('of requests with one id in %s', async (_, other, expected) => {
  logger.lines.length = 0;
  const { open, opened } = createGate();
  gateway.sandbox.faults.add({ match: 'GET /v2.0/site', until: opened });
  gateway.sandbox.calls.reset();
  const headers = { 'X-Request-Id': 'shared', 'Cache-Control': 'no-cache' };
  const { traceparent } = FIRST;
  const slow = gateway.query('query Slow { sites { totalCount } }', {}, { ...headers, traceparent });
  await vi.waitFor(() => expect(gateway.sandbox.calls.countOf('/v2.0/site')).toBe(1), WAIT);
  await gateway.query('query Quick { __typename }', {}, { ...headers, traceparent: other.traceparent });
  expect(await tracesOf('Operation completed')).toEqual([expected]);
  logger.lines.length = 0;
  open();
  await slow;
  expect(await tracesOf('Operation completed')).toEqual([FIRST.trace]);
  gateway.sandbox.faults.clear();
});
