/** Configures Apollo Server: the compiled executor, no landing page, no batching, errors with a request id. */
import {
  ApolloServer,
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
  type GraphQLRequestListener,
  type GraphQLResponse,
  HeaderMap,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { createCompiledQueries } from '../../execution/compiledQueries.js';
import { createExecutor, createIncrementalExecutor, type Executor } from '../../execution/executor.js';
import { stringifyResponse } from '../../execution/text/serializedJson.js';
import type { Logger } from '../../lib/logger.js';
import type { Context } from '../context.js';
import { allExist, findReadRanges } from '../documents/closedRanges.js';
import {
  createParsedDocuments,
  type DocumentStore,
  type ParsedDocuments,
  toKeyValueCache,
} from '../documents/documentStore.js';
import { withVariableDefaults } from '../documents/fragments.js';
import { incrementalRules } from '../documents/incrementalRules.js';
import { MAX_VALIDATION_ERRORS, type OperationLimits } from '../limits/operationLimits.js';
import { createPrefetch, type Prefetch } from '../prefetch.js';
import { authorizeOperation } from '../scopes.js';
import { formatError, type ReportErrors } from './formatError.js';
import { createSuggestions } from './suggestions.js';
import { ValidatedQueries } from './validatedQueries.js';

interface ApolloServerOptions {
  execute: Executor;
  prefetch: Prefetch;
  schema: GraphQLSchema;
  /** The operation guard has already enforced them; Apollo Server enforces some again as a second line of defence. */
  limits: OperationLimits;
  documents: DocumentStore;
  /**
   * By their text, for all transports. Apollo Server has a separate cache, because its keys are hashes, which callers could
   * send as strings.
   */
  parsedDocuments: ParsedDocuments;
  logger: Logger;
  /** Shared with the other transports, because operations on different transports share loads. */
  reportErrors: ReportErrors;
}

/** How operations are executed, on all transports. */
export function createGraphExecution(
  schema: GraphQLSchema,
  { allowsIntrospection }: OperationLimits,
  maxResultCharacters?: number,
) {
  const compiledQueries = createCompiledQueries(schema);
  const options = {
    compiledQueries,
    maxResultCharacters,
    dependenciesOf: (context: unknown) => (context as Context).sources.dependencies,
    hideSuggestions: !allowsIntrospection,
    checkCancelled: (context: unknown) => (context as Context).checkCancelled(),
    turnsOf: (context: unknown) => (context as Context).turns,
  };
  return {
    execute: createExecutor(schema, options),
    executeIncrementally: createIncrementalExecutor(schema, options),
    prefetch: createPrefetch(schema),
  };
}

/** Apollo Server, and the queries that it has executed before. */
export type GraphServer = ApolloServer<Context> & { readonly validatedQueries: ValidatedQueries };

export function createApolloServer({
  schema,
  limits,
  documents,
  parsedDocuments,
  execute,
  prefetch,
  logger,
  reportErrors,
}: ApolloServerOptions): GraphServer {
  const { allowsIntrospection, maxTokens } = limits;
  const validatedQueries = new ValidatedQueries(execute, prefetch, parsedDocuments);
  const suggest = createSuggestions(schema, !allowsIntrospection);
  const server = new ApolloServer<Context>({
    gateway: toGateway(schema, validatedQueries),
    stringifyResult: (response) => `${stringifyResponse(response)}\n`,
    introspection: allowsIntrospection,
    // `checkPreflight` has already refused such requests, with an error code.
    csrfPrevention: false,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens },
    validationRules: [...incrementalRules],
    validationOptions: { maxErrors: MAX_VALIDATION_ERRORS, hideSuggestions: !allowsIntrospection },
    documentStore: createParsedDocuments(),
    persistedQueries: { cache: toKeyValueCache(documents) },
    formatError: (formatted, error) => suggest(formatError(formatted, error)),
    logger: toApolloLogger(logger),
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // This plugin would visit every field for cache hints, of which the schema has none. The sources set the
      // lifetime instead.
      ApolloServerPluginCacheControlDisabled(),
      // This plugin would trace every field if a router requests it.
      ApolloServerPluginInlineTraceDisabled(),
      createOperationPlugin(reportErrors, validatedQueries),
    ],
  });
  return Object.assign(server, { validatedQueries });
}

