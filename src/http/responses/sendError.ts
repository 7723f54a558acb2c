/** Sends errors of requests that were not executed or not authorized, in the form of a GraphQL response. */
import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, GatewayError } from '../../errors.js';
import { toClientError } from '../../graphql/apollo/formatError.js';
import { chooseJsonType } from './mediaTypes.js';
import { setCommonHeaders } from './sendResponse.js';

const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  RATE_LIMITED: 429,
  INTERNAL_SERVER_ERROR: 500,
  AUTHENTICATION_UNAVAILABLE: 503,
  OVERLOADED: 503,
  STOPPING: 503,
};

/** The status of a refusal: 503 if the platform cannot verify the caller now, and 400 if the request itself is refused. */
function statusOf({ code }: GatewayError): number {
  return statuses[code] ?? (code.startsWith('PLATFORM_') ? 503 : 400);
}

/**
 * `status`: instead of the one that follows from the error's code. The challenge names only Bearer, although
 * `CALLER_AUTH=platform` accepts Basic: a browser stores Basic credentials after a challenge and then adds them to
 * requests that pages of other sites cause.
 */
export function sendError(
  response: ServerResponse,
  error: GatewayError,
  requestId: string,
  status: number = statusOf(error),
): void {
  setCommonHeaders(response, requestId);
  if (error.code === 'UNAUTHENTICATED') response.setHeader('WWW-Authenticate', 'Bearer realm="fieldgraph"');
  const { retryAfterMs } = error;
  const body = toErrorBody(error, requestId);
  response.writeHead(status, {
    'Content-Type': chooseJsonType(response.req.headers.accept),
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...(retryAfterMs === undefined ? {} : { 'Retry-After': Math.ceil(retryAfterMs / 1000) }),
  });
  response.end(body);
}

export function toErrorBody(error: GatewayError, requestId: string): string {
  return JSON.stringify({ errors: [toClientError(error, { requestId })] });
}

export function createUnauthenticatedError(message: string, cause?: unknown): GatewayError {
  return new GatewayError('UNAUTHENTICATED', message, { cause });
}

/** A problem in the head of a request, for which the request is refused. */
export interface RequestProblem {
  /** HTTP status of the refusal. */
  status: number;
  message: string;
}

/** Not documented by Node: see docs/internals.md. */
export type ServedSocket = Duplex & { readonly _httpMessage?: ServerResponse | null };

/**
 * Milliseconds in which a response that has begun must end, and in which the client must read the refusal and
 * disconnect.
 */
const CLOSE_TIMEOUT_MS = 1000;

const refusedSockets = new WeakSet<ServedSocket>();

/**
 * Sends a refusal in the same error format as other responses, and closes the connection even if the client stays, or has
 * not completed its TLS handshake: Node leaves both to the listener that has the socket.
 */
export function refuseOnSocket(socket: ServedSocket, problem: RequestProblem): void {
  // Node reports further chunks of malformed input one by one.
  if (refusedSockets.has(socket)) return;
  refusedSockets.add(socket);
  if (!socket.writable) return void socket.destroy();
  const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  const begun = socket._httpMessage?.headersSent ? socket._httpMessage : undefined;
  // The refusal must not become part of a response that has begun. The client may have received that response
  // completely before Node knows.
  if (begun === undefined) endWithRefusal(socket, problem);
  else begun.once('finish', () => endWithRefusal(socket, problem));
}

function endWithRefusal(socket: ServedSocket, { status, message }: RequestProblem): void {
  if (!socket.writable) return;
  const requestId = randomUUID();
  const body = toErrorBody(new GatewayError('BAD_REQUEST', message), requestId);
  const headers = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
}
