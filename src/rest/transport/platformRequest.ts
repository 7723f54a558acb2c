/** A request to the platform and its response. */
import type { Cancellation } from '../../lib/cancellation.js';

export interface TransportRequest {
  method: 'GET' | 'POST';
  /** Encoded path and query, starting with a slash. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Cancelled when no caller waits for the response any more. */
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
