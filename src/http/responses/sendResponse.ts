/** Writes the responses of operations: caching headers, conditional requests and compression. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../graphql/context.js';
import type { OperationSummary } from '../../graphql/limits/admitOperation.js';
import type { Logger } from '../../lib/logger.js';
import { parseIfJson } from '../../lib/records.js';
import {
  type CachedResponse,
  type ContentEncoding,
  encodingOf,
  matchesTag,
  toCacheControl,
  toEntityTag,
} from '../responseCache/cachedResponse.js';
import type { Compressor } from './compressor.js';
import { chooseEncoding, refusesIdentity } from './contentEncoding.js';

/** The result of an operation before it is written. */
export interface ExecutedResponse {
  status: number;
  /** As Apollo Server set them. */
  headers: ReadonlyMap<string, string>;
  text: string;
  /** The same body if it may be cached; undefined for mutations, errors and explanations. */
  cached: CachedResponse | undefined;
  /** Id of the request that was executed. Other requests may share the execution. */
  requestId: string;
  operation: OperationSummary;
  reads: Context['reads'];
  errorCodes: Context['errorCodes'];
}

export interface ResponseTarget {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
}

/** The status that nginx logs for a client that disconnected before the response. */
export const CLIENT_DISCONNECTED = 499;

export function isClientDisconnected({ destroyed, headersSent }: ServerResponse): boolean {
  return destroyed && !headersSent;
}

/** Request headers that the response depends on. */
const VARY = 'Accept, Accept-Encoding, Authorization, X-API-Key, X-Explain';
/** Smaller responses fit into one packet without compression. */
const MIN_COMPRESSED_BYTES = 1400;

/** Not documented by Node: see docs/internals.md. */
interface InternalResponse {
  _storeHeader(firstLine: string, headers: readonly string[]): void;
}

/** `logger` is for responses of shared executions. */
export function createResponseSender(compressor: Compressor, logger: Logger) {
  return {
    /** Sends 304 without a body if the client has the response. Returns the status. */
    async sendCached(
      target: ResponseTarget,
      cached: CachedResponse,
      nowMs: number,
      onEncoded: (encoding: ContentEncoding, bytes: Buffer) => void,
    ): Promise<number> {
      const { request } = target;
      const encoding = encodingFor(request, cached.bytes);
      if (encoding === 'identity' && canSendText(target)) return sendText(target, cached, nowMs);
      const headers = listHeaders(target, cached, nowMs, encoding);
      if (matchesTag(request.headers['if-none-match'], cached)) return endWith(target, 304, headers);
      headers.push('Content-Type', cached.contentType);
      if (encoding === 'identity') return endWith(target, 200, headers, cached.body, cached.bytes);
      const encoded = cached.encoded?.[encoding];
      if (encoded) return endEncoded(target, 200, headers, encoding, encoded);
      const bytes = await compressor.compress(cached, cached.body, cached.bytes, encoding);
      if (bytes === undefined) return sendPlain(target, cached, nowMs);
      onEncoded(encoding, bytes);
      return endEncoded(target, 200, headers, encoding, bytes);
    },
    async sendUncached(
      target: ResponseTarget,
      executed: Omit<ExecutedResponse, 'cached' | 'operation' | 'reads' | 'errorCodes'>,
    ): Promise<number> {
      const { request, requestId } = target;
      const text = withRequestId(executed, requestId, logger);
      const ownHeaders = new Map(executed.headers).set('cache-control', 'no-store').set('vary', VARY);
      const headers = [...commonHeaderList(requestId), ...[...ownHeaders].flat()];
      const size = Buffer.byteLength(text);
      const encoding = encodingFor(request, size);
      if (encoding === 'identity') return endWith(target, executed.status, headers, text, size);
      const bytes = await compressor.compress({}, text, size, encoding);
      return bytes === undefined
        ? endWith(target, executed.status, headers, text, size)
        : endEncoded(target, executed.status, headers, encoding, bytes);
    },
  };
}

function encodingFor({ headers }: IncomingMessage, size: number): ContentEncoding | 'identity' {
  const header = headers['accept-encoding'];
  return size < MIN_COMPRESSED_BYTES && !refusesIdentity(header) ? 'identity' : chooseEncoding(header);
}

/** Returns alternating names and values, which `writeHead` accepts without conversion. */
function listHeaders(
  { response, requestId }: ResponseTarget,
  cached: CachedResponse,
  nowMs: number,
  encoding: ContentEncoding | 'identity',
): string[] {
  const vary = response.getHeader('Vary');
  const headers = commonHeaderList(requestId);
  headers.push(
    'Cache-Control',
    toCacheControl(cached, nowMs),
    'ETag',
    toEntityTag(cached, encoding),
    'Vary',
    vary === undefined ? VARY : `${String(vary)}, ${VARY}`,
  );
  return headers;
}

