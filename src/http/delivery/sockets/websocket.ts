/** Serves all operations, mainly subscriptions, over websockets with the protocol `graphql-transport-ws` at `/graphql`. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { type VerifyClientCallbackAsync, WebSocketServer } from 'ws';
import type { GatewayError } from '../../../errors.js';
import type { Clock } from '../../../lib/clock.js';
import { createTurns, type TakeTurn } from '../../../lib/fairQueue.js';
import { nextTurn } from '../../../lib/slicedComputation.js';
import type { Caller } from '../../auth/caller.js';
import { createHostError, type HostCheck, MISDIRECTED } from '../../auth/hostCheck.js';
import {
  type CallerRateLimiter,
  createCallerRateLimiter,
  type RateLimit,
} from '../../rateLimits/callerRateLimiter.js';
import type { CallerThrottle } from '../../rateLimits/callerThrottle.js';
import { hasNoAddress, remoteAddressOf, toAddressGroup } from '../../rateLimits/remoteAddress.js';
import { findHeaderProblem } from '../../requests/requestBounds.js';
import { createOriginError, isTrustedOrigin } from '../../responses/cors.js';
import {
  type RequestProblem,
  refuseOnSocket,
  type ServedSocket,
  toErrorBody,
} from '../../responses/sendError.js';
import { CONNECTION_BYTES, createTooManyMessagesError } from '../connectionBytes.js';
import type { DeliveryOptions } from '../subscriptions.js';
import { ClientSocket, listenerOf } from './clientSocket.js';
import { SocketConnection } from './socketConnection.js';
import { PROTOCOL, SocketProtocol } from './socketProtocol.js';
import { createSocketSessions } from './socketSessions.js';
import { StaggeredInterval } from './staggeredInterval.js';

interface WebsocketOptions extends DeliveryOptions {
  server: Server;
  isAllowedHost: HostCheck;
  maxMessageBytes: number;
  messages: RateLimit;
  throttle: CallerThrottle;
  /** Spreads new connections over turns of the event loop. */
  takeTurn: TakeTurn;
  clock: Clock;
}

/** Milliseconds between two pings, and maximum milliseconds until the pong. */
const ALIVE_CHECK_MS = 12_000;
/**
 * Maximum messages of all connections in one turn of the event loop. An operation takes milliseconds, a message a
 * fraction of one.
 */
const MESSAGES_PER_TURN = 4;
/**
 * A connection that breaks the protocol counts as this many messages of its address, because opening and closing it costs
 * more than its messages. A new connection counts as one message.
 */
const VIOLATION_MESSAGES = 100;
/** Maximum fragments of one message: each occupies memory in addition to its bytes. */
const MAX_FRAGMENTS = 1024;

const PATH = '/graphql';
const OTHER_PATH: RequestProblem = { status: 404, message: `Websockets are served at ${PATH} only.` };

export function serveWebsocket(options: WebsocketOptions) {
  const { server, maxMessageBytes, clock, reportRefusal, logger } = options;
  const messageRate = createCallerRateLimiter(options.messages, clock);
  const recordViolation = (address: string) => messageRate.charge(address, VIOLATION_MESSAGES);
  const sockets = new WebSocketServer({
    noServer: true,
    WebSocket: ClientSocket,
    path: PATH,
    maxPayload: maxMessageBytes,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_FRAGMENTS,
    autoPong: false,
    // Many messages that arrive in one chunk must not delay other callers.
    allowSynchronousEvents: false,
    handleProtocols: (protocols) => (protocols.has(PROTOCOL) ? PROTOCOL : false),
    verifyClient: ({ req }, respond) => void verifyUpgrade(req, respond, { ...options, messageRate }),
  });
  const connectionOptions = {
    ...options,
    messageRate,
    takeMessageTurn: createTurns(MESSAGES_PER_TURN),
    checks: new StaggeredInterval(ALIVE_CHECK_MS, (connection: { checkAlive(): void }) =>
      connection.checkAlive(),
    ),
    onRefused(error: GatewayError, address: string, caller: Caller | undefined) {
      reportRefusal({ error, transport: 'websocket', caller, address });
      if (error.code === 'RATE_LIMITED') recordViolation(address);
    },
    onViolation({ message }: Error, address: string) {
      recordViolation(address);
      logger.debug({ reason: message }, 'A websocket client violated the protocol');
    },
  };
  const sessions = createSocketSessions(options);
  const onViolation = ({ address }: SocketConnection) => recordViolation(address);
  const parts = { ...options, sessions, onViolation };
  server.on('error', (cause) => logger.error({ cause }, 'The websocket server failed'));
  // Since Node 24.9, the server leaves no other upgrades to the listener. Without a listener, it refuses all.
  const shouldUpgradeCallback = (request: IncomingMessage) =>
    isWebsocketUpgrade(request) && server.listenerCount('upgrade') > 0;
  Object.assign(server, { shouldUpgradeCallback });
  server.on('upgrade', (request, socket: ServedSocket, head) => {
    if (hasNoAddress(request)) return void socket.destroy();
    const problem = findHeaderProblem(request);
    if (problem) return refuseUpgrade(socket, problem);
    if (!isWebsocketUpgrade(request)) return ignoreUpgrade(server, request, socket, head);
    if (!sockets.shouldHandle(request)) return refuseUpgrade(socket, OTHER_PATH);
    sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit('connection', accepted, request));
  });
  sockets.on('connection', (socket, request) => {
    const connection = new SocketConnection(socket, request, connectionOptions);
    connection.setHandler(new SocketProtocol(connection, parts));
  });
  return {
    /**
     * Refuses new connections, and closes each of the others when its queries and mutations have ended. Cuts the
     * remaining ones after `graceMs`.
     */
    close: (graceMs: number) => closeAll(sockets, server, graceMs),
    connectionCount: () => sockets.clients.size,
  };
}

