/** The sandbox's HTTP server: logs each call, applies faults, turns thrown errors into responses. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.js';
import { createBadRequestError, HttpError } from '../httpError.js';
import type { createCallLog } from './callLog.js';
import type { createFaultInjector, Fault } from './faultInjector.js';
import type { RequestHandler, Route } from './requestHandler.js';
import {
  createErrorResponse,
  createJsonResponse,
  type SandboxResponse,
  sendResponse,
  toErrorResponse,
  withFault,
} from './response.js';
import type { RouteMatch } from './router.js';

interface SandboxServerOptions {
  readonly handler: RequestHandler;
  readonly calls: ReturnType<typeof createCallLog>;
  readonly faults: ReturnType<typeof createFaultInjector>;
  readonly clock: Clock;
  log(message: string): void;
}

/** Longer than clients keep idle connections, so that the server never closes one while a request arrives. */
const KEEP_ALIVE_MS = 65_000;

interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Does not use `new URL`, which would read `//host` as a host and resolve dots. */
function targetOf(request: IncomingMessage): RequestTarget {
  const url = (request.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '');
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return { path, query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)) };
}

/** @throws HttpError 400 when the path's percent encoding is invalid. */
function requireDecodable(path: string): void {
  try {
    decodeURIComponent(path);
  } catch {
    throw createBadRequestError('The path is not properly percent-encoded.');
  }
}

function isDecodable(path: string): boolean {
  try {
    requireDecodable(path);
    return true;
  } catch {
    return false;
  }
}

function createCallRecord(
  request: IncomingMessage,
  target: RequestTarget,
  match: RouteMatch<Route> | undefined,
  time: number,
) {
  return {
    method: request.method ?? 'GET',
    path: target.path,
    pathTemplate: match?.target.path ?? '',
    query: Object.fromEntries(target.query),
    time,
    status: 0,
  };
}

/** With a fault that replaces the response the request has no effect. With any other fault it is served. */
async function serveWithFault(
  fault: Fault | undefined,
  serve: () => Promise<SandboxResponse>,
): Promise<SandboxResponse> {
  if (!fault) return serve();
  const { status, body, hugeBodyBytes } = fault;
  const isReplaced = status !== undefined || body !== undefined || hugeBodyBytes !== undefined;
  return withFault(isReplaced ? createJsonResponse({}) : await serve(), fault);
}

/** Creates a server that does not listen yet. */
export function createHttpServer({ handler, calls, faults, clock, log }: SandboxServerOptions): Server {
  async function respond(
    request: IncomingMessage,
    target: RequestTarget,
    match: RouteMatch<Route> | undefined,
  ) {
    try {
      requireDecodable(target.path);
      if (match) return await handler.serve(request, match, target.query);
      return handler.serveUnmatched(request.method ?? 'GET', target.path);
    } catch (error) {
      if (error instanceof HttpError) return toErrorResponse(error);
      log(`${request.method} ${request.url} failed: ${error instanceof Error ? error.stack : String(error)}`);
      return createErrorResponse(500, 'The sandbox failed to serve this request.');
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = targetOf(request);
    const match = isDecodable(target.path)
      ? handler.matchRoute(request.method ?? 'GET', target.path)
      : undefined;
    const call = createCallRecord(request, target, match, clock.now());
    calls.add(call);
    const fault = faults.use(call);
    if (fault?.latencyMs !== undefined) await sleep(fault.latencyMs, undefined, { ref: false });
    if (fault?.hangBeforeHeaders) return;
    if (fault?.destroySocket) return void request.socket.destroy();
    // In the meantime the client may have disconnected or the sandbox may have been closed.
    if (response.destroyed) return;
    const result = await serveWithFault(fault, () => respond(request, target, match));
    call.status = result.status;
    sendResponse(response, result, fault);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      log(`The connection failed: ${String(error)}`);
      response.destroy();
    });
  });
  server.on('clientError', rejectMalformedRequest);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

/** Sends the usual error body for input that is not HTTP. */
function rejectMalformedRequest(_error: Error, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const { body, headers } = createErrorResponse(400, 'The request is not valid HTTP.');
  const type = `Content-Type: ${headers['Content-Type']}`;
  const head = `HTTP/1.1 400 Bad Request\r\n${type}\r\nContent-Length: ${body.length}\r\nConnection: close`;
  socket.end(`${head}\r\n\r\n${body.toString()}`);
}
