/** Reads the parameters, the token and the cursor of a request for a stream. Pure. */
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../../errors.js';
import type { OperationParameters } from '../../../graphql/limits/admitOperation.js';
import type { Exchange } from '../../requests/executeRequest.js';
import {
  createContentTypeError,
  hasJsonBody,
  hasValidTypes,
  readParameters,
  searchOf,
  VALID_TYPES,
} from '../../requests/operationRequest.js';
import { parseJsonBody } from '../../requests/requestBody.js';
import { mayAcceptStream } from '../streamFormat.js';

/** A request within the rate of its caller. */
export interface StreamRequest extends Exchange {
  /** The body; empty without one. */
  text: string;
}

const TOKEN_HEADER = 'x-graphql-event-stream-token';

/** Throws BAD_REQUEST if the body of a POST is not JSON. */
export function readParametersOf({ request, text }: StreamRequest): OperationParameters {
  if (request.method !== 'POST') return readParameters(request, undefined);
  if (!hasJsonBody(request)) throw createContentTypeError();
  return readParameters(request, parseJsonBody(text));
}

/** Throws BAD_REQUEST for a parameter of the wrong type. */
export function checkParameters(parameters: OperationParameters): void {
  if (hasValidTypes(parameters)) return;
  throw new GatewayError('BAD_REQUEST', VALID_TYPES);
}

/** The cursor of the last event that a reconnecting `EventSource` has received. */
export function readLastEventId({ headers }: IncomingMessage): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Names the caller, its credential and its authorization. */
export function ownerOf({ callerId, session }: StreamRequest): string {
  return JSON.stringify([callerId, session.authorizationKey]);
}

/** False for a POST that accepts only JSON and has no token, which covers most requests cheaply. */
export function mayRequestEventStream({ method, url = '', headers }: IncomingMessage): boolean {
  if (method !== 'POST' || headers[TOKEN_HEADER] !== undefined || url.includes('?')) return true;
  return mayAcceptStream(headers.accept);
}

/** A PUT with a body is a mistaken POST. */
export function isReservation({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return method === 'PUT' && !hasBody;
}

export function readToken(request: IncomingMessage): string | undefined {
  const header = request.headers[TOKEN_HEADER];
  if (typeof header === 'string') return header;
  const search = searchOf(request);
  return search === '' ? undefined : (new URLSearchParams(search).get('token') ?? undefined);
}

/** The worker whose process has the stream of a token. Undefined for a token of a gateway without workers. */
export function workerOf(token: string): number | undefined {
  const [, id] = /\.(\d{1,9})$/.exec(token) ?? [];
  return id === undefined ? undefined : Number(id);
}

export function createTokenError(): GatewayError {
  const message =
    'There is no stream under this token. Reserve one with PUT, open it with GET within 30 s, and send all requests ' +
    'with the token to the same gateway.';
  return new GatewayError('BAD_REQUEST', message);
}

const MAX_OPERATION_ID_CHARACTERS = 256;

export function readOperationId({ extensions }: OperationParameters): string {
  const id = (extensions as { operationId?: unknown } | null | undefined)?.operationId;
  if (typeof id === 'string' && id !== '' && id.length <= MAX_OPERATION_ID_CHARACTERS) return id;
  const message = `Send extensions.operationId as a string of at most ${MAX_OPERATION_ID_CHARACTERS} characters.`;
  throw new GatewayError('BAD_REQUEST', message);
}
