/** Authentication errors and their HTTP responses. */
import type { ServerResponse } from 'node:http';
import { GatewayError } from '../../errors.js';
import { sendError } from '../responses/sendError.js';

export function createUnauthenticatedError(message: string, cause?: unknown): GatewayError {
  return new GatewayError('UNAUTHENTICATED', message, { cause });
}

const statuses: Readonly<Record<string, number>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  RATE_LIMITED: 429,
};

/**
 * Refuses a request whose caller is not authenticated or authorized. The challenge names only Bearer, although
 * `CALLER_AUTH=platform` accepts Basic: a browser stores Basic credentials after a challenge and then adds them to
 * requests that pages of other sites cause.
 */
export function sendAuthError(response: ServerResponse, error: GatewayError, requestId: string): void {
  if (error.code === 'UNAUTHENTICATED') response.setHeader('WWW-Authenticate', 'Bearer realm="fieldgraph"');
  sendError(response, statuses[error.code] ?? 503, error, requestId);
}
