/** Makes one call of the REST API, and reads the answer. */
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { nextTurn } from '../lib/slicedComputation.js';
import { createAuthorizedSend } from './auth/authorizedSend.js';
import type { TokenManager } from './auth/tokenManager.js';
import {
  type BatchChunks,
  type ChunkConverter,
  type DecodedBody,
  readBatchChunks,
  toBatch,
} from './decode/batchChunks.js';
import { createBadResponseError, parseJson, toStatusError, toWriteError } from './decode/responseErrors.js';
import type { RowDecoder } from './decode/rowDecoder.js';
import { buildPath, type PathValue, type QueryValue } from './path.js';
import type { PlatformRequest, Transport, TransportResponse } from './transport/transport.js';

/** What a caller of the gateway brings along for all the REST calls made on its behalf. */
export interface CallOptions {
  /** Aborted when the caller has left. */
  signal?: AbortSignal | undefined;
  /** Sends `Cache-Control: no-cache` to the platform. */
  noCache?: boolean | undefined;
  /** Clock time after which nobody waits any more, in milliseconds. */
  deadlineAtMs?: number | undefined;
  /** Names the request that the call is made for, in log lines. */
  requestId?: string | undefined;
  /** Told before each call; what it throws is what becomes of the call. */
  beforeCall?: (() => void) | undefined;
  /** Told of each call when its answer has been read, or has failed. */
  onCall?: ((call: CallRecord) => void) | undefined;
}

/** What a call took. */
export interface CallRecord {
  template: string;
  /** HTTP status; 0 where there was no answer. */
  status: number;
  durationMs: number;
  /** Of the answer's body. */
  bytes: number;
  /** Rows without usable ids: where there are any, the answer is partial. */
  skippedRows: number;
}

/** Which call: the path's template, what fills its one place, and the query. */
export interface RestCall {
  template: string;
  value?: PathValue;
  query?: Readonly<Record<string, QueryValue>>;
  /** Whether a 404 says that there is nothing, rather than that the address is wrong. */
  allowsNotFound: boolean;
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
  /** A long batch, with turns for others while it is read. */
  batchChunks<Row, Piece>(
    call: RestCall,
    maker: ChunkConverter<Row, Piece>,
    options: CallOptions,
  ): Promise<BatchChunks<Piece>>;
  /**
   * Writes, and sends it once: again only where the platform refused the token, for then nothing took effect. A
   * caller who leaves does not stop it half-way. Rejects with an error whose `mayHaveTakenEffect` says so.
   */
  write(call: WriteCall, options: CallOptions): Promise<void>;
}

/** A call that changes something. */
export type WriteCall = Omit<RestCall, 'allowsNotFound'> & { body?: object };

export interface RestCallerOptions {
  transport: Transport;
  tokens: TokenManager;
  clock: Clock;
  logger: Logger;
}

