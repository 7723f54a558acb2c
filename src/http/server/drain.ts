/** Ends a server in order: what is under way is answered, what comes new is told to go elsewhere. */
import type { Server, ServerResponse } from 'node:http';

export interface Drain {
  /** Counts an answer as under way, unless the end has begun: then true, and its connection is not kept. */
  refuses(response: ServerResponse): boolean;
  /** Waits for answers under way, up to `graceMs`, then closes the port and all connections. */
  close(graceMs: number): Promise<void>;
}

/** As nginx calls it: the caller left before there was an answer. */
const LEFT = 499;
/** What answers already written are given to arrive. */
const LAST_WORDS_MS = 250;

/** Until then the port stays open, so that a balancer is told 503 rather than left with a refused connection. */
export function createDrain(server: Server, onAnswered: (status: number) => void): Drain {
  const underWay = new Set<ServerResponse>();
  let isDraining = false;
  let onEmpty: (() => void) | undefined;

  function watch(response: ServerResponse): void {
    underWay.add(response);
    response.once('close', () => {
      underWay.delete(response);
      onAnswered(response.headersSent ? response.statusCode : LEFT);
      if (underWay.size === 0) onEmpty?.();
    });
  }

  function untilEmpty(graceMs: number): Promise<void> {
    if (underWay.size === 0) return Promise.resolve();
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
      else watch(response);
      return isDraining;
    },
    async close(graceMs) {
      isDraining = true;
      // What is under way is the last that its connection carries.
      for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close');
      server.closeIdleConnections();
      await untilEmpty(graceMs);
      await closeAll(server, LAST_WORDS_MS);
    },
  };
}

/** A connection closed in the middle of its last bytes would lose them: most end by themselves. */
function closeAll(server: Server, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
