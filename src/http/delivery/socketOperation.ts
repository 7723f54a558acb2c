/** Admits operations of streams with the same limits, checks and errors as over HTTP. */
import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import { GatewayError } from '../../errors.js';
import {
  formatError,
  toExtensions,
  withLimitedMessage,
  withoutSuggestion,
} from '../../graphql/apollo/formatError.js';
import type { Context } from '../../graphql/context.js';
import type { ParsedDocuments } from '../../graphql/documents/documentStore.js';
import { type AdmissionPolicy, admitOperation } from '../../graphql/limits/admitOperation.js';
import { MAX_VALIDATION_ERRORS } from '../../graphql/limits/operationLimits.js';
import { toScopeError } from '../../graphql/scopes.js';
import type { ByteBudget } from '../../lib/byteBudget.js';
import type { Cancellation } from '../../lib/cancellation.js';
import type { TakeTurn } from '../../lib/turns.js';
import type { CallerSession } from '../auth/callerSession.js';
import { type CallerThrottle, isOperationRefusal } from '../rateLimits/callerThrottle.js';
import type { RequestMetrics } from '../server/requestMetrics.js';

export interface SocketOperationOptions {
  schema: GraphQLSchema;
  admission: AdmissionPolicy;
  throttle: CallerThrottle;
  /** By their text. */
  parsedDocuments: ParsedDocuments;
  /** Spreads operations over turns of the event loop, so that a burst of one caller does not delay others. */
  takeTurn: TakeTurn;
  hidesSuggestions: boolean;
  requestMetrics: RequestMetrics;
}

/** The part of a connection that its operations need, on every transport. */
export interface OperationConnection {
  /** Charged with the memory of this caller's subscriptions. */
  budget: ByteBudget;
  /** Marks a running operation as a subscription. Throws TOO_MANY_SUBSCRIPTIONS. */
  beginSubscription(id: string): void;
}

/** An operation that the rate of its caller allows. */
export interface AdmittedOrigin {
  connection: OperationConnection;
  /** Identifies the operation on its connection. */
  id: string;
  session: CallerSession;
  /** Cancelled when the client completes the operation or disconnects. */
  cancellation: Cancellation;
  requestId: string;
}

/** Returns the errors that the client gets, and counts the refusal. Throws what is no fault of the operation. */
export function refuseOperation(
  error: unknown,
  callerId: string,
  requestId: string,
  options: SocketOperationOptions,
): GraphQLError[] {
  const problems = error instanceof InvalidOperation ? error.problems : [error];
  if (problems.some(isOperationRefusal)) options.throttle.recordRefusal(callerId);
  return problems.map((problem) => toRefusalError(problem, requestId, options));
}

/** Throws the error that refuses the operation. */
export function toExecutionArgs(
  payload: SubscribePayload,
  { connection, id, session, cancellation, requestId }: AdmittedOrigin,
  options: SocketOperationOptions,
): ExecutionArgs {
  const { source = '', cost } = admitOperation(options.admission, payload, { takesSubscriptions: true });
  const document = options.parsedDocuments.lookup(source) ?? readDocument(source, options);
  if (checkOperation(payload, document, session) === 'subscription') connection.beginSubscription(id);
  const { budget } = connection;
  const contextValue = session.createContext({ requestId, cancellation, cost, budget });
  const { operationName, variables } = payload;
  const { schema, hidesSuggestions: hideSuggestions } = options;
  const variableValues = variables ?? {};
  return { schema, document, operationName, variableValues, contextValue, hideSuggestions };
}

/** Contains all errors of a document. */
class InvalidOperation extends Error {
  readonly problems: readonly GraphQLError[];

  constructor(problems: readonly GraphQLError[]) {
    super('The operation does not match the schema.');
    this.problems = problems;
  }
}

/** Throws the errors of the document. */
function readDocument(
  source: string,
  { schema, hidesSuggestions: hideSuggestions, parsedDocuments }: SocketOperationOptions,
): DocumentNode {
  const document = parse(source);
  const limits = { maxErrors: MAX_VALIDATION_ERRORS, hideSuggestions };
  const problems = validate(schema, document, undefined, limits);
  if (problems.length > 0) {
    throw new InvalidOperation(problems.map((problem) => withCode(problem, 'GRAPHQL_VALIDATION_FAILED')));
  }
  parsedDocuments.add(source, document);
  return document;
}

/** Returns the kind of the operation. Throws FORBIDDEN without the needed scope. */
function checkOperation(
  { operationName }: SubscribePayload,
  document: DocumentNode,
  { caller }: CallerSession,
): OperationTypeNode {
  const operation = getOperationAST(document, operationName);
  if (!operation) {
    throw withCode(new GraphQLError('Name the operation to execute.'), 'OPERATION_RESOLUTION_FAILURE');
  }
  const refusal = toScopeError(caller.scopes, operation.operation);
  if (refusal) throw refusal;
  return operation.operation;
}

function toRefusalError(error: unknown, requestId: string, options: SocketOperationOptions): GraphQLError {
  if (error instanceof GatewayError) {
    options.requestMetrics.recordRefusal(error.code);
    return new GraphQLError(error.message, { extensions: { ...toExtensions(error), requestId } });
  }
  if (!(error instanceof GraphQLError)) throw error;
  const { message, extensions, locations } = toErrorWithoutSuggestions(error.toJSON(), options);
  const { code = 'GRAPHQL_PARSE_FAILED' } = extensions ?? {};
  const refusal = new GraphQLError(message, { extensions: { code, retryable: false, requestId } });
  return locations ? Object.assign(refusal, { locations }) : refusal;
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  Object.assign(error.extensions, { code, retryable: false });
  return error;
}

/** Formats an error for the client, as over HTTP. */
export function toClientError(
  error: GraphQLError,
  args: ExecutionArgs,
  options: SocketOperationOptions,
): GraphQLFormattedError {
  const coded = isAboutVariable(error) ? withCode(error, 'BAD_USER_INPUT') : error;
  const visible = toErrorWithoutSuggestions(formatError(coded.toJSON(), coded), options);
  return { ...visible, extensions: { ...visible.extensions, requestId: requestIdOf(args) } };
}

function toErrorWithoutSuggestions(
  error: GraphQLFormattedError,
  { hidesSuggestions }: SocketOperationOptions,
): GraphQLFormattedError {
  return withLimitedMessage(hidesSuggestions ? withoutSuggestion(error) : error);
}

export function requestIdOf({ contextValue }: ExecutionArgs): string {
  return (contextValue as Context).requestId;
}

/** The error of an invalid variable names its definition and has no response path. */
function isAboutVariable({ path, nodes = [] }: GraphQLError): boolean {
  return path === undefined && nodes[0]?.kind === Kind.VARIABLE_DEFINITION;
}
