/** Subscriptions, and any other operation, over a websocket: `graphql-transport-ws` at the address of GraphQL itself. */
import type { IncomingMessage, Server } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { CloseCode, handleProtocols, makeServer } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import type { GatewayError } from '../../errors.js';
import { createErrorCauseLogger, type LogErrorCauses } from '../../graphql/apollo/logErrorCauses.js';
import type { AdmissionPolicy } from '../../graphql/limits/admitOperation.js';
import { type ByteBudgets, createByteBudgets } from '../../lib/byteBudget.js';
import { type Clock, systemClock } from '../../lib/clock.js';
import { createLimitedLogger } from '../../lib/limitedLogger.js';
import type { Logger } from '../../lib/logger.js';
import { createTurns } from '../../lib/turns.js';
import type { OpenSession } from '../auth/callerSession.js';
import { allowAnyHost, type HostCheck } from '../auth/hostCheck.js';
import { type RateLimit, toCallerId } from '../rateLimits/callerRateLimiter.js';
import type { CallerThrottle } from '../rateLimits/callerThrottle.js';
import type { Cors } from '../responses/cors.js';
import type { RequestMetrics } from '../server/requestMetrics.js';
import { MAX_CALLER_BYTES, MAX_UNSENT_BYTES, MAX_UNSENT_MS } from './limits.js';
import { createMessageRate } from './messageRate.js';
import { CONNECTION_BYTES, SocketConnection } from './socketConnection.js';
import {
  prepareOperation,
  requestIdOf,
  type SocketOperationOptions,
  toClientError,
} from './socketOperation.js';
import { createSocketSessions } from './socketSessions.js';
import { type OperationCancellations, watchCancellations } from './watchCancellations.js';

export interface WebsocketOptions {
  server: Server;
  schema: GraphQLSchema;
  openSession: OpenSession;
  /** Whether a request comes by a name that the gateway goes by. */
  isOwnHost?: HostCheck;
  /** How often the credentials of open connections are looked at again, in milliseconds. */
  recheckIntervalMs?: number | undefined;
  admission: AdmissionPolicy;
  throttle: CallerThrottle;
  cors: Cors;
  /** The largest message read, in bytes. */
  maxMessageBytes: number;
  hidesSuggestions: boolean;
  requestMetrics: RequestMetrics;
  /** Messages of one caller; absent: without a limit. */
  messages?: RateLimit | undefined;
  /** Unsent bytes of one connection above which nothing more is read from it. */
  maxUnsentBytes?: number | undefined;
  /** Milliseconds until it has to be below that again. */
  maxUnsentMs?: number | undefined;
  /** Memory of all connections of one caller, in bytes. */
  maxCallerBytes?: number | undefined;
  clock?: Clock | undefined;
  logger: Logger;
}

export interface WebsocketEndpoint {
  /** Ends every connection: what has been said by now goes out before. Cuts off what is left after `graceMs`. */
  close(graceMs: number): Promise<void>;
  /** Connections that are open. */
  connectionCount(): number;
}

/** Milliseconds to answer that the connection ends. */
const CLOSE_TIMEOUT_MS = 2000;
/** Parts of one message: each costs memory besides its bytes. */
const MAX_FRAGMENTS = 1024;
const UNLIMITED: RateLimit = { perSecond: 0, burst: 1 };

export function serveWebsocket(options: WebsocketOptions): WebsocketEndpoint {
  const { server, maxMessageBytes, clock = systemClock, messages = UNLIMITED } = options;
  const { maxUnsentBytes = MAX_UNSENT_BYTES, maxUnsentMs = MAX_UNSENT_MS, maxCallerBytes } = options;
  const budgets = createByteBudgets(maxCallerBytes ?? MAX_CALLER_BYTES);
  const sockets = new WebSocketServer({
    server,
    path: '/graphql',
    maxPayload: maxMessageBytes,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_FRAGMENTS,
    autoPong: false,
    // Many messages that arrive in one piece must not hold up other callers.
    allowSynchronousEvents: false,
    handleProtocols,
    verifyClient: ({ req }, answer) => answer(...verdictOn(req, options, budgets)),
  });
  const operations = watchCancellations(sockets);
  const logger = createLimitedLogger(options.logger, clock);
  const protocol = createProtocol(
    { ...options, takeTurn: createTurns(1) },
    operations,
    createErrorCauseLogger(logger),
  );
  const limits = { maxUnsentBytes, maxUnsentMs, rate: createMessageRate(messages, clock), budgets, clock };
  const onRefused = ({ code }: GatewayError) => options.requestMetrics.recordRefusal(code);
  sockets.on('error', (cause) => logger.error({ cause }, 'The websocket server failed'));
  sockets.on('connection', (socket, request) => {
    const connection = new SocketConnection(socket, request, { ...limits, onRefused });
    serveConnection(connection, protocol, operations, logger);
  });
  return {
    close: (graceMs) => closeAll(sockets, Math.min(graceMs, CLOSE_TIMEOUT_MS)),
    connectionCount: () => sockets.clients.size,
  };
}

