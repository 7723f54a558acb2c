/** Serves GraphQL over HTTP from a cached response, an execution in flight, or a new execution. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../../errors.js';
import type { GraphServer } from '../../graphql/apollo/apolloServer.js';
import type { Context } from '../../graphql/context.js';
import type { AdmissionPolicy, OperationSummary } from '../../graphql/limits/admitOperation.js';
import type { ByteBudgets } from '../../lib/byteBudget.js';
import { type Cancellation, createCancellation } from '../../lib/cancellation.js';
import type { Clock } from '../../lib/clock.js';
import { isPromise, type MaybePromise, settle, whenReady } from '../../lib/maybePromise.js';
import type { RequestTrace } from '../../tracing/operationTrace.js';
import type { Tracing } from '../../tracing/tracing.js';
import type { CallerSession, OpenSession } from '../auth/callerSession.js';
import { readCredentialFromHeaders } from '../auth/providedCredential.js';
import type { AnswerInParts, IncrementalAnswer } from '../delivery/incremental/incrementalHandler.js';
import { chargeUnsentBytes, checkRoomForResponse } from '../delivery/outbox.js';
import type { StreamHandler } from '../delivery/streams/streamHandler.js';
import { mayAskForStream } from '../delivery/streams/streamRequest.js';
import { toCallerId } from '../rateLimits/callerRateLimiter.js';
import { type CallerThrottle, isOperationRefusal } from '../rateLimits/callerThrottle.js';
import { isSecure, remoteAddressOf } from '../rateLimits/remoteAddress.js';
import {
  type CacheableRequest,
  type CachedResponse,
  createResponseCache,
  toRequestKey,
} from '../responseCache/responseCache.js';
import { createCompressor } from '../responses/compressor.js';
import { sendAuthError, sendError } from '../responses/sendError.js';
import {
  createResponseSender,
  type ExecutedResponse,
  type ResponseTarget,
} from '../responses/sendResponse.js';
import type { RequestMetrics, ResponseSource } from '../server/requestMetrics.js';
import type { AccessLog } from './accessLog.js';
import { admitRequest, createRequestExecutor } from './executeRequest.js';
import { hasJsonBody, wantsExplanation, wantsFresh } from './operationRequest.js';
import { readBodyText } from './requestBody.js';

interface GraphqlHandlerOptions {
  apolloServer: GraphServer;
  openSession: OpenSession;
  admission: AdmissionPolicy;
  throttle: CallerThrottle;
  /** Charged with the unsent bytes of responses. */
  budgets: ByteBudgets;
  /** Maximum size of a request body, in bytes. */
  maxBodyBytes: number;
  clock: Clock;
  requestMetrics: RequestMetrics;
  /** Absent: no lines. */
  accessLog?: AccessLog | undefined;
  /** Absent: tracing is off. */
  tracing?: Tracing | undefined;
  /** Answers requests for streams. Absent: there are none. */
  streams?: Pick<StreamHandler, 'handle'>;
  /** Answers queries and mutations with `@defer` or `@stream`. Absent: in one piece. */
  answerInParts?: AnswerInParts;
}

export type GraphqlHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
) => Promise<unknown>;

/** A request of an authenticated caller, and its response. */
interface Exchange extends ResponseTarget {
  session: CallerSession;
  trace: RequestTrace | undefined;
}

type HandleTraced = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  trace: RequestTrace | undefined,
) => Promise<ResponseSource | undefined>;

export function createGraphqlHandler(options: GraphqlHandlerOptions): GraphqlHandler {
  const { tracing } = options;
  const handle = createTracedHandler(options);
  if (tracing === undefined) return (request, response, id) => handle(request, response, id, undefined);
  return async (request, response, requestId) => {
    const trace = tracing.beginRequest(request.headers, requestId);
    let source: ResponseSource | undefined;
    try {
      source = await handle(request, response, requestId, trace);
    } finally {
      const { statusCode: status } = response;
      trace.end({ method: request.method ?? '', isSecure: isSecure(request), status, source });
    }
  };
}

