/**
 * Sends one HTTP request to the platform and brings back status, headers and text. It knows one origin,
 * follows no redirect and no proxy, so that a credential can't be led astray, and bounds time and size.
 */
import http from 'node:http';
import https from 'node:https';
import axios, { AxiosError, type AxiosInstance, type AxiosResponse } from 'axios';
import { GatewayError } from '../errors.js';

export interface TransportOptions {
  /** The platform's origin with an optional path before `/v2.0`; the only place requests go to. */
  baseUrl: string;
  /** The most milliseconds for one request, body included. */
  timeoutMs: number;
  /** The most bytes read of a body. */
  maxBodyBytes: number;
  /** The most sockets open at once. */
  maxSockets: number;
}

export interface TransportRequest {
  method: 'GET' | 'POST';
  /** Path and query, encoded, beginning with a slash. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined;
}

/** A request that says which endpoint it is for, and by when an answer is of use. */
export interface PlatformRequest extends TransportRequest {
  /** The endpoint's path with its place unfilled. */
  template: string;
  /** Clock time after which nobody waits any more, in milliseconds. */
  deadlineAtMs?: number | undefined;
}

export interface TransportResponse {
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, unknown>>;
  text: string;
}

export interface Transport {
  /** Rejects with a `GatewayError` when there is no answer; any status is an answer. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Closes idle sockets. */
  close(): void;
}

export function createTransport(options: TransportOptions): Transport {
  const agentOptions = { keepAlive: true, maxSockets: options.maxSockets, scheduling: 'lifo' as const };
  const httpAgent = new http.Agent(agentOptions);
  const httpsAgent = new https.Agent(agentOptions);
  const client = createAxios(options, httpAgent, httpsAgent);
  return {
    send: (request) => sendOnce(client, request, options.timeoutMs),
    close() {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

function createAxios(
  options: TransportOptions,
  httpAgent: http.Agent,
  httpsAgent: https.Agent,
): AxiosInstance {
  return axios.create({
    baseURL: options.baseUrl,
    allowAbsoluteUrls: false,
    adapter: 'http',
    httpAgent,
    httpsAgent,
    maxRedirects: 0,
    proxy: false,
    maxContentLength: options.maxBodyBytes,
    maxBodyLength: options.maxBodyBytes,
    responseType: 'text',
    transformResponse: (text: string) => text,
    validateStatus: () => true,
    headers: { Accept: 'application/json' },
  });
}

async function sendOnce(
  client: AxiosInstance,
  request: TransportRequest,
  timeoutMs: number,
): Promise<TransportResponse> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
  try {
    const response: AxiosResponse<string> = await client.request({
      method: request.method,
      url: request.path,
      headers: request.headers,
      ...(request.body === undefined ? {} : { data: request.body }),
      signal,
    });
    return { status: response.status, headers: response.headers, text: response.data };
  } catch (error) {
    throw toGatewayError(error, { timedOut: deadline.aborted, left: request.signal?.aborted === true });
  }
}

function toGatewayError(error: unknown, why: { timedOut: boolean; left: boolean }): GatewayError {
  if (why.left) return new GatewayError('CANCELLED', 'The caller left before the platform answered.');
  if (why.timedOut) {
    return new GatewayError('PLATFORM_TIMEOUT', 'The platform did not answer in time.', { retryable: true });
  }
  const cause = describeCause(error);
  if (cause.includes('maxContentLength')) {
    return new GatewayError(
      'PLATFORM_BAD_RESPONSE',
      'The platform answered with more than the gateway reads.',
    );
  }
  return new GatewayError('PLATFORM_UNAVAILABLE', 'The platform could not be reached.', {
    retryable: true,
    cause: new Error(cause),
  });
}

/** An axios error carries the whole request, credential included; only its code and message go further. */
function describeCause(error: unknown): string {
  if (error instanceof AxiosError) return `${error.code ?? 'no code'}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