interface SocketExtra {
  connection: SocketConnection;
}

type GraphqlWsServer = ReturnType<typeof makeServer<Record<string, unknown> | undefined, SocketExtra>>;

/** The protocol's server: what it does with a message, apart from the socket that the message came by. */
function createProtocol(
  options: WebsocketOptions & SocketOperationOptions,
  operations: OperationCancellations,
  logCauses: LogErrorCauses,
): GraphqlWsServer {
  const sessions = createSocketSessions(options);
  return makeServer<Record<string, unknown> | undefined, SocketExtra>({
    schema: options.schema,
    onConnect: async ({ connectionParams, extra: { connection } }) => {
      const session = await sessions.open(connection, connectionParams);
      if (session) connection.signIn(toCallerId(connection.request, session.caller));
      return session !== undefined;
    },
    async onSubscribe({ extra: { connection } }, id, payload) {
      const { socket } = connection;
      const signal = operations.signalFor(socket, id, payload);
      const session = await sessions.get(connection);
      const prepared = await prepareOperation(payload, { connection, id, session, signal }, options);
      if (!('contextValue' in prepared)) operations.delete(socket, id, payload);
      return prepared;
    },
    onComplete: ({ extra }, id, payload) => operations.delete(extra.connection.socket, id, payload),
    onNext: (_, __, ___, args, { errors, data = null }) => {
      if (!errors) return undefined;
      logCauses(requestIdOf(args), errors);
      return { data, errors: errors.map((error) => toClientError(error, args, options)) };
    },
  });
}

function serveConnection(
  connection: SocketConnection,
  protocol: GraphqlWsServer,
  operations: OperationCancellations,
  logger: Logger,
): void {
  const { socket } = connection;
  // Frames that break the protocol: the library ends the connection itself.
  socket.on('error', ({ message }) => logger.debug({ reason: message }, 'A websocket broke the protocol'));
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (data) => connection.send(data),
      close: (code, reason) => connection.close(code ?? CloseCode.InternalServerError, reason ?? ''),
      onMessage: (handle) =>
        connection.onMessage(async ({ text, type, id }) => {
          if (type === 'complete') operations.complete(socket, id);
          try {
            await handle(text);
          } catch (cause) {
            logger.error({ cause }, 'A websocket message failed');
            connection.close(CloseCode.InternalServerError, 'Internal server error');
          }
        }),
    },
    { connection },
  );
  socket.once('close', (code, reason) => {
    Promise.resolve(closed(code, String(reason))).catch((cause: unknown) =>
      logger.error({ cause }, 'Closing a websocket failed'),
    );
  });
}

/** Cuts off callers that do not answer the close frame (1001, going away) in time. */
async function closeAll(sockets: WebSocketServer, graceMs: number): Promise<void> {
  // The last words of subscriptions that have just been ended are on their way.
  await new Promise((resolve) => setImmediate(resolve));
  const cut = setTimeout(() => {
    for (const socket of sockets.clients) socket.terminate();
  }, graceMs);
  for (const socket of sockets.clients) socket.close(1001, 'Going away');
  await new Promise((resolve) => sockets.close(resolve));
  clearTimeout(cut);
}

/** Whether a connection may come about; if not, the HTTP status that refuses it. */
function verdictOn(
  request: IncomingMessage,
  { isOwnHost = allowAnyHost, cors, requestMetrics }: WebsocketOptions,
  budgets: ByteBudgets,
): [isAccepted: boolean, status?: number] {
  if (!isOwnHost(request) || !(isOwnOrigin(request) || isAllowedOrigin(request, cors))) return [false, 401];
  if (budgets(request.socket.remoteAddress ?? '').hasRoomFor(CONNECTION_BYTES)) return [true];
  requestMetrics.recordRefusal('RATE_LIMITED');
  return [false, 429];
}

function isAllowedOrigin({ headers }: IncomingMessage, cors: Cors): boolean {
  return headers.origin !== undefined && cors.allows(headers.origin);
}

/**
 * Other sites' pages can open a websocket here, which no rule of the browser forbids: those are turned away.
 * Programs that are no browser send no origin.
 */
function isOwnOrigin({ headers }: IncomingMessage): boolean {
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host;
}
