/** The gateway's HTTP server: which address is whose, request ids, and an orderly end. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewayError } from '../../errors.js';
import type { Logger } from '../../lib/logger.js';
import type { HostCheck } from '../auth/hostCheck.js';
import type { GraphqlHandler } from '../requests/graphqlHandler.js';
import type { Cors } from '../responses/cors.js';
import { setCommonHeaders } from '../responses/securityHeaders.js';
import { sendError } from '../responses/sendError.js';
import { createDrain } from './drain.js';
import type { MetricsPage } from './metricsPage.js';
import { refuseMalformed } from './refuseMalformed.js';
import type { RequestMetrics } from './requestMetrics.js';

export interface HttpServerOptions {
  host: string;
  /** 0 picks a free one. */
  port: number;
  graphql: GraphqlHandler;
  /** Answers true where the address is one of the explorer's. */
  explorer: { handle(request: IncomingMessage, response: ServerResponse): boolean };
  /** Whether a request comes by a name that the gateway goes by. */
  isOwnHost: HostCheck;
  /** Resolves when the gateway can answer; rejects with the reason when it can't. */
  checkReady(): Promise<void>;
  /** Absent: there are none to be read. */
  metrics?: MetricsPage | undefined;
  requestMetrics: RequestMetrics;
  cors: Cors;
  logger: Logger;
  timeouts?: Partial<ServerTimeouts> | undefined;
}

/** How slow a client may be, in milliseconds. */
export interface ServerTimeouts {
  /** Until a request is in, headers and body. */
  requestMs: number;
  /** Until its headers are in. */
  headersMs: number;
  /** Without a byte in either direction: whoever does not take an answer is cut off. */
  idleMs: number;
  /** How often this is looked at. */
  checkMs: number;
}

export interface HttpServer {
  /** Where it listens, such as `http://127.0.0.1:4000`. */
  url: string;
  /** The server itself, for what shares its port. */
  server: Server;
  /** Takes no more requests, lets those under way end for up to `graceMs`, then closes what is left. */
  close(graceMs: number): Promise<void>;
}

/** The longest an operation may take, and a little more, passes before a connection counts as idle. */
const defaultTimeouts: ServerTimeouts = {
  requestMs: 30_000,
  headersMs: 10_000,
  idleMs: 45_000,
  checkMs: 1000,
};
/** How long a connection without a request stays open. */
const KEEP_ALIVE_MS = 5000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS = 100;

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const server = createBoundedServer({ ...defaultTimeouts, ...options.timeouts });
  const drain = createDrain(server, options.requestMetrics.recordResponse);
  server.on('request', (request, response) => {
    const requestId = requestIdOf(request);
    if (drain.refuses(response)) return sendError(response, 503, stopping(), requestId);
    route(request, response, requestId, options).catch((error: unknown) => {
      // Whoever left in the middle of sending needs no answer, and nothing failed.
      if (request.errored) return void response.destroy();
      options.logger.error({ requestId, cause: error }, 'A request failed');
      sendFailure(response, requestId);
    });
  });
  server.on('clientError', refuseMalformed);
  await listen(server, options);
  return {
    url: urlOf(server),
    server,
    close: drain.close,
  };
}

function createBoundedServer({ requestMs, headersMs, idleMs, checkMs }: ServerTimeouts): Server {
  const server = createServer({
    requestTimeout: requestMs,
    headersTimeout: headersMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
  });
  server.maxHeadersCount = MAX_HEADERS;
  server.setTimeout(idleMs);
  return server;
}

function stopping(): GatewayError {
  return new GatewayError('STOPPING', 'The gateway is stopping.', { retryable: true });
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  { graphql, explorer, isOwnHost, checkReady, metrics, cors }: HttpServerOptions,
): Promise<void> {
  if (!isOwnHost(request)) return refuseHost(response, requestId);
  const path = pathOf(request);
  // Operations come by POST: whoever answers them writes all headers at once, which takes less.
  if (path !== '/graphql' || request.method !== 'POST') setCommonHeaders(response, requestId);
  if (path === '/graphql') {
    if (cors.handle(request, response)) return;
    if (isPageVisit(request)) return redirect(response, '/');
    return graphql(request, response, requestId);
  }
  if (path === '/healthz') return sendStatus(response, 200, 'ok');
  if (path === '/readyz') return sendReadiness(response, checkReady);
  if (path === '/metrics' && metrics) return metrics(request, response, requestId);
  if (explorer.handle(request, response)) return;
  const unknown = `There is nothing at ${path}: GraphQL is at /graphql, the explorer at /.`;
  sendError(response, 404, new GatewayError('BAD_REQUEST', unknown), requestId);
}

/** 421: this server does not answer for that name (RFC 9110, 15.5.20). */
function refuseHost(response: ServerResponse, requestId: string): void {
  const message =
    'The gateway does not answer to this host name. Add the name to PUBLIC_HOSTS, or let the proxy send the ' +
    'address that the gateway listens on as Host.';
  sendError(response, 421, new GatewayError('BAD_REQUEST', message), requestId);
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** A browser opened the endpoint's address: whoever does that wants the explorer. */
function isPageVisit({ method, url = '', headers }: IncomingMessage): boolean {
  return method === 'GET' && !url.includes('?') && (headers.accept ?? '').includes('text/html');
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { Location: location }).end();
}

async function sendReadiness(response: ServerResponse, checkReady: () => Promise<void>): Promise<void> {
  try {
    await checkReady();
    sendStatus(response, 200, 'ready');
  } catch (error) {
    sendStatus(response, 503, error instanceof GatewayError ? error.message : 'not ready');
  }
}

function sendStatus(response: ServerResponse, code: number, status: string): void {
  response.writeHead(code, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify({ status }));
}

function sendFailure(response: ServerResponse, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const failure = new GatewayError('INTERNAL_SERVER_ERROR', 'The gateway failed. Its log says why.');
  sendError(response, 500, failure, requestId);
}

/** A caller's own id is kept where it is harmless in a log and a header. */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

function listen(server: Server, { host, port }: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
