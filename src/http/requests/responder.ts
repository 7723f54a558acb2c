/**
 * Responds to a request with a cached response, the result of an execution in flight, or the result of a new
 * execution.
 */
import type { ServerResponse } from 'node:http';
import { hasCode } from '../../errors.js';
import type { GraphServer } from '../../graphql/apollo/apolloServer.js';
import type { Context } from '../../graphql/context.js';
import type { AdmissionPolicy, OperationSummary } from '../../graphql/limits/admitOperation.js';
import { type Cancellation, createCancellation } from '../../lib/cancellation.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { nextTurn } from '../../lib/slicedComputation.js';
import type { ExecutionLimit } from '../rateLimits/executionLimit.js';
import type { CachedResponse } from '../responseCache/cachedResponse.js';
import { type CacheableRequest, ResponseCache, toRequestKey } from '../responseCache/responseCache.js';
import { createCompressor } from '../responses/compressor.js';
import { chooseJsonType } from '../responses/mediaTypes.js';
import {
  CLIENT_DISCONNECTED,
  createResponseSender,
  type ExecutedResponse,
  isClientDisconnected,
} from '../responses/sendResponse.js';
import { admitRequest, createRequestExecutor, type Exchange } from './executeRequest.js';
import { requestsExplanation, requestsNoCache } from './operationRequest.js';
import type { ResponseSource } from './requestMetrics.js';

export interface ResponderOptions {
  apolloServer: GraphServer;
  admission: AdmissionPolicy;
  executions: ExecutionLimit;
  clock: Clock;
  /** Rate limited, because callers cause its messages. */
  logger: Logger;
}

export interface SentResponse extends ExecutionSummary {
  status: number;
  source: ResponseSource;
}

/** An execution, for the log. */
export interface ExecutionSummary {
  operation: OperationSummary | undefined;
  /** Undefined if the response was executed for another request. */
  reads?: Context['reads'] | undefined;
  errorCodes?: Context['errorCodes'] | undefined;
}

export function createResponder({ apolloServer, admission, executions, clock, logger }: ResponderOptions) {
  const cache = new ResponseCache<ExecutedResponse>();
  const { sendCached, sendUncached } = createResponseSender(createCompressor(), logger);
  const execute = createRequestExecutor(apolloServer, executions, clock);

  function send(exchange: Exchange, cacheable: CacheableRequest, cached: CachedResponse): Promise<number> {
    return sendCached(exchange, cached, clock.now(), (encoding, bytes) =>
      cache.addEncoded(cacheable, cached.entityTag, encoding, bytes),
    );
  }

  async function executeOrShare(
    exchange: Exchange,
    text: string,
    cacheable: CacheableRequest,
    acceptsShared: boolean,
  ): Promise<SentResponse> {
    const { response } = exchange;
    const { admitted, isShareable } = admitRequest(exchange, text, admission);
    let source = 'shared' as ResponseSource;
    const run = async (cancellation: Cancellation) => {
      source = 'executed';
      const executed = await execute(admitted, cancellation);
      if (executed.cached) cache.set(cacheable, executed.cached, clock.now());
      return executed;
    };
    const { callerId, request } = exchange;
    // An execution that has to wait is shared only among requests with the same credential. With another credential
    // of the caller, a request may execute at once, and that credential may still be valid after the wait.
    const hasRoom = executions.hasRoom(callerId, admitted.operation.cost);
    const { authorization, 'x-api-key': apiKey } = request.headers;
    const shared = hasRoom
      ? cacheable
      : { ...cacheable, key: JSON.stringify([callerId, authorization, apiKey, cacheable.key]) };
    const executing =
      isShareable && acceptsShared
        ? cache.coalesce(shared, watchDisconnect(response), run, exchange)
        : run(cancelOnDisconnect(response));
    const executed = await executing.catch(ignoreDisconnect);
    const { reads, operation } = admitted;
    if (executed === undefined || isClientDisconnected(response))
      return { ...LOST, source, operation, reads };
    const { cached, errorCodes } = executed;
    const status = await (cached ? send(exchange, cacheable, cached) : sendUncached(exchange, executed));
    return { status, source, operation, reads, errorCodes };
  }

  const respond = async (exchange: Exchange, text: string): Promise<SentResponse> => {
    const { request, session } = exchange;
    const scope = `${admission.documents.version()} ${session.authorizationKey}`;
    const key = toRequestKey(scope, request, text);
    const cacheable = { key, version: session.cacheVersion(), numbersVersion: session.numbersVersion() };
    // Whether the request may get a response that was made for another request.
    const acceptsShared = !requestsNoCache(request) && !requestsExplanation(request);
    const cached = acceptsShared ? cache.get(cacheable, clock.now()) : undefined;
    if (cached === undefined) return executeOrShare(exchange, text, cacheable, acceptsShared);
    const status = await send(exchange, cacheable, cached);
    return { status, source: 'cached', operation: cached.operation };
  };

  /** Sends the complete result of a request for incremental delivery. Without text, the results have already been sent. */
  const sendResult = async (
    exchange: Exchange,
    { text, ...result }: ExecutionSummary & { text: string | undefined },
  ): Promise<SentResponse> => {
    if (isClientDisconnected(exchange.response)) return { ...result, ...LOST, source: 'executed' };
    const headers = new Map([['content-type', chooseJsonType(exchange.request.headers.accept)]]);
    const { requestId } = exchange;
    const executed = { status: 200, headers, text: `${text}\n`, requestId };
    const status = text === undefined ? 200 : await sendUncached(exchange, executed);
    return { status, source: 'executed', ...result };
  };
  return { respond, sendResult };
}

/** Describes an operation whose client disconnected before the response. */
const LOST = { status: CLIENT_DISCONNECTED, errorCodes: new Set(['CANCELLED']) };

/**
 * Resolves to undefined if the client has disconnected, after the REST calls that were cancelled as a result are
 * counted.
 */
async function ignoreDisconnect(error: unknown): Promise<undefined> {
  if (!hasCode(error, 'CANCELLED')) throw error;
  await nextTurn();
}

/** Allocates only one object, unlike a controller for each request. */
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

/** Aborted when the client disconnects before the response is written. */
function cancelOnDisconnect(response: ServerResponse): Cancellation {
  const cancellation = createCancellation();
  if (response.destroyed) cancellation.abort();
  response.once('close', () => {
    if (!response.writableFinished) cancellation.abort();
  });
  return cancellation;
}
