/** Apollo Server, set up for this gateway: no landing page, no batching, few tokens, errors with a request id. */
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import { createExecutor } from '../../execution/executor.js';
import { stringifyResponse } from '../../execution/text/serializedJson.js';
import type { Logger } from '../../lib/logger.js';
import type { Context } from '../context.js';
import { type DocumentStore, toKeyValueCache } from '../documents/documentStore.js';
import { createParsedDocuments } from '../documents/parsedDocuments.js';
import { MAX_VALIDATION_ERRORS, type OperationLimits } from '../limits/operationLimits.js';
import { createPrefetch } from '../prefetch/prefetch.js';
import { createApolloExecution } from './apolloExecution.js';
import { formatError, withoutSuggestion } from './formatError.js';
import { createErrorCauseLogger } from './logErrorCauses.js';
import { scopePlugin } from './scopePlugin.js';

export interface ApolloServerOptions {
  schema: GraphQLSchema;
  /** What it holds to itself of these is a second line: the guard has looked at each operation before. */
  limits: OperationLimits;
  documents: DocumentStore;
  logger: Logger;
}

export function createApolloServer({
  schema,
  limits,
  documents,
  logger,
}: ApolloServerOptions): ApolloServer<Context> {
  const { allowsIntrospection, maxTokens } = limits;
  const execution = createApolloExecution(
    schema,
    createExecutor(schema, { dependenciesOf, hideSuggestions: !allowsIntrospection }),
    createPrefetch(schema),
  );
  return new ApolloServer<Context>({
    gateway: execution.gateway,
    stringifyResult: stringifyResponse,
    introspection: allowsIntrospection,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: maxTokens },
    validationOptions: { maxErrors: MAX_VALIDATION_ERRORS, hideSuggestions: !allowsIntrospection },
    documentStore: createParsedDocuments(),
    persistedQueries: { cache: toKeyValueCache(documents) },
    formatError: (formatted, error) => {
      const visible = formatError(formatted, error);
      return allowsIntrospection ? visible : withoutSuggestion(visible);
    },
    logger: toApolloLogger(logger),
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // It would look at every field of every answer for hints that the schema has none of: the server says how long.
      ApolloServerPluginCacheControlDisabled(),
      addRequestId(logger),
      scopePlugin,
      setCacheLifetime,
      execution.plugin,
      explainOperation,
    ],
  });
}

function dependenciesOf(contextValue: unknown) {
  return (contextValue as Context).sources.dependencies;
}

/** Keeps answers out of shared caches, puts the request id into every error, and logs the causes of those that callers do not see. */
function addRequestId(logger: Logger): ApolloServerPlugin<Context> {
  const logCauses = createErrorCauseLogger(logger);
  return {
    async requestDidStart({ contextValue: { requestId }, response: { http } }) {
      http.headers.set('cache-control', 'no-store');
      return {
        async didEncounterErrors({ errors }) {
          logCauses(requestId, errors);
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

/** Responses of queries may be stored; payloads of mutations and responses with errors may not. */
const setCacheLifetime: ApolloServerPlugin<Context> = {
  async requestDidStart({ contextValue: { freshness } }) {
    return {
      async didResolveOperation({ operation }) {
        if (operation?.operation !== 'query') freshness.forbidStoring();
      },
      async willSendResponse({ response: { body } }) {
        if (body.kind !== 'single' || body.singleResult.errors) freshness.forbidStoring();
      },
    };
  },
};

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

function toApolloLogger(logger: Logger) {
  const at = (level: keyof Logger) => (message?: string) => logger[level]({}, message ?? '');
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
