/** What the edge of the gateway asks for besides who calls, with the default limits and no rate. */
import type { GraphQLSchema } from 'graphql';
import { createDocumentStore } from '../../../src/graphql/documents/documentStore.js';
import { createOperationGuard } from '../../../src/graphql/limits/operationGuard.js';
import { defaultOperationLimits } from '../../../src/graphql/limits/operationLimits.js';
import { createCallerRateLimiter } from '../../../src/http/rateLimits/callerRateLimiter.js';
import { createCallerThrottle } from '../../../src/http/rateLimits/callerThrottle.js';
import { MAX_BODY_BYTES } from '../../../src/http/requests/requestBody.js';
import { createCors } from '../../../src/http/responses/cors.js';
import { createRequestMetrics } from '../../../src/http/server/requestMetrics.js';
import { silentLogger } from '../../../src/lib/logger.js';
import { runningClock } from '../runningClock.js';

export function createOpenEdge(schema: GraphQLSchema) {
  const limits = defaultOperationLimits;
  const documents = createDocumentStore({ trusted: new Map(), trustedOnly: false });
  return {
    limits,
    documents,
    admission: { guard: createOperationGuard(schema, limits), documents },
    throttle: createCallerThrottle(
      createCallerRateLimiter({ perSecond: 0, burst: 1 }, runningClock),
      runningClock,
    ),
    cors: createCors([]),
    maxBodyBytes: MAX_BODY_BYTES,
    maxMessageBytes: MAX_BODY_BYTES,
    hidesSuggestions: false,
    clock: runningClock,
    requestMetrics: createRequestMetrics(),
    logger: silentLogger,
  };
}
