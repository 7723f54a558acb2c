/** The session of an authenticated caller, which creates contexts for its operations. */
import type { Context } from '../../graphql/context.js';
import type { OperationCost } from '../../graphql/limits/operationGuard.js';
import type { ByteBudget } from '../../lib/byteBudget.js';
import type { Cancellation } from '../../lib/cancellation.js';
import type { SampleFeed } from '../../live/sampleFeed.js';
import type { OperationTrace } from '../../tracing/operationTrace.js';
import type { Caller } from './caller.js';
import type { ProvidedCredential } from './providedCredential.js';

export interface RequestDetails {
  requestId: string;
  /**
   * Identifies the caller among those that share the platform fairly. Absent if the operation is not for one caller.
   */
  callerId?: string | undefined;
  /** Aborted when the client disconnects before the response is written. */
  cancellation?: Cancellation | undefined;
  noCache?: boolean;
  /** Whether the client requests `extensions.explain`. */
  explain?: boolean;
  /** Estimated cost; undefined if the document has no operation that can be executed. */
  cost?: OperationCost | undefined;
  /** Charged with the memory of subscriptions. Without it, their memory is not limited. */
  budget?: ByteBudget | undefined;
  /** The cursor after which the transport resumes a subscription. It has precedence over the argument `after`. */
  after?: string | undefined;
  /** Absent if tracing is off. */
  trace?: OperationTrace | undefined;
}

export interface CallerSession {
  caller: Caller;
  /** Names the credential and the authorization: callers with the same key may share responses and executions. */
  authorizationKey: string;
  feed: SampleFeed;
  /** Version of the REST cache. It rises with each invalidation. */
  cacheVersion(): number;
  /** Rises when a poll for numeric samples begins and when it returns some. */
  numbersVersion(): number;
  createContext(details: RequestDetails): Context;
  /**
   * For an operation that has waited for its turn. Rejects with UNAUTHENTICATED or FORBIDDEN if the credential has expired,
   * was revoked, or has other rights.
   */
  checkCredential(): Promise<void>;
  /** Releases the platform connection; contexts of this session must not be used after it. */
  release(): void;
}

/**
 * Authenticates the caller by the credential and the remote address. Throws or rejects with a `GatewayError`:
 * UNAUTHENTICATED, FORBIDDEN, RATE_LIMITED, or the reason why the credential cannot be verified now. `isRecheck`: an open
 * connection verifies its own credential again; default false.
 */
export type OpenSession = (
  credential: ProvidedCredential,
  address: string,
  isRecheck?: boolean,
) => CallerSession | Promise<CallerSession>;
