/** Executes a request with Apollo Server. Decides whether the response may be cached, and how long it is fresh. */
import type { IncomingMessage } from 'node:http';
import type { ApolloServer, HeaderMap, HTTPGraphQLResponse } from '@apollo/server';
import { GatewayError } from '../../errors.js';
import type { Context } from '../../graphql/context.js';
import type { OperationCost } from '../../graphql/limits/operationGuard.js';
import type { Cancellation } from '../../lib/cancellation.js';
import type { Clock } from '../../lib/clock.js';
import type { CallerSession } from '../auth/callerSession.js';
import { toCachedResponse } from '../responseCache/responseCache.js';
import type { ExecutedResponse } from '../responses/sendResponse.js';
import { searchOf, toHeaderMap, wantsExplanation, wantsFresh } from './operationRequest.js';

/** A request of an authenticated caller whose operation is within all limits. */
export interface AdmittedRequest {
  request: IncomingMessage;
  requestId: string;
  session: CallerSession;
  /** Parsed JSON; undefined without a JSON body. */
  body: unknown;
  cost: OperationCost | undefined;
  /** Whether the result is sent in a stream, whose `Accept` names no JSON. Its origin has been checked. */
  isStream?: boolean;
}

export type ExecuteRequest = (
  admitted: AdmittedRequest,
  cancellation: Cancellation,
) => Promise<ExecutedResponse>;

/** Freshness in milliseconds of a response that depends on no data that can become stale. */
const MAX_FRESH_MS = 3_600_000;

export function createRequestExecutor(apolloServer: ApolloServer<Context>, clock: Clock): ExecuteRequest {
  return async ({ request, requestId, session, body, cost, isStream = false }, cancellation) => {
    const headers = toHeaderMap(request);
    if (isStream) headers.set('accept', 'application/json');
    else checkPreflight(headers);
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
    return { ...(await toExecuted(result, isCacheable ? freshUntilMs : undefined)), requestId };
  };
}

async function toExecuted(result: HTTPGraphQLResponse, freshUntilMs: number | undefined) {
  const headers = Object.fromEntries(result.headers);
  const text = await readAll(result.body);
  const contentType = headers['content-type'] ?? 'application/json';
  const cached = freshUntilMs === undefined ? undefined : toCachedResponse(text, contentType, freshUntilMs);
  return { status: result.status ?? 200, headers, text, cached };
}

async function readAll(body: HTTPGraphQLResponse['body']): Promise<string> {
  if (body.kind === 'complete') return body.string;
  let text = '';
  for await (const chunk of body.asyncIterator) text += chunk;
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
function checkPreflight(headers: HeaderMap): void {
  const [type] = headers.get('content-type')?.split(';') ?? [];
  if (type !== undefined && !SAFELISTED_TYPES.has(type.trim().toLowerCase())) return;
  if (PREFLIGHT_HEADERS.some((name) => headers.get(name))) return;
  throw new GatewayError(
    'CSRF_REFUSED',
    'Send the header Content-Type: application/json or Apollo-Require-Preflight: 1. A page of another site cannot send them.',
  );
}
