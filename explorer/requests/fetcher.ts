/** Sends queries over HTTP, and subscriptions over one websocket that opens on demand. */
import {
  createGraphiQLFetcher,
  type Fetcher,
  type FetcherOpts,
  type FetcherParams,
  isAsyncIterable,
} from '@graphiql/toolkit';
import { GraphQLError, getOperationAST } from 'graphql';
import { createClient } from 'graphql-ws';
import { session, sessionHeaders } from '../session.js';
import { CREDENTIAL_SENT, NOT_EXPLAINED, status } from '../status.js';
import { listEvents } from './eventList.js';
import { fetchFromGateway, NO_RESPONSE } from './fetchFromGateway.js';
import { findInvalidHeader } from './findInvalidHeader.js';
import { joinExplanations } from './joinExplanations.js';
import { joinHeaders } from './joinHeaders.js';
import { continueAfter, ResumedEvents } from './resumedEvents.js';
import { stopAtOnce } from './stopAtOnce.js';

function socketUrl(): string {
  const url = new URL('/graphql', window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/** After two attempts, which take 3 to 7 seconds, the visitor is shown that the gateway is down. */
const RETRY_ATTEMPTS = 2;

const refusals: Readonly<Record<number, string>> = { 4401: 'UNAUTHENTICATED', 4403: 'FORBIDDEN' };

/** The error of a websocket that could not be opened, or was lost, contains no useful message. All other errors do. */
function toSocketFailure(error: unknown): unknown {
  if (error instanceof CloseEvent && error.reason !== '') {
    const code = refusals[error.code];
    return { message: error.reason, ...(code && { extensions: { code } }) };
  }
  if (error instanceof Event) return { message: NO_RESPONSE };
  return error instanceof Error ? { message: error.message } : error;
}

/**
 * Creates a fetcher for GraphiQL. Browsers cannot set headers on a websocket, so the credential and the content of the
 * headers editor are sent as `connectionParams`. The socket closes with its last subscription, so the next subscription
 * uses the current headers. Headers of the editor have precedence over the page's own.
 */
export function createExplorerFetcher() {
  let headers: Record<string, unknown> = {};
  /** GraphiQL runs one operation at a time. */
  let running: AsyncIterator<unknown> | undefined;
  let listed: ReturnType<typeof listEvents> | undefined;
  let resumed: ResumedEvents | undefined;
  const wsClient = createClient({
    url: socketUrl(),
    lazy: true,
    retryAttempts: RETRY_ATTEMPTS,
    // A subscription that has begun is resumed instead.
    shouldRetry: (failure) => failure instanceof CloseEvent && resumed?.hasBegun() !== true,
    connectionParams: () => headers,
    on: {
      ping(isReceived, heartbeat) {
        if (!isReceived) return;
        resumed?.heartbeat(heartbeat);
        if (typeof heartbeat?.['asOf'] === 'string') listed?.setAsOf(heartbeat['asOf']);
      },
    },
  });
  const createFetcher = (signal: AbortSignal) =>
    createGraphiQLFetcher({
      url: '/graphql',
      fetch: (input, init) => fetchFromGateway(input, { ...init, signal }),
      headers: { accept: 'application/json, multipart/mixed;incrementalSpec=v0.2' },
    });
  const fetcher: Fetcher = async (params, options) => {
    headers = joinHeaders(sessionHeaders(), options?.headers);
    const isIntrospection = params.operationName === 'IntrospectionQuery';
    if (!isIntrospection) beginStatus();
    if (isSubscription(params, options)) {
      // GraphiQL's own fetcher leaves a rejection uncaught at each failure.
      resumed = new ResumedEvents({
        subscribe: (cursor, sink) => wsClient.subscribe(continueAfter(params, cursor), sink),
        toFailure: toSocketFailure,
        onWait: (reason) => listed?.setReconnecting(reason),
      });
      listed = listEvents(resumed);
      running = listed;
      return listed as AsyncIterable<object>;
    }
    const invalid = findInvalidHeader(headers);
    if (invalid) return { errors: [new GraphQLError(invalid)] };
    const isExplained = session.isExplaining() && !isIntrospection;
    const explain = isExplained ? { 'X-Explain': '1' } : {};
    const request = new AbortController();
    const send = createFetcher(request.signal);
    const results = await send(params, { ...options, headers: { ...explain, ...headers } });
    // The response to an introspection query.
    if (!isAsyncIterable(results)) return results;
    const onUnexplained = () => {
      if (isExplained) status.set(NOT_EXPLAINED);
    };
    const shown = stopAtOnce(joinExplanations(results, onUnexplained), () => request.abort());
    running = shown;
    return shown as unknown as typeof results;
  };
  /** Ends the running operation, and closes the websocket. */
  const dispose = () => {
    void running?.return?.();
    void wsClient.dispose();
  };
  return { fetcher, dispose };
}

/** Replaces the status of an earlier operation. */
function beginStatus(): void {
  status.set(session.applyCredential() ? CREDENTIAL_SENT : '');
}

/** Queries have several results too, if they are delivered in parts. GraphiQL merges those. */
function isSubscription({ operationName }: FetcherParams, options: FetcherOpts | undefined): boolean {
  const operation = options?.documentAST && getOperationAST(options.documentAST, operationName);
  return operation?.operation === 'subscription';
}
