/** Answers a request that never became an operation, in the shape of a GraphQL answer. */
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
  const { message, retryAfterMs } = error;
  const body = JSON.stringify({ errors: [{ message, extensions: { ...toExtensions(error), requestId } }] });
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...(retryAfterMs === undefined ? {} : { 'Retry-After': Math.ceil(retryAfterMs / 1000) }),
  });
  response.end(body);
}
