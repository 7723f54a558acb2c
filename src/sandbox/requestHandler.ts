/** Serves one request: finds the endpoint, checks the token and the limit, validates, answers. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../lib/clock.js';
import { type Answer, emptyAnswer, jsonAnswer } from './answer.js';
import type { Queries } from './database/queries.js';
import type { Client, Endpoint } from './endpoint.js';
import { endpointTable } from './endpointTable.js';
import { drawImage } from './image.js';
import { createOpenApiDocument } from './openapi/document.js';
import type { RateLimiter } from './rateLimiter.js';
import { notFound, Refusal } from './refusal.js';
import { parseJson, readBody } from './requestBody.js';
import { createRouter, type Match } from './router.js';
import { createTokenEndpoint, TOKEN_PATH } from './tokenEndpoint.js';
import type { Tokens } from './tokens.js';

export interface RequestHandlerOptions {
  readonly db: Queries;
  readonly clock: Clock;
  readonly tokens: Tokens;
  readonly limiter: RateLimiter;
  readonly limits: { readonly tokenRequests: number; readonly calls: number };
  readonly tokenLifetimeSeconds: number;
  /** Asked for each time, since the port is known only once the server listens. */
  publicUrl(): string;
}

/** What a request needs to be served, once its path is known to lead somewhere. */
interface Incoming {
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
  readonly parameters: Match<unknown>['parameters'];
}

/** One thing that can be asked of the server: an endpoint of the table, or one of the few beside it. */
export interface Route extends Pick<Endpoint, 'method' | 'path'> {
  serve(incoming: Incoming): Promise<Answer> | Answer;
}

export interface RequestHandler {
  find(method: string, path: string): Match<Route> | undefined;
  /** @throws Refusal for whatever the caller did wrong. */
  serve(request: IncomingMessage, match: Match<Route>, query: URLSearchParams): Promise<Answer>;
  /** The answer to a request that no route matches. */
  serveUnmatched(method: string, path: string): Answer;
}

/** The token itself; some clients leave out the scheme. */
function tokenOf(header: string | undefined): string {
  const token = (header ?? '').trim().replace(/^bearer(\s+|$)/i, '');
  if (token !== '') return token;
  throw new Refusal(401, 'Authorization must carry an access token.', { 'WWW-Authenticate': 'Bearer' });
}

function createApiRoute(endpoint: Endpoint, options: RequestHandlerOptions): Route {
  const { db, clock, tokens, limiter, limits } = options;
  const template = `${endpoint.method} ${endpoint.path}`;

  function requireWithinLimit(client: Client): void {
    const waitSeconds = limiter.take(`${template} ${client.id}`, limits.calls);
    if (waitSeconds === 0) return;
    throw new Refusal(429, `Too many requests to ${template}.`, { 'Retry-After': String(waitSeconds) });
  }

  return {
    method: endpoint.method,
    path: endpoint.path,
    async serve({ request, query, parameters }) {
      const client = await tokens.verify(tokenOf(request.headers.authorization));
      requireWithinLimit(client);
      const body = endpoint.bodySchema === undefined ? undefined : parseJson(await readBody(request));
      const text = (name: string) => parameters[name] ?? query.get(name) ?? undefined;
      const result = endpoint.serve(text, { client, db, clock, publicUrl: options.publicUrl() }, body);
      return endpoint.answer.kind === 'none' ? emptyAnswer() : jsonAnswer(result);
    },
  };
}

function createTokenRoute(options: RequestHandlerOptions): Route {
  const { db, tokens, limiter, limits, tokenLifetimeSeconds } = options;
  const endpoint = createTokenEndpoint({
    db,
    tokens,
    limiter,
    limit: limits.tokenRequests,
    lifetimeSeconds: tokenLifetimeSeconds,
  });
  return {
    method: 'POST',
    path: TOKEN_PATH,
    async serve({ request }) {
      const token = await endpoint(request.headers, await readBody(request));
      return jsonAnswer(token, 200, { 'Cache-Control': 'no-store', Pragma: 'no-cache' });
    },
  };
}

function createDocumentRoute(options: RequestHandlerOptions): Route {
  return {
    method: 'GET',
    path: '/openapi.json',
    serve: () => jsonAnswer(createOpenApiDocument(endpointTable, options.publicUrl())),
  };
}

/** Pictures are fetched by browsers, which hold no token. */
function createImageRoute({ db }: RequestHandlerOptions): Route {
  const sql = 'SELECT id, sample_date AS sampleDate, width, height FROM image_sample WHERE id = ?';
  return {
    method: 'GET',
    path: '/images/{file}',
    serve({ parameters }) {
      const id = Number(/^(\d{1,15})\.png$/.exec(parameters['file'] ?? '')?.[1]);
      const image = db.one<Parameters<typeof drawImage>[0]>(sql, Number.isNaN(id) ? 0 : id);
      if (!image) throw notFound('There is no such image.');
      const headers = { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=86400' };
      return { status: 200, headers, body: drawImage(image) };
    },
  };
}

/** Everything the server can be asked for, behind one router. */
export function createRequestHandler(options: RequestHandlerOptions): RequestHandler {
  const api = endpointTable.map((endpoint) => createApiRoute(endpoint, options));
  const others = [createTokenRoute(options), createDocumentRoute(options), createImageRoute(options)];
  const router = createRouter<Route>([...api, ...others]);
  return {
    find: (method, path) => router.find(method, path),
    serve: async (request, { target, parameters }, query) => target.serve({ request, query, parameters }),
    serveUnmatched(method, path) {
      const allowed = router.allowed(path);
      if (allowed.length === 0) throw notFound('There is no such path.');
      const headers = { Allow: allowed.join(', ') };
      if (method === 'OPTIONS') return emptyAnswer(headers);
      throw new Refusal(405, `${method} is not allowed here; ${headers.Allow} are.`, headers);
    },
  };
}
