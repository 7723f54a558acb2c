/** Settings that limit callers. */
import { type CallerLimits, defaultCallerLimits } from '../http/requests/callerLimits.js';
import { checkItem, integer, list, oneOf, optional, type ValuesOf } from './setting.js';

const { operation, ...limits } = defaultCallerLimits;

export const limitSettings = {
  MAX_BODY_BYTES: integer(
    { default: limits.maxBodyBytes, min: 1024, max: 16_777_216 },
    'Maximum size of a request body or websocket message, in bytes. At most half of MAX_CALLER_BYTES.',
  ),
  MAX_TOKENS: integer(
    { default: operation.maxTokens, min: 10, max: 100_000 },
    'Maximum number of tokens in a document. A string counts as one token for each 32 characters.',
  ),
  MAX_DEPTH: integer({ default: operation.maxDepth, min: 1, max: 100 }, 'Maximum depth of an operation.'),
  MAX_ALIASES: integer(
    { default: operation.maxAliases, min: 0, max: 1000 },
    'Maximum number of aliases in a document. Aliased root fields of a query do not count; MAX_ROOT_FIELDS bounds them.',
  ),
  MAX_DIRECTIVES: integer(
    { default: operation.maxDirectives, min: 0, max: 100 },
    'Maximum number of directives on one field, fragment, variable or operation.',
  ),
  MAX_ROOT_FIELDS: integer(
    { default: operation.maxRootFields, min: 1, max: 1000 },
    'Maximum number of root fields in an operation.',
  ),
  MAX_REPEATS: integer(
    { default: operation.maxRepeats, min: 1, max: 1000 },
    'Maximum number of times that one object can select the same response name.',
  ),
  MAX_COST: integer(
    { default: operation.maxCost, min: 1, max: 1_000_000_000 },
    'Maximum cost of an operation, computed from the directives `@cost` and `@listSize` in the schema. All operations that one caller executes at the same time may together cost at most four times as much.',
  ),
  MAX_REST_CALLS: integer(
    { default: limits.maxRestCalls, min: 1, max: 1_000_000 },
    'Maximum number of REST calls that one operation may make. Fields that would need more are null.',
  ),
  RATE_PER_SECOND: integer(
    { default: 100, min: 0, max: 1_000_000 },
    'Operations per second that one caller may send on average. 0 means no limit.',
  ),
  RATE_BURST: integer(
    { default: 1000, min: 1, max: 1_000_000 },
    'Operations that one caller may send at once.',
  ),
  MESSAGES_PER_SECOND: integer(
    { default: 200, min: 0, max: 1_000_000 },
    'Websocket messages per second that the gateway reads from one caller on average. 0 means no limit.',
  ),
  MESSAGES_BURST: integer(
    { default: 2000, min: 1, max: 1_000_000 },
    'Websocket messages that the gateway reads from one caller at once.',
  ),
  MAX_UNSENT_BYTES: integer(
    { default: limits.maxUnsentBytes, min: 65_536, max: 67_108_864 },
    'The gateway stops reading from a connection that has more unsent bytes than this.',
  ),
  MAX_UNSENT_SECONDS: integer(
    { default: limits.maxUnsentMs / 1000, min: 1, max: 300 },
    'The gateway closes a connection that stays above MAX_UNSENT_BYTES for this many seconds.',
  ),
  MAX_CALLER_BYTES: integer(
    { default: limits.maxCallerBytes, min: 1_048_576, max: 1_073_741_824 },
    'Memory that the websockets, streams, long requests and unsent responses of one caller may use, in bytes.',
  ),
  CORS_ORIGINS: list(
    'Other origins whose pages may call the gateway, separated by commas.',
    checkItem(isOrigin, 'origins such as https://example.com'),
  ),
  CORS_HEADERS: list(
    'Request headers that pages of CORS_ORIGINS may send in addition to those that are always allowed, separated by commas.',
    checkItem((item) => /^[\w-]+$/.test(item), 'names of headers such as X-Request-Id'),
  ),
  TRUSTED_DOCUMENTS: optional(
    'Directory of documents that callers can name by their SHA-256 or by an id in a manifest: `*.graphql` files, a `manifest.json` or other manifests. The gateway re-reads it when it changes.',
    { defaultText: 'none' },
  ),
  TRUSTED_DOCUMENTS_ONLY: oneOf(
    ['true', 'false'],
    'false',
    '`true` refuses all documents that are not in TRUSTED_DOCUMENTS.',
  ),
  INTROSPECTION: oneOf(
    ['on', 'off'],
    'on',
    '`off` hides the schema: no introspection, and no suggestions in error messages.',
  ),
};

export function toCallerLimits(values: ValuesOf<typeof limitSettings>): CallerLimits {
  return {
    operation: {
      ...operation,
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
    maxHeapBytes: limits.maxHeapBytes,
    corsOrigins: values.CORS_ORIGINS,
    corsHeaders: values.CORS_HEADERS,
    trustedDocuments: values.TRUSTED_DOCUMENTS,
    trustedDocumentsOnly: values.TRUSTED_DOCUMENTS_ONLY === 'true',
  };
}

/**
 * `*` and `null` are refused: a gateway that holds a credential must not be open to every page. So is a pattern such as
 * `https://*.example`, because it would match no origin. Pages of apps and browser extensions have schemes of their own,
 * such as `capacitor://localhost`.
 */
function isOrigin(text: string): boolean {
  if (text.includes('*') || !URL.canParse(text)) return false;
  const { protocol, host } = new URL(text);
  return host !== '' && text === `${protocol}//${host}`;
}
