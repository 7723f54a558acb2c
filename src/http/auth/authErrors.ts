/** The errors by which callers are turned away, and how HTTP says them. */
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
 * Answers a request whose caller is not let in. The challenge names Bearer alone, though Basic is taken where
 * callers bring their own Key and Secret: a browser that is offered Basic keeps what it is given and sends it
 * along with whatever any page makes it send.
 */
export function sendAuthError(response: ServerResponse, error: GatewayError, requestId: string): void {
  if (error.code === 'UNAUTHENTICATED') response.setHeader('WWW-Authenticate', 'Bearer realm="fieldgraph"');
  if (error.retryAfterMs !== undefined) {
    response.setHeader('Retry-After', Math.ceil(error.retryAfterMs / 1000));
  }
  sendError(response, statuses[error.code] ?? 503, error, requestId);
}
