/** How the explorer reaches the gateway that served it: HTTP for queries, one lazy websocket for subscriptions. */
import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit';
import { createClient } from 'graphql-ws';

function socketUrl(): string {
  const url = new URL('/graphql', window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/**
 * A fetcher for GraphiQL. A browser can set no headers on a websocket, so what stands in the headers editor
 * travels as `connectionParams` there; the socket closes with its last subscription, hence the next one
 * connects with the headers of that moment.
 */
export function createExplorerFetcher(): Fetcher {
  let headers: Record<string, unknown> = {};
  const wsClient = createClient({ url: socketUrl(), lazy: true, connectionParams: () => headers });
  const fetcher = createGraphiQLFetcher({ url: '/graphql', wsClient, enableIncrementalDelivery: false });
  return (params, options) => {
    headers = options?.headers ?? {};
    return fetcher(params, options);
  };
}
