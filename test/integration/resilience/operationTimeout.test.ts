/** The time that an operation may wait for the platform is for all of its levels together. */
import { expect, it, vi } from 'vitest';
import { startTestGateway } from '../../support/gateway.js';
import { metricIn, readMetrics } from '../../support/http/metrics.js';
import { WAIT } from '../../support/waiting.js';

/** Each level takes this long, on a loaded machine longer. Two levels exceed the limit. */
const LATENCY_MS = 400;
const OPERATION_TIMEOUT_MS = 600;

it('ends an operation whose levels exceed its time together', async () => {
  const resilience = { attemptTimeoutMs: OPERATION_TIMEOUT_MS, operationTimeoutMs: OPERATION_TIMEOUT_MS };
  const { sandbox, query } = await startTestGateway({
    sandbox: { siteCount: 1 },
    gateway: { resilience },
  });
  // Gets the token. On a loaded machine it may fail, which changes nothing below.
  await query('{ organizations { totalCount } }');
  sandbox.faults.add({ latencyMs: LATENCY_MS });
  const { body } = await query('{ devices(first: 1) { nodes { lastHealth { value } } } }');
  expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['PLATFORM_TIMEOUT']);
});

it('counts a call that does not respond within the time of its operation as a timeout', async () => {
  const { sandbox, query, url } = await startTestGateway({
    sandbox: { siteCount: 1 },
    gateway: { resilience: { operationTimeoutMs: OPERATION_TIMEOUT_MS } },
  });
  sandbox.faults.add({ match: 'GET /v2.0/site', hangBeforeHeaders: true });
  const { body } = await query('{ sites { totalCount } }');
  expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['PLATFORM_TIMEOUT']);
  const series = 'fieldgraph_rest_calls_total{endpoint="GET /v2.0/site",outcome="timeout"}';
  await vi.waitFor(async () => expect(metricIn(await readMetrics(url), series)).toBe(1), WAIT);
});

it('keeps the connection of an operation open until its time is over', async () => {
  const { sandbox, query } = await startTestGateway({
    sandbox: { siteCount: 1 },
    gateway: { timeouts: { idleMarginMs: 50 } },
  });
  sandbox.faults.add({ latencyMs: LATENCY_MS });
  const { body } = await query('{ devices(first: 1) { nodes { name } } }');
  expect(body.errors).toBeUndefined();
});
