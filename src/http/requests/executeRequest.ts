/** Executes a request with Apollo Server. Decides whether the response may be cached, and how long it is fresh. */
import type { IncomingMessage } from 'node:http';
import type { ApolloServer, HTTPGraphQLResponse } from '@apollo/server';
import { GatewayError } from '../../errors.js';
import type { Context } from '../../graphql/context.js';
import type { OperationCost } from '../../graphql/limits/operationGuard.js';
import type { Cancellation } from '../../lib/cancellation.js';
import type { Clock } from '../../lib/clock.js';
import type { CallerSession } from '../auth/callerSession.js';
import { toCachedResponse } from '../responseCache/responseCache.js';
import type { ExecutedResponse } from '../responses/sendResponse.js';
import { searchOf, toNegotiationHeaders, wantsExplanation, wantsFresh } from './operationRequest.js';

/** A request of an authenticated caller whose operation is within all limits. */
export interface AdmittedRequest {
  request: IncomingMessage;
  requestId: string;
  session: CallerSession;
  /** Parsed JSON; undefined without a JSON body. */
  body: unknown;
  cost: OperationCost | undefined;
}

export type ExecuteRequest = (
  admitted: AdmittedRequest,
  cancellation: Cancellation,
) => Promise<ExecutedResponse>;

/** Freshness in milliseconds of a response that depends on no data that can become stale. */
const MAX_FRESH_MS = 3_600_000;

export function createRequestExecutor(apolloServer: ApolloServer<Context>, clock: Clock): ExecuteRequest {
  return async ({ request, requestId, session, body, cost }, cancellation) => {
    const headers = toNegotiationHeaders(request);
    checkPreflight(request);
    const [noCache, explain] = [wantsFresh(request), wantsExplanation(request)];
    const context = session.createContext({ requestId, cancellation, noCache, explain, cost });
    const result = await apolloServer.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: request.method ?? 'GET',
        headers,
        search: searchOf(request),
        body,
      },
      context: async () => context,
    });
    const { freshness } = context;
    const freshUntilMs = Math.min(freshness.freshUntilMs(), clock.now() + MAX_FRESH_MS);
    const isCacheable = result.status === undefined && freshness.mayStore() && !explain;
    const immutableUntilMs = clock.now() + freshness.immutableForMs();
    return toExecuted(requestId, result, isCacheable ? [freshUntilMs, immutableUntilMs] : undefined);
  };
}

async function toExecuted(
  requestId: string,
  { status = 200, headers, body }: HTTPGraphQLResponse,
  lifetime: readonly [freshUntilMs: number, immutableUntilMs: number] | undefined,
): Promise<ExecutedResponse> {
  const text = body.kind === 'complete' ? body.string : await readAll(body.asyncIterator);
  const contentType = headers.get('content-type') ?? 'application/json';
  const cached = lifetime && toCachedResponse(text, contentType, ...lifetime);
  return { status, headers, text, cached, requestId };
}

async function readAll(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

/** Content types that browsers send across sites without a preflight (Fetch standard, "CORS-safelisted request-header"). */
const SAFELISTED_TYPES: ReadonlySet<string> = new Set([
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
]);

/** Browsers send these headers across sites only after a preflight. */
const PREFLIGHT_HEADERS = ['x-apollo-operation-name', 'apollo-require-preflight'];

/** Throws CSRF_REFUSED unless the content type or one of the headers forces a preflight. */
export function checkPreflight({ headers }: IncomingMessage): void {
  const [type] = headers['content-type']?.split(';') ?? [];
  if (type !== undefined && !SAFELISTED_TYPES.has(type.trim().toLowerCase())) return;
  if (PREFLIGHT_HEADERS.some((name) => headers[name])) return;
  throw new GatewayError(
    'CSRF_REFUSED',
    'Send the header Content-Type: application/json or Apollo-Require-Preflight: 1. A page of another site cannot send them.',
  );
}
