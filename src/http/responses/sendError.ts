/** Sends an error of a request that was not executed, in the form of a GraphQL response. */
import type { ServerResponse } from 'node:http';
import type { GatewayError } from '../../errors.js';
import { toExtensions } from '../../graphql/apollo/formatError.js';
import { setCommonHeaders } from './securityHeaders.js';

export function sendError(
  response: ServerResponse,
  status: number,
  error: GatewayError,
  requestId: string,
): void {
  setCommonHeaders(response, requestId);
  const { retryAfterMs } = error;
  const body = toErrorBody(error, requestId);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...(retryAfterMs === undefined ? {} : { 'Retry-After': Math.ceil(retryAfterMs / 1000) }),
  });
  response.end(body);
}

export function toErrorBody(error: GatewayError, requestId: string): string {
  const extensions = { ...toExtensions(error), requestId };
  return JSON.stringify({ errors: [{ message: error.message, extensions }] });
}
