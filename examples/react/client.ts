/** Apollo Client: queries over HTTP, subscriptions over one websocket that reconnects. */
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import { useEffect, useSyncExternalStore } from 'react';
import { filter, repeat, retry, tap, timer } from 'rxjs';
import { retryDelay } from '../dashboard/refresh.js';
import { possibleTypes, typePolicies } from './cachePolicies.js';

/** If a field fails, it is null, and the page uses the rest of the response. */
declare module '@apollo/client' {
  namespace ApolloClient.DeclareDefaultOptions {
    interface Query {
      errorPolicy: 'all';
    }
    interface WatchQuery {
      errorPolicy: 'all';
    }
  }
}

const address = new URL('/graphql', location.href);
const RETRY_MS = 2000;
let state = 'Connecting …';
const listeners = new Set<() => void>();
let isCurrent = false;
const connectionListeners = new Set<() => void>();

function setState(text: string): void {
  state = text;
  for (const listener of listeners) listener();
}

const socket = createClient({
  url: address.href.replace('http', 'ws'),
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  on: {
    closed() {
      isCurrent = false;
      setState('Reconnecting …');
    },
    ping: (_received, payload) => {
      // The time up to which the gateway has polled.
      if (!payload?.['asOf']) return;
      setState(`Live, ${new Date(String(payload['asOf'])).toLocaleTimeString()}`);
      if (isCurrent) return;
      isCurrent = true;
      for (const listener of connectionListeners) listener();
    },
  },
});

const socketLink = new GraphQLWsLink(socket);

/** Waits until the next attempt to connect. The first heartbeat then reloads what has changed in the meantime. */
function again() {
  setState('Reconnecting …');
  return timer(RETRY_MS).pipe(
    tap(() => {
      isCurrent = false;
    }),
  );
}

/**
 * graphql-ws repeats the subscriptions of a lost connection, but not those that the gateway has ended, for example
 * before it stops. The gateway then sends a last result with errors and without data, and completes the
 * subscription.
 */
const lastingLink = new ApolloLink((operation) =>
  socketLink.request(operation).pipe(
    filter(({ data, errors }) => Boolean(data) || !errors),
    repeat({ delay: again }),
    retry({ delay: again }),
  ),
);

export const client = new ApolloClient({
  link: ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    lastingLink,
    new HttpLink({ uri: address.href }),
  ),
  cache: new InMemoryCache({ typePolicies, possibleTypes }),
  defaultOptions: { query: { errorPolicy: 'all' }, watchQuery: { errorPolicy: 'all' } },
});

/**
 * Calls back at the first heartbeat of each connection and of each repeated subscription. From then on, queries include
 * every sample from before the subscriptions. Returns a function that ends the calls.
 */
export function onConnected(listener: () => void): () => void {
  connectionListeners.add(listener);
  return () => void connectionListeners.delete(listener);
}

/** Repeats a query while it fails. */
export function useRetry(error: Error | undefined, refetch: () => Promise<unknown>): void {
  useEffect(() => {
    if (error === undefined) return undefined;
    const timer = setInterval(() => refetch().catch(() => undefined), retryDelay(error));
    return () => clearInterval(timer);
  }, [error, refetch]);
}

/** The state of the connection, as text for the visitor. */
export function useFreshness(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
