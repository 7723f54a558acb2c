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
  Kind,
  parse,
  validate,
} from 'graphql';
import type { Disposable, SubscribePayload } from 'graphql-ws';
import { useServer as serveProtocol } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { GatewayError } from '../errors.js';
import { type Admission, admitOperation } from '../graphql/admitOperation.js';
import type { Context } from '../graphql/context.js';
import { formatError, toExtensions, withLimitedMessage, withoutSuggestion } from '../graphql/formatError.js';
import { MOST_VALIDATION_ERRORS } from '../graphql/limits/operationLimits.js';
import { createCauseLog } from '../graphql/logCause.js';
import { refuseByScope } from '../graphql/scopes.js';
import { endingBySignal } from '../lib/leaving.js';
import type { Logger } from '../lib/logger.js';
import { type CallerPace, isRefusal } from './callerPace.js';
import { callerOf } from './callerRate.js';
import type { CallerSession, OpenSession } from './callers/callerSession.js';
import { createSocketSessions } from './callers/socketSessions.js';
import type { Cors } from './cors.js';
import { anyHost, type HostCheck } from './hostCheck.js';
import type { RequestTally } from './requestTally.js';
import { watchLeaving } from './watchLeaving.js';

export interface WebsocketOptions {
  server: Server;
  schema: GraphQLSchema;
  openSession: OpenSession;
  /** Whether a request comes by a name that the gateway goes by. */
  isOwnHost?: HostCheck;
  /** How often the credentials of open connections are looked at again, in milliseconds. */
  recheckMs?: number | undefined;
  admission: Admission;
  pace: CallerPace;
  cors: Cors;
  /** The largest message read, in bytes. */
  mostMessageBytes: number;
  hidesSuggestions: boolean;
  tally: RequestTally;
  logger: Logger;
}

export interface WebsocketEndpoint {
  /** Ends every connection: what has been said by now goes out before. Cuts off what is left after `graceMs`. */
  close(graceMs: number): Promise<void>;
  /** Connections that are open. */
  connections(): number;
}

/** So long a caller has to answer that the connection ends, at most; then it is cut. */
const CLOSE_TIMEOUT_MS = 2000;

export function serveWebsocket(options: WebsocketOptions): WebsocketEndpoint {
  const { server, schema, cors, mostMessageBytes, isOwnHost = anyHost, logger } = options;
  const sockets = new WebSocketServer({
    server,
    path: '/graphql',
    maxPayload: mostMessageBytes,
    verifyClient: ({ req }: { req: IncomingMessage }) =>
      isOwnHost(req) && (isOwnOrigin(req) || isAllowedOrigin(req, cors)),
  });
  const leaving = watchLeaving(sockets);
  const sessions = createSocketSessions(options);
  const logCauses = createCauseLog(logger);
  const endpoint = serveProtocol(
    {
      schema,
      // Or else the text of whatever goes wrong inside would be told to callers.
      isProd: true,
      onConnect: ({ connectionParams, extra }) =>
        sessions.open(extra.socket, extra.request, connectionParams),
      async onSubscribe({ extra: { socket, request } }, id, payload) {
        const signal = leaving.watch(socket, id, payload);
        const session = await sessions.find(socket);
        const prepared = await prepare(payload, { request, session, signal }, options);
        if (!('contextValue' in prepared)) leaving.forget(socket, id, payload);
        return prepared;
      },
      onComplete: ({ extra: { socket } }, id, payload) => leaving.forget(socket, id, payload),
      onNext: (_, __, ___, args, { errors, data = null }) => {
        if (!errors) return undefined;
        logCauses(requestIdOf(args), errors);
        return { data, errors: errors.map((error) => toVisible(error, args, options)) };
      },
    },
    sockets,
  );
  // It would print what is wrong with a caller's frames. The connection has ended by then.
  sockets.on('connection', (socket) => socket.removeAllListeners('error').on('error', () => undefined));
  return {
    close: (graceMs) => closeAll(sockets, endpoint, Math.min(graceMs, CLOSE_TIMEOUT_MS)),
    connections: () => sockets.clients.size,
  };
}