/** Whether the response is a whole one without CORS headers, and the server is not draining. */
function canSendText({ request, response }: ResponseTarget): boolean {
  return request.headers['if-none-match'] === undefined && canWriteTextHead(response);
}

/**
 * Sends the same bytes as `endWith`, in less time. Nothing in the head is a client's own text, except for the id, whose
 * characters the server has checked.
 */
function sendText({ response, requestId }: ResponseTarget, cached: CachedResponse, nowMs: number): number {
  const { body, bytes, entityTag, contentType } = cached;
  const cacheControl = toCacheControl(cached, nowMs);
  const head = `${HEAD_START}X-Request-Id: ${requestId}\r\nCache-Control: ${cacheControl}\r\nETag: ${entityTag}\r\nVary: ${VARY}\r\nContent-Type: ${contentType}\r\n`;
  writeTextHead(response, head, bytes);
  endWithBody(response, body, bytes);
  return 200;
}

/** Whether `writeTextHead` can write the head: Node has the function, and no header was set on the response before. */
export function canWriteTextHead(response: ServerResponse): boolean {
  return '_storeHeader' in response && response.getHeaderNames().length === 0;
}

/**
 * Writes the head of a response with status 200 as one text, to which Node adds the date and the headers of the connection.
 * Node would check each of the twelve headers on every request, although they are constants or made by the gateway. `text`
 * is not checked, so it must contain no character that a client has chosen freely.
 */
function writeTextHead(response: ServerResponse, text: string, contentLength: number): void {
  response.statusCode = 200;
  response.statusMessage = 'OK';
  (response as ServerResponse & InternalResponse)._storeHeader(text, [
    'Content-Length',
    String(contentLength),
  ]);
}

/** Sends the body without compression, because too many bytes wait to be compressed. */
function sendPlain(target: ResponseTarget, cached: CachedResponse, nowMs: number): number {
  const headers = listHeaders(target, cached, nowMs, 'identity');
  headers.push('Content-Type', cached.contentType);
  return endWith(target, 200, headers, cached.body, cached.bytes);
}

function endEncoded(
  target: ResponseTarget,
  status: number,
  headers: string[],
  encoding: ContentEncoding,
  bytes: Buffer,
): number {
  headers.push('Content-Encoding', encoding);
  return endWith(target, status, headers, bytes, bytes.length);
}

function endWith(
  { response }: ResponseTarget,
  status: number,
  headers: string[],
  body?: string | Buffer,
  size = 0,
): number {
  if (body !== undefined) headers.push('Content-Length', String(size));
  response.writeHead(status, headers);
  if (body === undefined) response.end();
  else endWithBody(response, body, size);
  return status;
}

/**
 * Writes the body with the head, before the end of the response. `end` would add an empty chunk, and Node would collect
 * the chunks for `writev`, which takes longer than writing a head and a body that are one string.
 */
function endWithBody(response: ServerResponse, body: string | Buffer, size: number): void {
  response.cork();
  response.write(body, encodingOf(body, size));
  response.uncork();
  response.end();
}

/**
 * Adds the request id to errors that lack it: those of shared executions, and of Apollo Server before any plugin runs. An
 * internal error refers to the log, which has the cause under the id of the request that was executed.
 */
function withRequestId(
  { status, text, requestId: executedId }: Pick<ExecutedResponse, 'status' | 'text' | 'requestId'>,
  requestId: string,
  logger: Logger,
): string {
  if (status < 400 && executedId === requestId) return text;
  const failed = parseIfJson(text) as { errors?: readonly { extensions?: { code?: unknown } }[] } | undefined;
  if (!failed?.errors) return text;
  const isInternal = failed.errors.some(({ extensions }) => extensions?.code === 'INTERNAL_SERVER_ERROR');
  if (executedId !== requestId && isInternal) {
    logger.error({ requestId, sharedWith: executedId }, 'A shared response has an internal error');
  }
  const errors = failed.errors.map((error) => ({ ...error, extensions: { ...error.extensions, requestId } }));
  return `${JSON.stringify({ ...failed, errors })}\n`;
}

/** For data. The explorer's page replaces the policy. */
const securityHeaders = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
] as const;

const headLines = ['HTTP/1.1 200 OK', ...securityHeaders.map((header) => header.join(': '))];
const HEAD_START = headLines.map((line) => `${line}\r\n`).join('');
const securityHeaderList: readonly string[] = securityHeaders.flat();

function commonHeaderList(requestId: string): string[] {
  return [...securityHeaderList, 'X-Request-Id', requestId];
}

/**
 * Headers of every response. They forbid browsers to guess the type of the response, to frame it, or to execute
 * anything in it.
 */
export function setCommonHeaders(response: ServerResponse, requestId: string): void {
  for (const [name, value] of securityHeaders) response.setHeader(name, value);
  response.setHeader('X-Request-Id', requestId);
}
