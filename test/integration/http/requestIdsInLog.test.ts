/**
 * A log line about one operation contains its request id; a line about work that many operations share contains none.
 */
import { expect, it } from 'vitest';
import { startTestGateway } from '../../support/gateway.js';
import { createRecordingLogger } from '../../support/http/edgeGateway.js';
import type { Fault } from '../../support/sandbox/testSandbox.js';

const TOKEN = 'POST /auth/token';
const SITES = 'GET /v2.0/site';

/** The log lines of an operation that meets a fault, and their request ids. */
async function linesOf(fault: Fault): Promise<Map<string, unknown[]>> {
  const logger = createRecordingLogger();
  const { sandbox, query } = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { logger } });
  sandbox.faults.add(fault);
  const { body } = await query('{ sites { totalCount } }', {}, { 'X-Request-Id': 'named-by-the-caller' });
  expect(body.errors?.[0]?.extensions.requestId).toBe('named-by-the-caller');
  const ids = new Map<string, unknown[]>();
  for (const { message, fields } of logger.lines) {
    ids.set(message, [...(ids.get(message) ?? []), Reflect.get(fields, 'requestId')]);
  }
  return ids;
}

it.each<[string, Fault]>([
  ['Rate limited by the platform', { match: SITES, status: 429, retryAfter: 60 }],
  ['Retrying a REST call', { match: SITES, status: 503, retryAfter: 0 }],
])('the line "%s" has the id of its operation, like the line of the failure', async (message, fault) => {
  const lines = await linesOf(fault);
  expect(lines.size).toBeGreaterThan(1);
  expect(new Set(lines.get(message))).toEqual(new Set(['named-by-the-caller']));
  // All requests share the token.
  expect(lines.get('Token renewed')).toEqual([undefined]);
  lines.delete('Token renewed');
  expect(new Set([...lines.values()].flat())).toEqual(new Set(['named-by-the-caller']));
});

it('a token failure is logged once, and with the id of each operation that it fails', async () => {
  const lines = await linesOf({ match: TOKEN, status: 401 });
  expect(lines.get('Token request failed')).toEqual([undefined]);
  lines.delete('Token request failed');
  expect([...lines.values()].flat()).toEqual(['named-by-the-caller']);
});

it('an error that a response and a stream share is logged once', async () => {
  const logger = createRecordingLogger();
  const { url, sandbox } = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { logger } });
  sandbox.faults.add({ match: SITES, status: 404, latencyMs: 6000 });
  const send = async (accept: string) => {
    const headers = { 'Content-Type': 'application/json', Accept: accept };
    const body = JSON.stringify({ query: '{ sites { totalCount } }' });
    return (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).text();
  };
  const texts = await Promise.all([send('application/json'), send('text/event-stream')]);
  for (const text of texts) expect(text).toContain('PLATFORM_REFUSED');
  expect(sandbox.calls.list().filter(({ pathTemplate }) => pathTemplate === '/v2.0/site')).toHaveLength(1);
  expect(logger.lines.filter(({ message }) => message.includes('refused /v2.0/site'))).toHaveLength(1);
});
