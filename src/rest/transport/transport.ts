/**
 * Sends one HTTP request to the platform and returns status, headers and text, within bounds of time and size. Requests
 * go to one origin without redirects or proxies, so that credentials reach no other host.
 */
import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import { Axios, AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import type { Dispatcher } from 'undici';
import { createStoppingError } from '../../errors.js';
import type { TransportRequest, TransportResponse } from './platformRequest.js';
import {
  createTooLargeError,
  toBodyError,
  toReuseError,
  toTransportError,
  toWaitEndError,
} from './transportError.js';
import { buildConnector, Client } from './undici.js';
import { createCancellationError, onWaitEnd, type WaitLimits } from './waitLimits.js';

/** 10,000 rows with the longest strings are smaller. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

interface TransportOptions {
  /** The platform's origin with an optional path before `/v2.0`; all requests go there. */
  baseUrl: string;
  /** Timeout of a request including the body, in milliseconds, and of connecting. */
  timeoutMs: number;
  /** Bound of a response body; `MAX_RESPONSE_BYTES` by default. */
  maxBodyBytes?: number;
}

export interface Transport {
  /**
   * Resolves to any response, whatever its status. Rejects with a `GatewayError` if there is none; it is `retryable`
   * if another attempt may succeed. `timeoutMs` replaces the transport's timeout.
   */
  send(request: TransportRequest, timeoutMs?: number): Promise<TransportResponse>;
  /** Closes all sockets. Requests in flight and later ones reject with STOPPING. */
  close(): void;
}

export function createTransport(options: TransportOptions): Transport {
  const { adapter, close } = createPlatformAdapter(options);
  // Does not use `axios.create`, because it adds defaults that each request would merge and that the adapter does
  // not use.
  const client = new Axios({ adapter });
  let isClosed = false;
  return {
    async send(request, timeoutMs = options.timeoutMs) {
      const { cancellation } = request;
      if (isClosed) throw createStoppingError();
      if (cancellation?.isCancelled()) throw createCancellationError(cancellation);
      try {
        const data = new AdapterRequest(request, timeoutMs);
        // As `data` axios passes the request to the adapter, and the response back, without copying them.
        return (await client.request<TransportResponse, AxiosResponse<TransportResponse>>({ data })).data;
      } catch (error) {
        if (cancellation?.isCancelled()) throw createCancellationError(cancellation);
        throw isClosed ? createStoppingError() : toTransportError(error);
      }
    },
    close() {
      isClosed = true;
      close();
    },
  };
}

/** A request as axios passes it on: a class instance, because axios copies plain objects and headers one by one. */
class AdapterRequest {
  readonly request: TransportRequest;
  readonly timeoutMs: number;

  constructor(request: TransportRequest, timeoutMs: number) {
    this.request = request;
    this.timeoutMs = timeoutMs;
  }
}

/** Added here, because adding them through axios would double the time that axios takes. */
const COMMON_HEADERS: readonly string[] = [
  ...['Accept', 'application/json'],
  ...['Accept-Encoding', 'gzip, deflate, br'],
  ...['User-Agent', 'fieldgraph'],
];

/** Returns alternating names and values, which undici processes faster than an object. */
function listHeaders(headers: TransportRequest['headers']): string[] {
  const list = COMMON_HEADERS.slice();
  for (const name of Object.keys(headers)) list.push(name, headers[name] ?? '');
  return list;
}

/**
 * Sends the requests of axios through undici, which takes a fraction of the time of Node's client, and reads the response
 * itself, so that axios has nothing to process.
 */
function createPlatformAdapter({
  baseUrl,
  timeoutMs: connectTimeoutMs,
  maxBodyBytes = MAX_RESPONSE_BYTES,
}: TransportOptions) {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const pool = createConnectionPool(origin, connectTimeoutMs);

  return {
    /** Expects an `AdapterRequest` as `data`, and responds with a `TransportResponse` as `data`. Follows no redirect. */
    adapter: (config: InternalAxiosRequestConfig) => {
      const { request, timeoutMs } = config.data as AdapterRequest;
      const isGet = request.method === 'GET';
      // The platform may close an idle socket just when a request is sent on it. A GET is retried then. A POST is
      // never retried, so each POST has a new socket.
      const client = isGet ? pool.acquire(request.isOnNewConnection) : pool.acquireFresh();
      const options: Dispatcher.DispatchOptions = {
        path: prefix + request.path,
        method: request.method,
        headers: listHeaders(request.headers),
        body: request.body ?? null,
      };
      const limits = { cancellation: request.cancellation, timeoutMs };
      return exchange(pool, client, options, limits, maxBodyBytes).then((data) =>
        toAxiosResponse(data, config),
      );
    },
    /** Closes all sockets; requests in flight fail. */
    close: pool.close,
  };
}

/** Axios would normalise the headers that it gets. */
const NO_HEADERS = new AxiosHeaders();

function toAxiosResponse(data: TransportResponse, config: InternalAxiosRequestConfig) {
  return { data, status: data.status, statusText: '', headers: NO_HEADERS, config };
}

/** Clients whose current socket has had a response. */
const reused = new WeakSet<Client>();

