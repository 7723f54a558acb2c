/**
 * Forwards requests to the worker that they belong to. In single connection mode all requests of a token belong to the
 * worker that reserved its stream, but each connection of a client may reach another worker.
 */
import { timingSafeEqual } from 'node:crypto';
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTokenError, readToken, workerOf } from '../delivery/streams/streamRequest.js';
import { remoteAddressOf, setRemoteAddress } from '../rateLimits/remoteAddress.js';
import { sendError } from '../responses/sendError.js';

/** The workers of one gateway. */
export interface WorkerDirectory {
  /** The id of this worker. */
  id: number;
  /** Known to the workers alone; authenticates forwarded requests. */
  secret: string;
  /** Tells the others the port at which this worker takes forwarded requests. */
  announce(port: number): void;
  /** The port of a worker. Undefined if no such worker runs. */
  portOf(id: number): Promise<number | undefined>;
}

export interface Forwarding {
  /** Returns false if the request belongs to this worker or to none. Otherwise answers it with the other's response. */
  forward(request: IncomingMessage, response: ServerResponse, requestId: string): boolean;
  /** Takes requests from the other workers. */
  listen(serve: RequestListener): Promise<void>;
  close(): void;
}

const LOOPBACK = '127.0.0.1';
const SECRET_HEADER = 'x-fieldgraph-secret';
const ADDRESS_HEADER = 'x-fieldgraph-address';
/** Valid for one connection only. The forwarded address replaces those that proxies have named. */
const DROPPED_HEADERS: readonly string[] = [
  ...['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect'],
  'x-forwarded-for',
];
/** Streams from one worker to another at a time. Requests beyond wait for a free connection. */
const MAX_CONNECTIONS = 10_000;

export function createForwarding(workers: WorkerDirectory): Forwarding {
  return new WorkerForwarding(workers);
}

class WorkerForwarding implements Forwarding {
  readonly #workers: WorkerDirectory;
  readonly #agent = new Agent({ maxSockets: MAX_CONNECTIONS });
  #serve: RequestListener = () => {};
  readonly #server = createServer((request, response) => this.#take(request, response));

  constructor(workers: WorkerDirectory) {
    this.#workers = workers;
  }

  forward(request: IncomingMessage, response: ServerResponse, requestId: string): boolean {
    const worker = workerOf(readToken(request) ?? '');
    if (worker === undefined || worker === this.#workers.id) return false;
    void this.#send(worker, request, response, requestId);
    return true;
  }

  async listen(serve: RequestListener): Promise<void> {
    this.#serve = serve;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      // Otherwise all workers would share one port.
      this.#server.listen({ host: LOOPBACK, port: 0, exclusive: true }, resolve);
    });
    this.#workers.announce((this.#server.address() as AddressInfo).port);
  }

  close(): void {
    this.#agent.destroy();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #send(
    worker: number,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): Promise<void> {
    const fail = () => {
      if (response.headersSent) response.destroy();
      else sendError(response, 400, createTokenError(), requestId);
    };
    const port = await this.#workers.portOf(worker).catch(() => undefined);
    if (port === undefined) return fail();
    const { method, url: path } = request;
    const headers = {
      ...withoutConnectionHeaders(request.headers),
      ...{ 'x-request-id': requestId, [SECRET_HEADER]: this.#workers.secret },
      [ADDRESS_HEADER]: remoteAddressOf(request),
    };
    const forwarded = httpRequest({ agent: this.#agent, host: LOOPBACK, port, method, path, headers });
    forwarded.on('error', fail);
    forwarded.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, withoutConnectionHeaders(answer.headers));
      // The first event of a stream may come much later.
      response.flushHeaders();
      answer.on('error', fail).pipe(response);
    });
    response.once('close', () => forwarded.destroy());
    request.pipe(forwarded);
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const { [SECRET_HEADER]: secret, [ADDRESS_HEADER]: address } = request.headers;
    if (!isSame(String(secret), this.#workers.secret)) return void response.writeHead(403).end();
    delete request.headers[SECRET_HEADER];
    delete request.headers[ADDRESS_HEADER];
    setRemoteAddress(request, String(address));
    this.#serve(request, response);
  }
}

function withoutConnectionHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !DROPPED_HEADERS.includes(name)));
}

function isSame(provided: string, expected: string): boolean {
  const [left, right] = [Buffer.from(provided), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
