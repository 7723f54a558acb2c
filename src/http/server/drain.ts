/** Tracks responses, and stops a server gracefully: completes responses in flight and refuses new requests. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { recordWaiting } from '../requests/requestBounds.js';
import { CLIENT_DISCONNECTED } from '../responses/sendResponse.js';

/** Milliseconds for flushing the last refusals. */
const CLOSE_TIMEOUT_MS = 250;

/** Called for each tracked response when it has ended. */
type OnResponse = (status: number, request: IncomingMessage) => void;

/** The port stays open while it drains, so that a load balancer gets 503 instead of a refused connection. */
export class Drain {
  readonly #server: Server;
  readonly #onResponse: OnResponse;
  readonly #inFlight = new Set<ServerResponse>();
  /** All open connections. Node does not close those of a TLS server whose handshake has not ended. */
  readonly #connections = new Set<Socket>();
  /** One function for all responses, because each request adds it as a listener. */
  readonly #endListener: (this: ServerResponse) => void;
  #isDraining = false;
  #onEmpty: (() => void) | undefined;
  #onDisconnected: (() => void) | undefined;

  constructor(server: Server, onResponse: OnResponse) {
    this.#server = server;
    this.#onResponse = onResponse;
    const end = (response: ServerResponse) => this.#end(response);
    this.#endListener = function () {
      end(this);
    };
    server.on('connection', (socket: Socket) => this.#addConnection(socket));
  }

  /** Tracks a response as in flight. Returns true if the server is draining: refuse the request then. */
  refuses(response: ServerResponse): boolean {
    if (this.#isDraining) response.setHeader('Connection', 'close');
    else this.#track(response);
    return this.#isDraining;
  }

  responseCount(): number {
    return this.#inFlight.size;
  }

  /**
   * Waits up to `graceMs` until all responses in flight are flushed, then closes the port and all connections.
   * Before that, clients with idle connections have `idleMs` to send a request and to learn from its refusal that
   * the connection closes: a request that arrives while the gateway closes the connection would be lost. Upgraded
   * connections stay open until `upgraded` resolves. Resolves with the number of responses that were cut off.
   */
  async close(graceMs: number, idleMs = 0, upgraded?: Promise<unknown>): Promise<number> {
    this.#isDraining = true;
    // Each of these responses is the last one on its connection.
    for (const response of this.#inFlight)
      if (!response.headersSent) response.setHeader('Connection', 'close');
    const empty = waitAtMost(graceMs, this.#inFlight.size === 0, (resolve) => {
      this.#onEmpty = resolve;
    });
    const disconnected = waitAtMost(idleMs, this.#connections.size === 0, (resolve) => {
      this.#onDisconnected = resolve;
    });
    // Idle connections are not closed before this wait is over, because `closeIdleConnections` also destroys a connection
    // whose response was ended and is still being sent.
    await Promise.all([empty, disconnected, upgraded]);
    const cutOff = this.#inFlight.size;
    await closeAll(this.#server, this.#connections, CLOSE_TIMEOUT_MS);
    return cutOff;
  }

  /** A response ends with its `close` event: the kernel has taken the last byte, or the client disconnected. */
  #track(response: ServerResponse): void {
    this.#inFlight.add(response);
    recordWaiting(response);
    response.on('close', this.#endListener);
  }

  #end(response: ServerResponse): void {
    if (!this.#inFlight.delete(response)) return;
    this.#onResponse(response.headersSent ? response.statusCode : CLIENT_DISCONNECTED, response.req);
    if (this.#inFlight.size === 0) this.#onEmpty?.();
  }

  #addConnection(socket: Socket): void {
    // The event is emitted again after an upgrade that was not accepted.
    if (this.#connections.has(socket)) return;
    this.#connections.add(socket);
    socket.once('close', () => {
      this.#connections.delete(socket);
      if (this.#connections.size === 0) this.#onDisconnected?.();
    });
  }
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
