/** Answers a request that never became an operation, in the shape of a GraphQL answer. */
import type { ServerResponse } from 'node:http';
import type { GatewayError } from '../errors.js';

export function sendError(
  response: ServerResponse,
  status: number,
  error: GatewayError,
  requestId: string,
): void {
  const { message, code, retryable } = error;
  const body = JSON.stringify({ errors: [{ message, extensions: { code, retryable, requestId } }] });
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  });
  response.end(body);
}
