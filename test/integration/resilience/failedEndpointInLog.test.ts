/** The log line of a failed field names the endpoint that failed; the caller does not learn it. */
import { expect, it } from 'vitest';
import { defaultResilienceLimits } from '../../../src/rest/resilience/resilienceLimits.js';
import { startTestGateway } from '../../support/gateway.js';
import { createRecordingLogger } from '../../support/http/edgeGateway.js';
import type { Fault } from '../../support/sandbox/testSandbox.js';

const SITES = 'GET /v2.0/site';
const TOKEN = 'POST /auth/token';
/** The gateway stops waiting for the platform after this time. */
const OPERATION_TIMEOUT_MS = 300;

async function failWith(fault: Fault, operation: string, resilience = {}) {
  const logger = createRecordingLogger();
  const gateway = { logger, ...resilience };
  const { sandbox, query } = await startTestGateway({ sandbox: { siteCount: 1 }, gateway });
  sandbox.faults.add(fault);
  const { body } = await query(operation);
  expect(JSON.stringify(body)).not.toContain('"endpoint"');
  const lines = logger.lines.filter(({ fields }) => 'path' in fields);
  return { body, endpoints: lines.map(({ fields }) => Reflect.get(fields, 'endpoint')) };
}

it.each<[string, Fault, string]>([
  ['a status', { match: SITES, status: 500 }, SITES],
  ['an unreadable body', { match: SITES, body: 'x', headers: { 'Content-Encoding': 'gzip' } }, SITES],
  ['a refused token request', { match: TOKEN, status: 401 }, TOKEN],
])('after %s', async (_name, fault, endpoint) => {
  const { endpoints } = await failWith(fault, '{ sites { totalCount } }');
  expect(endpoints).toEqual([endpoint]);
});

it('after a timeout', async () => {
  const resilience = { ...defaultResilienceLimits, operationTimeoutMs: OPERATION_TIMEOUT_MS };
  const fault: Fault = { match: SITES, hangBeforeHeaders: true };
  const { body, endpoints } = await failWith(fault, '{ sites { totalCount } }', { resilience });
  expect(body.errors?.[0]?.extensions.code).toBe('PLATFORM_TIMEOUT');
  expect(endpoints).toEqual([SITES]);
});

it('after a failed write', async () => {
  const acknowledge =
    'mutation { acknowledgeSamples(input: { kind: SCALAR, sampleId: "1" }) { userErrors { code } } }';
  const path = '/v2.0/sample/batch/ack';
  const { endpoints } = await failWith({ match: `POST ${path}`, status: 500 }, acknowledge);
  expect(endpoints).toEqual([`POST ${path}`]);
});
