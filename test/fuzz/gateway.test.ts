/**
 * Thousands of mutated requests to the gateway: each gets a clear error, none an internal error, and the gateway keeps
 * running.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { createRecordingLogger } from '../support/http/edgeGateway.js';
import { TEST_SEED } from '../support/seed.js';
import { gatewayRequest } from './gatewayRequests.js';
import type { MutatedRequest } from './mutatedRequest.js';
import { parseOrUndefined, type RawResponse, sendAll, sendBytes } from './sendMutated.js';

const REQUESTS = 3000;

interface ErrorBody {
  errors?: { message?: unknown; extensions?: { code?: unknown } }[];
}

/** The defect of a response; a missing response is correct only for an aborted request. */
function faultOf(
  { method, path, missingBytes }: MutatedRequest,
  { status, body }: RawResponse,
): string | undefined {
  if (status === 0) return missingBytes > 0 ? undefined : 'no response to';
  if (body.includes('INTERNAL_SERVER_ERROR') || status >= 500) return `${status} ${body.slice(0, 200)} to`;
  const isPage = path === '/' || path.startsWith('/explorer');
  if (status < 400 || method === 'HEAD' || isPage) return undefined;
  return isErrorBody(body) ? undefined : `${status} without a clear error (${body.slice(0, 200)}) to`;
}

function isErrorBody(text: string): boolean {
  const errors = (parseOrUndefined(text) as ErrorBody | undefined)?.errors ?? [];
  return errors.length > 0 && errors.every(({ message, extensions }) => message && extensions?.code);
}

it(`the gateway responds to ${REQUESTS} mutated requests with a clear error each (TEST_SEED=${TEST_SEED})`, {
  timeout: 600_000,
}, async () => {
  const logger = createRecordingLogger();
  const gateway = await startTestGateway({ sandbox: { siteCount: 2 }, gateway: { logger } });
  const requests = fc.sample(gatewayRequest, { seed: TEST_SEED, numRuns: REQUESTS });
  expect(await sendAll(gateway.url, requests, faultOf)).toEqual([]);
  expect(logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(await gateway.ask('{ sites { totalCount } }')).toEqual({ sites: { totalCount: 2 } });
});

it.each([
  ['bytes that are not HTTP', 'hello\r\n\r\n'],
  ['an unknown method', 'FETCH /graphql HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  [
    'two lengths',
    'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
  ],
  [
    'a length and chunks',
    'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
  ],
  ['a control character in a header', 'GET /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: a\u0001b\r\n\r\n'],
  ['a control character in the path', 'GET /gra\u0001phql HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['headers of 40 kB', `GET /graphql HTTP/1.1\r\nHost: localhost\r\nA: ${'a'.repeat(40_000)}\r\n\r\n`],
])('the gateway responds to bytes that are not a request with an error in JSON: %s', async (_, bytes) => {
  const gateway = await startTestGateway({ sandbox: { siteCount: 1 } });
  const { status, body } = await sendBytes(gateway.url, Buffer.from(bytes));
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(parseOrUndefined(body)).toMatchObject({ errors: [{ message: expect.any(String) }] });
});

it.each([
  ['announced', `Content-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`],
  ['in chunks', `Transfer-Encoding: chunked\r\n\r\n493e0\r\n${'x'.repeat(300_000)}\r\n0\r\n\r\n`],
  [
    'in chunks, most of them unsent',
    `Transfer-Encoding: chunked\r\n\r\n989680\r\n${'x'.repeat(10_000_000)}\r\n0\r\n\r\n`,
  ],
])('the gateway refuses a body above the limit, %s, as too large', async (_, rest) => {
  const gateway = await startTestGateway({ sandbox: { siteCount: 1 } });
  const head =
    'POST /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n';
  const { status, body } = await sendBytes(gateway.url, Buffer.from(head + rest));
  expect(status).toBe(400);
  expect(parseOrUndefined(body)).toMatchObject({ errors: [{ extensions: { code: 'BODY_TOO_LARGE' } }] });
});
