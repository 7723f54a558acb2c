/** Every code that an error of the gateway can have, and the one error class that carries them. */

export type ErrorCode =
  /** An argument has an invalid value, for example an id of the wrong type or a range that ends before it begins. */
  | 'BAD_USER_INPUT'
  /** The HTTP request is not a GraphQL request. */
  | 'BAD_REQUEST'
  /** The request body is larger than `MAX_BODY_BYTES`. */
  | 'BODY_TOO_LARGE'
  /** The request has no credential, or an invalid one. HTTP status 401, websocket close code 4401. */
  | 'UNAUTHENTICATED'
  /** The caller is known but not authorized: its credential lacks the scope or is restricted to organizations. */
  | 'FORBIDDEN'
  /** The credential cannot be verified at the moment. */
  | 'AUTHENTICATION_UNAVAILABLE'
  /** The request body is compressed, which the gateway does not accept. */
  | 'BODY_COMPRESSED'
  /** The body is an array of operations. */
  | 'BATCHING_REFUSED'
  /** A page of another origin sent the request or could have sent it, because no header forces a CORS preflight. */
  | 'CSRF_REFUSED'
  /** The document has a syntax error. */
  | 'GRAPHQL_PARSE_FAILED'
  /** The operation does not match the schema. */
  | 'GRAPHQL_VALIDATION_FAILED'
  /** The document has several operations, and the request does not say which one to execute. */
  | 'OPERATION_RESOLUTION_FAILURE'
  /** The gateway does not know a document with this hash. */
  | 'PERSISTED_QUERY_NOT_FOUND'
  /** The gateway accepts only documents, not their hashes. */
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  /** No trusted document has this id, or the gateway executes trusted documents only and this is not one of them. */
  | 'DOCUMENT_NOT_TRUSTED'
  /** The document has more tokens than `MAX_TOKENS`. */
  | 'TOO_MANY_TOKENS'
  /** The operation has more levels than `MAX_DEPTH`. */
  | 'TOO_DEEP'
  /** The document has more aliases than `MAX_ALIASES`. */
  | 'TOO_MANY_ALIASES'
  /** A field, fragment, variable or operation has more directives than `MAX_DIRECTIVES`. */
  | 'TOO_MANY_DIRECTIVES'
  /** The operation has more root fields than `MAX_ROOT_FIELDS`. */
  | 'TOO_MANY_ROOT_FIELDS'
  /** One object selects the same response name more often than `MAX_REPEATS`. */
  | 'TOO_MANY_REPEATS'
  /** A fragment contains itself. */
  | 'CIRCULAR_FRAGMENT'
  /** The operation reads the schema, and `INTROSPECTION=off` hides it. */
  | 'INTROSPECTION_OFF'
  /** The operation costs more than `MAX_COST`, or its result is larger than `MAX_CALLER_BYTES`. */
  | 'COST_TOO_HIGH'
  /** The operation has made `MAX_REST_CALLS` REST calls. Fields that needed further calls are null. */
  | 'TOO_MANY_REST_CALLS'
  /** The operation has more errors than a response lists. Further fields that failed are null without an error. */
  | 'TOO_MANY_ERRORS'
  /** The caller exceeds a limit on its rate or memory: too many operations, messages, long requests or unread responses, or too many wrong credentials from its address. */
  | 'RATE_LIMITED'
  /** The gateway executes as many operations of all callers as its memory allows. */
  | 'OVERLOADED'
  /** The caller has more connections and subscriptions open than `MAX_CALLER_BYTES` allows, or more than 1,000 operations on one stream. */
  | 'TOO_MANY_SUBSCRIPTIONS'
  /** The client did not read responses or samples in time, so the connection or subscription ended. */
  | 'SLOW_CONSUMER'
  /** The credential of a connection is no longer valid, so its subscriptions ended. */
  | 'CREDENTIAL_EXPIRED'
  /** A subscription was sent by POST or GET, but the client does not accept a stream. */
  | 'SUBSCRIPTION_OVER_HTTP'
  /** The gateway is stopping: it accepts no new requests, and ends subscriptions and operations that take too long. */
  | 'STOPPING'
  /** The platform could not be reached, responded with status 408 or 500 and above, or its circuit breaker is open. */
  | 'PLATFORM_UNAVAILABLE'
  /** The platform did not respond in time. */
  | 'PLATFORM_TIMEOUT'
  /** The platform's limit on calls or token requests is exhausted; `retryAfterMs` says how long to wait. */
  | 'PLATFORM_RATE_LIMITED'
  /** The platform refuses the credential, or does not authorize it for this endpoint. */
  | 'PLATFORM_UNAUTHORIZED'
  /** The platform's response does not match its specification. */
  | 'PLATFORM_BAD_RESPONSE'
  /** The platform refuses this call. */
  | 'PLATFORM_REFUSED'
  /** The client disconnected before the response was complete. */
  | 'CANCELLED'
  /** A bug in the gateway. The gateway's log has the cause, under the `requestId` of the error. */
  | 'INTERNAL_SERVER_ERROR';

