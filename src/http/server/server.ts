/** The gateway's HTTP server: routing, request ids and graceful shutdown. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createInternalError, createStoppingError, GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { settle } from '../../lib/maybePromise.js';
import { createHostError, type HostCheck, MISDIRECTED, toOriginForm } from '../auth/hostCheck.js';
import { chooseStream } from '../delivery/streamFormat.js';
import type { LimitPage } from '../rateLimits/callerThrottle.js';
import { type AddressResolver, hasNoAddress } from '../rateLimits/remoteAddress.js';
import { forcesPreflight } from '../requests/executeRequest.js';
import { searchOf } from '../requests/operationRequest.js';
import {
  findHeaderProblem,
  isPipelineFull,
  MAX_HEADERS,
  refuseHeaders,
  refuseMalformed,
} from '../requests/requestBounds.js';
import type { RequestMetrics } from '../requests/requestMetrics.js';
import { type Cors, isPreflightRequest } from '../responses/cors.js';
import { sendError } from '../responses/sendError.js';
import { setCommonHeaders } from '../responses/sendResponse.js';
import { Drain } from './drain.js';
import { Forwarding, type WorkerDirectory } from './forwarding.js';
import type { RouteHandler } from './graphqlHandler.js';
import { sendReadiness, sendStatus } from './pages.js';
import { createTlsServer, type TlsFiles } from './tls.js';

interface HttpServerOptions {
  host: string;
  port: number;
  graphql: RouteHandler;
  /** Returns false, without a response, for paths that do not belong to the explorer. */
  explorer: { handle(request: IncomingMessage, response: ServerResponse, requestId: string): boolean };
  isAllowedHost: HostCheck;
  limitPage: LimitPage;
  tls?: TlsFiles | undefined;
  resolveAddress?: AddressResolver | undefined;
  /** Absent if the gateway has one process. */
  workers?: WorkerDirectory | undefined;
  /** Resolves when the gateway can serve callers; rejects with the reason when it cannot. */
  checkReady(): Promise<unknown>;
  schemaPage: RouteHandler;
  /** Absent if `METRICS` is `off`. */
  metrics?: RouteHandler | undefined;
  requestMetrics: RequestMetrics;
  cors: Cors;
  clock: Clock;
  logger: Logger;
  /** Maximum duration of an operation, in milliseconds. */
  operationTimeoutMs: number;
  timeouts?: Partial<ServerTimeouts> | undefined;
}

export type ServerTimeouts = typeof defaultTimeouts;

/** Timeouts of clients, in milliseconds. */
const defaultTimeouts = {
  requestMs: 30_000,
  headersMs: 10_000,
  /**
   * A connection without a byte in either direction is closed this long after the maximum duration of an operation.
   * This disconnects clients that do not read their response.
   */
  idleMarginMs: 15_000,
  checkMs: 1000,
};
/** Milliseconds that an operation may wait for its turn before its connection is closed as idle. */
export function toMaxWaitMs(timeouts: Partial<ServerTimeouts> | undefined): number {
  const { idleMarginMs } = { ...defaultTimeouts, ...timeouts };
  return (2 / 3) * idleMarginMs;
}

/**
 * Milliseconds that a connection stays open between two requests: longer than the refresh interval of dashboards, and than
 * the 60 seconds for which nginx keeps connections. Otherwise the gateway may close a connection at the moment when nginx
 * sends a request on it.
 */
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADER_BYTES = 16 * 1024;
/**
 * Connections that wait while the event loop is busy, for example when all websockets reconnect after a restart. Linux
 * resets the others. With several workers, the primary also listens with this number.
 */
const MAX_WAITING_CONNECTIONS = 4096;

/** Health checks and scrapes. If they were counted, an error rate at low traffic would mostly measure them. */
const uncountedPaths = new Set(['/healthz', '/readyz', '/metrics']);

