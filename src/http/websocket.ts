/** Subscriptions, and any other operation, over a websocket: `graphql-transport-ws` at the address of GraphQL itself. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import {
  type ExecutionArgs,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
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
import { LARGEST_BODY } from './requestBody.js';

export interface WebsocketOptions {
  server: Server;
  schema: GraphQLSchema;
  openSession: OpenSession;
  /** How often the credentials of open connections are looked at again, in milliseconds. */
  recheckMs?: number | undefined;
}

export interface WebsocketEndpoint {
  /** Ends every subscription and connection. */
  close(): Promise<void>;
}

export function serveWebsocket({ server, schema, ...options }: WebsocketOptions): WebsocketEndpoint {
  const sockets = new WebSocketServer({
    server,
    path: '/graphql',
    maxPayload: LARGEST_BODY,
    verifyClient: ({ req }: { req: IncomingMessage }) => isOwnOrigin(req),
  });
  const sessions = createSocketSessions(options);
  const endpoint = serveProtocol(
    {
      schema,
      onConnect: ({ connectionParams, extra }) =>
        sessions.open(extra.socket, extra.request, connectionParams),
      async onSubscribe({ extra }, _, payload) {
        const session = await sessions.find(extra.socket);
        // The connection is closing: nobody hears what this says.
        if (session === undefined) return [new GraphQLError('The caller is turned away.')];
        return prepare(schema, payload, session);
      },
      onNext: (_, __, ___, args, { errors, data = null }) =>
        errors ? { data, errors: errors.map((error) => toVisible(error, args)) } : undefined,
    },
    sockets,
  );
  return { close: async () => endpoint.dispose() };
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
  session: CallerSession,
): ExecutionArgs | readonly GraphQLError[] {
  try {
    const document = parse(query, { maxTokens: MOST_TOKENS });
    const errors = validate(schema, document);
    if (errors.length > 0) return errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED'));
    const operation = getOperationAST(document, operationName);
    if (!operation) {
      return [withCode(new GraphQLError('Name the operation to run.'), 'OPERATION_RESOLUTION_FAILURE')];
    }
    const refusal = refuseByScope(session.caller.scopes, operation.operation);
    if (refusal) return [refusal];
    const contextValue = session.createContext({ requestId: randomUUID() });
    return { schema, document, operationName, variableValues: variables ?? {}, contextValue };
  } catch (error) {
    if (error instanceof GraphQLError) return [withCode(error, 'GRAPHQL_PARSE_FAILED')];
    throw error;
  }
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  Object.assign(error.extensions, { code, retryable: false });
  return error;
}

/** What callers see of an error: the same as over HTTP. */
function toVisible(error: GraphQLError, { contextValue }: ExecutionArgs): GraphQLFormattedError {
  // An error without a place in the answer is a variable that does not fit.
  const coded = error.path || error.originalError ? error : withCode(error, 'BAD_USER_INPUT');
  const visible = formatError(coded.toJSON(), coded);
  const { requestId } = contextValue as Context;
  return { ...visible, extensions: { ...visible.extensions, requestId } };
}
