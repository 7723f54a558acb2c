/**
 * Forwards requests to the worker that they belong to. In single connection mode, all requests with a token belong
 * to the worker that reserved its stream, but a client's connections may reach other workers.
 */
import { timingSafeEqual } from 'node:crypto';
import {
  Agent,
  type ClientRequest,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { createStoppingError } from '../../errors.js';
import { createTokenError, readToken, workerOf } from '../delivery/streams/streamRequest.js';
import { isSecure, remoteAddressOf, setOrigin } from '../rateLimits/remoteAddress.js';
import { isPipelinedTooDeep, refusePipelined } from '../requests/requestBounds.js';
import { sendError } from '../responses/sendError.js';
import { Drain } from './drain.js';

export interface WorkerDirectory {
  id: number;
  /** Known only to the workers; authenticates forwarded requests. */
  secret: string;
  /**
   * Sends the other workers the port at which this worker takes forwarded requests. Resolves when they have received
   * it.
   */
  announce(port: number): Promise<void>;
  /** The port of another worker. Undefined if no such worker runs. */
  portOf(id: number): number | undefined;
}

const LOOPBACK = '127.0.0.1';
const SECRET_HEADER = 'x-fieldgraph-secret';
const ADDRESS_HEADER = 'x-fieldgraph-address';
const SCHEME_HEADER = 'x-fieldgraph-scheme';
/** Valid for one connection only. The forwarded address replaces those that proxies have named. */
const DROPPED_HEADERS: readonly string[] = [
  ...['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect'],
  'x-forwarded-for',
];
/** Larger than the maximum of other requests, because forwarding adds three headers. */
const MAX_HEADER_BYTES = 32 * 1024;

export class Forwarding {
  readonly #workers: WorkerDirectory;
  /**
   * Each request has a connection of its own. It stays open until the whole body is sent: a worker that refuses a request
   * early would otherwise close it, and its response could be lost.
   */
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: 0 });
  readonly #server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) =>
    this.#take(request, response),
  );
  readonly #drain = new Drain(this.#server, () => {});
  #serve: RequestListener = () => {};

  constructor(workers: WorkerDirectory) {
    this.#workers = workers;
  }

  /** Returns false if the request belongs to no other worker. Otherwise sends a response, usually the other worker's. */
  forward(request: IncomingMessage, response: ServerResponse, requestId: string): boolean {
    const worker = workerOf(readToken(request) ?? '');
    const port = worker === undefined ? undefined : this.#workers.portOf(worker);
    if (port === undefined) return false;
    if (isPipelinedTooDeep(response)) refusePipelined(response, requestId);
    else this.#send(port, request, response, requestId);
    return true;
  }

  /** Takes requests from the other workers. */
  async listen(serve: RequestListener): Promise<void> {
    this.#serve = serve;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      // Without `exclusive`, all workers would share one port.
      this.#server.listen({ host: LOOPBACK, port: 0, exclusive: true }, resolve);
    });
    await this.#workers.announce((this.#server.address() as AddressInfo).port);
  }

  /** Refuses requests of other workers, and waits up to `graceMs` for those in flight. */
  async close(graceMs: number): Promise<void> {
    // Requests to other workers end with the responses of this worker, which are drained separately.
    await this.#drain.close(graceMs);
  }

  #send(port: number, request: IncomingMessage, response: ServerResponse, requestId: string): void {
    const { method, url: path } = request;
    const headers = {
      ...withoutConnectionHeaders(request.headers),
      'x-request-id': requestId,
      [SECRET_HEADER]: this.#workers.secret,
      [ADDRESS_HEADER]: remoteAddressOf(request),
      [SCHEME_HEADER]: isSecure(request) ? 'https' : 'http',
    };
    const forwarded = httpRequest({ agent: this.#agent, host: LOOPBACK, port, method, path, headers });
    ignoreLateErrors(forwarded);
    let hasResponse = false;
    forwarded.on('error', () => {
      // The other worker may refuse a request before it has read the body, and close the connection.
      if (!hasResponse) sendError(response, createTokenError(), requestId);
    });
    forwarded.on('response', (received) => {
      hasResponse = true;
      request.unpipe(forwarded).resume();
      response.writeHead(received.statusCode ?? 502, withoutConnectionHeaders(received.headers));
      // The first event of a stream may come much later.
      response.flushHeaders();
      received.on('error', () => response.destroy()).pipe(response);
    });
    response.once('close', () => forwarded.destroy());
    if (method === 'POST') request.pipe(forwarded);
    else {
      forwarded.end();
      request.resume();
    }
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const { [SECRET_HEADER]: secret, [ADDRESS_HEADER]: address, [SCHEME_HEADER]: scheme } = request.headers;
    if (!isSame(String(secret), this.#workers.secret)) return void response.writeHead(403).end();
    delete request.headers[SECRET_HEADER];
    delete request.headers[ADDRESS_HEADER];
    delete request.headers[SCHEME_HEADER];
    setOrigin(request, { address: String(address), isSecure: scheme === 'https' });
    if (!this.#drain.refuses(response)) this.#serve(request, response);
    else sendError(response, createStoppingError(), String(request.headers['x-request-id']));
  }
}

/**
 * The rest of a body may fail after the response. Node's client has removed its own listener by then, and the error would
 * end the process.
 */
function ignoreLateErrors(forwarded: ClientRequest): void {
  forwarded.once('socket', (socket) => socket.on('error', () => {}));
}

function withoutConnectionHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !DROPPED_HEADERS.includes(name)));
}

function isSame(provided: string, expected: string): boolean {
  const [left, right] = [Buffer.from(provided), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