/** The part of the platform's error response that callers may see. */
export interface PlatformStatus {
  /** HTTP status. */
  status: number;
  /** The platform's id of the request, for its support. */
  requestId?: string;
}

/** A field such as `Stream.lastSample` and its part in the cost of an operation, without the fields below it. */
export interface FieldCost {
  field: string;
  cost: number;
}

/** The `extensions` of each error in a response. */
export interface ErrorExtensions {
  code: ErrorCode;
  /** Whether the same operation can succeed later without a change. */
  retryable: boolean;
  /** Milliseconds to wait before a retry. */
  retryAfterMs?: number;
  /** The id under which the gateway's log knows the request. */
  requestId?: string;
  /** The platform's own response. */
  platform?: PlatformStatus;
  /** For a failed write: whether the platform may have executed it. */
  mayHaveTakenEffect?: boolean;
  /** For COST_TOO_HIGH: the most expensive fields, in descending order of cost. */
  costliestFields?: readonly FieldCost[];
  /** For a subscription that ended early: pass it as `after` to continue. */
  cursor?: string;
}

type ErrorDetail = 'retryable' | 'retryAfterMs' | 'platform' | 'mayHaveTakenEffect' | 'costliestFields';
type GatewayErrorDetails = { [Name in ErrorDetail]?: ErrorExtensions[Name] | undefined } & {
  cause?: unknown;
};

/** Messages can quote the caller's text, such as an unknown name of 200,000 characters. */
export const MAX_MESSAGE_CHARACTERS = 1000;

/** Cuts a message that is longer than `MAX_MESSAGE_CHARACTERS`. */
export function limitMessage(message: string): string {
  return message.length <= MAX_MESSAGE_CHARACTERS
    ? message
    : `${message.slice(0, MAX_MESSAGE_CHARACTERS - 1)}…`;
}

/** A text of a caller for a message. The rest of a long text would be copied, only to be cut. */
export function quoteText(text: string): string {
  return JSON.stringify(text.slice(0, MAX_MESSAGE_CHARACTERS));
}

/** An error that a caller may see: its message and details hold nothing secret. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly platform: PlatformStatus | undefined;
  readonly mayHaveTakenEffect: boolean | undefined;
  readonly costliestFields: readonly FieldCost[] | undefined;
  /** For the log: the name of the operation that it refuses, shortened. */
  operation: string | undefined;
  /** For the log: the endpoint of the platform that failed, for example `GET /v2.0/site`. */
  endpoint: string | undefined;

  constructor(code: ErrorCode, message: string, details: GatewayErrorDetails = {}) {
    super(limitMessage(message), { cause: details.cause });
    this.code = code;
    this.retryable = details.retryable ?? false;
    this.retryAfterMs = details.retryAfterMs;
    this.platform = details.platform;
    this.mayHaveTakenEffect = details.mayHaveTakenEffect;
    this.costliestFields = details.costliestFields;
  }
}

/** For work whose caller disconnected. */
export function createClientDisconnectedError(): GatewayError {
  return new GatewayError('CANCELLED', 'The client disconnected before the platform responded.');
}

/** Ends subscriptions whose samples wait for too long. */
export function createSlowConsumerError(): GatewayError {
  return new GatewayError(
    'SLOW_CONSUMER',
    'Samples arrived faster than the client read them. Subscribe again with `after` to continue without loss.',
    { retryable: true, retryAfterMs: 1000 },
  );
}

/** Ends connections and responses that are not read in time. */
export function createUnreadConnectionError(): GatewayError {
  const message = 'The client did not read in time. Connect again, and resume subscriptions with `after`.';
  return new GatewayError('SLOW_CONSUMER', message, { retryable: true, retryAfterMs: 1000 });
}

/** Ends connections, and refuses new requests, when the gateway stops. */
export function createStoppingError(): GatewayError {
  const message = 'The gateway is stopping. Connect again, and resume subscriptions with `after`.';
  return new GatewayError('STOPPING', message, { retryable: true, retryAfterMs: 1000 });
}

/** For a fault of the gateway itself. Log its cause. */
export function createInternalError(): GatewayError {
  return new GatewayError('INTERNAL_SERVER_ERROR', 'The gateway failed. See its log for the cause.');
}

/** Refuses work of a caller that sends or occupies too much. */
export function createCallerLimitError(message: string, retryAfterMs = 1000): GatewayError {
  return new GatewayError('RATE_LIMITED', message, { retryable: true, retryAfterMs });
}

/** An invalid argument; `path` is its position, for example `filter.near.radiusKm`. */
export function createBadInputError(path: string, problem: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', `${path}: ${problem}`);
}

export function hasCode(error: unknown, code: ErrorCode): error is GatewayError {
  return error instanceof GatewayError && error.code === code;
}

/** Whether the platform has responded with an error that repeating the call would not change. */
export function isPermanentRefusal(error: unknown): boolean {
  return error instanceof GatewayError && !error.retryable && error.platform !== undefined;
}

/** A gateway error stays as it is. Every other error is a defect, whose cause belongs in the log. */
export function toGatewayError(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  const message = 'Internal error. The log of the gateway contains the cause.';
  return new GatewayError('INTERNAL_SERVER_ERROR', message, { cause });
}
