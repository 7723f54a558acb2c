/**
 * Sends one HTTP request to the platform and returns status, headers and text, within bounds of time and size. Requests
 * go to one origin without redirects or proxies, so that credentials reach no other host.
 */
import { Axios, type AxiosResponse } from 'axios';
import { createClientDisconnectedError, GatewayError } from '../../errors.js';
import { AdapterRequest, createPlatformAdapter } from './platformAdapter.js';
import type { TransportRequest, TransportResponse } from './platformRequest.js';
import { toTransportError } from './transportError.js';

interface TransportOptions {
  /** The platform's origin with an optional path before `/v2.0`; all requests go there. */
  baseUrl: string;
  /** Timeout of a request including the body, in milliseconds. */
  timeoutMs: number;
  /** Bound of a response body. */
  maxBodyBytes: number;
}

export interface Transport {
  /**
   * Resolves to any response, whatever its status. Rejects with a `GatewayError` if there is none; it is `retryable`
   * if another attempt may succeed. `timeoutMs`: instead of the transport's.
   */
  send(request: TransportRequest, timeoutMs?: number): Promise<TransportResponse>;
  /** Closes all sockets; later requests reject. */
  close(): void;
}

export function createTransport(options: TransportOptions): Transport {
  const { adapter, close } = createPlatformAdapter({ ...options, connectTimeoutMs: options.timeoutMs });
  // Not `axios.create`, which adds defaults: each request would merge them, and the adapter does not use them.
  const client = new Axios({ adapter });
  let isClosed = false;
  return {
    async send(request, timeoutMs = options.timeoutMs) {
      const { cancellation } = request;
      if (isClosed) throw new GatewayError('PLATFORM_UNAVAILABLE', 'The gateway is stopping.');
      if (cancellation?.isCancelled()) throw createClientDisconnectedError();
      try {
        const data = new AdapterRequest(request, timeoutMs);
        // As `data` axios passes the request to the adapter, and the response back, without copying them.
        return (await client.request<TransportResponse, AxiosResponse<TransportResponse>>({ data })).data;
      } catch (error) {
        throw cancellation?.isCancelled() ? createClientDisconnectedError() : toTransportError(error);
      }
    },
    close() {
      isClosed = true;
      close();
    },
  };
}
