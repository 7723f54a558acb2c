/**
 * Formats errors for callers: gateway errors with their details, GraphQL errors unchanged, all others masked. Logs the
 * causes that callers do not see.
 */
import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError, Kind } from 'graphql';
import { type ErrorExtensions, GatewayError, limitMessage } from '../../errors.js';
import type { Logger } from '../../lib/logger.js';

/** Codes of errors without a `GatewayError`, mostly in a request. Their messages contain nothing internal. */
const requestErrorCodes: ReadonlySet<string> = new Set([
  'FORBIDDEN',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
  'TOO_MANY_ERRORS',
  'COST_TOO_HIGH',
]);

/** Messages of Apollo Server about a request that do not say what to change, with the ones that callers get instead. */
const requestMessages = new Map([
  ['Apollo Server supports only GET/POST requests.', 'Send operations by POST, or queries by GET.'],
  [
    'POST body missing, invalid Content-Type, or JSON object has no keys.',
    'The body must be a JSON object with the operation as `query`.',
  ],
]);

export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  return withLimitedMessage(toVisible(formatted, error));
}

function toVisible(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const original = unwrapResolverError(error);
  const { locations, path } = formatted;
  const location = { ...(locations && { locations }), ...(path && { path }) };
  if (original instanceof GatewayError) {
    const { message, extensions } = toClientError(original);
    return { message, ...location, extensions };
  }
  const code = toErrorCode(formatted.extensions?.['code'], error);
  const retryable = formatted.extensions?.['code'] === code && formatted.extensions['retryable'] === true;
  const message =
    code === 'INTERNAL_SERVER_ERROR'
      ? 'Internal error. The log of the gateway contains the cause under this requestId.'
      : (requestMessages.get(formatted.message) ?? formatted.message);
  return { message, ...location, extensions: { code, retryable } };
}

/** The code that callers see. `code` is that in the extensions of the error. */
function toErrorCode(code: unknown, error: unknown): string {
  const original = unwrapResolverError(error);
  if (original instanceof GatewayError) return original.code;
  if (typeof code === 'string' && requestErrorCodes.has(code)) return code;
  if (isRequestError(error)) return 'BAD_REQUEST';
  return isInputError(original) ? 'BAD_USER_INPUT' : 'INTERNAL_SERVER_ERROR';
}

/** Shortens the message of an error, because messages of graphql-js repeat text of the caller. */
export function withLimitedMessage(error: GraphQLFormattedError): GraphQLFormattedError {
  return { ...error, message: limitMessage(error.message) };
}

/** Errors that Apollo Server raises before execution. Some of them have no code. */
function isRequestError(error: unknown): boolean {
  return error instanceof GraphQLError && error.path === undefined && error.originalError === undefined;
}

/**
 * Whether the error is about an argument, such as a variable that is null where the argument must not be. Such an error
 * refers to a value or a directive of the document; an error about a result refers to a field or to nothing.
 */
function isInputError(original: unknown): boolean {
  if (!(original instanceof GraphQLError)) return false;
  return original.nodes?.some(({ kind }) => kind !== Kind.FIELD) ?? false;
}

/** A gateway error as callers see it. `details` are further extensions. */
export function toClientError(
  error: GatewayError,
  details?: Readonly<Record<string, unknown>>,
): { message: string; extensions: ErrorExtensions & Record<string, unknown> } {
  const { message, code, retryable, retryAfterMs, platform, mayHaveTakenEffect, costliestFields } = error;
  const extensions = {
    code,
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(retryAfterMs) }),
    ...(platform === undefined ? {} : { platform }),
    ...(mayHaveTakenEffect === undefined ? {} : { mayHaveTakenEffect }),
    ...(costliestFields === undefined ? {} : { costliestFields }),
    ...details,
  };
  return { message, extensions };
}

/** The operation, or the part of it, that has errors. */
export interface FailedOperation {
  requestId: string;
  /** The codes of its errors so far. Absent if they are not needed. */
  errorCodes?: Set<string>;
}

/** Counts the errors of a result by code, and logs their causes. */
export type ReportErrors = (operation: FailedOperation, errors: readonly GraphQLError[]) => void;

/** `recordError` is called once for each code of a result. */
export function createErrorReporter(logger: Logger, recordError: (code: string) => void): ReportErrors {
  const logCause = createCauseLogger(logger);
  return ({ requestId, errorCodes }, errors) => {
    const codes = new Set<string>();
    for (const error of errors) {
      const code = toErrorCode(error.extensions['code'], error);
      codes.add(code);
      errorCodes?.add(code);
      logCause(requestId, error, code);
    }
    for (const code of codes) recordError(code);
  };
}

/** Writes one line per cause, because one failed REST call can fail many fields. */
function createCauseLogger(logger: Logger) {
  /**
   * The last request that logged an error. Operations can share an error; only the first of them logs it. An
   * internal error is logged for each of them, because its message refers callers to the log line with their
   * request id.
   */
  const logged = new WeakMap<object, string>();
  return (requestId: string, error: GraphQLError, code: string): void => {
    const isInternal = code === 'INTERNAL_SERVER_ERROR';
    const unwrapped = unwrapResolverError(error);
    const original = typeof unwrapped === 'object' && unwrapped !== null ? unwrapped : error;
    const loggedFor = logged.get(original);
    if (loggedFor === requestId || (loggedFor !== undefined && !isInternal)) return;
    logged.set(original, requestId);
    const path = error.path?.join('.');
    if (isInternal) logger.error({ requestId, path, cause: original }, 'A resolver failed');
    else if (original instanceof GatewayError && code.startsWith('PLATFORM_')) {
      const { endpoint, platform, cause } = original;
      logger.warn({ requestId, path, code, endpoint, platform, cause }, original.message);
    }
  };
}
