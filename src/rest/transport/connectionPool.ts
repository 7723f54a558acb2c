/**
 * Keeps connections to the platform, each for one request at a time. undici's own pool would open another one
 * for each request that is given up; and whoever gives up here is rid of the connection at once.
 */
import { buildConnector, Client } from './undici.js';

export interface ConnectionPoolOptions {
  /** Scheme, host and port. */
  origin: string;
  /** The most milliseconds until there is a connection. */
  connectTimeoutMs: number;
}

export interface ConnectionPool {
  /** The one last used of those that are idle, or a new one. Each is given back or dropped in the end. */
  acquire(): Client;
  /** One that is used once, and closed by the answer. */
  acquireFresh(): Client;
  /** It has had its answer. */
  release(client: Client): void;
  /** It failed, or its answer is no longer wanted: what is under way on it ends. */
  destroy(client: Client): void;
  /** Drops all. */
  close(): void;
}

/** Idle connections are closed after this long; where the platform names a time, a second before that. */
const KEEP_ALIVE_MS = 60_000;
const KEEP_ALIVE_MARGIN_MS = 1000;

export function createConnectionPool({ origin, connectTimeoutMs }: ConnectionPoolOptions): ConnectionPool {
  const open = new Set<Client>();
  const idle: Client[] = [];
  // Shared, so that a TLS session is resumed by the next connection.
  const connect = buildConnector({ timeout: connectTimeoutMs });

  /** Its only timeout is the one for connecting: each request has its own. */
  function create(pipelining: number): Client {
    const timeouts = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS };
    const client = new Client(origin, {
      ...timeouts,
      keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
      connect,
      pipelining,
    });
    open.add(client);
    return client;
  }

  function destroy(client: Client): void {
    if (open.delete(client)) client.destroy().catch(() => undefined);
  }

  return {
    acquire: () => idle.pop() ?? create(1),
    acquireFresh: () => create(0),
    release(client) {
      if (client.pipelining === 0) destroy(client);
      else if (open.has(client)) idle.push(client);
    },
    destroy,
    close() {
      for (const client of open) destroy(client);
    },
  };
}