async function closeAll(sockets: WebSocketServer, server: Server, graceMs: number): Promise<void> {
  // Subscriptions that have just ended still send their last messages.
  await nextTurn();
  const timer = setTimeout(() => {
    for (const socket of sockets.clients) socket.terminate();
  }, graceMs);
  for (const socket of sockets.clients) listenerOf(socket)?.stop();
  const closed = new Promise((resolve) => sockets.close(resolve));
  // If there were a listener, Node would leave the upgrade to it. Without one, the request is refused like all others.
  server.removeAllListeners('upgrade');
  await closed;
  clearTimeout(timer);
}

function isWebsocketUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** Headers that belong only to the upgrade. */
const UPGRADE_HEADERS: ReadonlySet<string> = new Set(['connection', 'upgrade', 'http2-settings']);

function refuseUpgrade(socket: ServedSocket, problem: RequestProblem): void {
  // The client would take the refusal for the pending response.
  if (socket._httpMessage) return void socket.destroy();
  // Node has removed its own listener. Without one, a client that resets the connection would end the process.
  socket.on('error', () => socket.destroy());
  // With unread bytes the kernel would reset the connection, and the client could lose the refusal.
  socket.resume();
  refuseOnSocket(socket, problem);
}

/**
 * Serves a request that offers another protocol, such as HTTP/2, as if it did not (RFC 9110, 7.8). Node before 24.9
 * leaves every upgrade to the listener, with the body unread, so the server reads the request again without the offer.
 */
function ignoreUpgrade(server: Server, request: IncomingMessage, socket: ServedSocket, head: Buffer): void {
  // Read again, the request would overtake responses that are pending, and Node would end with an assertion.
  if (socket._httpMessage) return void socket.destroy();
  const { method, url, httpVersion, rawHeaders, headers } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  if (/(^|,)\s*close\s*(,|$)/i.test(headers.connection ?? '')) lines.push('Connection: close');
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!UPGRADE_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket);
}

/** For another origin (RFC 6455, 10.2). */
const FORBIDDEN = 403;

/** Responds to an upgrade request: `true` accepts it, `false` refuses it with an HTTP status. */
type RespondToUpgrade = Parameters<VerifyClientCallbackAsync<IncomingMessage>>[1];

async function verifyUpgrade(
  request: IncomingMessage,
  respond: RespondToUpgrade,
  options: WebsocketOptions & { messageRate: CallerRateLimiter },
): Promise<void> {
  const { isAllowedHost, cors, takeTurn, budgets, messageRate } = options;
  const address = toAddressGroup(remoteAddressOf(request));
  await takeTurn(address);
  const refuse = (status: number, error: GatewayError) => {
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    respond(false, status, toErrorBody(error, randomUUID()), headers);
  };
  if (!isAllowedHost(request)) {
    refuse(MISDIRECTED, createHostError());
  } else if (!isTrustedOrigin(request, cors)) {
    refuse(FORBIDDEN, createOriginError(request));
  } else if (budgets(address).hasRoomFor(CONNECTION_BYTES) && messageRate.take(address) === 0) {
    // Opening a connection counts as one message of its address.
    respond(true);
  } else {
    const error = createTooManyMessagesError();
    options.reportRefusal({ error, transport: 'websocket', address, headers: request.headers });
    await options.throttle.delayRefusal(request.socket, error);
    respond(false, 429);
  }
}
