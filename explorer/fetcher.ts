/** Sends queries over HTTP, and subscriptions over one websocket that opens on demand. */
import { createGraphiQLFetcher, type Fetcher, type FetcherOpts, type FetcherParams } from '@graphiql/toolkit';
import { getOperationAST } from 'graphql';
import { createClient } from 'graphql-ws';
import { listEvents } from './eventList.js';
import { session, sessionHeaders } from './session.js';

function socketUrl(): string {
  const url = new URL('/graphql', window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/**
 * Creates a fetcher for GraphiQL. Browsers cannot set headers on a websocket, so the credential and the content of the
 * headers editor are sent as `connectionParams`. The socket closes with its last subscription, so the next subscription
 * uses the current headers. Headers of the editor have precedence over the page's own.
 */
export function createExplorerFetcher(): Fetcher {
  let headers: Record<string, unknown> = {};
  const wsClient = createClient({ url: socketUrl(), lazy: true, connectionParams: () => headers });
  const fetcher = createGraphiQLFetcher({
    url: '/graphql',
    wsClient,
    headers: { accept: 'application/json, multipart/mixed;incrementalSpec=v0.2' },
  });
  return async (params, options) => {
    headers = { ...sessionHeaders(), ...options?.headers };
    const isExplained = session.isExplaining() && params.operationName !== 'IntrospectionQuery';
    const explain = isExplained ? { 'X-Explain': '1' } : {};
    const result = await fetcher(params, { ...options, headers: { ...explain, ...headers } });
    return isSubscription(params, options)
      ? (listEvents(toEvents(result)) as unknown as typeof result)
      : result;
  };
}

/** Queries have several results too, if they are delivered in parts. GraphiQL merges those. */
function isSubscription({ operationName }: FetcherParams, options: FetcherOpts | undefined): boolean {
  const operation = options?.documentAST && getOperationAST(options.documentAST, operationName);
  return operation?.operation === 'subscription';
}

function toEvents(result: object): AsyncIterable<unknown> {
  if (Symbol.asyncIterator in result) return result as AsyncIterable<unknown>;
  throw new Error('A subscription has no events.');
}
