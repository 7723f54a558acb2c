/** The limits on callers, as the gateway uses them. */
import { getHeapStatistics } from 'node:v8';
import { defaultOperationLimits } from '../../graphql/limits/operationLimits.js';

export type CallerLimits = typeof defaultCallerLimits;

/** The default limits. They do not limit rates. */
export const defaultCallerLimits = {
  operation: defaultOperationLimits,
  /** REST calls of one operation, or of one batch of at most 20 events of a subscription. */
  maxRestCalls: 2000,
  maxBodyBytes: 256 * 1024,
  rate: { perSecond: 0, burst: 1 },
  /** Websocket messages of one caller. */
  messages: { perSecond: 0, burst: 1 },
  /** Unsent bytes of one connection above which the gateway stops reading from it. */
  maxUnsentBytes: 1_048_576,
  /** Milliseconds after which a connection above `maxUnsentBytes` ends. */
  maxUnsentMs: 20_000,
  /** Memory that the open connections of one caller may use, in bytes. */
  maxCallerBytes: 33_554_432,
  /** The largest heap of the process, in bytes. All callers together use a part of it. */
  maxHeapBytes: getHeapStatistics().heap_size_limit,
  /** Origins of other sites whose pages may call. */
  corsOrigins: [] as readonly string[],
  /** Names of request headers that pages of `corsOrigins` may send besides those that are always allowed. */
  corsHeaders: [] as readonly string[],
  /** Directory of documents that callers may name by their hash. */
  trustedDocuments: undefined as string | undefined,
  trustedDocumentsOnly: false,
};
