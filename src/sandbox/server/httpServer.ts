/** The sandbox's HTTP server: serves each request, and turns thrown errors into responses. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { HttpError } from '../httpError.js';
import type { RequestHandler } from './requestHandler.js';
import { createErrorResponse, type SandboxResponse, sendResponse } from './response.js';

/** A warning is a failure of the simulator, an error one of a request. */
export type SandboxLog = (message: string, level: 'debug' | 'warn' | 'error') => void;

export interface ReceivedRequest {
  readonly method: string;
  /** The path as received, without the query. */
  readonly path: string;
  /** The endpoint's path template, or an empty string if none matched. */
  readonly pathTemplate: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Sends the response to one request, for tests that count requests or make them fail. `serve` computes it. */
export type Interceptor = (
  request: ReceivedRequest,
  response: ServerResponse,
  serve: () => Promise<SandboxResponse>,
) => Promise<void>;

/** Longer than clients keep idle connections, so that the server never closes one while a request arrives. */
const KEEP_ALIVE_MS = 65_000;

/** Does not use `new URL`, which would read `//host` as a host and resolve dots. */
function targetOf(request: IncomingMessage) {
  const url = (request.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '');
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return { path, query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)) };
}

const sendServed: Interceptor = async (_, response, serve) => sendResponse(response, await serve());

export function createHttpServer(
  handler: RequestHandler,
  log: SandboxLog,
  intercept: Interceptor = sendServed,
): Server {
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, query } = targetOf(request);
    const { method = 'GET' } = request;
    const { pathTemplate, serve } = handler(method, path);
    const received = { method, path, pathTemplate, query: Object.fromEntries(query) };
    await intercept(received, response, () => serve(request, query).catch((error) => refuse(request, error)));
  }

  function refuse({ method, url }: IncomingMessage, error: unknown): SandboxResponse {
    if (error instanceof HttpError) return createErrorResponse(error.status, error.message, error.headers);
    const reason = error instanceof Error ? error.stack : String(error);
    log(`${method} ${url} failed: ${reason}`, 'error');
    return createErrorResponse(500, 'The sandbox failed to serve this request.');
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      log(`The connection failed: ${String(error)}`, 'debug');
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
