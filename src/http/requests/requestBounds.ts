/** Refuses malformed requests, requests whose headers cannot be trusted, and too many pipelined requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { GatewayError } from '../../errors.js';
import { type RequestProblem, refuseOnSocket, type ServedSocket, sendError } from '../responses/sendError.js';

export const MAX_HEADERS = 100;

const TOO_MANY_HEADERS: RequestProblem = {
  status: 431,
  message: `The request has more than ${MAX_HEADERS} headers.`,
};
/** Headers of which Node keeps the first, although a proxy may have checked another one (RFC 9112, 3.2). */
const SINGLE_HEADERS = ['Host', 'Authorization'] as const;

/**
 * Returns the problem of a request whose headers cannot be trusted; undefined for others. Node drops headers beyond the
 * maximum: one of them may be the length of the body, or the address that a proxy appends to the headers of its client.
 */
export function findHeaderProblem({ rawHeaders }: IncomingMessage): RequestProblem | undefined {
  if (rawHeaders.length > 2 * MAX_HEADERS) return TOO_MANY_HEADERS;
  const repeated = SINGLE_HEADERS.find((name) => isRepeated(name, rawHeaders));
  return repeated && { status: 400, message: `The request has more than one ${repeated} header.` };
}

function isRepeated(wanted: string, rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isNamed(rawHeaders[at] ?? '', wanted)) count += 1;
  return count > 1;
}

function isNamed(name: string, wanted: string): boolean {
  return name.length === wanted.length && name.toLowerCase() === wanted.toLowerCase();
}

export function refuseHeaders(
  response: ServerResponse,
  { status, message }: RequestProblem,
  requestId: string,
): void {
  response.setHeader('Connection', 'close');
  sendError(response, new GatewayError('BAD_REQUEST', message), requestId, status);
}

/** The response to an error of Node's HTTP parser, by its code. */
const malformedRequests: Readonly<Record<string, RequestProblem>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  // From Node 22 on, also for too many headers.
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: `The URL and the headers are too long, or there are more than ${MAX_HEADERS} headers. Send a long operation by POST.`,
  },
};
const NO_HTTP: RequestProblem = { status: 400, message: 'The request is not valid HTTP.' };

/** Refuses input that is not valid HTTP, or that is too slow or too long. */
export function refuseMalformed({ code }: NodeJS.ErrnoException, socket: ServedSocket): void {
  refuseOnSocket(socket, malformedRequests[code ?? ''] ?? NO_HTTP);
}

export const PIPELINED_MESSAGE =
  'Wait for the previous responses before you send this request on the same connection.';

/**
 * Responses of one connection that may wait for an earlier one when a request opens a file or a connection. A client
 * that sends one request after another can have one: it may have received the earlier response before Node knows that
 * it was sent.
 */
const MAX_PIPELINED = 4;
/**
 * Responses of one connection that may wait for an earlier one. Node handles all requests of a chunk of 64 KB in one
 * turn of the event loop, and a chunk can contain more than a thousand.
 */
const MAX_WAITING = 100;
/** The responses that began to wait. Contains only connections that have had pipelined requests. */
const waitingBySocket = new WeakMap<Socket, Set<ServerResponse>>();

/** Whether the connection must be closed, because too many responses wait for an earlier one. */
export function isPipelineFull(response: ServerResponse): boolean {
  return recordWaiting(response) > MAX_WAITING;
}

/** A stricter bound for requests that open a file or a connection: one chunk of bytes could otherwise open many of them. */
export function isPipelinedTooDeep(response: ServerResponse): boolean {
  return recordWaiting(response) > MAX_PIPELINED;
}

/**
 * Records a response that waits for an earlier one of its connection, so that it is closed with the connection. Returns the
 * number of those that wait, with this one; 0 if this one does not wait. Above `MAX_WAITING`, nothing more is recorded: the
 * caller closes the connection.
 */
export function recordWaiting(response: ServerResponse): number {
  // Node gives the connection to the first response before it emits the request.
  if (response.socket !== null) return 0;
  const { socket } = response.req;
  const waiting = waitingBySocket.get(socket) ?? createWaiting(socket);
  if (waiting.size > MAX_WAITING || waiting.has(response)) return waiting.size;
  waiting.add(response);
  response.once('close', () => waiting.delete(response));
  return waiting.size;
}

function createWaiting(socket: Socket): Set<ServerResponse> {
  const waiting = new Set<ServerResponse>();
  waitingBySocket.set(socket, waiting);
  socket.on('close', () => closeWaiting(waiting));
  return waiting;
}

/**
 * Emits `close` on the responses that still wait for their turn on a closed connection. Node emits it only on the response
 * that is being sent, so work for the others would not be cancelled and their memory not released.
 */
function closeWaiting(waiting: ReadonlySet<ServerResponse>): void {
  for (const response of waiting) {
    if (response.socket !== null) continue;
    response.destroy();
    response.emit('close');
  }
}

export function refusePipelined(response: ServerResponse, requestId: string): void {
  sendError(response, new GatewayError('BAD_REQUEST', PIPELINED_MESSAGE), requestId);
}
