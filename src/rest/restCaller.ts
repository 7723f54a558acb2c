/** Makes one call of the REST API and decodes the response. */
import { type Clock, toMonotonicClock } from '../lib/clock.js';
import { createLimitedLogger, type Logger } from '../lib/logger.js';
import { nextTurn } from '../lib/slicedComputation.js';
import { createAuthorizedSend } from './auth/authorizedSend.js';
import type { TokenManager } from './auth/tokenManager.js';
import {
  type CallOptions,
  type CallRecord,
  type CallSpan,
  createRecord,
  recordFailure,
} from './callRecord.js';
import { type ChunkConverter, readBatchChunks, readLongList } from './decode/batchChunks.js';
import {
  checkWriteBody,
  createBadResponseError,
  isErrorBody,
  parseResponseJson,
  toStatusError,
  toWriteError,
} from './decode/responseErrors.js';
import { type DecodedBody, decodeRows, type RowDecoder } from './decode/rowDecoder.js';
import { buildPath, type PathValue, type QueryValue } from './path.js';
import type { BreakerState } from './resilience/circuitBreaker.js';
import { type PlatformRequest, type TransportResponse, toText } from './transport/platformRequest.js';
import type { Transport } from './transport/transport.js';

/** A call: the path template, the value of its parameter, and the query. */
interface RestCall {
  template: string;
  value?: PathValue;
  query?: Readonly<Record<string, QueryValue>>;
  /** Whether a 204 or 404 is an empty result instead of an error. */
  allowsNotFound: boolean;
  /** Whether a 204, but not a 404, is an empty result instead of an error. */
  allowsNoContent?: boolean;
  /** Whether a list without a usable row is an empty one instead of an error. */
  allowsUnreadable?: boolean;
}

export type RestCaller = ReturnType<typeof createRestCaller>;

type WriteCall = Pick<RestCall, 'template' | 'value' | 'query'> & { body?: object };

interface RestCallerOptions {
  transport: Transport;
  tokens: TokenManager;
  clock: Clock;
  logger: Logger;
  /** The circuit breaker's state for the family of an endpoint, for traces. */
  breakerState?: (template: string) => BreakerState;
}

export function createRestCaller({
  transport,
  tokens,
  clock,
  logger,
  breakerState = () => 'closed',
}: RestCallerOptions) {
  const monotonicClock = toMonotonicClock(clock);
  const sendAuthorized = createAuthorizedSend({ transport, tokens, clock });
  const rowLogger = createLimitedLogger(logger, clock, ROW_LOG_LIMIT);

  /** Makes a call and decodes the text of its response, which is undefined for an empty result. */
  async function read<Value>(
    call: RestCall,
    options: CallOptions,
    decodeText: (text: string | undefined) => DecodedBody<Value> | Promise<DecodedBody<Value>>,
  ): Promise<Value> {
    options.beforeCall?.();
    const startedAtMs = monotonicClock.now();
    const record = createRecord('GET', call, options);
    const span = options.beginSpan?.();
    let sentAtMs = startedAtMs;
    const onSend = () => {
      record.attempts += 1;
      sentAtMs = monotonicClock.now();
    };
    try {
      let response: TransportResponse | undefined = await sendAuthorized(
        toRequest(call, options, onSend, span),
      );
      record.status = response.status;
      record.bytes = response.body.length;
      // Receiving a long text and decoding it each take milliseconds, so other work gets a turn in between.
      if (record.bytes > LONG_TEXT_LENGTH) await nextTurn();
      const text = toNewText(call, response, options, clock.now());
      // Released, because the body is not needed while a long text is decoded in several turns.
      response = undefined;
      const { value, skippedRows, undatedRows } = await decodeText(text);
      record.skippedRows = skippedRows;
      if (skippedRows + undatedRows > 0) {
        const { template, value: parameter } = call;
        const fields = { requestId: options.requestId, template, parameter, skippedRows, undatedRows };
        rowLogger.warn(fields, 'Unreadable rows were left out');
      }
      return value;
    } catch (error) {
      throw recordFailure(record, error);
    } finally {
      record.lastAttemptMs = monotonicClock.now() - sentAtMs;
      complete(record, startedAtMs, options, span);
    }
  }

  /**
   * Sends a write once. It is repeated only if the platform refused the token, because then it had no effect. A client
   * that disconnects does not cancel it. Rejects with an error that has `mayHaveTakenEffect`.
   */
  async function write(call: WriteCall, options: CallOptions): Promise<void> {
    options.beforeCall?.();
    const startedAtMs = monotonicClock.now();
    const record = createRecord('POST', call, options);
    const span = options.beginSpan?.();
    let wasSent = false;
    const onSent = (isSent: boolean) => {
      wasSent = isSent;
      if (isSent) record.attempts += 1;
    };
    try {
      const response = await sendAuthorized(toWriteRequest(call, options, onSent, span));
      record.status = response.status;
      record.bytes = response.body.length;
      if (response.status < 200 || response.status > 299) {
        throw toStatusError(call.template, response, clock.now());
      }
      checkWriteBody(call.template, toText(response.body));
    } catch (error) {
      throw recordFailure(record, toWriteError(error, wasSent));
    } finally {
      complete(record, startedAtMs, options, span);
    }
  }

  function complete(
    record: CallRecord,
    startedAtMs: number,
    { onCall }: CallOptions,
    span: CallSpan | undefined,
  ): void {
    record.durationMs = Math.round(monotonicClock.now() - startedAtMs);
    if (span !== undefined) record.breaker = breakerState(record.template);
    onCall?.(record);
    span?.end(record);
  }

  return {
    write,
    /** A list; empty for an unknown parent. */
    list: <Row>(call: RestCall, decode: RowDecoder<Row>, options: CallOptions) =>
      read(call, options, (text) => readList(call, decode, text)),
    /** One row, or null. */
    one: <Row>(call: RestCall, decode: RowDecoder<Row>, options: CallOptions) =>
      read(call, options, (text) => readOne(call, decode, text)),
    /** A batch. A long one is decoded in chunks with turns for other work in between. */
    batch: <Row, Chunk>(call: RestCall, converter: ChunkConverter<Row, Chunk>, options: CallOptions) =>
      read(call, options, (text) => readBatchChunks(call, converter, text)),
  };
}