function createTracedHandler(options: GraphqlHandlerOptions): HandleTraced {
  const { openSession, throttle, budgets, requestMetrics, accessLog, maxBodyBytes } = options;
  const { streams = noStreams } = options;
  const { answerInParts = () => undefined } = options;
  const { respond, sendAnswer } = createResponder(options);
  const recordRefusal = ({ code }: GatewayError) => requestMetrics.recordRefusal(code);

  async function fail({ request, response, requestId }: ResponseTarget, error: unknown, callerId: string) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.code === 'CANCELLED') return;
    recordRefusal(error);
    if (isOperationRefusal(error)) throttle.recordRefusal(callerId);
    await throttle.delayRefusal(request.socket, error);
    sendError(response, error.code === 'RATE_LIMITED' ? 429 : 400, error, requestId);
  }

  async function refuseCaller(
    { request, response, requestId }: ResponseTarget,
    refusal: GatewayError,
  ): Promise<undefined> {
    await throttle.delayRefusal(request.socket, refusal);
    recordRefusal(refusal);
    sendAuthError(response, refusal, requestId);
  }

  function recordResponse(
    { requestId, session: { caller } }: Exchange,
    sent: SentResponse,
    startedAtMs: number,
    callerId: string,
  ): void {
    const durationMs = performance.now() - startedAtMs;
    requestMetrics.recordOperation(sent.source, durationMs);
    accessLog?.record({ requestId, caller, transport: 'http', durationMs, ...sent });
    if (isClientError(sent.status)) throttle.recordRefusal(callerId);
  }

  /** Undefined if the response is a stream. */
  function serve(exchange: Exchange, text: string): MaybePromise<SentResponse | undefined> {
    if (!mayAskForStream(exchange.request)) return respond(exchange, text);
    const answering = answerInParts({ ...exchange, text });
    return answering === undefined
      ? serveWhole(exchange, text)
      : answering.then((answer) => (answer ? sendAnswer(exchange, answer) : serveWhole(exchange, text)));
  }

  function serveWhole(exchange: Exchange, text: string): MaybePromise<SentResponse | undefined> {
    return streams.handle({ ...exchange, text }) ? undefined : respond(exchange, text);
  }

  // One function with few promises: a cached response awaits only the body of its request.
  return async (request, response, requestId, trace) => {
    const opening = authenticate(request, openSession);
    const session = isPromise(opening) ? await opening : opening;
    if (session instanceof GatewayError) return refuseCaller({ request, response, requestId }, session);
    const exchange = { request, response, requestId, session, trace };
    const callerId = toCallerId(remoteAddressOf(request), session.caller);
    const budget = budgets(callerId);
    const startedAtMs = performance.now();
    let release = () => {
      chargeUnsentBytes(response, budget, recordRefusal);
      session.release();
    };
    try {
      const turn = throttle.admit(callerId);
      if (turn !== undefined) await turn;
      checkRoomForResponse(budget);
      const text = hasJsonBody(request) ? await readBodyText(request, maxBodyBytes) : '';
      const serving = serve(exchange, text);
      const sent = isPromise(serving) ? await serving : serving;
      // A stream bounds its unsent bytes by itself, and keeps its session.
      if (sent === undefined) release = () => {};
      else recordResponse(exchange, sent, startedAtMs, callerId);
      return sent?.source;
    } catch (error) {
      await fail(exchange, error, callerId);
      return undefined;
    } finally {
      release();
    }
  };
}

const noStreams = { handle: () => false };

