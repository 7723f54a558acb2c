/** Logs the causes of errors, which callers do not see, with the request id that callers see. */
import { unwrapResolverError } from '@apollo/server/errors';
import type { GraphQLError } from 'graphql';
import { GatewayError } from '../../errors.js';
import type { Logger } from '../../lib/logger.js';
import { isInternalError } from './formatError.js';

/** Writes one line per cause, because one failed REST call can fail many fields. */
export type LogErrorCauses = (requestId: string, errors: readonly GraphQLError[]) => void;

export function createErrorCauseLogger(logger: Logger): LogErrorCauses {
  /** Operations can share an error. Only the first of them logs it. */
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
