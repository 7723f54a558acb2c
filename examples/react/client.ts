/** Apollo Client: queries over HTTP, subscriptions over one websocket that reconnects. */
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import { useSyncExternalStore } from 'react';
import { retry, timer } from 'rxjs';

const address = new URL('/graphql', location.href);
const RETRY_MS = 2000;
let state = 'Connecting …';
const listeners = new Set<() => void>();

function setState(text: string): void {
  state = text;
  for (const listener of listeners) listener();
}

const socket = createClient({
  url: address.href.replace('http', 'ws'),
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  on: {
    connected: () => setState('Live'),
    closed: () => setState('Reconnecting …'),
    ping: (_received, payload) => {
      // The time up to which the gateway has polled.
      if (payload?.['asOf']) setState(`Live, ${new Date(String(payload['asOf'])).toLocaleTimeString()}`);
    },
  },
});

const socketLink = new GraphQLWsLink(socket);

/** graphql-ws repeats subscriptions of a lost connection, but none that the gateway has ended, for example before it stops. */
const lastingLink = new ApolloLink((operation) =>
  socketLink.request(operation).pipe(
    retry({
      delay() {
        setState('Reconnecting …');
        return timer(RETRY_MS);
      },
    }),
  ),
);

export const client = new ApolloClient({
  link: ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    lastingLink,
    new HttpLink({ uri: address.href }),
  ),
  cache: new InMemoryCache(),
});

/** Calls back after each connection of the websocket. Returns a function that ends it. */
export function onConnected(listener: () => void): () => void {
  return socket.on('connected', listener);
}

/** The state of the connection, for people. */
export function useFreshness(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
