/** Configures Apollo Server: our executor, no landing page, no batching, errors with a request id. */
import {
  ApolloServer,
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
  type BaseContext,
  type GraphQLRequestContextResponseForOperation,
  type GraphQLRequestListener,
  type GraphQLResponse,
  HeaderMap,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { createCompiledQueries } from '../../execution/compiledQueries.js';
import {
  createExecutor,
  createIncrementalExecutor,
  type Executor,
  type IncrementalExecutor,
} from '../../execution/executor.js';
import { stringifyResponse } from '../../execution/text/serializedJson.js';
import type { Logger } from '../../lib/logger.js';
import type { OperationTrace } from '../../tracing/operationTrace.js';
import type { Context } from '../context.js';
import { latestRangeEnd } from '../documents/closedRanges.js';
import { createParsedDocuments, type DocumentStore, toKeyValueCache } from '../documents/documentStore.js';
import { incrementalRules } from '../documents/incrementalRules.js';
import { MAX_VALIDATION_ERRORS, type OperationLimits } from '../limits/operationLimits.js';
import { createPrefetch, type Prefetch } from '../prefetch.js';
import { authorizeOperation } from '../scopes.js';
import { formatError, withoutSuggestion } from './formatError.js';
import { createErrorCauseLogger, type LogErrorCauses } from './logErrorCauses.js';

export interface ApolloServerOptions extends Pick<GraphExecution, 'execute' | 'prefetch'> {
  schema: GraphQLSchema;
  /** The operation guard has already enforced them; Apollo Server enforces some again as a second line of defence. */
  limits: OperationLimits;
  documents: DocumentStore;
  logger: Logger;
}

/** How operations are executed, on all transports. */
export interface GraphExecution {
  execute: Executor;
  /** For operations that are answered in parts. */
  executeIncrementally: IncrementalExecutor;
  prefetch: Prefetch;
}

export function createGraphExecution(
  schema: GraphQLSchema,
  { allowsIntrospection }: OperationLimits,
): GraphExecution {
  const compiledQueries = createCompiledQueries(schema);
  const options = {
    ...{ dependenciesOf, compiledQueries },
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

export function createApolloServer({
  schema,
  limits,
  documents,
  execute,
  prefetch,
  logger,
}: ApolloServerOptions): ApolloServer<Context> {
  const { allowsIntrospection, maxTokens } = limits;
  const execution = createApolloExecution<Context>(schema, execute, ({ request, ...operation }) =>
    prefetch({ ...operation, variables: request.variables }),
  );
  return new ApolloServer<Context>({
    gateway: execution.gateway,
    stringifyResult: stringifyResponse,
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
    formatError: (formatted, error) => {
      const visible = formatError(formatted, error);
      return allowsIntrospection ? visible : withoutSuggestion(visible);
    },
    logger: toApolloLogger(logger),
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // It would visit every field for cache hints, of which the schema has none. The sources set the lifetime instead.
      ApolloServerPluginCacheControlDisabled(),
      createOperationPlugin(createErrorCauseLogger(logger), execution.respond),
    ],
  });
}

function dependenciesOf(contextValue: unknown) {
  return (contextValue as Context).sources.dependencies;
}

/**
 * Everything that the gateway does between Apollo Server's steps. One plugin with one listener for all requests: Apollo
 * Server calls each hook of each plugin for each request, with a promise for each.
 */
function createOperationPlugin(
  logCauses: LogErrorCauses,
  respond: ApolloExecution<Context>['respond'],
): ApolloServerPlugin<Context> {
  const listener: GraphQLRequestListener<Context> = {
    async didEncounterErrors({ errors, contextValue }) {
      contextValue.trace?.fail();
      logCauses(contextValue.requestId, errors);
    },
    async didResolveOperation({ operation, request, contextValue }) {
      const { caller, freshness, logRefusedWrite } = contextValue;
      if (operation?.operation !== 'query') freshness.forbidStoring();
      else if (request.http?.method === 'GET') {
        const endMs = latestRangeEnd(operation, request.variables ?? {});
        if (endMs !== undefined) freshness.setRangeEnd(endMs);
      }
      if (operation) authorizeOperation(operation, caller, logRefusedWrite);
    },
    responseForOperation: respond,
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
  if (body.kind !== 'single' || body.singleResult.errors) freshness.forbidStoring();
  if (body.kind !== 'single') return;
  const { singleResult } = body;
  if (singleResult.errors) {
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

type ApolloOperation<Context extends BaseContext> = GraphQLRequestContextResponseForOperation<Context>;

type TracedContext = BaseContext & { trace?: OperationTrace | undefined };

/** Makes Apollo Server use our executor, through its two extension points for that. */
interface ApolloExecution<Context extends BaseContext> {
  gateway: ApolloServerOptionsWithGateway<Context>['gateway'];
  /** For `responseForOperation` of a plugin: the response, or null if it has errors. */
  respond(operation: ApolloOperation<Context>): Promise<GraphQLResponse | null>;
}

/**
 * A plugin returns results without errors, which is the shortest path. Results with errors go through the gateway
 * interface, so that Apollo Server formats and reports the errors. The gateway interface alone would be simpler, but Apollo
 * Server then creates an object with a getter per execution, and V8 keeps it with the whole request until the next
 * collection of the old space: a sixth of all allocated memory.
 */
function createApolloExecution<Context extends TracedContext>(
  schema: GraphQLSchema,
  execute: Executor,
  prepare: (operation: ApolloOperation<Context>) => Promise<void> | undefined,
): ApolloExecution<Context> {
  /** Results with errors, by context value. */
  const failed = new WeakMap<object, ExecutionResult>();

  async function respond(operation: ApolloOperation<Context>): Promise<GraphQLResponse | null> {
    const { document, request, contextValue } = operation;
    const { trace } = contextValue;
    trace?.beginPhase('graphql.execute');
    const preparing = prepare(operation);
    if (preparing !== undefined) await preparing;
    const result = await execute({
      document,
      operationName: request.operationName,
      variableValues: request.variables,
      contextValue,
    });
    trace?.beginPhase('graphql.serialize');
    if (!result.errors) return toResponse(result);
    failed.set(contextValue, result);
    return null;
  }

  return {
    gateway: toGateway(schema, (context) => failed.get(context)),
    respond,
  };
}

function toResponse({ data = null }: ExecutionResult): GraphQLResponse {
  return {
    http: { headers: new HeaderMap() },
    body: { kind: 'single', singleResult: { data } },
  };
}

/** Returns the results that the plugin stored. It never executes an operation itself. */
function toGateway(
  schema: GraphQLSchema,
  resultOf: (context: object) => ExecutionResult | undefined,
): ApolloServerOptionsWithGateway<object>['gateway'] {
  return {
    onSchemaLoadOrUpdate(onSchema) {
      // Apollo Server uses the supergraph SDL only for usage reports, which are off.
      onSchema({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    async load() {
      return { executor: async ({ context }) => resultOf(context) ?? { data: null } };
    },
    async stop() {},
  };
}
