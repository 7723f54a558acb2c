/** What the edge of the gateway asks for besides who calls, with the default limits and no rate. */
import type { GraphQLSchema } from 'graphql';
import { createDocumentStore } from '../../src/graphql/documents/documentStore.js';
import { createOperationGuard } from '../../src/graphql/limits/operationGuard.js';
import { defaultOperationLimits } from '../../src/graphql/limits/operationLimits.js';
import { createCallerPace } from '../../src/http/callerPace.js';
import { createCallerRate } from '../../src/http/callerRate.js';
import { createCors } from '../../src/http/cors.js';
import { LARGEST_BODY } from '../../src/http/requestBody.js';
import { createRequestTally } from '../../src/http/requestTally.js';
import { silentLogger } from '../../src/lib/logger.js';
import { runningClock } from './runningClock.js';

export function createOpenEdge(schema: GraphQLSchema) {
  const limits = defaultOperationLimits;
  const documents = createDocumentStore({ trusted: new Map(), trustedOnly: false });
  return {
    limits,
    documents,
    admission: { guard: createOperationGuard(schema, limits), documents },
    pace: createCallerPace(createCallerRate({ perSecond: 0, burst: 1 }, runningClock), runningClock),
    cors: createCors([]),
    mostBodyBytes: LARGEST_BODY,
    mostMessageBytes: LARGEST_BODY,
    hidesSuggestions: false,
    clock: runningClock,
    tally: createRequestTally(),
    logger: silentLogger,
  };
}
