/** A request to the platform, its response, and the outcome of one attempt. */
import type { GatewayError } from '../../errors.js';
import type { Cancellation } from '../../lib/cancellation.js';

export interface TransportRequest {
  method: 'GET' | 'POST';
  /** Encoded path and query, starting with a slash. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** Cancelled when the last caller stops waiting for the response. */
  cancellation?: Cancellation | undefined;
  /** Whether to open a connection for it. */
  isOnNewConnection?: boolean;
}

/** A request with its endpoint and its deadline. */
export interface PlatformRequest extends TransportRequest {
  /** Path template of the endpoint, for example `/v2.0/site/{siteId}`. */
  template: string;
  /** Id of the caller's request, for log lines. */
  requestId?: string | undefined;
  /** Id of the caller, among which the platform is shared fairly. */
  callerId?: string | undefined;
  /** Milliseconds of the monotonic clock; waits and retries end before it. */
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
  /** Decompressed. */
  body: Buffer;
}

/** The body as text, without a byte order mark. */
export function toText(body: Buffer): string {
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return body.toString('utf8', hasMark ? 3 : 0);
}

/** Resolves to any response, whatever its status. */
export interface PlatformTransport {
  send(request: PlatformRequest): Promise<TransportResponse>;
}

/** The outcome of one attempt: a response of any status, or the reason why there is none. */
export type AttemptOutcome = { response: TransportResponse } | { error: GatewayError };

/** Whether the platform was not reached, broke off, or did not respond in time. */
export function isConnectionFault({ code }: GatewayError): boolean {
  return code === 'PLATFORM_UNAVAILABLE' || code === 'PLATFORM_TIMEOUT';
}

/** Whether the platform or a proxy failed: a proxy that did not receive the request in time sends 408. */
export function isFailureStatus(status: number): boolean {
  return status >= 500 || status === 408;
}
