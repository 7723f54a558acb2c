/** Sends queries over HTTP, and all subscriptions over one websocket. */
import { createClient } from 'graphql-ws';
import type { ResponseError } from './refresh.js';

const address = new URL('/graphql', location.href);
const RETRY_MS = 2000;

interface Result<Data> {
  data?: Data | null;
  errors?: ResponseError[];
}

class QueryError extends Error {
  readonly errors: readonly ResponseError[];

  constructor(message: string, errors: readonly ResponseError[]) {
    super(message);
    this.errors = errors;
  }
}

/**
 * Runs a query. Throws the first error that sets a root field or one of its fields to null. Other errors affect
 * only a detail.
 */
export async function query<Data>(document: string, variables: object = {}): Promise<Data> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: document, variables }),
  });
  // If the gateway is down, a proxy in front of it does not send JSON.
  const { data, errors = [] }: Result<Data> = await response.json().catch(() => ({}));
  const failure = data ? errors.find(({ path }) => !path || path.length <= 2) : errors[0];
  if (!data || failure)
    throw new QueryError(failure?.message ?? `HTTP status ${response.status}`, failure ? [failure] : []);
  return data;
}

interface LiveOptions {
  /**
   * Called at the first heartbeat of each connection, and of each subscription that begins again. Load what has changed
   * since: queries now have every sample from before the subscriptions.
   */
  onConnected(): void;
  /** Called with the time up to which the gateway has polled. */
  onFresh(asOf: Date): void;
  onLost(): void;
}

/** Opens the connection, and returns a function that subscribes on it. */
export function connect({ onConnected, onFresh, onLost }: LiveOptions) {
  let isCurrent = false;
  const client = createClient({
    url: address.href.replace('http', 'ws'),
    lazy: false,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    on: {
      closed() {
        isCurrent = false;
        onLost();
      },
      ping: (_received, payload) => {
        if (!payload?.['asOf']) return;
        if (!isCurrent) onConnected();
        isCurrent = true;
        onFresh(new Date(String(payload['asOf'])));
      },
    },
  });
  return function subscribe<Data>(document: string, next: (data: Data) => void): void {
    const again = () => {
      onLost();
      setTimeout(() => {
        isCurrent = false;
        subscribe(document, next);
      }, RETRY_MS);
    };
    // graphql-ws repeats the subscriptions of a lost connection, but not those that the gateway has ended, for
    // example before it stops. The gateway then sends a last result with `errors`, and completes the subscription.
    client.subscribe<Data>(
      { query: document },
      { next: ({ data }) => data && next(data), error: again, complete: again },
    );
  };
}
