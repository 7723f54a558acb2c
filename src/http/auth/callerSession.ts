/** What a caller who was let in can do: make contexts for operations, for as long as the session lasts. */
import type { Context } from '../../graphql/context.js';
import type { OperationCost } from '../../graphql/limits/operationGuard.js';
import type { ByteBudget } from '../../lib/byteBudget.js';
import type { LazyCancellation } from '../../lib/cancellation.js';
import type { Caller } from './caller.js';
import type { ProvidedCredential } from './providedCredential.js';

/** What an operation needs to know of the request it came in. */
export interface RequestDetails {
  requestId: string;
  /** Its signal is aborted when the caller leaves before the answer is written. */
  cancellation?: LazyCancellation;
  /** Whether the caller sent `Cache-Control: no-cache`. */
  noCache?: boolean;
  /** Whether the caller wants to know what the operation costs. */
  explain?: boolean;
  /** What the operation is expected to cost; undefined where there is none that could be run. */
  cost?: OperationCost | undefined;
  /** Where memory that a subscription holds is charged; absent: without a bound. */
  budget?: ByteBudget;
}

export interface CallerSession {
  caller: Caller;
  /** Whose answers this caller gets: of the same text for all who see and may do the same. */
  responseCacheScope: string;
  /** Of the cache: rises whenever answers made before are not to be given again. */
  cacheVersion(): number;
  createContext(facts: RequestDetails): Context;
  /** Lets go of what is held for the caller; contexts made before are not to be used any more. */
  release(): void;
}

/**
 * Takes the credential and the address that it came from. Throws or rejects with a `GatewayError`: UNAUTHENTICATED,
 * FORBIDDEN, RATE_LIMITED, or why it can't be told just now.
 */
export type OpenSession = (
  credential: ProvidedCredential,
  address: string,
) => CallerSession | Promise<CallerSession>;
