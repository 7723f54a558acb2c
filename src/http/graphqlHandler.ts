/** Serves GraphQL over HTTP at one address: hands each request to Apollo Server and writes what it answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApolloServer, HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import { GatewayError } from '../errors.js';
import { type Admission, admitOperation, type OperationParameters } from '../graphql/admitOperation.js';
import type { Context } from '../graphql/context.js';
import type { OperationCost } from '../graphql/limits/operationGuard.js';
import { type CallerRate, callerOf } from './callerRate.js';
import type { CallerSession, OpenSession } from './callers/callerSession.js';
import { fromHeaders } from './callers/givenCredential.js';
import { sendRefusal } from './callers/refusals.js';
import { readJsonBody } from './requestBody.js';
import type { RequestTally } from './requestTally.js';
import { sendError } from './sendError.js';

export interface GraphqlHandlerOptions {
  apolloServer: ApolloServer<Context>;
  openSession: OpenSession;
  admission: Admission;
  rate: CallerRate;
  /** The largest body read, in bytes. */
  mostBodyBytes: number;
  tally: RequestTally;
}

export type GraphqlHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
) => Promise<void>;

export function createGraphqlHandler(options: GraphqlHandlerOptions): GraphqlHandler {
  const { apolloServer, openSession, tally } = options;

  /** For a caller who was let in. */
  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    session: CallerSession,
  ): Promise<void> {
    const startedAtMs = performance.now();
    const admitted = await admit(request, session, options);
    if (admitted instanceof GatewayError) {
      tally.refused(admitted.code);
      return sendError(response, admitted.code === 'RATE_LIMITED' ? 429 : 400, admitted, requestId);
    }
    const { body, cost } = admitted;
    const facts = {
      requestId,
      signal: signalOfLeaving(response),
      noCache: asksForFreshness(request),
      explain: request.headers['x-explain'] === '1',
      cost,
    };
    const headers = toHeaderMap(request);
    const answer = await apolloServer.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: request.method ?? 'GET', headers, search: searchOf(request), body },
      context: async () => session.createContext(facts),
    });
    await writeAnswer(response, answer, requestId);
    tally.operation('executed', performance.now() - startedAtMs);
  }

  return async (request, response, requestId) => {
    const session = await letIn(request, openSession);
    if (session instanceof GatewayError) {
      tally.refused(session.code);
      return sendRefusal(response, session, requestId);
    }
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

/** A request whose operation may be run as far as the limits go. */
interface AdmittedRequest {
  body: unknown;
  cost: OperationCost | undefined;
}

/** An error is an answer here: what is wrong with a request is the caller's to know. */
async function admit(
  request: IncomingMessage,
  { caller }: CallerSession,
  { admission, rate, mostBodyBytes }: GraphqlHandlerOptions,
): Promise<AdmittedRequest | GatewayError> {
  try {
    rate.count(callerOf(request, caller));
    const isPost = request.method === 'POST';
    const body = isPost && isJson(request) ? await readJsonBody(request, mostBodyBytes) : undefined;
    const { cost } = admitOperation(admission, isPost ? toParameters(body) : readSearch(request));
    return { body, cost };
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

function toParameters(body: unknown): OperationParameters {
  return typeof body === 'object' && body !== null ? body : {};
}

/** The parameters of a GET; what is no JSON is left for Apollo Server to refuse. */
function readSearch(request: IncomingMessage): OperationParameters {
  const search = new URLSearchParams(searchOf(request));
  const get = (name: string) => search.get(name) ?? undefined;
  return {
    query: get('query'),
    operationName: get('operationName'),
    variables: parseOrUndefined(get('variables')),
    extensions: parseOrUndefined(get('extensions')),
  };
}

function parseOrUndefined(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined;
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

async function writeAnswer(
  response: ServerResponse,
  answer: HTTPGraphQLResponse,
  requestId: string,
): Promise<void> {
  response.statusCode = answer.status ?? 200;
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  if (answer.body.kind === 'complete') {
    const { string: text } = answer.body;
    response.end(response.statusCode < 400 ? text : nameRequest(text, requestId));
    return;
  }
  for await (const chunk of answer.body.asyncIterator) response.write(chunk);
  response.end();
}

/** What Apollo Server refuses before any plugin of ours runs does not know its request yet. */
function nameRequest(text: string, requestId: string): string {
  const answer = parseOrUndefined(text) as FailedAnswer | undefined;
  if (!answer?.errors) return text;
  const errors = answer.errors.map((error) => ({ ...error, extensions: { ...error.extensions, requestId } }));
  return JSON.stringify({ ...answer, errors });
}

interface FailedAnswer {
  errors?: readonly { extensions?: object }[];
}
