/** The status of a refusal follows from the code of its error, unless the sender names another. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type ErrorCode, GatewayError } from '../../../../src/errors.js';
import { sendError } from '../../../../src/http/responses/sendError.js';

async function refuse(code: ErrorCode, status?: number): Promise<[status: number, challenge: string | null]> {
  const server = createServer((_, response) =>
    sendError(response, new GatewayError(code, 'Refused.'), 'id-1', status),
  );
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return [response.status, response.headers.get('www-authenticate')];
}

it.each([
  ['BAD_REQUEST', 400],
  ['COST_TOO_HIGH', 400],
  ['FORBIDDEN', 403],
  ['RATE_LIMITED', 429],
  ['INTERNAL_SERVER_ERROR', 500],
  ['AUTHENTICATION_UNAVAILABLE', 503],
  ['PLATFORM_UNAVAILABLE', 503],
  ['PLATFORM_UNAUTHORIZED', 503],
  ['STOPPING', 503],
] as const)('%s has the status %i and no challenge', async (code, status) => {
  expect(await refuse(code)).toEqual([status, null]);
});

it('challenges a caller without a credential', async () => {
  expect(await refuse('UNAUTHENTICATED')).toEqual([401, 'Bearer realm="fieldgraph"']);
});

it('sends the status that its caller names', async () => {
  expect(await refuse('BAD_REQUEST', 404)).toEqual([404, null]);
});
