/** Queries over HTTP, and one websocket for everything that is live. */
import { createClient } from 'graphql-ws';

const address = new URL('/graphql', location.href);
const RETRY_MS = 2000;

/** Runs a query. Throws the first error of a response without data. */
export async function query<Data>(document: string, variables: object = {}): Promise<Data> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: document, variables }),
  });
  const { data, errors } = await response.json();
  if (!data) throw new Error(errors?.[0]?.message ?? response.statusText);
  return data;
}

interface LiveOptions {
  /** Called after each connection, also after a lost one: load what has changed since. */
  onConnected(): void;
  /** Called with the time up to which the gateway has polled. */
  onFresh(asOf: Date): void;
  onLost(): void;
}

/** Opens the connection, and returns a function that subscribes on it. */
export function connect({ onConnected, onFresh, onLost }: LiveOptions) {
  const client = createClient({
    url: address.href.replace('http', 'ws'),
    lazy: false,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    on: {
      connected: onConnected,
      closed: onLost,
      ping: (_received, payload) => {
        if (payload?.['asOf']) onFresh(new Date(String(payload['asOf'])));
      },
    },
  });
  return function subscribe<Data>(document: string, next: (data: Data) => void): void {
    const error = () => {
      onLost();
      setTimeout(() => {
        subscribe(document, next);
        onConnected();
      }, RETRY_MS);
    };
    // graphql-ws repeats subscriptions of a lost connection, but none that the gateway has ended, for example before it stops.
    client.subscribe<Data>(
      { query: document },
      { next: ({ data }) => data && next(data), error, complete: () => {} },
    );
  };
}
