/** The time that an operation may wait for the platform is for all of its levels together. */
import { expect, it } from 'vitest';
import { startTestGateway } from '../../support/gateway.js';

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

it('keeps the connection of an operation open until its time is over', async () => {
  const { sandbox, query } = await startTestGateway({
    sandbox: { siteCount: 1 },
    gateway: { timeouts: { idleMarginMs: 50 } },
  });
  sandbox.faults.add({ latencyMs: LATENCY_MS });
  const { body } = await query('{ devices(first: 1) { nodes { name } } }');
  expect(body.errors).toBeUndefined();
});
