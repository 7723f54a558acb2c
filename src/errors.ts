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
  /** The request's body is compressed; the gateway takes it as it is. */
  | 'BODY_COMPRESSED'
  /** The body is a list of operations; they have to come one by one. */
  | 'BATCHING_REFUSED'
  /** The request could have been made by another site's page: it lacks a header that such a page can't send. */
  | 'CSRF_REFUSED'
  /** The document is no GraphQL. */
  | 'GRAPHQL_PARSE_FAILED'
  /** The operation does not fit the schema. */
  | 'GRAPHQL_VALIDATION_FAILED'
  /** It is not clear which of the document's operations is meant. */
  | 'OPERATION_RESOLUTION_FAILURE'
  /** The gateway does not know a document of this hash: send it with its text. */
  | 'PERSISTED_QUERY_NOT_FOUND'
  /** The gateway takes no hashes in place of documents. */
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  /** Only documents that the operator trusts are answered, and this is none. */
  | 'DOCUMENT_NOT_TRUSTED'
  /** The document has more tokens than `MAX_TOKENS`. */
  | 'TOO_MANY_TOKENS'
  /** The operation has more levels than `MAX_DEPTH`. */
  | 'TOO_DEEP'
  /** The document has more aliases than `MAX_ALIASES`. */
  | 'TOO_MANY_ALIASES'
  /** One place has more directives than `MAX_DIRECTIVES`. */
  | 'TOO_MANY_DIRECTIVES'
  /** The operation has more fields at its top than `MAX_ROOT_FIELDS`. */
  | 'TOO_MANY_ROOT_FIELDS'
  /** One name stands more often at one place of the answer than `MAX_REPEATS`. */
  | 'TOO_MANY_REPEATS'
  /** A fragment contains itself. */
  | 'CIRCULAR_FRAGMENT'
  /** The operation asks for the schema, which is not shown: `INTROSPECTION=off`. */
  | 'INTROSPECTION_OFF'
  /** The operation costs more than `MAX_COST`. */
  | 'COST_TOO_HIGH'
  /** The operation has used up its REST calls, `MAX_REST_CALLS`: what it did not reach is null. */
  | 'TOO_MANY_REST_CALLS'
  /** The caller asks more often than `RATE_PER_SECOND`, or too many credentials from its address were wrong. */
  | 'RATE_LIMITED'
  /** The caller holds more subscriptions open than `MAX_CALLER_BYTES` allows. */
  | 'TOO_MANY_SUBSCRIPTIONS'
  /** Answers or samples were not read in time: the connection or the subscription is ended. */
  | 'SLOW_CONSUMER'
  /** The credential of a connection is no longer good: its subscriptions are ended. */
  | 'CREDENTIAL_EXPIRED'
  /** A subscription came by POST or GET: it needs a websocket with the protocol `graphql-transport-ws`. */
  | 'SUBSCRIPTION_OVER_HTTP'
  /** The gateway is about to stop: it takes no new requests and ends subscriptions. */
  | 'STOPPING'
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
  /** Of a failed write alone: whether the platform may have carried it out all the same. */
  mayHaveTakenEffect?: boolean | undefined;
  cause?: unknown;
}

/** An error that a caller may see: its message and details hold nothing secret. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly platform: PlatformStatus | undefined;
  readonly mayHaveTakenEffect: boolean | undefined;

  constructor(code: ErrorCode, message: string, details: GatewayErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.retryable = details.retryable ?? false;
    this.retryAfterMs = details.retryAfterMs;
    this.platform = details.platform;
    this.mayHaveTakenEffect = details.mayHaveTakenEffect;
  }
}

/** For what nobody waits for any more. */
export function callerLeft(): GatewayError {
  return new GatewayError('CANCELLED', 'The caller left before the platform answered.');
}

/** An argument that can't be meant; `path` is where it stands, for example `filter.near.radiusKm`. */
export function badInput(path: string, problem: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', `${path}: ${problem}`);
}
