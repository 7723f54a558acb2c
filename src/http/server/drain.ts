/** Tracks responses, and stops a server gracefully: completes responses in flight and refuses new requests. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The status that nginx logs for a client that disconnected before the response. */
export const CLIENT_DISCONNECTED = 499;
/** Milliseconds for flushing the last refusals. */
const CLOSE_TIMEOUT_MS = 250;

/**
 * The port stays open while it drains, so that a load balancer gets 503 instead of a refused connection. `onResponse` is
 * called for each tracked response when it has ended.
 */
export function createDrain(server: Server, onResponse: (status: number, request: IncomingMessage) => void) {
  const inFlight = new Set<ServerResponse>();
  /**
   * The responses that began to wait for their turn on a connection. Contains only connections that have had pipelined
   * requests.
   */
  const queuedBySocket = new WeakMap<Socket, Set<ServerResponse>>();
  /** All open connections. Node does not close those of a TLS server whose handshake has not ended. */
  const connections = new Set<Socket>();
  let isDraining = false;
  let onEmpty: (() => void) | undefined;
  let onDisconnected: (() => void) | undefined;

  function queueOf(socket: Socket): Set<ServerResponse> {
    const known = queuedBySocket.get(socket);
    if (known !== undefined) return known;
    const queue = new Set<ServerResponse>();
    queuedBySocket.set(socket, queue);
    socket.on('close', closeQueued);
    return queue;
  }

  /**
   * Emits `close` on the pipelined responses that wait for their turn on a closed connection. Node emits it only on the
   * response that is being sent, so work for the others would not be cancelled and their memory not released. One
   * listener for all connections.
   */
  function closeQueued(this: Socket): void {
    for (const response of queuedBySocket.get(this) ?? []) {
      if (response.socket !== null) continue;
      response.destroy();
      response.emit('close');
    }
  }

  /** A response ends with its `close` event: the kernel has taken the last byte, or the client disconnected. */
  function track(response: ServerResponse): void {
    inFlight.add(response);
    // Node gives the connection to the first response before it emits the request.
    if (response.socket === null) queueOf(response.req.socket).add(response);
    response.on('close', end);
  }

  /** One function for all responses, because each request adds it as a listener. */
  function end(this: ServerResponse): void {
    if (!inFlight.delete(this)) return;
    queuedBySocket.get(this.req.socket)?.delete(this);
    onResponse(this.headersSent ? this.statusCode : CLIENT_DISCONNECTED, this.req);
    if (inFlight.size === 0) onEmpty?.();
  }

  const untilEmpty = (graceMs: number) =>
    waitAtMost(graceMs, inFlight.size === 0, (resolve) => {
      onEmpty = resolve;
    });
  const untilDisconnected = (idleMs: number) =>
    waitAtMost(idleMs, connections.size === 0, (resolve) => {
      onDisconnected = resolve;
    });

  server.on('connection', (socket: Socket) => {
    // Emitted again after an upgrade that was not accepted.
    if (connections.has(socket)) return;
    connections.add(socket);
    socket.once('close', () => {
      connections.delete(socket);
      if (connections.size === 0) onDisconnected?.();
    });
  });

  return {
    /** Tracks a response as in flight. Returns true if the server is draining: refuse the request then. */
    refuses(response: ServerResponse): boolean {
      if (isDraining) response.setHeader('Connection', 'close');
      else track(response);
      return isDraining;
    },
    /** Responses in flight. */
    responseCount: () => inFlight.size,
    /**
     * Waits up to `graceMs` until all responses in flight are flushed, then closes the port and all connections. Before
     * that, clients with idle connections have `idleMs` to send a request, and learn from its refusal that the connection
     * closes: the request of a client that sends it while the gateway closes the connection would be lost. Resolves with
     * the number of responses that were cut off.
     */
    async close(graceMs: number, idleMs = 0): Promise<number> {
      isDraining = true;
      // Each of these responses is the last one on its connection.
      for (const response of inFlight) if (!response.headersSent) response.setHeader('Connection', 'close');
      // Idle connections are not closed before this wait is over, because `closeIdleConnections` also destroys a connection
      // whose response was ended and is still being sent.
      await Promise.all([untilEmpty(graceMs), untilDisconnected(idleMs)]);
      const cutOff = inFlight.size;
      await closeAll(server, connections, CLOSE_TIMEOUT_MS);
      return cutOff;
    },
  };
}

function waitAtMost(
  timeoutMs: number,
  isOver: boolean,
  onOver: (resolve: () => void) => void,
): Promise<void> {
  if (isOver || timeoutMs === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    onOver(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function closeAll(server: Server, others: ReadonlySet<Socket>, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.closeAllConnections();
      for (const socket of others) socket.destroy();
    }, timeoutMs);
    // Closes idle connections too.
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
