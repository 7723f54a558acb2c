/** Serves GraphQL over HTTP at one address: hands each request to Apollo Server and writes what it answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApolloServer, HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import { GatewayError } from '../errors.js';
import type { Context } from '../graphql/context.js';
import type { CallerSession, OpenSession } from './callers/callerSession.js';
import { fromHeaders } from './callers/givenCredential.js';
import { sendRefusal } from './callers/refusals.js';
import { readJsonBody } from './requestBody.js';
import { sendError } from './sendError.js';

export interface GraphqlHandlerOptions {
  apolloServer: ApolloServer<Context>;
  openSession: OpenSession;
}

export type GraphqlHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
) => Promise<void>;

export function createGraphqlHandler({ apolloServer, openSession }: GraphqlHandlerOptions): GraphqlHandler {
  /** For a caller who was let in. */
  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    session: CallerSession,
  ): Promise<void> {
    const facts = {
      requestId,
      signal: signalOfLeaving(response),
      noCache: asksForFreshness(request),
      explain: request.headers['x-explain'] === '1',
    };
    const headers = toHeaderMap(request);
    const body = await readBody(request);
    if (body instanceof GatewayError) return sendError(response, 400, body, requestId);
    const answer = await apolloServer.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: request.method ?? 'GET', headers, search: searchOf(request), body },
      context: async () => session.createContext(facts),
    });
    await writeAnswer(response, answer);
  }

  return async (request, response, requestId) => {
    const session = await letIn(request, openSession);
    if (session instanceof GatewayError) return sendRefusal(response, session, requestId);
    try {
      await serve(request, response, requestId, session);
    } finally {
      session.end();
    }
  };
}

/** Before anything of the request is read but its headers. */
async function letIn(
  { headers }: IncomingMessage,
  openSession: OpenSession,
): Promise<CallerSession | GatewayError> {
  try {
    return await openSession(fromHeaders(headers));
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

/** An error is an answer here: what is wrong with a body is the caller's to know. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  if (request.method !== 'POST' || !isJson(request)) return undefined;
  try {
    return await readJsonBody(request);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

/** Other types reach Apollo Server without a body, which refuses them: by its guard against forged requests, or for want of a query. */
function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/(json|graphql\+json)\s*(;|$)/i.test(headers['content-type'] ?? '');
}

function asksForFreshness({ headers }: IncomingMessage): boolean {
  return /(^|[\s,])no-cache($|[\s,;])/i.test(headers['cache-control'] ?? '');
}

function searchOf({ url = '' }: IncomingMessage): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}

function toHeaderMap({ headers }: IncomingMessage): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return map;
}

function signalOfLeaving(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  // Gone already while it was looked into who calls.
  if (response.destroyed) controller.abort();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

async function writeAnswer(response: ServerResponse, answer: HTTPGraphQLResponse): Promise<void> {
  response.statusCode = answer.status ?? 200;
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  if (answer.body.kind === 'complete') {
    response.end(answer.body.string);
    return;
  }
  for await (const chunk of answer.body.asyncIterator) response.write(chunk);
  response.end();
}
