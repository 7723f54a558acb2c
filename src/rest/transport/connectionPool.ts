/**
 * A pool of connections to the platform, each for one request at a time. The pool of undici would open another
 * connection for each cancelled request; this one closes the connection at once.
 */
import { buildConnector, Client } from './undici.js';

export interface ConnectionPoolOptions {
  /** Scheme, host and port. */
  origin: string;
  /** Timeout for connecting. */
  connectTimeoutMs: number;
}

export interface ConnectionPool {
  /** The most recently used idle connection, or a new one. Call `release` or `destroy` in the end. */
  acquire(): Client;
  /** A new connection that is closed after its response. */
  acquireFresh(): Client;
  /** The response is complete. */
  release(client: Client): void;
  /** The request failed or was cancelled: closes the connection at once. */
  destroy(client: Client): void;
  /** Closes all connections. */
  close(): void;
}

/** Idle connections are closed after this time, or a second before the time that the platform sends. */
const KEEP_ALIVE_MS = 60_000;
const KEEP_ALIVE_MARGIN_MS = 1000;

export function createConnectionPool({ origin, connectTimeoutMs }: ConnectionPoolOptions): ConnectionPool {
  const open = new Set<Client>();
  const idle: Client[] = [];
  // Shared, so that new connections resume the TLS session.
  const connect = buildConnector({ timeout: connectTimeoutMs });

  /** Without timeouts except for connecting: each request has its own timeout. */
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
