/** Makes one call of the REST API: authorizes it, repeats it once after a refused token, reads the answer. */
import { GatewayError } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { badResponse, parseJson, toStatusError } from './answers.js';
import { buildPath, type PathValue, type QueryValue } from './path.js';
import { isRecord, type RowDecoder } from './rowDecoder.js';
import type { TokenManager } from './tokenManager.js';
import type { Transport, TransportRequest, TransportResponse } from './transport.js';

/** What a caller of the gateway brings along for all the REST calls made on its behalf. */
export interface CallOptions {
  /** Aborted when the caller has left. */
  signal?: AbortSignal | undefined;
  /** Sends `Cache-Control: no-cache` to the platform. */
  noCache?: boolean | undefined;
}

/** Which call: the path's template, what fills its one place, and the query. */
export interface RestCall {
  template: string;
  value?: PathValue;
  query?: Readonly<Record<string, QueryValue>>;
  /** Whether a 404 says that there is nothing, rather than that the address is wrong. */
  mayBeAbsent: boolean;
}

export interface Batch<Row> {
  samples: Row[];
  /** Whether the platform holds more behind the last one. */
  hasMore: boolean;
}

export interface RestCaller {
  /** A list. An unknown parent has an empty one. */
  list<Row>(call: RestCall, decode: RowDecoder<Row>, options: CallOptions): Promise<Row[]>;
  /** One thing, or null where the platform has none. */
  one<Row>(call: RestCall, decode: RowDecoder<Row>, options: CallOptions): Promise<Row | null>;
  batch<Row>(call: RestCall, decode: RowDecoder<Row>, options: CallOptions): Promise<Batch<Row>>;
}

export interface RestCallerOptions {
  transport: Transport;
  tokens: TokenManager;
  clock: Clock;
  logger: Logger;
}

/** After a fresh token has been refused too, refusals are taken as meant for this long. */
const MEANT_REFUSAL_MS = 60_000;

export function createRestCaller({ transport, tokens, clock, logger }: RestCallerOptions): RestCaller {
  let refusalsMeantUntilMs = 0;

  async function sendAuthorized(request: TransportRequest): Promise<TransportResponse> {
    const token = await tokens.get();
    const response = await transport.send(withToken(request, token));
    if (!isRefusal(response) || clock.now() < refusalsMeantUntilMs) return response;
    tokens.refuse(token);
    const repeated = await transport.send(withToken(request, await tokens.get()));
    if (isRefusal(repeated)) refusalsMeantUntilMs = clock.now() + MEANT_REFUSAL_MS;
    return repeated;
  }

  /** The answer to a GET; undefined where the platform says that there is nothing. */
  async function get(call: RestCall, options: CallOptions): Promise<unknown> {
    const response = await sendAuthorized({
      method: 'GET',
      path: buildPath(call.template, call.value, call.query),
      headers: options.noCache ? { 'Cache-Control': 'no-cache' } : {},
      signal: options.signal,
    });
    if (response.status === 200) return parseJson(call.template, response.text);
    if (response.status === 204 || (response.status === 404 && call.mayBeAbsent)) return undefined;
    throw toStatusError(call.template, response, clock.now());
  }

  function decodeAll<Row>(call: RestCall, rows: readonly unknown[], decode: RowDecoder<Row>): Row[] {
    const decoded = rows.map(decode).filter((row) => row !== undefined);
    const left = rows.length - decoded.length;
    if (left > 0) logger.warn({ endpoint: call.template, left }, 'Rows without usable ids were left out');
    return decoded;
  }

  return {
    async list(call, decode, options) {
      const body = (await get(call, options)) ?? [];
      if (!Array.isArray(body)) throw badResponse(call.template, 'something that is no list');
      return decodeAll(call, body, decode);
    },
    async one(call, decode, options) {
      const body = await get(call, options);
      if (body === undefined) return null;
      const row = decode(body);
      if (row === undefined) throw badResponse(call.template, 'something that lacks what it should have');
      return row;
    },
    async batch(call, decode, options) {
      const body = (await get(call, options)) ?? { samples: [] };
      const samples = isRecord(body) ? body['samples'] : undefined;
      if (!Array.isArray(samples)) throw badResponse(call.template, 'something that is no batch');
      return {
        samples: decodeAll(call, samples, decode),
        hasMore: isRecord(body) && body['hasMore'] === true,
      };
    },
  };
}

function withToken(request: TransportRequest, token: string): TransportRequest {
  return { ...request, headers: { ...request.headers, Authorization: `Bearer ${token}` } };
}

function isRefusal({ status }: TransportResponse): boolean {
  return status === 401 || status === 403;
}

/** Whether an error says that nothing can be had from the platform for now, whatever is asked. */
export function isPlatformError(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.code.startsWith('PLATFORM_');
}
