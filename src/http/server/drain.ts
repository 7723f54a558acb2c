/** Stops a server gracefully: responses in flight are completed, new requests are refused. */
import type { Server, ServerResponse } from 'node:http';

export interface Drain {
  /** Tracks a response as in flight. Returns true if the server is draining: refuse the request then. */
  refuses(response: ServerResponse): boolean;
  /** Waits up to `graceMs` until all responses in flight are flushed, then closes the port and all connections. */
  close(graceMs: number): Promise<void>;
}

/** The status that nginx logs for a client that disconnected before the response. */
const CLIENT_DISCONNECTED = 499;
/** Milliseconds for the refusals that were written last. */
const CLOSE_TIMEOUT_MS = 250;

/** The port stays open while it drains, so that a load balancer gets 503 instead of a refused connection. */
export function createDrain(server: Server, onAnswered: (status: number) => void): Drain {
  const inFlight = new Set<ServerResponse>();
  let isDraining = false;
  let onEmpty: (() => void) | undefined;

  /** A response is over with its `close` event: the client disconnected, or the kernel has taken the last byte. */
  function track(response: ServerResponse): void {
    inFlight.add(response);
    response.once('close', () => {
      inFlight.delete(response);
      onAnswered(response.headersSent ? response.statusCode : CLIENT_DISCONNECTED);
      if (inFlight.size === 0) onEmpty?.();
    });
  }

  function untilEmpty(graceMs: number): Promise<void> {
    if (inFlight.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      onEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    refuses(response) {
      if (isDraining) response.setHeader('Connection', 'close');
      else track(response);
      return isDraining;
    },
    async close(graceMs) {
      isDraining = true;
      // Each of them is the last response on its connection.
      for (const response of inFlight) if (!response.headersSent) response.setHeader('Connection', 'close');
      // Idle connections stay open until then: `closeIdleConnections` also destroys a connection whose response was
      // ended and is still being sent.
      await untilEmpty(graceMs);
      await closeAll(server, CLOSE_TIMEOUT_MS);
    },
  };
}

function closeAll(server: Server, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
    // Closes idle connections too.
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
