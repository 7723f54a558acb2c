/** Decides what of an error leaves the gateway: our own errors with their details, GraphQL's as they are, all else masked. */
import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { GatewayError, limitMessage } from '../../errors.js';

/** The codes of what is wrong with an operation before it runs; their messages hold nothing of ours. */
const requestErrorCodes: ReadonlySet<unknown> = new Set([
  'FORBIDDEN',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
]);

/** How Apollo Server begins when it refuses what a form on another site's page could have sent. */
const CSRF_MESSAGE = 'This operation has been blocked as a potential Cross-Site Request Forgery';
const CSRF_ADVICE =
  'Send Content-Type: application/json or the header Apollo-Require-Preflight: 1: a page of another site can not.';

export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  return withLimitedMessage(toVisible(formatted, error));
}

function toVisible(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const original = unwrapResolverError(error);
  const place = { ...pick(formatted, 'locations'), ...pick(formatted, 'path') };
  if (original instanceof GatewayError) {
    return { message: original.message, ...place, extensions: toExtensions(original) };
  }
  const code = formatted.extensions?.['code'];
  if (formatted.message.startsWith(CSRF_MESSAGE)) {
    return { message: CSRF_ADVICE, extensions: { code: 'CSRF_REFUSED', retryable: false } };
  }
  if (requestErrorCodes.has(code)) {
    return { message: formatted.message, ...place, extensions: { code, retryable: false } };
  }
  if (isRequestError(error)) {
    return { message: formatted.message, ...place, extensions: { code: 'BAD_REQUEST', retryable: false } };
  }
  return {
    message: 'The gateway failed. Its log says why, under the requestId.',
    ...place,
    extensions: { code: 'INTERNAL_SERVER_ERROR', retryable: false },
  };
}

/** Cuts the message of an error: messages of graphql-js repeat the caller's text. */
export function withLimitedMessage(error: GraphQLFormattedError): GraphQLFormattedError {
  return { ...error, message: limitMessage(error.message) };
}

const SUGGESTION = ' Did you mean ';

/**
 * Removes the suggestion at the end of a message. Validation and coercion make none with `hideSuggestions`; the one rule
 * that ignores the option ends its message with the suggestion. Searches from the end, without a regular expression, so
 * that the time grows with the length of the message and no faster.
 */
export function withoutSuggestion(error: GraphQLFormattedError): GraphQLFormattedError {
  const { message } = error;
  const start = message.endsWith('?') ? message.lastIndexOf(SUGGESTION) : -1;
  return start === -1 ? error : { ...error, message: message.slice(0, start) };
}

/** Whether an error is a fault of the gateway, to be logged with its cause. */
export function isInternalError(error: GraphQLError): boolean {
  const original = unwrapResolverError(error);
  if (original instanceof GatewayError) return original.code === 'INTERNAL_SERVER_ERROR';
  return !requestErrorCodes.has(error.extensions['code']) && !isRequestError(error);
}

/** What Apollo Server refuses before anything of ours runs, though it may give it no code. */
function isRequestError(error: unknown): boolean {
  return error instanceof GraphQLError && error.path === undefined && error.originalError === undefined;
}

/** All that leaves the gateway of an error of its own, besides its message. */
export function toExtensions(error: GatewayError): Record<string, unknown> {
  const { code, retryable, retryAfterMs, platform, mayHaveTakenEffect } = error;
  return {
    code,
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(retryAfterMs) }),
    ...(platform === undefined ? {} : { platform }),
    ...(mayHaveTakenEffect === undefined ? {} : { mayHaveTakenEffect }),
  };
}

function pick<Name extends 'locations' | 'path'>(error: GraphQLFormattedError, name: Name) {
  return error[name] === undefined ? {} : { [name]: error[name] };
}