/** A row that stays unreadable is read again and again. */
const ROW_LOG_LIMIT = {
  lines: 1,
  windowMs: 60_000,
  keyOf: (fields: { template?: string }) => fields.template ?? '',
};
const LONG_TEXT_LENGTH = 256 * 1024;
const NO_HEADERS = {};

function toRequest(
  call: RestCall,
  { noCache, cancellation, deadlineAtMs, requestId, callerId }: CallOptions,
  onSend: () => void,
  span: CallSpan | undefined,
): PlatformRequest {
  return {
    method: 'GET',
    template: call.template,
    requestId,
    callerId,
    path: buildPath(call.template, call.value, call.query),
    headers: noCache ? { 'Cache-Control': 'no-cache', ...span?.headers } : (span?.headers ?? NO_HEADERS),
    cancellation,
    deadlineAtMs,
    onSend,
  };
}

function toWriteRequest(
  { template, value, query, body }: WriteCall,
  { deadlineAtMs, requestId, callerId }: CallOptions,
  onSent: (isSent: boolean) => void,
  span: CallSpan | undefined,
): PlatformRequest {
  return {
    method: 'POST',
    template,
    requestId,
    callerId,
    path: buildPath(template, value, query),
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...span?.headers },
    body: body && JSON.stringify(body),
    deadlineAtMs,
    onSend: () => onSent(true),
    onRefused: () => onSent(false),
  };
}

/** Undefined for an empty result. */
function toUsableBody(call: RestCall, response: TransportResponse, nowMs: number): Buffer | undefined {
  if (response.status === 200) return response.body;
  if (response.status === 404 && call.allowsNotFound) return undefined;
  if (response.status === 204 && (call.allowsNotFound || call.allowsNoContent)) return undefined;
  throw toStatusError(call.template, response, nowMs);
}

/** Undefined for an empty result, and for a body that is equal to the one before. */
function toNewText(
  call: RestCall,
  response: TransportResponse,
  { previousBody }: CallOptions,
  nowMs: number,
): string | undefined {
  const body = toUsableBody(call, response, nowMs);
  return body === undefined || previousBody?.compare(body) === true ? undefined : toText(body);
}

/** Throws PLATFORM_BAD_RESPONSE if no row is usable: an empty list would look like an account without data. */
async function readList<Row>(
  { template, allowsUnreadable = false }: RestCall,
  decode: RowDecoder<Row>,
  text: string | undefined,
): Promise<DecodedBody<Row[]>> {
  if (text === undefined) return { value: [], skippedRows: 0, undatedRows: 0 };
  const list = await decodeList(template, decode, text);
  if (list.value.length > 0 || list.skippedRows === 0 || allowsUnreadable) return list;
  throw createBadResponseError(template, 'only rows without their required fields');
}

/** Decodes a long list with turns for other work in between, if its text allows that. */
async function decodeList<Row>(
  template: string,
  decode: RowDecoder<Row>,
  text: string,
): Promise<DecodedBody<Row[]>> {
  const long = text.length > LONG_TEXT_LENGTH ? await readLongList(decode, text) : undefined;
  if (long !== undefined) return long;
  const body = parseResponseJson(template, text);
  if (!Array.isArray(body)) throw createBadResponseError(template, 'a body that is not a list');
  return decodeRows(body, decode);
}

function readOne<Row>(
  { template }: RestCall,
  decode: RowDecoder<Row>,
  text: string | undefined,
): DecodedBody<Row | null> {
  if (text === undefined) return { value: null, skippedRows: 0, undatedRows: 0 };
  const body = parseResponseJson(template, text);
  if (isErrorBody(body)) throw createBadResponseError(template, 'an error');
  const { value: rows, undatedRows } = decodeRows([body], decode);
  const [value] = rows;
  if (value === undefined) throw createBadResponseError(template, 'a row without its required fields');
  return { value, skippedRows: 0, undatedRows };
}