/** Whoever does not answer the close frame (1001, going away) in time is cut off. */
async function closeAll(sockets: WebSocketServer, endpoint: Disposable, graceMs: number): Promise<void> {
  // The last words of subscriptions that have just been ended are on their way.
  await new Promise((resolve) => setImmediate(resolve));
  const cut = setTimeout(() => {
    for (const socket of sockets.clients) socket.terminate();
  }, graceMs);
  await endpoint.dispose();
  clearTimeout(cut);
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
async function prepare(
  payload: SubscribePayload,
  origin: OperationOrigin,
  options: WebsocketOptions,
): Promise<ExecutionArgs | readonly GraphQLError[]> {
  const { request, session } = origin;
  // The connection is closing: nobody hears what this says.
  if (session === undefined) return [new GraphQLError('The caller is turned away.')];
  const requestId = randomUUID();
  const name = callerOf(request, session.caller);
  try {
    await options.pace.enter(name);
    return toExecution(payload, { ...origin, session, requestId }, options);
  } catch (error) {
    const problems = error instanceof InvalidOperation ? error.problems : [error];
    if (problems.some(isRefusal)) options.pace.refuse(name);
    if (error instanceof GatewayError) await options.pace.holdBack(request.socket, error);
    return problems.map((problem) => toRefusal(problem, requestId, options));
  }
}

/** Throws what keeps the operation out. */
function toExecution(
  payload: SubscribePayload,
  { session, signal, requestId }: OperationOrigin & { session: CallerSession; requestId: string },
  options: WebsocketOptions,
): ExecutionArgs {
  const { source = '', cost } = admitOperation(options.admission, payload);
  const document = validated(payload, parse(source), session, options);
  const contextValue = session.createContext({ requestId, ending: endingBySignal(signal), cost });
  const { operationName, variables } = payload;
  const { schema, hidesSuggestions: hideSuggestions } = options;
  const variableValues = variables ?? {};
  return { schema, document, operationName, variableValues, contextValue, hideSuggestions };
}

/** Carries all that is wrong with a document. */
class InvalidOperation extends Error {
  readonly problems: readonly GraphQLError[];

  constructor(problems: readonly GraphQLError[]) {
    super('The operation does not fit the schema.');
    this.problems = problems;
  }
}

/** Who asks for an operation, and where. */
interface OperationOrigin {
  request: IncomingMessage;
  /** Undefined where the caller has just been turned away. */
  session: CallerSession | undefined;
  /** Aborted when the caller leaves. */
  signal: AbortSignal;
}

/** The document; throws all that is wrong with it, or what the caller may not do. */
function validated(
  { operationName }: SubscribePayload,
  document: DocumentNode,
  { caller }: CallerSession,
  { schema, hidesSuggestions: hideSuggestions }: WebsocketOptions,
): DocumentNode {
  const limits = { maxErrors: MOST_VALIDATION_ERRORS, hideSuggestions };
  const problems = validate(schema, document, undefined, limits);
  if (problems.length > 0) {
    throw new InvalidOperation(problems.map((problem) => withCode(problem, 'GRAPHQL_VALIDATION_FAILED')));
  }
  const operation = getOperationAST(document, operationName);
  if (!operation) {
    throw withCode(new GraphQLError('Name the operation to run.'), 'OPERATION_RESOLUTION_FAILURE');
  }
  const refusal = refuseByScope(caller.scopes, operation.operation);
  if (refusal) throw refusal;
  return document;
}

function toRefusal(error: unknown, requestId: string, options: WebsocketOptions): GraphQLError {
  if (error instanceof GatewayError) {
    options.tally.refused(error.code);
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
  const coded = isAboutVariable(error) ? withCode(error, 'BAD_USER_INPUT') : error;
  const visible = toShown(formatError(coded.toJSON(), coded), options);
  return { ...visible, extensions: { ...visible.extensions, requestId: requestIdOf(args) } };
}

function toShown(
  error: GraphQLFormattedError,
  { hidesSuggestions }: WebsocketOptions,
): GraphQLFormattedError {
  return withLimitedMessage(hidesSuggestions ? withoutSuggestion(error) : error);
}

function requestIdOf({ contextValue }: ExecutionArgs): string {
  return (contextValue as Context).requestId;
}

/** A variable that does not fit is told at the place where it is defined, and nowhere in the answer. */
function isAboutVariable({ path, nodes = [] }: GraphQLError): boolean {
  return path === undefined && nodes[0]?.kind === Kind.VARIABLE_DEFINITION;
}
