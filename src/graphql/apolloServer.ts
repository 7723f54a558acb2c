/** Apollo Server, set up for this gateway: no landing page, no batching, few tokens, errors with a request id. */
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import { GatewayError } from '../errors.js';
import type { Logger } from '../lib/logger.js';
import type { Context } from './context.js';
import { formatError, isInternal } from './formatError.js';
import { checkScope } from './scopes.js';

/** The most lexical tokens of an operation, counted before parsing goes on. */
export const MOST_TOKENS = 2000;

export function createApolloServer(schema: GraphQLSchema, logger: Logger): ApolloServer<Context> {
  return new ApolloServer<Context>({
    schema,
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: MOST_TOKENS },
    formatError,
    logger: toApolloLogger(logger),
    plugins: [ApolloServerPluginLandingPageDisabled(), nameRequest(logger), checkScope, explainOperation],
  });
}

/** Puts the request id into every error, and logs the causes of those that callers do not see. */
function nameRequest(logger: Logger): ApolloServerPlugin<Context> {
  return {
    async requestDidStart({ contextValue: { requestId } }) {
      return {
        async didEncounterErrors({ errors }) {
          for (const error of errors) logCause(logger, requestId, error);
        },
        async willSendResponse({ response }) {
          const { body } = response;
          if (body.kind !== 'single' || !body.singleResult.errors) return;
          body.singleResult.errors = body.singleResult.errors.map((error) => ({
            ...error,
            extensions: { ...error.extensions, requestId },
          }));
        },
      };
    },
  };
}

/** Adds what the operation cost, where it was asked for with `X-Explain: 1`. */
const explainOperation: ApolloServerPlugin<Context> = {
  async requestDidStart({ contextValue: { explain } }) {
    if (!explain) return;
    return {
      async willSendResponse({ response: { body } }) {
        if (body.kind !== 'single') return;
        body.singleResult.extensions = { ...body.singleResult.extensions, explain: explain() };
      },
    };
  },
};

function logCause(logger: Logger, requestId: string, error: GraphQLError): void {
  const original = unwrapResolverError(error);
  const path = error.path?.join('.');
  if (isInternal(error)) logger.error({ requestId, path, cause: original }, 'A resolver failed');
  else if (original instanceof GatewayError && original.code.startsWith('PLATFORM_')) {
    logger.warn({ requestId, path, code: original.code, cause: original.cause }, original.message);
  }
}

function toApolloLogger(logger: Logger) {
  const at = (level: keyof Logger) => (message?: string) => logger[level]({}, message ?? '');
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
