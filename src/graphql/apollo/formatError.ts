/**
 * Formats errors for callers: gateway errors with their details, GraphQL errors unchanged, all others masked. Logs the
 * causes that callers do not see.
 */
import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError, Kind } from 'graphql';
import { type ErrorExtensions, GatewayError, limitMessage } from '../../errors.js';
import type { Logger } from '../../lib/logger.js';

/** Codes of errors without a `GatewayError`, mostly in a request. Their messages contain nothing internal. */
const requestErrorCodes: ReadonlySet<unknown> = new Set([
  'FORBIDDEN',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
  'TOO_MANY_ERRORS',
]);

export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  return withLimitedMessage(toVisible(formatted, error));
}

function toVisible(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const original = unwrapResolverError(error);
  const location = { ...pick(formatted, 'locations'), ...pick(formatted, 'path') };
  if (original instanceof GatewayError) {
    return { message: original.message, ...location, extensions: toExtensions(original) };
  }
  const { code, retryable } = formatted.extensions ?? {};
  if (requestErrorCodes.has(code)) {
    return { message: formatted.message, ...location, extensions: { code, retryable: retryable === true } };
  }
  if (isRequestError(error)) {
    return { message: formatted.message, ...location, extensions: { code: 'BAD_REQUEST', retryable: false } };
  }
  if (isInputError(original)) {
    return {
      message: formatted.message,
      ...location,
      extensions: { code: 'BAD_USER_INPUT', retryable: false },
    };
  }
  return {
    message: 'Internal error. The log of the gateway contains the cause under this requestId.',
    ...location,
    extensions: { code: 'INTERNAL_SERVER_ERROR', retryable: false },
  };
}

/** Shortens the message of an error, because messages of graphql-js repeat text of the caller. */
export function withLimitedMessage(error: GraphQLFormattedError): GraphQLFormattedError {
  return { ...error, message: limitMessage(error.message) };
}

/** Whether an error is a fault of the gateway, whose cause must be logged. */
function isInternalError(error: GraphQLError): boolean {
  const original = unwrapResolverError(error);
  if (original instanceof GatewayError) return original.code === 'INTERNAL_SERVER_ERROR';
  return (
    !requestErrorCodes.has(error.extensions['code']) && !isRequestError(error) && !isInputError(original)
  );
}

/** Errors that Apollo Server raises before execution. Some of them have no code. */
function isRequestError(error: unknown): boolean {
  return error instanceof GraphQLError && error.path === undefined && error.originalError === undefined;
}

/**
 * Errors of arguments, such as a variable that is null where the argument must not be: they name a value or a directive of the
 * document. Errors of results name a field or nothing.
 */
function isInputError(original: unknown): boolean {
  if (!(original instanceof GraphQLError)) return false;
  return original.nodes?.some(({ kind }) => kind !== Kind.FIELD) ?? false;
}

/** The extensions of a gateway error that callers see. */
export function toExtensions(error: GatewayError): ErrorExtensions & Record<string, unknown> {
  const { code, retryable, retryAfterMs, platform, mayHaveTakenEffect, costliestFields } = error;
  return {
    code,
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(retryAfterMs) }),
    ...(platform === undefined ? {} : { platform }),
    ...(mayHaveTakenEffect === undefined ? {} : { mayHaveTakenEffect }),
    ...(costliestFields === undefined ? {} : { costliestFields }),
  };
}

function pick<Name extends 'locations' | 'path'>(error: GraphQLFormattedError, name: Name) {
  return error[name] === undefined ? {} : { [name]: error[name] };
}

/** Writes one line per cause, because one failed REST call can fail many fields. */
export type LogErrorCauses = (requestId: string, errors: readonly GraphQLError[]) => void;

export function createErrorCauseLogger(logger: Logger): LogErrorCauses {
  /**
   * The last request that logged an error. Operations can share an error; only the first of them logs it. An
   * internal error is logged for each of them, because its message refers callers to the log line with their
   * request id.
   */
  const logged = new WeakMap<object, string>();
  return (requestId, errors) => {
    for (const error of errors) {
      const unwrapped = unwrapResolverError(error);
      const original = typeof unwrapped === 'object' && unwrapped !== null ? unwrapped : error;
      const loggedFor = logged.get(original);
      if (loggedFor === requestId || (loggedFor !== undefined && !isInternalError(error))) continue;
      logged.set(original, requestId);
      logCause(logger, requestId, error, original);
    }
  };
}

function logCause(logger: Logger, requestId: string, error: GraphQLError, original: object): void {
  const path = error.path?.join('.');
  if (isInternalError(error)) logger.error({ requestId, path, cause: original }, 'A resolver failed');
  else if (original instanceof GatewayError && original.code.startsWith('PLATFORM_')) {
    logger.warn({ requestId, path, code: original.code, cause: original.cause }, original.message);
  }
}
