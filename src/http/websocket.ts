/** Subscriptions, and any other operation, over a websocket: `graphql-transport-ws` at the address of GraphQL itself. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import {
  type ExecutionArgs,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  parse,
  validate,
} from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import { useServer as serveProtocol } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { MOST_TOKENS } from '../graphql/apolloServer.js';
import type { Context } from '../graphql/context.js';
import { formatError } from '../graphql/formatError.js';
import { refuseByScope } from '../graphql/scopes.js';
import type { CallerSession, OpenSession } from './callers/callerSession.js';
import { createSocketSessions } from './callers/socketSessions.js';
import { anyHost, type HostCheck } from './hostCheck.js';
import { LARGEST_BODY } from './requestBody.js';
import { watchLeaving } from './watchLeaving.js';

export interface WebsocketOptions {
  server: Server;
  schema: GraphQLSchema;
  openSession: OpenSession;
  /** Whether a request comes by a name that the gateway goes by. */
  isOwnHost?: HostCheck;
  /** How often the credentials of open connections are looked at again, in milliseconds. */
  recheckMs?: number | undefined;
}

export interface WebsocketEndpoint {
  /** Ends every connection: what has been said by now goes out before. */
  close(): Promise<void>;
}

/** So long a caller has to answer that the connection ends; then it is cut. */
const CLOSE_TIMEOUT_MS = 2000;

export function serveWebsocket({
  server,
  schema,
  isOwnHost = anyHost,
  ...options
}: WebsocketOptions): WebsocketEndpoint {
  const sockets = new WebSocketServer({
    server,
    path: '/graphql',
    maxPayload: LARGEST_BODY,
    verifyClient: ({ req }: { req: IncomingMessage }) => isOwnHost(req) && isOwnOrigin(req),
  });
  const leaving = watchLeaving(sockets);
  const sessions = createSocketSessions(options);
  const endpoint = serveProtocol(
    {
      schema,
      // Or else the text of whatever goes wrong inside would be told to callers.
      isProd: true,
      onConnect: ({ connectionParams, extra }) =>
        sessions.open(extra.socket, extra.request, connectionParams),
      async onSubscribe({ extra: { socket } }, id, payload) {
        const signal = leaving.watch(socket, id, payload);
        const prepared = prepare(schema, payload, await sessions.find(socket), signal);
        if (!('contextValue' in prepared)) leaving.forget(socket, id, payload);
        return prepared;
      },
      onComplete: ({ extra: { socket } }, id, payload) => leaving.forget(socket, id, payload),
      onNext: (_, __, ___, args, { errors, data = null }) =>
        errors ? { data, errors: errors.map((error) => toVisible(error, args)) } : undefined,
    },
    sockets,
  );
  // It would print what is wrong with a caller's frames. The connection has ended by then.
  sockets.on('connection', (socket) => socket.removeAllListeners('error').on('error', () => undefined));
  return { close: () => closeAll(sockets, endpoint) };
}

async function closeAll(sockets: WebSocketServer, endpoint: ReturnType<typeof serveProtocol>): Promise<void> {
  // The last words of subscriptions that have just been ended are on their way.
  await new Promise((resolve) => setImmediate(resolve));
  const cut = setTimeout(() => {
    for (const socket of sockets.clients) socket.terminate();
  }, CLOSE_TIMEOUT_MS);
  await endpoint.dispose();
  clearTimeout(cut);
}

/**
 * Other sites' pages can open a websocket here, which no rule of the browser forbids: those are turned away.
 * Programs that are no browser send no origin.
 */
function isOwnOrigin({ headers }: IncomingMessage): boolean {
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host;
}

/** Parses and validates under the limits that hold over HTTP too; answers what is wrong, or what to execute. */
function prepare(
  schema: GraphQLSchema,
  { query, operationName, variables }: SubscribePayload,
  session: CallerSession | undefined,
  signal: AbortSignal,
): ExecutionArgs | readonly GraphQLError[] {
  // The connection is closing: nobody hears what this says.
  if (session === undefined) return [new GraphQLError('The caller is turned away.')];
  const requestId = randomUUID();
  const refuse = (errors: readonly GraphQLError[], code: string) =>
    errors.map((error) => withDetails(error, { code, retryable: false, requestId }));
  try {
    const document = parse(query, { maxTokens: MOST_TOKENS });
    const errors = validate(schema, document);
    if (errors.length > 0) return refuse(errors, 'GRAPHQL_VALIDATION_FAILED');
    const operation = getOperationAST(document, operationName);
    if (!operation) {
      return refuse([new GraphQLError('Name the operation to run.')], 'OPERATION_RESOLUTION_FAILURE');
    }
    const refusal = refuseByScope(session.caller.scopes, operation.operation);
    if (refusal) return [withDetails(refusal, { requestId })];
    const contextValue = session.createContext({ requestId, signal });
    return { schema, document, operationName, variableValues: variables ?? {}, contextValue };
  } catch (error) {
    if (error instanceof GraphQLError) return refuse([error], 'GRAPHQL_PARSE_FAILED');
    throw error;
  }
}

function withDetails(error: GraphQLError, details: Record<string, unknown>): GraphQLError {
  Object.assign(error.extensions, details);
  return error;
}

/** What callers see of an error: the same as over HTTP. */
function toVisible(error: GraphQLError, { contextValue }: ExecutionArgs): GraphQLFormattedError {
  const coded = isAboutVariable(error) ? withDetails(error, { code: 'BAD_USER_INPUT' }) : error;
  const visible = formatError(coded.toJSON(), coded);
  const { requestId } = contextValue as Context;
  return { ...visible, extensions: { ...visible.extensions, requestId } };
}

/** A variable that does not fit is told at the place where it is defined, and nowhere in the answer. */
function isAboutVariable({ path, nodes = [] }: GraphQLError): boolean {
  return path === undefined && nodes[0]?.kind === Kind.VARIABLE_DEFINITION;
}
