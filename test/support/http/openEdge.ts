/** The options of the gateway's edge besides authentication, with the default limits and no rate limit. */
import type { GraphQLSchema } from 'graphql';
import { createExecutor } from '../../../src/execution/executor.js';
import { createGraphExecution } from '../../../src/graphql/apollo/apolloServer.js';
import { createErrorReporter } from '../../../src/graphql/apollo/formatError.js';
import {
  createDocumentStore,
  createParsedDocuments,
  type DocumentStore,
} from '../../../src/graphql/documents/documentStore.js';
import { createOperationGuard } from '../../../src/graphql/limits/operationGuard.js';
import { defaultOperationLimits } from '../../../src/graphql/limits/operationLimits.js';
import { allowAnyHost } from '../../../src/http/auth/hostCheck.js';
import { createDelivery } from '../../../src/http/delivery/subscriptions.js';
import { createCallerRateLimiter } from '../../../src/http/rateLimits/callerRateLimiter.js';
import { createCallerThrottle } from '../../../src/http/rateLimits/callerThrottle.js';
import { ExecutionLimit } from '../../../src/http/rateLimits/executionLimit.js';
import { defaultCallerLimits } from '../../../src/http/requests/callerLimits.js';
import { createRefusalReporter } from '../../../src/http/requests/refusalReporter.js';
import { createRequestMetrics } from '../../../src/http/requests/requestMetrics.js';
import { createCors } from '../../../src/http/responses/cors.js';
import { createByteBudgets } from '../../../src/lib/byteBudget.js';
import { silentLogger } from '../../../src/lib/logger.js';
import { runningClock } from '../runningClock.js';

export function createOpenEdge(schema: GraphQLSchema) {
  const documents = createDocumentStore(false);
  const edge = createEdge(schema, documents);
  return { ...edge, ...createDelivery({ ...edge, schema }) };
}

function createEdge(schema: GraphQLSchema, documents: DocumentStore) {
  const limits = defaultOperationLimits;
  const { maxBodyBytes, maxCallerBytes, maxUnsentBytes, maxUnsentMs } = defaultCallerLimits;
  const requestMetrics = createRequestMetrics();
  return {
    ...createGraphExecution(schema, limits),
    // Contexts of tests have no sources whose dependencies could be recorded.
    execute: createExecutor(schema),
    limits,
    documents,
    admission: { guard: createOperationGuard(schema, limits), documents },
    throttle: createCallerThrottle(
      createCallerRateLimiter({ perSecond: 0, burst: 1 }, runningClock),
      runningClock,
    ),
    executions: new ExecutionLimit({
      maxCost: limits.maxCost,
      maxWaitMs: 60_000,
      maxHeapBytes: Number.POSITIVE_INFINITY,
    }),
    cors: createCors([]),
    isAllowedHost: allowAnyHost,
    parsedDocuments: createParsedDocuments(),
    budgets: createByteBudgets(maxCallerBytes, Number.POSITIVE_INFINITY),
    messages: { perSecond: 0, burst: 1 },
    maxUnsentBytes,
    maxUnsentMs,
    maxBodyBytes,
    maxMessageBytes: maxBodyBytes,
    recheckIntervalMs: 30_000,
    hidesSuggestions: false,
    streams: { handle: () => false },
    respondInParts: () => undefined,
    clock: runningClock,
    requestMetrics,
    reportRefusal: createRefusalReporter(silentLogger, runningClock, requestMetrics.recordRefusal),
    logger: silentLogger,
    reportErrors: createErrorReporter(silentLogger, () => undefined),
  };
}
