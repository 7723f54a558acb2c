/** The limits on callers, as the gateway uses them. */
import { defaultOperationLimits, type OperationLimits } from '../../graphql/limits/operationLimits.js';
import type { RateLimit } from '../rateLimits/callerRateLimiter.js';

export interface CallerLimits {
  operation: OperationLimits;
  /** REST calls of one operation, or of one batch of at most 20 events of a subscription. */
  maxRestCalls: number;
  maxBodyBytes: number;
  rate: RateLimit;
  /** Websocket messages of one caller. */
  messages: RateLimit;
  /** Unsent bytes of one connection above which the gateway stops reading from it. */
  maxUnsentBytes: number;
  /** Milliseconds after which a connection above `maxUnsentBytes` ends. */
  maxUnsentMs: number;
  /** Memory that the open connections of one caller may use, in bytes. */
  maxCallerBytes: number;
  /** Origins of other sites whose pages may call. */
  corsOrigins: readonly string[];
  /** Names of request headers that those pages may send in addition to the usual ones. */
  corsHeaders: readonly string[];
  /** Directory of documents that callers may name by their hash. */
  trustedDocuments: string | undefined;
  trustedDocumentsOnly: boolean;
}

/** Without rate limits. */
export const defaultCallerLimits: CallerLimits = {
  operation: defaultOperationLimits,
  maxRestCalls: 2000,
  maxBodyBytes: 256 * 1024,
  rate: { perSecond: 0, burst: 1 },
  messages: { perSecond: 0, burst: 1 },
  maxUnsentBytes: 1_048_576,
  maxUnsentMs: 20_000,
  maxCallerBytes: 33_554_432,
  corsOrigins: [],
  corsHeaders: [],
  trustedDocuments: undefined,
  trustedDocumentsOnly: false,
};
