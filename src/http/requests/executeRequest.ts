/** Executes a request with Apollo Server. Decides whether the response may be cached, and how long it is fresh. */
import type { IncomingMessage } from 'node:http';
import type { HTTPGraphQLResponse } from '@apollo/server';
import { GatewayError } from '../../errors.js';
import type { GraphServer } from '../../graphql/apollo/apolloServer.js';
import type { Context } from '../../graphql/context.js';
import {
  type AdmissionPolicy,
  admitOperation,
  type OperationSummary,
} from '../../graphql/limits/admitOperation.js';
import type { Cancellation } from '../../lib/cancellation.js';
import type { Clock } from '../../lib/clock.js';
import type { OperationTrace, RequestTrace } from '../../tracing/operationTrace.js';
import type { CallerSession } from '../auth/callerSession.js';
import type { ExecutionLimit } from '../rateLimits/executionLimit.js';
import { toCachedResponse } from '../responseCache/cachedResponse.js';
import type { ExecutedResponse, ResponseTarget } from '../responses/sendResponse.js';
import {
  createContentTypeError,
  hasJsonBody,
  readParameters,
  requestsExplanation,
  requestsNoCache,
  searchWithText,
  toNegotiationHeaders,
  withText,
} from './operationRequest.js';
import { parseJsonBody } from './requestBody.js';

export interface Exchange extends ResponseTarget {
  session: CallerSession;
  /** From `toCallerId`. */
  callerId: string;
  trace?: RequestTrace | undefined;
}

/** A request whose operation is within all limits. */
interface AdmittedRequest extends Pick<Exchange, 'request' | 'requestId' | 'session' | 'callerId'> {
  /** Parsed JSON; undefined without a JSON body. */
  body: unknown;
  /** The text of the document. */
  source: string | undefined;
  operation: OperationSummary;
  trace: OperationTrace | undefined;
  /** Set when the operation is executed for this request. */
  reads?: Context['reads'] | undefined;
}

/** Throws the error of the first limit that the operation exceeds. */
export function admitRequest(
  { request, requestId, session, callerId, trace: requestTrace }: Exchange,
  text: string,
  admission: AdmissionPolicy,
) {
  const trace = requestTrace?.beginOperation();
  trace?.beginPhase('graphql.validate');
  try {
    const body = hasJsonBody(request) ? parseJsonBody(text) : undefined;
    const options = { supportsSubscriptions: false };
    const { source, summary } = admitOperation(admission, readParameters(request, body), options);
    trace?.describe(summary);
    const admitted: AdmittedRequest = {
      request,
      requestId,
      session,
      callerId,
      body: withText(body, source),
      source,
      operation: summary,
      trace,
    };
    return { admitted, isShareable: summary.kind === 'query' && !readsQueue(source ?? '') };
  } catch (error) {
    trace?.refuse();
    throw error;
  }
}

/**
 * Whether the document may read a delivery queue, decided by the names of its fields. Such an execution is never
 * shared: after an acknowledgement in any process, the next read must not get the result of a read that began before.
 * Its response is never cached either, since the queue is read past all caches.
 */
export function readsQueue(source: string): boolean {
  return source.includes('sampleBatch');
}

/** Freshness in milliseconds of a response that depends on no data that can become stale. */
const MAX_FRESH_MS = 3_600_000;

