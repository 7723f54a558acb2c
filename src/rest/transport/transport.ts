/**
 * Sends one HTTP request to the platform and returns status, headers and text, within bounds of time and size. Requests
 * go to one origin without redirects or proxies, so that credentials reach no other host.
 */
import { Axios, type AxiosRequestConfig } from 'axios';
import { createClientDisconnectedError, GatewayError } from '../../errors.js';
import { createPlatformAdapter } from './platformAdapter.js';
import { toTransportError } from './transportError.js';

export interface TransportOptions {
  /** The platform's origin with an optional path before `/v2.0`; all requests go there. */
  baseUrl: string;
  /** Timeout of a request including the body, in milliseconds. */
  timeoutMs: number;
  /** Bound of a response body. */
  maxBodyBytes: number;
}

export interface TransportRequest {
  method: 'GET' | 'POST';
  /** Encoded path and query, starting with a slash. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Aborted when no caller waits for the response any more. */
  signal?: AbortSignal | undefined;
  /** Timeout of this request instead of the transport's. */
  timeoutMs?: number | undefined;
}

/** A request with its endpoint and its deadline. */
export interface PlatformRequest extends TransportRequest {
  /** Path template of the endpoint, for example `/v2.0/site/{siteId}`. */
  template: string;
  /** Id of the caller's request, for log lines. */
  requestId?: string | undefined;
  /** Clock time in milliseconds; waits and retries end before it. */
  deadlineAtMs?: number | undefined;
  /** Called right before each attempt that is sent. */
  onSend?: (() => void) | undefined;
  /** Called when the platform refused the token, before the request is repeated with another. */
  onRefused?: (() => void) | undefined;
}

export interface TransportResponse {
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, unknown>>;
  text: string;
}

export interface Transport {
  /**
   * Resolves to any response, whatever its status. Rejects with a `GatewayError` if there is none; it is `retryable`
   * if another attempt may succeed.
   */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Closes all sockets; later requests reject. */
  close(): void;
}

export function createTransport(options: TransportOptions): Transport {
  const { adapter, close } = createPlatformAdapter({ ...options, connectTimeoutMs: options.timeoutMs });
  // Not `axios.create`, which adds defaults: each request would merge them, and the adapter does not use them.
  const client = new Axios({ adapter });
  let isClosed = false;
  return {
    async send(request) {
      const { signal } = request;
      if (isClosed) throw new GatewayError('PLATFORM_UNAVAILABLE', 'The gateway is stopping.');
      if (signal?.aborted) throw createClientDisconnectedError();
      try {
        const config = toAxiosConfig(request, request.timeoutMs ?? options.timeoutMs);
        const { status, headers, data } = await client.request<string>(config);
        return { status, headers, text: data };
      } catch (error) {
        throw signal?.aborted ? createClientDisconnectedError() : toTransportError(error);
      }
    },
    close() {
      isClosed = true;
      close();
    },
  };
}

function toAxiosConfig(
  { method, path, headers, body, signal }: TransportRequest,
  timeout: number,
): AxiosRequestConfig {
  const config: AxiosRequestConfig = { method, url: path, headers, timeout };
  if (body !== undefined) config.data = body;
  if (signal !== undefined) config.signal = signal;
  return config;
}
