/** The limits on callers, as the gateway uses them. */
import { defaultOperationLimits, type OperationLimits } from '../graphql/limits/operationLimits.js';
import type { RateLimit } from '../http/rateLimits/callerRateLimiter.js';
import { limitSettings } from './limitSettings.js';
import { readSettings, type SettingValues } from './settings.js';

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

type LimitValues = Pick<SettingValues, keyof typeof limitSettings>;

export function toCallerLimits(values: LimitValues): CallerLimits {
  return {
    operation: {
      ...defaultOperationLimits,
      maxTokens: values.MAX_TOKENS,
      maxDepth: values.MAX_DEPTH,
      maxAliases: values.MAX_ALIASES,
      maxDirectives: values.MAX_DIRECTIVES,
      maxRootFields: values.MAX_ROOT_FIELDS,
      maxRepeats: values.MAX_REPEATS,
      maxCost: values.MAX_COST,
      allowsIntrospection: values.INTROSPECTION === 'on',
    },
    maxRestCalls: values.MAX_REST_CALLS,
    maxBodyBytes: values.MAX_BODY_BYTES,
    rate: { perSecond: values.RATE_PER_SECOND, burst: values.RATE_BURST },
    messages: { perSecond: values.MESSAGES_PER_SECOND, burst: values.MESSAGES_BURST },
    maxUnsentBytes: values.MAX_UNSENT_BYTES,
    maxUnsentMs: values.MAX_UNSENT_SECONDS * 1000,
    maxCallerBytes: values.MAX_CALLER_BYTES,
    corsOrigins: values.CORS_ORIGINS,
    corsHeaders: values.CORS_HEADERS,
    trustedDocuments: values.TRUSTED_DOCUMENTS,
    trustedDocumentsOnly: values.TRUSTED_DOCUMENTS_ONLY === 'true',
  };
}

export const defaultCallerLimits: CallerLimits = toCallerLimits(readSettings(limitSettings, {}).values);
