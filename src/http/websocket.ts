/** Subscriptions, and any other operation, over a websocket: `graphql-transport-ws` at the address of GraphQL itself. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  parse,
  validate,
} from 'graphql';
import type { Disposable, SubscribePayload } from 'graphql-ws';
import { useServer as serveProtocol } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { GatewayError } from '../errors.js';
import { type Admission, admitOperation } from '../graphql/admitOperation.js';
import type { Context } from '../graphql/context.js';
import { formatError, toExtensions, withoutSuggestion } from '../graphql/formatError.js';
import type { OperationCost } from '../graphql/limits/operationGuard.js';
import { createCauseLog } from '../graphql/logCause.js';
import type { Logger } from '../lib/logger.js';
import { type CallerRate, callerOf } from './callerRate.js';
import type { Cors } from './cors.js';

export interface WebsocketOptions {
  server: Server;
  schema: GraphQLSchema;
  createContext(requestId: string, cost: OperationCost | undefined): Context;
  admission: Admission;
  rate: CallerRate;
  cors: Cors;
  /** The largest message read, in bytes. */
  mostMessageBytes: number;
  hidesSuggestions: boolean;
  logger: Logger;
}

export interface WebsocketEndpoint {
  /** Ends every subscription and connection; cuts off what is left after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export function serveWebsocket(options: WebsocketOptions): WebsocketEndpoint {
  const { server, schema, cors, mostMessageBytes, logger } = options;
  const sockets = new WebSocketServer({
    server,
    path: '/graphql',
    maxPayload: mostMessageBytes,
    verifyClient: ({ req }: { req: IncomingMessage }) => isOwnOrigin(req) || isAllowedOrigin(req, cors),
  });
  const logCauses = createCauseLog(logger);
  const endpoint = serveProtocol(
    {
      schema,
      onSubscribe: ({ extra }, _, payload) => prepare(payload, extra.request, options),
      onNext: (_, __, ___, args, { errors, data = null }) => {
        if (!errors) return undefined;
        logCauses(requestIdOf(args), errors);
        return { data, errors: errors.map((error) => toVisible(error, args, options)) };
      },
    },
    sockets,
  );
  return { close: (graceMs) => closeSockets(endpoint, sockets, graceMs) };
}

/** Whoever does not answer the close frame (1001, going away) in time is cut off. */
async function closeSockets(endpoint: Disposable, sockets: WebSocketServer, graceMs: number): Promise<void> {
  const timer = setTimeout(() => {
    for (const socket of sockets.clients) socket.terminate();
  }, graceMs);
  await endpoint.dispose();
  clearTimeout(timer);
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

/** Admits under the limits that hold over HTTP too, validates; answers what is wrong, or what to execute. */
function prepare(
  payload: SubscribePayload,
  request: IncomingMessage,
  options: WebsocketOptions,
): ExecutionArgs | readonly GraphQLError[] {
  const requestId = randomUUID();
  try {
    options.rate.count(callerOf(request));
    const { source = '', cost } = admitOperation(options.admission, payload);
    const contextValue = options.createContext(requestId, cost);
    return validated(payload, parse(source), contextValue, options);
  } catch (error) {
    return [toRefusal(error, requestId, options)];
  }
}

/** Throws the first thing that is wrong with the document. */
function validated(
  { operationName, variables }: SubscribePayload,
  document: DocumentNode,
  contextValue: Context,
  { schema }: WebsocketOptions,
): ExecutionArgs {
  const [error] = validate(schema, document, undefined, { maxErrors: 1 });
  if (error) throw withCode(error, 'GRAPHQL_VALIDATION_FAILED');
  if (!getOperationAST(document, operationName)) {
    throw withCode(new GraphQLError('Name the operation to run.'), 'OPERATION_RESOLUTION_FAILURE');
  }
  return { schema, document, operationName, variableValues: variables ?? {}, contextValue };
}

function toRefusal(error: unknown, requestId: string, options: WebsocketOptions): GraphQLError {
  if (error instanceof GatewayError) {
    return new GraphQLError(error.message, { extensions: { ...toExtensions(error), requestId } });
  }
  if (!(error instanceof GraphQLError)) throw error;
  const { message, extensions, locations } = toShown(error.toJSON(), options);
  const { code = 'GRAPHQL_PARSE_FAILED' } = extensions ?? {};
  const refusal = new GraphQLError(message, { extensions: { code, retryable: false, requestId } });
  return locations ? Object.assign(refusal, { locations }) : refusal;
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  Object.assign(error.extensions, { code, retryable: false });
  return error;
}

/** What callers see of an error: the same as over HTTP. */
function toVisible(
  error: GraphQLError,
  args: ExecutionArgs,
  options: WebsocketOptions,
): GraphQLFormattedError {
  // An error without a place in the answer is a variable that does not fit.
  const isForeign = error.originalError !== undefined && !(error.originalError instanceof GraphQLError);
  const coded = error.path || isForeign ? error : withCode(error, 'BAD_USER_INPUT');
  const visible = toShown(formatError(coded.toJSON(), coded), options);
  return { ...visible, extensions: { ...visible.extensions, requestId: requestIdOf(args) } };
}

function toShown(
  error: GraphQLFormattedError,
  { hidesSuggestions }: WebsocketOptions,
): GraphQLFormattedError {
  return hidesSuggestions ? withoutSuggestion(error) : error;
}

function requestIdOf({ contextValue }: ExecutionArgs): string {
  return (contextValue as Context).requestId;
}
