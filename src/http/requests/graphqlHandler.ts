/** Serves GraphQL over HTTP at one address, by a cached response, an execution in flight, or a new execution. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApolloServer } from '@apollo/server';
import { GatewayError } from '../../errors.js';
import type { Context } from '../../graphql/context.js';
import { type AdmissionPolicy, admitOperation } from '../../graphql/limits/admitOperation.js';
import { type Cancellation, createCancellation, type LazyCancellation } from '../../lib/cancellation.js';
import type { Clock } from '../../lib/clock.js';
import { isPromise, type MaybePromise, settle, whenReady } from '../../lib/maybePromise.js';
import { sendAuthError } from '../auth/authErrors.js';
import type { CallerSession, OpenSession } from '../auth/callerSession.js';
import { readCredentialFromHeaders } from '../auth/providedCredential.js';
import { toCallerId } from '../rateLimits/callerRateLimiter.js';
import { type CallerThrottle, isOperationRefusal } from '../rateLimits/callerThrottle.js';
import type { CachedResponse } from '../responseCache/cachedResponse.js';
import { toRequestKey } from '../responseCache/requestKey.js';
import { type CacheableRequest, createResponseCache } from '../responseCache/responseCache.js';
import { createCompressor } from '../responses/compressor.js';
import { sendError } from '../responses/sendError.js';
import {
  createResponseSender,
  type ExecutedResponse,
  type ResponseTarget,
} from '../responses/sendResponse.js';
import type { RequestMetrics, ResponseSource } from '../server/requestMetrics.js';
import { type AdmittedRequest, createRequestExecutor } from './executeRequest.js';
import { hasJsonBody, readParameters, wantsExplanation, wantsFresh } from './operationRequest.js';
import { parseJsonBody, readBodyText } from './requestBody.js';

export interface GraphqlHandlerOptions {
  apolloServer: ApolloServer<Context>;
  openSession: OpenSession;
  admission: AdmissionPolicy;
  throttle: CallerThrottle;
  /** The largest body read, in bytes. */
  maxBodyBytes: number;
  clock: Clock;
  requestMetrics: RequestMetrics;
}

export type GraphqlHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
) => Promise<void>;

/** A request of a caller who was let in. */
interface Exchange extends ResponseTarget {
  session: CallerSession;
}

export function createGraphqlHandler(options: GraphqlHandlerOptions): GraphqlHandler {
  const { openSession, throttle, requestMetrics, maxBodyBytes } = options;
  const answerOperation = createOperationHandler(options);

  async function fail({ request, response, requestId }: ResponseTarget, error: unknown, name: string) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.code === 'CANCELLED') return;
    requestMetrics.recordRefusal(error.code);
    if (isOperationRefusal(error)) throttle.recordRefusal(name);
    await throttle.delayRefusal(request.socket, error);
    sendError(response, error.code === 'RATE_LIMITED' ? 429 : 400, error, requestId);
  }

  async function refuse({ request, response, requestId }: ResponseTarget, refusal: GatewayError) {
    await throttle.delayRefusal(request.socket, refusal);
    requestMetrics.recordRefusal(refusal.code);
    sendAuthError(response, refusal, requestId);
  }

  // One function with as few promises as possible: a cached response waits for nothing but the body of its request.
  return async (request, response, requestId) => {
    const opening = letIn(request, openSession);
    const session = isPromise(opening) ? await opening : opening;
    if (session instanceof GatewayError) return refuse({ request, response, requestId }, session);
    const exchange = { request, response, requestId, session };
    const name = toCallerId(request, session.caller);
    const startedAtMs = performance.now();
    try {
      const turn = throttle.admit(name);
      if (turn !== undefined) await turn;
      const text = hasJsonBody(request) ? await readBodyText(request, maxBodyBytes) : '';
      const answering = answerOperation(exchange, text);
      const { status, kind } = isPromise(answering) ? await answering : answering;
      requestMetrics.recordOperation(kind, performance.now() - startedAtMs);
      if (isClientError(status)) throttle.recordRefusal(name);
    } catch (error) {
      await fail(exchange, error, name);
    } finally {
      session.release();
    }
  };
}

