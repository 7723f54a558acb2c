/** Serves all operations, mainly subscriptions, over websockets with the protocol `graphql-transport-ws` at `/graphql`. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { CloseCode, handleProtocols, makeServer } from 'graphql-ws';
import { type VerifyClientCallbackAsync, WebSocketServer } from 'ws';
import type { GatewayError } from '../../errors.js';
import { createErrorCauseLogger, type LogErrorCauses } from '../../graphql/apollo/logErrorCauses.js';
import type { ParsedDocuments } from '../../graphql/documents/documentStore.js';
import type { AdmissionPolicy } from '../../graphql/limits/admitOperation.js';
import type { ByteBudgets } from '../../lib/byteBudget.js';
import type { Clock } from '../../lib/clock.js';
import { createLimitedLogger } from '../../lib/limitedLogger.js';
import type { Logger } from '../../lib/logger.js';
import { createTurns } from '../../lib/turns.js';
import type { OpenSession } from '../auth/callerSession.js';
import { createHostError, type HostCheck, MISDIRECTED } from '../auth/hostCheck.js';
import { createCallerRateLimiter, type RateLimit, toCallerId } from '../rateLimits/callerRateLimiter.js';
import type { CallerThrottle } from '../rateLimits/callerThrottle.js';
import { type Cors, isTrustedOrigin } from '../responses/cors.js';
import { toErrorBody } from '../responses/sendError.js';
import type { RequestMetrics } from '../server/requestMetrics.js';
import type { OutboxLimits } from './outbox.js';
import { CONNECTION_BYTES, SocketConnection } from './socketConnection.js';
import {
  type OperationCancellations,
  prepareOperation,
  requestIdOf,
  type SocketOperationOptions,
  toClientError,
  watchCancellations,
} from './socketOperation.js';
import { createSocketSessions } from './socketSessions.js';

export interface WebsocketOptions extends OutboxLimits {
  server: Server;
  schema: GraphQLSchema;
  openSession: OpenSession;
  isAllowedHost: HostCheck;
  /** Milliseconds between two verifications of the credential of an open connection. */
  recheckIntervalMs?: number | undefined;
  admission: AdmissionPolicy;
  parsedDocuments: ParsedDocuments;
  throttle: CallerThrottle;
  cors: Cors;
  /** Maximum size of a message, in bytes. */
  maxMessageBytes: number;
  hidesSuggestions: boolean;
  requestMetrics: RequestMetrics;
  /** Messages of one caller. */
  messages: RateLimit;
  /** Charged with the memory of connections and subscriptions. */
  budgets: ByteBudgets;
  clock: Clock;
  logger: Logger;
}

export interface WebsocketEndpoint {
  /** Sends pending messages and closes every connection. Cuts the remaining ones after `graceMs`. */
  close(graceMs: number): Promise<void>;
  /** Number of open connections. */
  connectionCount(): number;
}

/** Milliseconds for the clients to answer a close frame. */
const CLOSE_TIMEOUT_MS = 2000;
/** Of all connections in one turn of the event loop. An operation takes milliseconds, a message a fraction of one. */
const OPERATIONS_PER_TURN = 1;
const MESSAGES_PER_TURN = 4;
/** Maximum fragments of one message: each occupies memory in addition to its bytes. */
const MAX_FRAGMENTS = 1024;

export function serveWebsocket(options: WebsocketOptions): WebsocketEndpoint {
  const { server, maxMessageBytes, clock } = options;
  const sockets = new WebSocketServer({
    server,
    path: '/graphql',
    maxPayload: maxMessageBytes,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_FRAGMENTS,
    autoPong: false,
    // Many messages that arrive in one chunk must not delay other callers.
    allowSynchronousEvents: false,
    handleProtocols,
    verifyClient: ({ req }, respond) => verifyUpgrade(req, options, respond),
  });
  const operations = watchCancellations(sockets);
  const logger = createLimitedLogger(options.logger, clock);
  const protocol = createProtocol(
    { ...options, takeTurn: createTurns(OPERATIONS_PER_TURN) },
    operations,
    createErrorCauseLogger(logger),
  );
  const connectionOptions = {
    ...options,
    messageRate: createCallerRateLimiter(options.messages, clock),
    takeMessageTurn: createTurns(MESSAGES_PER_TURN),
    onRefused: ({ code }: GatewayError) => options.requestMetrics.recordRefusal(code),
  };
  sockets.on('error', (cause) => logger.error({ cause }, 'The websocket server failed'));
  sockets.on('connection', (socket, request) => {
    const connection = new SocketConnection(socket, request, connectionOptions);
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

/** Creates the graphql-ws server, which handles messages independently of their sockets. */
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
      const cancellation = operations.add(socket, id, payload);
      const session = await sessions.get(connection);
      const prepared = await prepareOperation(payload, { connection, id, session, cancellation }, options);
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
  // The client violated the protocol. The library closes the connection itself.
  socket.on('error', ({ message }) =>
    logger.debug({ reason: message }, 'A websocket client violated the protocol'),
  );
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (data) => connection.send(data),
      close: (code, reason) => connection.close(code ?? CloseCode.InternalServerError, reason ?? ''),
      onMessage: (handle) =>
        connection.onMessage(async ({ text, type, id }) => {
          if (type === 'complete') operations.cancel(socket, id);
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

/** Closes all connections with 1001 (going away), and cuts those that do not answer in time. */
async function closeAll(sockets: WebSocketServer, graceMs: number): Promise<void> {
  // Subscriptions that have just ended still send their last messages.
  await new Promise((resolve) => setImmediate(resolve));
  const timer = setTimeout(() => {
    for (const socket of sockets.clients) socket.terminate();
  }, graceMs);
  for (const socket of sockets.clients) socket.close(1001, 'Going away');
  await new Promise((resolve) => sockets.close(resolve));
  clearTimeout(timer);
}

/** Answers the upgrade of a connection: accepts it by `true`, or refuses it with an HTTP status. */
type RespondToUpgrade = Parameters<VerifyClientCallbackAsync<IncomingMessage>>[1];

function verifyUpgrade(
  request: IncomingMessage,
  { isAllowedHost, cors, budgets, requestMetrics }: WebsocketOptions,
  respond: RespondToUpgrade,
): void {
  if (!isAllowedHost(request)) {
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    respond(false, MISDIRECTED, toErrorBody(createHostError(), randomUUID()), headers);
  } else if (!isTrustedOrigin(request, cors)) {
    respond(false, 401);
  } else if (!budgets(request.socket.remoteAddress ?? '').hasRoomFor(CONNECTION_BYTES)) {
    requestMetrics.recordRefusal('RATE_LIMITED');
    respond(false, 429);
  } else {
    respond(true);
  }
}