/**
 * Everything that the gateway does between Apollo Server's steps. One plugin with one listener for all requests: Apollo
 * Server calls each hook of each plugin for each request, with a promise for each.
 */
function createOperationPlugin(
  reportErrors: ReportErrors,
  validatedQueries: ValidatedQueries,
): ApolloServerPlugin<Context> {
  const listener: GraphQLRequestListener<Context> = {
    async didEncounterErrors({ errors, contextValue }) {
      contextValue.trace?.fail();
      reportErrors(contextValue, errors);
    },
    async didResolveOperation({ operation, request, contextValue, source, document }) {
      const { caller, freshness } = contextValue;
      validatedQueries.addDocument(source, document);
      if (operation) authorizeOperation(operation, caller, (fields) => contextValue.logRefusedWrite(fields));
      if (operation?.operation !== 'query') freshness.forbidStoring();
      else if (request.http?.method === 'GET') {
        const ranges = findReadRanges(operation, withVariableDefaults(operation, request.variables ?? {}));
        if (ranges && (await allExist(ranges, contextValue.sources)))
          freshness.setRangeEnd(ranges.latestEndMs);
      }
    },
    /** Null if the result has errors: `toGateway` then returns it. */
    async responseForOperation({ document, operation, request, contextValue }) {
      if (validatedQueries.failedResult(contextValue)) return null;
      const { operationName, variables } = request;
      const result = await validatedQueries.execute(
        { document, operation, operationName, variables },
        contextValue,
      );
      return result ? toResponse(result) : null;
    },
    async willSendResponse({ response: { body }, contextValue }) {
      completeResponse(body, contextValue);
    },
  };
  return {
    async requestDidStart({ response: { http } }) {
      // Shared caches must not store it.
      http.headers.set('cache-control', 'no-store');
      return listener;
    },
  };
}

/**
 * Adds the request id to every error, and `extensions.explain` if the request has the header `X-Explain: 1`. Allows only
 * responses without errors to be cached.
 */
function completeResponse(body: GraphQLResponse['body'], { requestId, freshness, explain }: Context): void {
  if (body.kind !== 'single') return;
  const { singleResult } = body;
  if (singleResult.errors) {
    freshness.forbidStoring();
    singleResult.errors = singleResult.errors.map((error) => ({
      ...error,
      extensions: { ...error.extensions, requestId },
    }));
  }
  if (explain) singleResult.extensions = { ...singleResult.extensions, explain: explain() };
}

function toApolloLogger(logger: Logger) {
  const at = (level: keyof Logger) => (message?: string) => logger[level]({}, message ?? '');
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function toResponse({ data = null }: ExecutionResult): GraphQLResponse {
  return { http: { headers: new HeaderMap() }, body: { kind: 'single', singleResult: { data } } };
}

/**
 * Returns the results with errors, so that Apollo Server formats and reports them; never executes an operation itself.
 * The plugin returns all other results, because with this interface Apollo Server creates an object with a getter per
 * execution, and V8 keeps it with the whole request until the next collection of the old space: a sixth of all
 * allocated memory.
 */
function toGateway(
  schema: GraphQLSchema,
  validatedQueries: ValidatedQueries,
): ApolloServerOptionsWithGateway<Context>['gateway'] {
  return {
    onSchemaLoadOrUpdate(onSchema) {
      // Apollo Server uses the supergraph SDL only for usage reports, which are off.
      onSchema({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    async load() {
      return {
        executor: async ({ context }) => validatedQueries.failedResult(context as Context) ?? { data: null },
      };
    },
    async stop() {},
  };
}