function exchange(
  { release, destroy }: ReturnType<typeof createConnectionPool>,
  client: Client,
  options: Dispatcher.DispatchOptions,
  limits: WaitLimits,
  maxBodyBytes: number,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    // A client whose idle socket was closed opens a new one, which may fail like any other.
    const isReused = reused.has(client);
    let body: ReturnType<typeof createResponseBody> | undefined;
    let status = 0;
    let headers: TransportResponse['headers'] = {};
    function fail(error: unknown): void {
      stopWatching();
      reject(error);
      destroy(client);
    }
    const stopWatching = onWaitEnd(limits, (error) => fail(toWaitEndError(error, body !== undefined)));
    // An error thrown in these handlers fails the exchange.
    client.dispatch(options, {
      onRequestStart() {},
      onResponseStart(_, responseStatus, responseHeaders) {
        // 203 is a 200 that a proxy has transformed (RFC 9110, 15.3.4).
        status = responseStatus === 203 ? 200 : responseStatus;
        headers = responseHeaders;
        body = createResponseBody(responseHeaders, maxBodyBytes);
      },
      onResponseData(_, chunk) {
        body?.push(chunk);
      },
      onResponseEnd() {
        stopWatching();
        reused.add(client);
        release(client);
        const { bytes, decompressed } = body?.read() ?? EMPTY_BODY;
        if (decompressed === undefined) resolve({ status, headers, body: bytes });
        else decompressed.then((plain) => resolve({ status, headers, body: plain }), reject);
      },
      onResponseError(_, error) {
        if (body !== undefined) fail(toBodyError(error));
        else fail(isReused ? toReuseError(error) : error);
      },
    });
  });
}

/**
 * Idle connections are closed after this time, or a second before the keep-alive timeout that the platform
 * announces.
 */
const KEEP_ALIVE_MS = 60_000;
const KEEP_ALIVE_MARGIN_MS = 1000;

/**
 * A pool of connections to the platform, each for one request at a time. The pool of undici would open another
 * connection for each cancelled request; this one closes the connection at once.
 */
function createConnectionPool(origin: string, connectTimeoutMs: number) {
  const open = new Set<Client>();
  const idle: Client[] = [];
  // Shared, so that new connections resume the TLS session.
  const connect = buildConnector({ timeout: connectTimeoutMs });

  /** Sets no timeouts except for connecting, because each request has its own timeout. */
  function create(pipelining: number): Client {
    const timeouts = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS };
    const client = new Client(origin, {
      ...timeouts,
      keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
      connect,
      pipelining,
    });
    client.on('disconnect', () => reused.delete(client));
    open.add(client);
    return client;
  }

  /** The request failed or was cancelled: closes the connection at once. */
  function destroy(client: Client): void {
    if (open.delete(client)) client.destroy().catch(() => undefined);
  }

  return {
    /**
     * The idle connection that was used last; a new one with `isNew`, or if none is idle. Call `release` or `destroy` when
     * done.
     */
    acquire: (isNew = false): Client => (isNew ? undefined : idle.pop()) ?? create(1),
    /** A new connection that is closed after its response. */
    acquireFresh: (): Client => create(0),
    /** The response is complete. */
    release(client: Client): void {
      if (client.pipelining === 0) destroy(client);
      else if (open.has(client)) idle.push(client);
    },
    destroy,
    close(): void {
      for (const client of open) destroy(client);
    },
  };
}

interface ReceivedBody {
  /** As they arrived. */
  bytes: Buffer;
  /** Undefined for a body without compression. Rejects if it can't be decompressed within the bound. */
  decompressed?: Promise<Buffer>;
}

/** Collects the body of a response. Throws PLATFORM_BAD_RESPONSE if `Content-Length` exceeds `maxBytes`. */
function createResponseBody(headers: TransportResponse['headers'], maxBytes: number) {
  if (Number(headers['content-length']) > maxBytes) throw createTooLargeError();
  const decompress = decompressorFor(headers['content-encoding']);
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    /** Adds a chunk. Throws PLATFORM_BAD_RESPONSE if the body exceeds the bound. */
    push(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes > maxBytes) throw createTooLargeError();
      chunks.push(chunk);
    },
    read(): ReceivedBody {
      const [first = EMPTY_BUFFER] = chunks;
      const body = chunks.length > 1 ? Buffer.concat(chunks, bytes) : first;
      if (decompress === undefined || bytes === 0) return { bytes: body };
      return { bytes: body, decompressed: decompress(body, { maxOutputLength: maxBytes }) };
    },
  };
}

type Decompress = (compressed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const EMPTY_BUFFER = Buffer.alloc(0);
const EMPTY_BODY: ReceivedBody = { bytes: EMPTY_BUFFER };
/** Handles gzip and deflate, by the first bytes. */
const decompressZlib: Decompress = promisify(unzip);
const decompressBrotli: Decompress = promisify(brotliDecompress);

/** Undefined for a body without compression, or with one that was not offered. */
function decompressorFor(encoding: unknown): Decompress | undefined {
  if (encoding === undefined) return undefined;
  const name = String(encoding).trim().toLowerCase();
  if (name === 'br') return decompressBrotli;
  return /^((x-)?gzip|deflate)$/.test(name) ? decompressZlib : undefined;
}
