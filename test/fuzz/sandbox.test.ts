/**
 * Thousands of mutated requests to the sandbox: never a 500, every refusal in the platform's format, and it keeps
 * running.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startSandbox, tokenFor } from '../support/sandbox/sandbox.js';
import { TEST_SEED } from '../support/seed.js';
import type { MutatedRequest } from './mutatedRequest.js';
import { sandboxRequest } from './sandboxRequests.js';
import { parseOrUndefined, type RawResponse, sendAll, sendBytes } from './sendMutated.js';

const REQUESTS = 3000;

/** The defect of a response; a missing response is correct only for an aborted request. */
function faultOf(
  { method, missingBytes, body: sent }: MutatedRequest,
  { status, body }: RawResponse,
): string | undefined {
  const isCutOff = missingBytes > 0 || sent.length > 1_048_576;
  if (status === 0) return isCutOff ? undefined : 'no response to';
  if (status >= 500) return `${status} ${body.slice(0, 200)} to`;
  if (status < 300 || method === 'HEAD') return undefined;
  return isErrorBody(body) ? undefined : `${status} without a clear error (${body.slice(0, 200)}) to`;
}

function isErrorBody(text: string): boolean {
  const body = parseOrUndefined(text) as { message?: unknown; request_id?: unknown } | undefined;
  return typeof body?.message === 'string' && body.message !== '' && typeof body.request_id === 'string';
}

it(`the sandbox responds to ${REQUESTS} mutated requests with a clear error each (TEST_SEED=${TEST_SEED})`, {
  timeout: 600_000,
}, async () => {
  const failures: string[] = [];
  const limits = { tokenRequests: 1_000_000 };
  const sandbox = await startSandbox({ siteCount: 2, limits, log: (message) => failures.push(message) });
  const [{ key, secret }] = sandbox.credentials;
  const token = await tokenFor(sandbox.url, key, secret);
  const requests = fc.sample(sandboxRequest(token), { seed: TEST_SEED, numRuns: REQUESTS });
  expect(await sendAll(sandbox.url, requests, faultOf)).toEqual([]);
  expect(failures).toEqual([]);
  const sites = await fetch(`${sandbox.url}/v2.0/site`, { headers: { Authorization: `Bearer ${token}` } });
  expect(await sites.json()).toHaveLength(2);
});

it.each([
  ['bytes that are not HTTP', 'hello\r\n\r\n'],
  [
    'two lengths',
    'POST /auth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
  ],
  ['a control character in the path', 'GET /v2.0/si\u0001te HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['headers of 40 kB', `GET /v2.0/site HTTP/1.1\r\nHost: localhost\r\nA: ${'a'.repeat(40_000)}\r\n\r\n`],
])(
  'the sandbox responds to bytes that are not a request in the format of every error: %s',
  async (_, bytes) => {
    const { url } = await startSandbox({ siteCount: 1 });
    const { status, body } = await sendBytes(url, Buffer.from(bytes));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(parseOrUndefined(body)).toMatchObject({
      message: expect.any(String),
      request_id: expect.any(String),
    });
  },
);