export function createRequestExecutor(apolloServer: GraphServer, executions: ExecutionLimit, clock: Clock) {
  async function execute(admitted: AdmittedRequest, cancellation: Cancellation): Promise<ExecutedResponse> {
    const { request, requestId, callerId, session, operation, trace } = admitted;
    const [noCache, explain] = [requestsNoCache(request), requestsExplanation(request)];
    const { cost } = operation;
    const details = { requestId, callerId, cancellation, noCache, explain, cost, trace };
    const context = session.createContext(details);
    admitted.reads = context.reads;
    const { validatedQueries } = apolloServer;
    const direct =
      request.method === 'POST'
        ? await validatedQueries.respond(admitted.body, request.headers.accept, context)
        : undefined;
    const response = direct ?? (await executeByApollo(apolloServer, admitted, context));
    return toExecuted(admitted, response, context, clock.now());
  }

  return async (admitted: AdmittedRequest, cancellation: Cancellation): Promise<ExecutedResponse> => {
    const { request, callerId, operation, trace, session } = admitted;
    const { cost } = operation;
    checkPreflight(request);
    if (request.method === 'POST' && admitted.body === undefined) throw createContentTypeError();
    try {
      return await executions.run(callerId, cost, { cancellation, session }, () =>
        execute(admitted, cancellation),
      );
    } finally {
      trace?.end({ cost: cost?.estimated, reads: admitted.reads });
    }
  };
}

async function executeByApollo(
  apolloServer: GraphServer,
  { request, body, source }: AdmittedRequest,
  context: Context,
): Promise<HTTPGraphQLResponse> {
  const result = await apolloServer.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: request.method ?? 'GET',
      headers: toNegotiationHeaders(request),
      search: searchWithText(request, source),
      body,
    },
    context: async () => context,
  });
  const { status, headers } = result;
  if (request.method === 'POST' && status === undefined) {
    apolloServer.validatedQueries.addContentType(request.headers.accept, headers.get('content-type'));
  }
  return result;
}

/** A GET that names its document by an id other than its hash: the operator can give that id to another document. */
const CUSTOM_ID = /[?&]documentId=(?!(?:sha256(?::|%3A))?[0-9a-f]{64}(?:&|$))/i;

function toExecuted(
  { request, requestId, operation }: AdmittedRequest,
  { status, headers, body }: HTTPGraphQLResponse,
  { freshness, reads, errorCodes }: Context,
  nowMs: number,
): ExecutedResponse {
  if (body.kind !== 'complete') throw new Error('Apollo Server returned a response in parts.');
  const text = body.string;
  const mayStore = status === undefined && freshness.mayStore() && !requestsExplanation(request);
  const immutableForMs = CUSTOM_ID.test(request.url ?? '') ? 0 : freshness.immutableForMs();
  const cached = mayStore
    ? toCachedResponse(text, {
        contentType: headers.get('content-type') ?? 'application/json',
        freshUntilMs: Math.min(freshness.freshUntilMs(), nowMs + MAX_FRESH_MS),
        immutableUntilMs: nowMs + immutableForMs,
        readsNumbers: freshness.readsNumbers(),
        operation,
      })
    : undefined;
  return { status: status ?? 200, headers, text, cached, requestId, operation, reads, errorCodes };
}

/** Methods that browsers send across sites without a preflight (Fetch standard, "CORS-safelisted method"). */
const SAFELISTED_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

/** Content types that browsers send across sites without a preflight (Fetch standard, "CORS-safelisted request-header"). */
const SAFELISTED_TYPES: ReadonlySet<string> = new Set([
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
]);

/** Browsers send these headers across sites only after a preflight. */
const PREFLIGHT_HEADERS = ['x-apollo-operation-name', 'apollo-require-preflight'];

export function forcesPreflight({ method = '', headers }: IncomingMessage): boolean {
  if (!SAFELISTED_METHODS.has(method)) return true;
  const [type] = headers['content-type']?.split(';') ?? [];
  if (type !== undefined && !SAFELISTED_TYPES.has(type.trim().toLowerCase())) return true;
  return PREFLIGHT_HEADERS.some((name) => headers[name]);
}

/** Throws CSRF_REFUSED unless the request forces a preflight. */
export function checkPreflight(request: IncomingMessage): void {
  if (forcesPreflight(request)) return;
  throw new GatewayError(
    'CSRF_REFUSED',
    'Send the header Content-Type: application/json or Apollo-Require-Preflight: true. A page of another site cannot send them.',
  );
}
