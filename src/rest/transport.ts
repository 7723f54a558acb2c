/**
 * Sends one HTTP request to the platform and brings back status, headers and text. It knows one origin,
 * follows no redirect and no proxy, so that a credential can't be led astray, and bounds time and size.
 */
import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import { callerLeft, GatewayError } from '../errors.js';
import { watchPatience } from './patience/patience.js';
import { readText } from './readText.js';
import { toTransportError } from './transportError.js';

export interface TransportOptions {
  /** The platform's origin with an optional path before `/v2.0`; the only place requests go to. */
  baseUrl: string;
  /** The most milliseconds for one request, body included. */
  timeoutMs: number;
  /** The most bytes read of a body. */
  maxBodyBytes: number;
  /** The most sockets open at once for GETs. */
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

interface Agents {
  httpAgent: http.Agent;
  httpsAgent: https.Agent;
}

export function createTransport(options: TransportOptions): Transport {
  const kept = createAgents({ keepAlive: true, maxSockets: options.maxSockets, scheduling: 'lifo' });
  // A kept socket may be closed by the platform just when a request goes out on it. A GET is then sent again;
  // a POST never is, so each gets a socket of its own.
  const fresh = createAgents({ keepAlive: false });
  const client = createAxios(options.baseUrl);
  let isClosed = false;
  return {
    async send(request) {
      if (isClosed) throw new GatewayError('PLATFORM_UNAVAILABLE', 'The gateway is stopping.');
      return sendOnce(client, request.method === 'GET' ? kept : fresh, request, options);
    },
    close() {
      isClosed = true;
      for (const { httpAgent, httpsAgent } of [kept, fresh]) {
        httpAgent.destroy();
        httpsAgent.destroy();
      }
    },
  };
}

function createAgents(options: http.AgentOptions): Agents {
  return { httpAgent: new http.Agent(options), httpsAgent: new https.Agent(options) };
}

function createAxios(baseURL: string): AxiosInstance {
  return axios.create({
    baseURL,
    allowAbsoluteUrls: false,
    adapter: 'http',
    maxRedirects: 0,
    proxy: false,
    // A stream, since axios would otherwise read on to its limit where the length was announced to be above it.
    responseType: 'stream',
    validateStatus: () => true,
    headers: { Accept: 'application/json' },
  });
}

async function sendOnce(
  client: AxiosInstance,
  agents: Agents,
  request: TransportRequest,
  { timeoutMs, maxBodyBytes }: TransportOptions,
): Promise<TransportResponse> {
  if (request.signal?.aborted) throw callerLeft();
  const controller = new AbortController();
  // Not AbortSignal.any and .timeout: those hold on to the caller's signal and to a timer after the answer.
  const patience = { signal: request.signal, timeoutMs: request.timeoutMs ?? timeoutMs };
  const stopWatching = watchPatience(patience, (error) => controller.abort(error));
  try {
    const response: AxiosResponse<Readable> = await client.request({
      method: request.method,
      url: request.path,
      headers: request.headers,
      ...agents,
      ...(request.body === undefined ? {} : { data: request.body }),
      signal: controller.signal,
    });
    const { status, headers, data } = response;
    return { status, headers, text: await readText(data, headers['content-length'], maxBodyBytes) };
  } catch (error) {
    throw toTransportError(controller.signal.aborted ? controller.signal.reason : error);
  } finally {
    stopWatching();
  }
}
