/** Sends queries over HTTP, and subscriptions over one websocket that opens on demand. */
import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit';
import { createClient } from 'graphql-ws';
import { listEvents } from './eventList.js';

function socketUrl(): string {
  const url = new URL('/graphql', window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/**
 * Creates a fetcher for GraphiQL. Browsers cannot set headers on a websocket, so the content of the headers editor is sent
 * as `connectionParams`. The socket closes with its last subscription, so the next subscription uses the current headers.
 */
export function createExplorerFetcher(): Fetcher {
  let headers: Record<string, unknown> = {};
  const wsClient = createClient({ url: socketUrl(), lazy: true, connectionParams: () => headers });
  const fetcher = createGraphiQLFetcher({ url: '/graphql', wsClient, enableIncrementalDelivery: false });
  return async (params, options) => {
    headers = options?.headers ?? {};
    const result = await fetcher(params, options);
    return isSubscription(result) ? (listEvents(result) as unknown as typeof result) : result;
  };
}

/** Without incremental delivery, only subscriptions have several results. */
function isSubscription(result: object): result is AsyncIterable<unknown> {
  return Symbol.asyncIterator in result;
}