export async function startHttpServer(options: HttpServerOptions) {
  const { server, certificateExpiresAtMs } = await createBoundedServer(options);
  const drain = new Drain(server, (status, request) => {
    if (!uncountedPaths.has(pathOf(request))) options.requestMetrics.recordResponse(status);
  });
  const { resolveAddress, workers } = options;
  const forwarding = workers && new Forwarding(workers);
  const routes = { ...options, forwarding };
  const prepare = (request: IncomingMessage) => {
    toOriginForm(request);
    resolveAddress?.(request);
  };
  server.on('upgrade', prepare);
  const serve = (request: IncomingMessage, response: ServerResponse, requestId: string) => {
    const fail = (error: unknown) => {
      // The client disconnected while it sent the request, so there is no failure and nobody to respond to.
      if (request.errored) return void response.destroy();
      options.logger.error({ requestId, cause: error }, 'A request failed');
      sendFailure(response, requestId);
    };
    void settle(() => route(request, response, requestId, routes), ignore, fail);
  };
  // The only listener, because Node copies a list of several for each request.
  server.on('request', (request, response) => {
    // Called again for the rest of the chunk after the connection is destroyed.
    if (isPipelineFull(response) || hasNoAddress(request)) return void request.socket.destroy();
    prepare(request);
    const requestId = requestIdOf(request);
    options.cors.addHeaders(request, response);
    const problem = findHeaderProblem(request);
    if (drain.refuses(response)) refuseWhileDraining(request, response, requestId, options.cors);
    else if (problem) refuseHeaders(response, problem, requestId);
    else serve(request, response, requestId);
  });
  await forwarding?.listen((request, response) => {
    options.cors.addHeaders(request, response);
    serve(request, response, requestIdOf(request));
  });
  server.on('clientError', refuseMalformed);
  await listen(server, options);
  return {
    /** For example `http://127.0.0.1:4000`. */
    url: urlOf(server),
    /** For the websocket endpoint, which shares the port. */
    server,
    /** When the certificate in use expires. Absent without TLS. */
    certificateExpiresAtMs,
    requestCount: () => drain.responseCount(),
    /**
     * Refuses new requests, waits up to `graceMs` for responses in flight and up to `idleMs` for clients with idle
     * connections, then closes all connections, but not before `upgraded` resolves. Resolves with the number of responses
     * that were cut off.
     */
    async close(graceMs: number, idleMs: number, upgraded: Promise<unknown>): Promise<number> {
      const draining = drain.close(graceMs, idleMs, upgraded);
      const [cutOff] = await Promise.all([draining, forwarding?.close(graceMs)]);
      return cutOff;
    },
  };
}

async function createBoundedServer({
  operationTimeoutMs,
  timeouts,
  tls,
  clock,
  logger,
}: HttpServerOptions): Promise<{ server: Server; certificateExpiresAtMs: (() => number) | undefined }> {
  const { requestMs, headersMs, idleMarginMs, checkMs } = { ...defaultTimeouts, ...timeouts };
  const settings = {
    requestTimeout: requestMs,
    headersTimeout: headersMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
    handshakeTimeout: headersMs,
  };
  const bounded = tls
    ? await createTlsServer(tls, settings, { clock, logger })
    : { server: createServer(settings), certificateExpiresAtMs: undefined };
  bounded.server.maxHeadersCount = MAX_HEADERS;
  bounded.server.setTimeout(operationTimeoutMs + idleMarginMs);
  return bounded;
}

/** An `EventSource` connects again after a network error, but not after a response with an error status. */
function refuseWhileDraining(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  cors: Cors,
): void {
  const stream = request.method === 'GET' ? chooseStream(request.headers.accept) : undefined;
  if (stream?.format === 'sse' && stream.acceptsNoJson) {
    response.destroy();
    return;
  }
  if (isPreflightRequest(request)) cors.respondToPreflight(request, response, requestId);
  else sendError(response, createStoppingError(), requestId);
}

