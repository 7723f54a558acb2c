/** Has Apollo Server execute a request, and tells what of its answer may be given again. */
import type { IncomingMessage } from 'node:http';
import type { ApolloServer, HTTPGraphQLResponse } from '@apollo/server';
import type { Context } from '../graphql/context.js';
import type { OperationCost } from '../graphql/limits/operationGuard.js';
import type { Clock } from '../lib/clock.js';
import type { Ending } from '../lib/leaving.js';
import type { CallerSession } from './callers/callerSession.js';
import { toKeptAnswer } from './keptAnswer.js';
import { searchOf, toHeaderMap, wantsExplanation, wantsFresh } from './operationRequest.js';
import type { ExecutedAnswer } from './sendAnswer.js';

/** A request of a caller who was let in, whose operation is within all limits. */
export interface AdmittedRequest {
  request: IncomingMessage;
  requestId: string;
  session: CallerSession;
  /** As parsed from JSON; undefined where nothing was sent that is JSON. */
  body: unknown;
  cost: OperationCost | undefined;
}

export type ExecuteRequest = (admitted: AdmittedRequest, ending: Ending) => Promise<ExecutedAnswer>;

/** The most milliseconds for which an answer is given again that read nothing which could age. */
const LONGEST_KEPT_MS = 3_600_000;

export function createRequestExecutor(apolloServer: ApolloServer<Context>, clock: Clock): ExecuteRequest {
  return async ({ request, requestId, session, body, cost }, ending) => {
    const [noCache, explain] = [wantsFresh(request), wantsExplanation(request)];
    const context = session.createContext({ requestId, ending, noCache, explain, cost });
    const answer = await apolloServer.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: request.method ?? 'GET',
        headers: toHeaderMap(request),
        search: searchOf(request),
        body,
      },
      context: async () => context,
    });
    const endsAtMs = Math.min(context.freshness.untilMs(), clock.now() + LONGEST_KEPT_MS);
    const mayKeep = answer.status === undefined && endsAtMs > clock.now() && !explain;
    return { ...(await toExecuted(answer, mayKeep ? endsAtMs : undefined)), requestId };
  };
}

async function toExecuted(answer: HTTPGraphQLResponse, freshUntilMs: number | undefined) {
  const headers = Object.fromEntries(answer.headers);
  const text = await readAll(answer.body);
  const contentType = headers['content-type'] ?? 'application/json';
  const kept = freshUntilMs === undefined ? undefined : toKeptAnswer(text, contentType, freshUntilMs);
  return { status: answer.status ?? 200, headers, text, kept };
}

async function readAll(body: HTTPGraphQLResponse['body']): Promise<string> {
  if (body.kind === 'complete') return body.string;
  let text = '';
  for await (const chunk of body.asyncIterator) text += chunk;
  return text;
}
