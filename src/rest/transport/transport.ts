/**
 * Sends one HTTP request to the platform and brings back status, headers and text. It knows one origin,
 * follows no redirect and no proxy, so that a credential can't be led astray, and bounds time and size.
 */
import { Axios } from 'axios';
import { createClientDisconnectedError, GatewayError } from '../../errors.js';
import { createPlatformAdapter } from './platformAdapter.js';
import { toTransportError } from './transportError.js';

export interface TransportOptions {
  /** The platform's origin with an optional path before `/v2.0`; the only place requests go to. */
  baseUrl: string;
  /** The most milliseconds for one request, body included. */
  timeoutMs: number;
  /** The most bytes read of a body. */
  maxBodyBytes: number;
}

export interface TransportRequest {
  method: 'GET' | 'POST';
  /** Path and query, encoded, beginning with a slash. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined;
  /** The most milliseconds for this request, in place of the transport's own. */
  timeoutMs?: number | undefined;
}

/** A request that says which endpoint it is for, and by when an answer is of use. */
export interface PlatformRequest extends TransportRequest {
  /** The endpoint's path with its place unfilled, for example `/v2.0/site/{siteId}`. */
  template: string;
  /** Names what it is made for, in log lines. */
  requestId?: string | undefined;
  /** Clock time after which nobody waits any more, in milliseconds; waits and retries end before it. */
  deadlineAtMs?: number | undefined;
  /** Told right before each time the request goes out, if it does. */
  onSend?: (() => void) | undefined;
  /** Told when the platform has refused its token, and it will go out again with another. */
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
   * Rejects with a `GatewayError` when there is no answer; any status is an answer. Of the errors that say
   * the platform was not there, those are `retryable` that another try may get over.
   */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Closes all sockets; nothing is sent any more. */
  close(): void;
}

export function createTransport(options: TransportOptions): Transport {
  const { adapter, close } = createPlatformAdapter({ ...options, connectTimeoutMs: options.timeoutMs });
  // Not `axios.create`: that brings defaults along that each request would merge, and the adapter has no use for.
  const client = new Axios({ adapter });
  let isClosed = false;
  return {
    async send(request) {
      if (isClosed) throw new GatewayError('PLATFORM_UNAVAILABLE', 'The gateway is stopping.');
      return sendOnce(client, request, request.timeoutMs ?? options.timeoutMs);
    },
    close() {
      isClosed = true;
      close();
    },
  };
}

async function sendOnce(
  client: Axios,
  { method, path, headers, body, signal }: TransportRequest,
  timeoutMs: number,
): Promise<TransportResponse> {
  if (signal?.aborted) throw createClientDisconnectedError();
  try {
    const response = await client.request<string>({
      method,
      url: path,
      headers,
      timeout: timeoutMs,
      ...(body === undefined ? {} : { data: body }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { status: response.status, headers: response.headers, text: response.data };
  } catch (error) {
    throw signal?.aborted ? createClientDisconnectedError() : toTransportError(error);
  }
}
