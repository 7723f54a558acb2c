/** Bounds of requests that Node accepts: the number of headers, and files and connections of pipelined requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../../errors.js';
import { sendError } from '../responses/sendError.js';

export const MAX_HEADERS = 100;

/**
 * Node drops the headers beyond the maximum. One of them may be the length of the body, or the address that a proxy appends
 * to the headers of its client.
 */
export function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > 2 * MAX_HEADERS;
}

export function refuseHeaders(response: ServerResponse, requestId: string): void {
  const message = `The request has more than ${MAX_HEADERS} headers.`;
  response.setHeader('Connection', 'close');
  sendError(response, 431, new GatewayError('BAD_REQUEST', message), requestId);
}

export const PIPELINED =
  'Wait for the previous response before you send this request on the same connection.';

/**
 * Whether the response waits for an earlier one of its connection. Requests that open a file or a connection are refused
 * then: a client could open any number of them with one chunk of bytes, and read no response.
 */
export function isPipelined({ socket }: ServerResponse): boolean {
  return socket === null;
}

export function refusePipelined(response: ServerResponse, requestId: string): void {
  sendError(response, 400, new GatewayError('BAD_REQUEST', PIPELINED), requestId);
}
