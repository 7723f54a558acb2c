/** Logs what callers do not see of errors, once for each cause, under the id that they were told. */
import { unwrapResolverError } from '@apollo/server/errors';
import type { GraphQLError } from 'graphql';
import { GatewayError } from '../../errors.js';
import type { Logger } from '../../lib/logger.js';
import { isInternalError } from './formatError.js';

/** One failed call can blank many fields: of an operation's errors, those with the same cause are one line. */
export type LogErrorCauses = (requestId: string, errors: readonly GraphQLError[]) => void;

export function createErrorCauseLogger(logger: Logger): LogErrorCauses {
  /** Errors that are shared between operations are logged for the first. */
  const logged = new WeakSet<object>();
  return (requestId, errors) => {
    for (const error of errors) {
      const original = toOriginalError(error);
      if (logged.has(original)) continue;
      logged.add(original);
      logCause(logger, requestId, error, original);
    }
  };
}

function toOriginalError(error: GraphQLError): object {
  const original = unwrapResolverError(error);
  return typeof original === 'object' && original !== null ? original : error;
}

function logCause(logger: Logger, requestId: string, error: GraphQLError, original: object): void {
  const path = error.path?.join('.');
  if (isInternalError(error)) logger.error({ requestId, path, cause: original }, 'A resolver failed');
  else if (original instanceof GatewayError && original.code.startsWith('PLATFORM_')) {
    logger.warn({ requestId, path, code: original.code, cause: original.cause }, original.message);
  }
}
