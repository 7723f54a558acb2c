/** Serves one request: finds the endpoint, checks the token and the rate limit, validates, responds. */
import type { IncomingMessage } from 'node:http';
import createFindMyWay, { type HTTPMethod } from 'find-my-way';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.js';
import { decodeIfValid, parseIfJson, toRecord } from '../../lib/records.js';
import { findClient } from '../auth/clients.js';
import { TOKEN_PATH, type Tokens } from '../auth/tokens.js';
import { deviceEndpoints } from '../endpoints/device.js';
import type { SandboxEndpoint } from '../endpoints/endpoint.js';
import { entityEndpoints } from '../endpoints/entity.js';
import { MAX_LIST_ROWS } from '../endpoints/owned.js';
import { sampleEndpoints } from '../endpoints/sample.js';
import { MAX_BATCH_ROWS } from '../endpoints/sampleQueries.js';
import { createBadRequestError, createNotFoundError, HttpError } from '../httpError.js';
import { drawImage } from '../image.js';
import type { RequestContext } from '../requestContext.js';
import { createOpenApiDocument } from './openApiDocument.js';
import { createEmptyResponse, createJsonResponse, type SandboxResponse } from './response.js';

/** The limits of the platform. */
export const defaultLimits = {
  /** Token requests per Key and window. */
  tokenRequests: 15,
  /** Calls per API client, endpoint and window. */
  calls: 1_000_000,
  windowMs: 900_000,
  /** The length at which a list ends, 10,000 at most. */
  listLength: MAX_LIST_ROWS,
  /** The length at which a page of the account's batch ends, 10,000 at most. */
  batchLength: MAX_BATCH_ROWS,
};

export type SandboxLimits = Readonly<typeof defaultLimits>;

interface RequestHandlerOptions extends Pick<RequestContext, 'db' | 'clock' | 'archive'> {
  readonly tokens: Tokens;
  readonly limits: SandboxLimits;
  /** The sandbox's own address. A function, because the port is unknown until the server listens. */
  url(): string;
}

interface RoutedRequest {
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
  readonly parameters: RouteMatch['parameters'];
}

/** An endpoint of the table, or the token, document or image route. */
interface Route extends Pick<SandboxEndpoint, 'method' | 'path'> {
  serve(incoming: RoutedRequest): Promise<SandboxResponse> | SandboxResponse;
}

export type RequestHandler = ReturnType<typeof createRequestHandler>;

/** Returns the token. Accepts a header without a scheme, because some clients leave it out. */
function tokenOf(header: string | undefined): string {
  const token = (header ?? '').trim().replace(/^bearer(\s+|$)/i, '');
  if (token !== '') return token;
  throw new HttpError(401, 'Authorization must carry an access token.', { 'WWW-Authenticate': 'Bearer' });
}

function createApiRoute(
  endpoint: SandboxEndpoint,
  limiter: RateLimiter,
  options: RequestHandlerOptions,
): Route {
  const { db, clock, archive, tokens, limits } = options;
  const template = `${endpoint.method} ${endpoint.path}`;

  return {
    method: endpoint.method,
    path: endpoint.path,
    async serve({ request, query, parameters }) {
      const client = await tokens.verify(tokenOf(request.headers.authorization));
      limiter.countRequest(`${template} ${client.id}`, limits.calls, `Too many requests to ${template}.`);
      const body = endpoint.bodySchema === undefined ? undefined : parseJson(await readBody(request));
      const text = (name: string) => parameters[name] ?? query.get(name) ?? undefined;
      const context = { client, db, clock, archive, url: options.url(), batchLimit: limits.batchLength };
      const result = endpoint.serve(text, context, body);
      if (endpoint.response.kind === 'none') return createEmptyResponse();
      return createJsonResponse(Array.isArray(result) ? result.slice(0, limits.listLength) : result);
    },
  };
}

/** POST /auth/token: exchanges Key and Secret for an access token. */
function createTokenRoute(limiter: RateLimiter, { db, tokens, limits }: RequestHandlerOptions): Route {
  return {
    method: 'POST',
    path: TOKEN_PATH,
    async serve({ request }) {
      const body = await readBody(request);
      const { key, secret } = readBasic(request.headers.authorization);
      // Every attempt counts against the limit of its Key, even if it fails.
      limiter.countRequest(`POST ${TOKEN_PATH} ${key}`, limits.tokenRequests, 'Too many token requests.');
      const client = findClient(db, key, secret);
      if (!client) throw unauthorized('Key or Secret is wrong.');
      if (readGrant(request.headers['content-type'], body) !== 'client_credentials') {
        throw createBadRequestError('grant_type must be client_credentials.');
      }
      const token = await tokens.issue(client);
      return createJsonResponse(token, 200, { 'Cache-Control': 'no-store', Pragma: 'no-cache' });
    },
  };
}

