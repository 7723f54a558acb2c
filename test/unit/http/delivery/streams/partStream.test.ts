/** Parts of a response are executed no further than the client reads. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, vi } from 'vitest';
import type { GatewayError } from '../../../../../src/errors.js';
import type { CallerSession } from '../../../../../src/http/auth/callerSession.js';
import type { Operations } from '../../../../../src/http/delivery/operations.js';
import {
  createIncrementalHandler,
  streamParts,
} from '../../../../../src/http/delivery/streams/incrementalHandler.js';
import { createIncrementalCodec } from '../../../../../src/http/delivery/streams/streamCodec.js';
import { ExecutionLimit } from '../../../../../src/http/rateLimits/executionLimit.js';
import type { Refusal } from '../../../../../src/http/requests/refusalReporter.js';
import { createRequestMetrics } from '../../../../../src/http/requests/requestMetrics.js';
import { createByteBudgets } from '../../../../../src/lib/byteBudget.js';
import { startPlainServer } from '../../../../support/http/edgeGateway.js';
import { createGate, WAIT, WAIT_MS } from '../../../../support/waiting.js';

const PARTS = 200;
const text = JSON.stringify({ hasNext: true, incremental: ['x'.repeat(500_000)] });

/** Serves parts of half a megabyte each, and counts those that were executed. */
async function serve(maxUnsentMs: number) {
  const requestMetrics = createRequestMetrics();
  const counts = { executed: 0, closed: 0, failures: [] as string[] };
  const { url } = await startPlainServer((request, response) => {
    const session = { caller: { id: 'one' } } as unknown as CallerSession;
    const next = async () => {
      counts.executed += 1;
      return text;
    };
    const fail = ({ code }: GatewayError) => {
      counts.failures.push(code);
      return '{}';
    };
    const parts = { initial: '{}', hasNext: () => counts.executed < PARTS, next, fail };
    const incoming = { request, response, requestId: 'one', session, callerId: 'one', text: '' };
    const options = {
      operations: undefined as never,
      budgets: createByteBudgets(32_000_000, Number.POSITIVE_INFINITY),
      executions: new ExecutionLimit({
        maxCost: 1000,
        maxWaitMs: 60_000,
        maxHeapBytes: Number.POSITIVE_INFINITY,
      }),
      reportRefusal: ({ error }: Refusal) => requestMetrics.recordRefusal(error.code),
      maxUnsentBytes: 65_536,
      maxUnsentMs,
    };
    void streamParts(incoming, createIncrementalCodec('v0.2'), parts, options).then(() => {
      counts.closed += 1;
    });
  });
  return { url, counts, requestMetrics };
}

it('stops for a client that does not read, and ends the response', async () => {
  const { url, counts, requestMetrics } = await serve(200);
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
  await vi.waitFor(() => expect(counts.closed).toBe(1), WAIT);
  expect(counts.executed).toBeLessThan(PARTS / 2);
  expect(JSON.stringify(requestMetrics.counts())).toContain('SLOW_CONSUMER');
  expect(counts.failures).toEqual(['SLOW_CONSUMER']);
  socket.destroy();
});

it('executes everything for a client that reads', async () => {
  const { url, counts } = await serve(WAIT_MS);
  const body = await (await fetch(url)).text();
  expect(counts.executed).toBe(PARTS);
  expect(body.length).toBeGreaterThan(PARTS * 500_000);
});

it('releases a client that disconnects during the first result, without an error of a slow client', async () => {
  const requestMetrics = createRequestMetrics();
  const { open: completeResult, opened: firstResult } = createGate();
  const source = '{ a ... @defer { b } }';
  const operations = {
    admit: () => ({ source, operation: { operation: 'query' }, summary: { cost: undefined } }),
    executeInParts: async () => {
      await firstResult;
      return { initial: '{}', hasNext: () => false };
    },
  } as unknown as Operations;
  const respond = createIncrementalHandler({
    ...{ operations, budgets: createByteBudgets(32_000_000, Number.POSITIVE_INFINITY) },
    reportRefusal: ({ error }) => requestMetrics.recordRefusal(error.code),
    ...{
      maxUnsentBytes: 65_536,
      maxUnsentMs: 50,
      executions: new ExecutionLimit({
        maxCost: 1000,
        maxWaitMs: 60_000,
        maxHeapBytes: Number.POSITIVE_INFINITY,
      }),
    },
  });
  const session = { caller: { id: 'one' }, createContext: () => ({}) } as unknown as CallerSession;
  const outcomes: unknown[] = [];
  const { url } = await startPlainServer((request, response) => {
    response.once('close', completeResult);
    const text = JSON.stringify({ query: source });
    respond({ request, response, requestId: 'one', session, callerId: 'one', text })?.then(
      (result) => outcomes.push(result?.text ?? 'released'),
      (error: GatewayError) => outcomes.push(error.code),
    );
    leaving.abort();
  });
  const leaving = new AbortController();
  const headers = { 'Content-Type': 'application/json', Accept: 'multipart/mixed;deferSpec=20220824' };
  await fetch(url, { method: 'POST', headers, body: '{}', signal: leaving.signal }).catch(() => undefined);
  await vi.waitFor(() => expect(outcomes).toEqual(['released']), WAIT);
  expect(JSON.stringify(requestMetrics.counts())).not.toContain('SLOW_CONSUMER');
});