type Routes = HttpServerOptions & { forwarding: Forwarding | undefined };

function ignore(): void {}

/** Returns the handler's promise without wrapping it in another, because every request passes through here. */
function route(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  routes: Routes,
): unknown {
  const { isAllowedHost, limitPage, schemaPage, cors } = routes;
  const path = pathOf(request);
  // The responses to POST write all headers at once, which is faster than setting them one by one.
  if (path !== '/graphql' || request.method !== 'POST') setCommonHeaders(response, requestId);
  if (isPreflightRequest(request)) {
    const respond = () => cors.respondToPreflight(request, response, requestId);
    // A browser would report a refused preflight as a network error. The operation that follows is limited by the
    // rate of its caller.
    const isExempt = cors.allows(request.headers.origin ?? '');
    return respondLimited(request, response, requestId, limitPage, respond, isExempt);
  }
  if (!isAllowedHost(request)) {
    const refuse = () => sendError(response, createHostError(), requestId, MISDIRECTED);
    return respondLimited(request, response, requestId, limitPage, refuse);
  }
  if (path === '/graphql') return routeGraphql(request, response, requestId, routes);
  // Counts as an operation of its caller.
  if (path === '/schema.graphql') return schemaPage(request, response, requestId);
  const respond = () => routePage(path, request, response, requestId, routes);
  // A refused health check would restart the process.
  const isHealthCheck = path === '/healthz' || path === '/readyz';
  return respondLimited(request, response, requestId, limitPage, respond, isHealthCheck);
}

function routePage(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  { explorer, checkReady, metrics }: Routes,
): unknown {
  if (path === '/healthz') return sendStatus(response, 200, 'ok');
  if (path === '/readyz') return sendReadiness(response, checkReady);
  if (path === '/metrics' && metrics) return metrics(request, response, requestId);
  if (explorer.handle(request, response, requestId)) return;
  const message = `Nothing is served at ${path}. GraphQL is at /graphql, the explorer at /.`;
  return sendError(response, new GatewayError('BAD_REQUEST', message), requestId, 404);
}

function routeGraphql(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  { graphql, forwarding, limitPage }: Routes,
): unknown {
  if (isPageVisit(request))
    return respondLimited(request, response, requestId, limitPage, () =>
      response.writeHead(303, { Location: `/${searchOf(request)}` }).end(),
    );
  if (forwarding?.forward(request, response, requestId)) return undefined;
  return graphql(request, response, requestId);
}

/**
 * Responds at once, or after a delay if the address sends too many requests. It then refuses the request unless
 * `isExempt`.
 */
function respondLimited(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  limitPage: LimitPage,
  respond: () => unknown,
  isExempt = false,
): unknown {
  const limiting = limitPage(request);
  if (limiting === undefined) return respond();
  return limiting.then((error) => (isExempt ? respond() : sendError(response, error, requestId)));
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Whether a browser navigates to the endpoint. It then gets the explorer, which opens the query in the address. */
function isPageVisit(request: IncomingMessage): boolean {
  const { method, headers } = request;
  return method === 'GET' && (headers.accept ?? '').includes('text/html') && !forcesPreflight(request);
}

function sendFailure(response: ServerResponse, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  sendError(response, createInternalError(), requestId);
}

/** Uses the client's own id if it is safe in a log and a header. */
function requestIdOf({ headers }: IncomingMessage): string {
  const provided = headers['x-request-id'];
  return typeof provided === 'string' && /^[\w.-]{1,64}$/.test(provided) ? provided : randomUUID();
}

/** Rejects if the server emits an error instead of listening. */
async function listen(server: Server, { host, port }: HttpServerOptions): Promise<void> {
  server.listen({ port, host, backlog: MAX_WAITING_CONNECTIONS });
  await once(server, 'listening');
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const scheme = server instanceof TlsServer ? 'https' : 'http';
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