/** Needs no token, because browsers fetch images without one. */
function createImageRoute({ db }: RequestHandlerOptions): Route {
  const sql = 'SELECT id, sample_date AS sampleDate, width, height FROM image_sample WHERE id = ?';
  return {
    method: 'GET',
    path: '/images/{file}',
    serve({ parameters }) {
      const id = Number(/^(\d{1,15})\.png$/.exec(parameters['file'] ?? '')?.[1]);
      const image = db.one<Parameters<typeof drawImage>[0]>(sql, Number.isNaN(id) ? 0 : id);
      if (!image) throw createNotFoundError('There is no such image.');
      const headers = { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=86400' };
      return { status: 200, headers, body: drawImage(image) };
    },
  };
}

/**
 * Returns a function that finds the route of a request. Serving the route throws or rejects with an `HttpError` if the
 * caller made a mistake.
 */
export function createRequestHandler(options: RequestHandlerOptions) {
  const limiter = createRateLimiter(options.clock, options.limits.windowMs);
  const documentRoute: Route = {
    method: 'GET',
    path: '/openapi.json',
    serve: () => createJsonResponse(createOpenApiDocument(endpointTable, options.url())),
  };
  const router = createRouter([
    ...endpointTable.map((endpoint) => createApiRoute(endpoint, limiter, options)),
    ...[createTokenRoute(limiter, options), documentRoute, createImageRoute(options)],
  ]);

  function serveUnmatched(method: string, path: string): SandboxResponse {
    if (decodeIfValid(path) === undefined)
      throw createBadRequestError('The path is not properly percent-encoded.');
    const allowed = router.allowedMethods(path);
    if (allowed.length === 0) throw createNotFoundError('This path does not exist.');
    const headers = { Allow: allowed.join(', ') };
    if (method === 'OPTIONS') return createEmptyResponse(headers);
    throw new HttpError(405, `${method} is not allowed here; ${headers.Allow} are.`, headers);
  }

  return (method: string, path: string) => {
    const match = decodeIfValid(path) === undefined ? undefined : router.match(method, path);
    return {
      pathTemplate: match?.route.path ?? '',
      serve: async (request: IncomingMessage, query: URLSearchParams): Promise<SandboxResponse> =>
        match
          ? match.route.serve({ request, query, parameters: match.parameters })
          : serveUnmatched(method, path),
    };
  };
}

function unauthorized(message: string): HttpError {
  return new HttpError(401, message, { 'WWW-Authenticate': 'Basic realm="sandbox", charset="UTF-8"' });
}

/** @throws HttpError 401 without a Basic credential in the header. */
function readBasic(header: string | undefined): { key: string; secret: string } {
  const encoded = /^basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) throw unauthorized('Authorization must be Basic with Key and Secret.');
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) throw unauthorized('Authorization must hold Key and Secret, separated by a colon.');
  return { key: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** Reads the grant type from a form body, or from a JSON body as the content type or a leading brace indicates. */
function readGrant(contentType: string | undefined, body: string): unknown {
  const isJson = /^application\/json\b/i.test(contentType ?? '') || body.trimStart().startsWith('{');
  if (!isJson) return new URLSearchParams(body).get('grant_type');
  return toRecord(parseJson(body))['grant_type'];
}

const MAX_BODY_BYTES = 1_048_576;

/**
 * Returns the body as UTF-8 text.
 * @throws HttpError 413 as soon as the body exceeds 1 MiB. The response closes the connection.
 */
function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      // Does not destroy the request, so that the client can read the response before the connection closes.
      if (bytes > MAX_BODY_BYTES) {
        const message = `The body must not be larger than ${MAX_BODY_BYTES} bytes.`;
        reject(new HttpError(413, message, { Connection: 'close' }));
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('close', () => reject(createBadRequestError('The request ended before its body did.')));
    request.on('error', () => reject(createBadRequestError('The request broke off.')));
  });
}

/** @throws HttpError 400 when the text is not JSON. */
function parseJson(text: string): unknown {
  const value = parseIfJson(text.replace(/^\uFEFF/, ''));
  if (value === undefined) throw createBadRequestError('The body must be valid JSON.');
  return value;
}

export const endpointTable: readonly SandboxEndpoint[] = [
  ...entityEndpoints,
  ...deviceEndpoints,
  ...sampleEndpoints,
];

type RateLimiter = ReturnType<typeof createRateLimiter>;

const MAX_WINDOWS = 10_000;

/**
 * Limits requests per API client and endpoint in fixed windows, as the platform does. A window begins with its first
 * request and lasts `windowMs` milliseconds.
 */
function createRateLimiter(clock: Clock, windowMs: number) {
  // Bounded, because unauthenticated requests can add any key.
  const windows = new LRUCache<string, { endsAt: number; count: number }>({ max: MAX_WINDOWS });
  return {
    /** Counts one request. @throws HttpError 429 with this message if there are more than `limit` in a window. */
    countRequest(key: string, limit: number, message: string): void {
      const now = clock.now();
      let window = windows.get(key);
      if (!window || window.endsAt <= now) {
        window = { endsAt: now + windowMs, count: 0 };
        windows.set(key, window);
      }
      window.count++;
      if (window.count <= limit) return;
      const waitSeconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000));
      throw new HttpError(429, message, { 'Retry-After': String(waitSeconds) });
    },
  };
}

interface RouteMatch {
  readonly route: Route;
  /** Path parameters, decoded. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

const METHODS = ['GET', 'POST'] as const;
const MAX_PARAMETER_LENGTH = 4096;

/** Finds routes. Ignores repeated and trailing slashes. Fixed segments take precedence over parameters. */
function createRouter(routes: readonly Route[]) {
  const router = createFindMyWay({
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    maxParamLength: MAX_PARAMETER_LENGTH,
  });
  // Converts `/site/{siteId}` to `/site/:siteId`.
  const toRoutePath = (template: string) => template.replace(/\{(\w+)\}/g, ':$1');
  for (const route of routes) router.on(route.method, toRoutePath(route.path), () => {}, route);
  const lookup = (method: HTTPMethod, path: string) => router.find(method, path);
  return {
    match(method: string, path: string): RouteMatch | undefined {
      const supported = METHODS.find((one) => one === (method === 'HEAD' ? 'GET' : method));
      const found = supported && lookup(supported, path);
      return found ? { route: found.store as Route, parameters: found.params } : undefined;
    },
    /** The methods that a path allows; empty for an unknown path. */
    allowedMethods(path: string): string[] {
      const methods: string[] = METHODS.filter((method) => lookup(method, path));
      return methods.length === 0
        ? []
        : [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)), 'OPTIONS'];
    },
  };
}
