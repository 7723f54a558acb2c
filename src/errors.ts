/** Every code an error can carry out of the gateway, and the one error class that carries them. */

export type ErrorCode =
  /** An argument has a value that can't be meant: an id of another type, a range that ends before it begins. */
  | 'BAD_USER_INPUT'
  /** The HTTP request is no GraphQL request. */
  | 'BAD_REQUEST'
  /** The request's body is larger than the gateway reads. */
  | 'BODY_TOO_LARGE'
  /** The caller shows no credential, or one that is not good: HTTP 401, websocket close 4401. */
  | 'UNAUTHENTICATED'
  /** The caller is known, and may not do this: its credential lacks the scope, or is held to organizations. */
  | 'FORBIDDEN'
  /** Whether the credential is good can't be told just now; the same may succeed later. */
  | 'AUTHENTICATION_UNAVAILABLE'
  /** The platform could not be reached, or answered 500, 502, 503 or 504. */
  | 'PLATFORM_UNAVAILABLE'
  /** The platform did not answer in time. */
  | 'PLATFORM_TIMEOUT'
  /** The platform's limit on calls or tokens is used up; `retryAfterMs` says until when. */
  | 'PLATFORM_RATE_LIMITED'
  /** The platform refuses the gateway's credential. */
  | 'PLATFORM_UNAUTHORIZED'
  /** The platform answered with something that is not what its specification says. */
  | 'PLATFORM_BAD_RESPONSE'
  /** The platform refuses this call. */
  | 'PLATFORM_REFUSED'
  /** The caller left before the answer was ready. */
  | 'CANCELLED'
  /** A fault of the gateway; its cause is in the log under the `requestId`. */
  | 'INTERNAL_SERVER_ERROR';

/** What the platform said of a failed call, and all of it that may leave the gateway. */
export interface PlatformStatus {
  /** HTTP status. */
  status: number;
  /** The platform's own id of the request, to be named to its support. */
  requestId?: string;
}

export interface GatewayErrorDetails {
  /** Whether the same request may succeed later without a change. */
  retryable?: boolean;
  /** Milliseconds before which trying again is pointless. */
  retryAfterMs?: number | undefined;
  platform?: PlatformStatus | undefined;
  cause?: unknown;
}

/** An error that a caller may see: its message and details hold nothing secret. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly platform: PlatformStatus | undefined;

  constructor(code: ErrorCode, message: string, details: GatewayErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.retryable = details.retryable ?? false;
    this.retryAfterMs = details.retryAfterMs;
    this.platform = details.platform;
  }
}

/** An argument that can't be meant; `path` is where it stands, for example `filter.near.radiusKm`. */
export function badInput(path: string, problem: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', `${path}: ${problem}`);
}