export function createRestCaller({ transport, tokens, clock, logger }: RestCallerOptions): RestCaller {
  const sendAuthorized = createAuthorizedSend({ transport, tokens, clock });

  /** Asks, and has the text read; it is undefined where the platform says that there is nothing. */
  async function ask<Value>(
    call: RestCall,
    options: CallOptions,
    read: (text: string | undefined) => DecodedBody<Value> | Promise<DecodedBody<Value>>,
  ): Promise<Value> {
    options.beforeCall?.();
    const startedAtMs = clock.now();
    const record = { template: call.template, status: 0, durationMs: 0, bytes: 0, skippedRows: 0 };
    try {
      const response = await sendAuthorized(toRequest(call, options));
      record.status = response.status;
      record.bytes = Buffer.byteLength(response.text);
      // To receive much and to read it take milliseconds each: others have their turn in between.
      if (record.bytes > LONG_TEXT_LENGTH) await nextTurn();
      const { value, skippedRows } = await read(toText(call, response, clock.now()));
      record.skippedRows = skippedRows;
      return value;
    } finally {
      record.durationMs = clock.now() - startedAtMs;
      if (record.skippedRows > 0)
        logger.warn({ requestId: options.requestId, ...record }, 'Rows without usable ids were left out');
      options.onCall?.(record);
    }
  }

  async function write(call: WriteCall, options: CallOptions): Promise<void> {
    options.beforeCall?.();
    const startedAtMs = clock.now();
    const record = { template: call.template, status: 0, durationMs: 0, bytes: 0, skippedRows: 0 };
    let wasSent = false;
    const note = (isOut: boolean) => {
      wasSent = isOut;
    };
    const request = toWriteRequest(call, options, note);
    try {
      const response = await sendAuthorized(request);
      record.status = response.status;
      record.bytes = response.text.length;
      if (response.status < 200 || response.status > 299) {
        throw toStatusError(call.template, response, clock.now());
      }
    } catch (error) {
      throw toWriteError(error, wasSent);
    } finally {
      record.durationMs = clock.now() - startedAtMs;
      options.onCall?.(record);
    }
  }

  return {
    write,
    list: (call, decode, options) => ask(call, options, (text) => readList(call, decode, parse(call, text))),
    one: (call, decode, options) => ask(call, options, (text) => readOne(call, decode, parse(call, text))),
    batch: (call, decode, options) =>
      ask(call, options, (text) => readBatch(call, decode, parse(call, text))),
    batchChunks: (call, maker, options) =>
      ask(call, options, (text) => readBatchChunks(call.template, maker, text)),
  };
}

const LONG_TEXT_LENGTH = 256 * 1024;

function toRequest(
  call: RestCall,
  { noCache, signal, deadlineAtMs, requestId }: CallOptions,
): PlatformRequest {
  return {
    method: 'GET',
    template: call.template,
    requestId,
    path: buildPath(call.template, call.value, call.query),
    headers: noCache ? { 'Cache-Control': 'no-cache' } : {},
    signal,
    deadlineAtMs,
  };
}

function toWriteRequest(
  { template, value, query, body }: WriteCall,
  { deadlineAtMs, requestId }: CallOptions,
  note: (isOut: boolean) => void,
): PlatformRequest {
  return {
    method: 'POST',
    template,
    requestId,
    path: buildPath(template, value, query),
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    deadlineAtMs,
    onSend: () => note(true),
    onRefused: () => note(false),
  };
}

function toText(call: RestCall, response: TransportResponse, nowMs: number): string | undefined {
  if (response.status === 200) return response.text;
  if ((response.status === 204 || response.status === 404) && call.allowsNotFound) return undefined;
  throw toStatusError(call.template, response, nowMs);
}

function parse({ template }: RestCall, text: string | undefined): unknown {
  return text === undefined ? undefined : parseJson(template, text);
}

function readList<Row>(call: RestCall, decode: RowDecoder<Row>, body: unknown = []): DecodedBody<Row[]> {
  if (!Array.isArray(body)) throw createBadResponseError(call.template, 'something that is no list');
  const value: Row[] = [];
  for (const raw of body) {
    const row = decode(raw);
    if (row !== undefined) value.push(row);
  }
  return { value, skippedRows: body.length - value.length };
}

function readOne<Row>(call: RestCall, decode: RowDecoder<Row>, body: unknown): DecodedBody<Row | null> {
  if (body === undefined) return { value: null, skippedRows: 0 };
  const value = decode(body);
  if (value === undefined)
    throw createBadResponseError(call.template, 'something that lacks what it should have');
  return { value, skippedRows: 0 };
}

function readBatch<Row>(call: RestCall, decode: RowDecoder<Row>, body: unknown): DecodedBody<Batch<Row>> {
  const { rows, hasMore } = toBatch(call.template, body);
  const { value: samples, skippedRows } = readList(call, decode, rows);
  return { value: { samples, hasMore }, skippedRows };
}