/** An operation that was not run, by what it is; those that ran are answered with 200, whatever became of their fields. */
function isClientError(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Before anything of the request is read but its headers. */
function letIn(
  { headers, socket }: IncomingMessage,
  openSession: OpenSession,
): MaybePromise<CallerSession | GatewayError> {
  return settle<CallerSession, CallerSession | GatewayError>(
    () => openSession(readCredentialFromHeaders(headers), socket.remoteAddress ?? ''),
    (session) => session,
    (error) => {
      if (error instanceof GatewayError) return error;
      throw error;
    },
  );
}

/** The operation within all limits, or the error of the first one that it exceeds. */
function admit({ request, requestId, session }: Exchange, text: string, admission: AdmissionPolicy) {
  const body = hasJsonBody(request) ? parseJsonBody(text) : undefined;
  const { source, kind, cost } = admitOperation(admission, readParameters(request, body));
  const admitted: AdmittedRequest = { request, requestId, session, body, cost };
  return { admitted, mayShare: kind === 'query' && !readsQueue(source ?? '') };
}

/**
 * Whether the document may read a delivery queue, by the names of the fields that do. Such an operation is never
 * joined: after an acknowledgement was answered, in this process or any other, the next read must not be answered by
 * one that began before. Its response is never cached either, since the queue is read past all caches.
 */
export function readsQueue(source: string): boolean {
  return source.includes('sampleBatch');
}

/** How an operation was answered: the status that was sent, and where the response came from. */
interface HandledRequest {
  status: number;
  kind: ResponseSource;
}

function createOperationHandler(options: GraphqlHandlerOptions) {
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
  ): Promise<HandledRequest> {
    const { request, response } = exchange;
    const { admitted, mayShare } = admit(exchange, text, admission);
    let kind: ResponseSource = 'joined';
    const run = async (cancellation: LazyCancellation) => {
      kind = 'executed';
      const executed = await execute(admitted, cancellation);
      if (executed.cached) cache.set(cacheable, executed.cached, clock.now());
      return executed;
    };
    const executed = await (mayShare && isPlain(request)
      ? cache.coalesce(cacheable, leavingOf(response), run)
      : run(endingWith(response)));
    const status = await (executed.cached
      ? send(exchange, cacheable, executed.cached)
      : sendUncached(exchange, executed));
    return { status, kind };
  }

  /** At once where the response is cached. */
  return (exchange: Exchange, text: string): MaybePromise<HandledRequest> => {
    const { request, session } = exchange;
    const key = toRequestKey(session.responseCacheScope, request, text);
    const cacheable = { key, version: session.cacheVersion() };
    const cached = isPlain(request) ? cache.get(cacheable, clock.now()) : undefined;
    if (cached === undefined) return executeOrJoin(exchange, text, cacheable);
    return whenReady(send(exchange, cacheable, cached), (status) => ({ status, kind: 'kept' }));
  };
}

/** Whether a response that was made for another caller of the same scope will do. */
function isPlain(request: IncomingMessage): boolean {
  return !wantsFresh(request) && !wantsExplanation(request);
}

function leavingOf(response: ServerResponse): Cancellation {
  return {
    // Perhaps while it was looked into who calls.
    isCancelled: () => response.destroyed,
    onCancelled(onLeave) {
      response.once('close', onLeave);
      return () => void response.off('close', onLeave);
    },
  };
}

function endingWith(response: ServerResponse): LazyCancellation {
  const cancellation = createCancellation();
  if (response.destroyed) cancellation.abort();
  response.once('close', () => {
    if (!response.writableFinished) cancellation.abort();
  });
  return cancellation;
}