/** Whether the operation was refused. Executed operations have status 200, with or without field errors. */
function isClientError(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Opens a session by the headers alone, before the body is read. Returns the error if the caller is refused. */
function authenticate(
  request: IncomingMessage,
  openSession: OpenSession,
): MaybePromise<CallerSession | GatewayError> {
  return settle<CallerSession, CallerSession | GatewayError>(
    () => openSession(readCredentialFromHeaders(request.headers), remoteAddressOf(request)),
    (session) => session,
    (error) => {
      if (error instanceof GatewayError) return error;
      throw error;
    },
  );
}

interface SentResponse {
  status: number;
  source: ResponseSource;
  operation: OperationSummary | undefined;
  /** Undefined if the response was executed for another request. */
  reads?: Context['reads'] | undefined;
}

function createResponder(options: GraphqlHandlerOptions) {
  const { apolloServer, admission, clock } = options;
  const cache = createResponseCache<ExecutedResponse>();
  const { sendCached, sendUncached } = createResponseSender(createCompressor());
  const execute = createRequestExecutor(apolloServer, clock);

  function send(
    exchange: Exchange,
    cacheable: CacheableRequest,
    cached: CachedResponse,
  ): MaybePromise<number> {
    return sendCached(exchange, cached, clock.now(), (encoding, bytes) =>
      cache.addEncoded(cacheable, cached.entityTag, encoding, bytes),
    );
  }

  async function executeOrJoin(
    exchange: Exchange,
    text: string,
    cacheable: CacheableRequest,
    takesShared: boolean,
  ): Promise<SentResponse> {
    const { response } = exchange;
    const { admitted, isShareable } = admitRequest(exchange, text, admission);
    let source: ResponseSource = 'joined' as ResponseSource;
    const run = async (cancellation: Cancellation) => {
      source = 'executed';
      const executed = await execute(admitted, cancellation);
      if (executed.cached) cache.set(cacheable, executed.cached, clock.now());
      return executed;
    };
    const executed = await (isShareable && takesShared
      ? cache.coalesce(cacheable, watchDisconnect(response), run)
      : run(cancelOnDisconnect(response)));
    const status = await (executed.cached
      ? send(exchange, cacheable, executed.cached)
      : sendUncached(exchange, executed));
    const { operation, reads } = executed;
    return { status, source, operation, reads: source === 'executed' ? reads : undefined };
  }

  /** Returns no promise if the response is cached. */
  const respond = (exchange: Exchange, text: string): MaybePromise<SentResponse> => {
    const { request, session } = exchange;
    const key = toRequestKey(session.authorizationKey, request, text);
    const cacheable = { key, version: session.cacheVersion() };
    const takesShared = acceptsShared(request);
    const cached = takesShared ? cache.get(cacheable, clock.now()) : undefined;
    if (cached === undefined) return executeOrJoin(exchange, text, cacheable, takesShared);
    const { operation } = cached;
    const toSent = (status: number): SentResponse => ({ status, source: 'cached', operation });
    return whenReady(send(exchange, cacheable, cached), toSent);
  };

  /** Sends a result that turned out to be complete. */
  const sendAnswer = async (exchange: Exchange, { text }: IncrementalAnswer): Promise<SentResponse> => {
    const headers = new Map([['content-type', 'application/json; charset=utf-8']]);
    const { requestId } = exchange;
    const executed = { status: 200, headers, text: `${text}\n`, requestId };
    const status = text === undefined ? 200 : await sendUncached(exchange, executed);
    return { status, source: 'executed', operation: undefined };
  };
  return { respond, sendAnswer };
}

/** Whether the request may get a response that was made for another request. */
function acceptsShared(request: IncomingMessage): boolean {
  return !wantsFresh(request) && !wantsExplanation(request);
}

/** Allocates nothing but one object, unlike a controller per request. */
function watchDisconnect(response: ServerResponse): Cancellation {
  return {
    // The client may have disconnected while the caller was authenticated.
    isCancelled: () => response.destroyed,
    onCancelled(listener) {
      response.once('close', listener);
      return () => void response.off('close', listener);
    },
  };
}

function cancelOnDisconnect(response: ServerResponse): Cancellation {
  const cancellation = createCancellation();
  if (response.destroyed) cancellation.abort();
  response.once('close', () => {
    if (!response.writableFinished) cancellation.abort();
  });
  return cancellation;
}
