/**
 * Carries axios' requests over connections of undici's, which take a fraction of what Node's own client takes
 * for each, and reads the answer itself, so that axios has nothing to do after it.
 */
import { type AxiosAdapter, AxiosHeaders, type InternalAxiosRequestConfig } from 'axios';
import type { Dispatcher } from 'undici';
import { toCancellation } from '../../lib/cancellation.js';
import { type ConnectionPool, createConnectionPool } from './connectionPool.js';
import { createResponseBody, type ResponseBody, SUPPORTED_ENCODINGS } from './responseBody.js';
import { type Client, errors } from './undici.js';
import { onWaitEnd } from './waitLimits.js';

export interface PlatformAdapterOptions {
  /** Where all requests go, with an optional path before theirs. */
  baseUrl: string;
  /** The most milliseconds until there is a connection. */
  connectTimeoutMs: number;
  /** The most bytes read of a body. */
  maxBodyBytes: number;
}

export interface PlatformAdapter {
  /** The answer's `data` is its body as text. Obeys `signal` and `timeout`; follows no redirect. */
  adapter: AxiosAdapter;
  /** Closes all sockets; what is under way fails. */
  close(): void;
}

/** The same in every request; axios would take as long for them as for all the rest. */
const COMMON_HEADERS = {
  Accept: 'application/json',
  'Accept-Encoding': SUPPORTED_ENCODINGS,
  'User-Agent': 'fieldgraph',
};

export function createPlatformAdapter(options: PlatformAdapterOptions): PlatformAdapter {
  const { maxBodyBytes, connectTimeoutMs } = options;
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const pool = createConnectionPool({ origin, connectTimeoutMs });

  return {
    adapter: (config) => {
      const isGet = config.method === 'get';
      const request: Dispatcher.DispatchOptions = {
        path: prefix + config.url,
        method: isGet ? 'GET' : 'POST',
        headers: { ...COMMON_HEADERS, ...(config.headers as Record<string, string>) },
        body: config.data,
      };
      // A kept socket may be closed by the platform just when a request goes out on it. A GET is then sent again;
      // a POST never is, so each gets a socket of its own.
      const client = isGet ? pool.acquire() : pool.acquireFresh();
      return exchange(pool, client, request, config, maxBodyBytes);
    },
    close: pool.close,
  };
}

type AdapterResponse = Awaited<ReturnType<AxiosAdapter>>;

function exchange(
  { release, destroy }: ConnectionPool,
  client: Client,
  request: Dispatcher.DispatchOptions,
  config: InternalAxiosRequestConfig,
  maxBodyBytes: number,
): Promise<AdapterResponse> {
  return new Promise((resolve, reject) => {
    let body: ResponseBody | undefined;
    const answer: AdapterResponse = { data: '', status: 0, statusText: '', headers: {}, config };
    const { signal, timeout: timeoutMs = 0 } = config;
    function fail(error: unknown): void {
      stopWatching();
      reject(error);
      destroy(client);
    }
    const stopWatching = onWaitEnd(
      { cancellation: signal && toCancellation(signal as AbortSignal), timeoutMs },
      fail,
    );
    // What these throw becomes the error of the exchange.
    client.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_, status, headers) {
        answer.status = status;
        // Names come in lower case and values are sound: there is nothing for axios to put right.
        answer.headers = Object.assign(new AxiosHeaders(), headers);
        body = createResponseBody(headers, maxBodyBytes);
      },
      onResponseData(_, chunk) {
        body?.push(chunk);
      },
      onResponseEnd() {
        stopWatching();
        release(client);
        const text = body?.toText() ?? '';
        if (typeof text === 'string') resolve({ ...answer, data: text });
        else text.then((unpacked) => resolve({ ...answer, data: unpacked }), reject);
      },
      onResponseError: (_, error) => fail(body === undefined ? error : toBodyError(error)),
    });
  });
}

/** What stops being HTTP within its body was broken off by somebody on the way. */
function toBodyError(error: Error): Error {
  const isBrokenOff = error instanceof errors.HTTPParserError;
  return isBrokenOff ? new errors.SocketError('The answer breaks off within its body.') : error;
}
