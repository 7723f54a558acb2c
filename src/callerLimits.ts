/** What the gateway holds its callers to: the settings, and what holds where nothing is set. */
import { defaultOperationLimits, type OperationLimits } from './graphql/limits/operationLimits.js';
import type { RateLimit } from './http/callerRate.js';
import { MAX_CALLER_BYTES, MAX_UNSENT_BYTES, MAX_UNSENT_MS, MESSAGE_RATE } from './http/delivery/limits.js';
import { LARGEST_BODY } from './http/requestBody.js';

export interface CallerLimits {
  operation: OperationLimits;
  /** REST calls of one operation, or of one event of a subscription. */
  mostRestCalls: number;
  mostBodyBytes: number;
  rate: RateLimit;
  /** Messages of one caller, over websockets. */
  messages: RateLimit;
  /** Unsent bytes of one connection above which nothing more is read from it. */
  maxUnsentBytes: number;
  /** Milliseconds until it has to be below that again. */
  maxUnsentMs: number;
  /** Memory that the open connections of one caller may hold, in bytes. */
  maxCallerBytes: number;
  /** Origins of other sites whose pages may ask. */
  corsOrigins: readonly string[];
  /** A directory of documents known by their hash. */
  trustedDocuments: string | undefined;
  trustedDocumentsOnly: boolean;
}

export const defaultCallerLimits: CallerLimits = {
  operation: defaultOperationLimits,
  mostRestCalls: 2000,
  mostBodyBytes: LARGEST_BODY,
  rate: { perSecond: 100, burst: 1000 },
  messages: MESSAGE_RATE,
  maxUnsentBytes: MAX_UNSENT_BYTES,
  maxUnsentMs: MAX_UNSENT_MS,
  maxCallerBytes: MAX_CALLER_BYTES,
  corsOrigins: [],
  trustedDocuments: undefined,
  trustedDocumentsOnly: false,
};

const { operation, rate, messages, maxUnsentBytes, maxUnsentMs, maxCallerBytes } = defaultCallerLimits;

/** A part of the table of `config.ts`. */
export const callerLimitSettings = [
  {
    name: 'MAX_BODY_BYTES',
    default: String(LARGEST_BODY),
    description: 'Largest body of a request or message of a websocket, 1024 to 16777216.',
  },
  {
    name: 'MAX_TOKENS',
    default: String(operation.mostTokens),
    description: 'Most tokens of a document, 10 to 100000.',
  },
  {
    name: 'MAX_DEPTH',
    default: String(operation.mostDepth),
    description: 'Most levels of an operation, 1 to 100.',
  },
  {
    name: 'MAX_ALIASES',
    default: String(operation.mostAliases),
    description: 'Most aliases of a document, 0 to 1000.',
  },
  {
    name: 'MAX_DIRECTIVES',
    default: String(operation.mostDirectives),
    description: 'Most directives at one place, 0 to 100.',
  },
  {
    name: 'MAX_ROOT_FIELDS',
    default: String(operation.mostRootFields),
    description: 'Most fields at the top of an operation, 1 to 1000.',
  },
  {
    name: 'MAX_REPEATS',
    default: String(operation.mostRepeats),
    description: 'Most times that one name stands at one place of the answer, 1 to 1000.',
  },
  {
    name: 'MAX_COST',
    default: String(operation.mostCost),
    description:
      'Most that an operation may cost by the `@cost` and `@listSize` of the schema, 1 to 1000000000.',
  },
  {
    name: 'MAX_REST_CALLS',
    default: String(defaultCallerLimits.mostRestCalls),
    description: 'Most REST calls of one operation, 1 to 1000000; what it would take more for is null.',
  },
  {
    name: 'RATE_PER_SECOND',
    default: String(rate.perSecond),
    description: 'Operations a second that one caller may ask in the long run; 0 for no limit.',
  },
  {
    name: 'RATE_BURST',
    default: String(rate.burst),
    description: 'Operations that one caller may ask at once, 1 to 1000000.',
  },
  {
    name: 'MESSAGES_PER_SECOND',
    default: String(messages.perSecond),
    description: 'Websocket messages a second that are read from one caller in the long run; 0 for no limit.',
  },
  {
    name: 'MESSAGES_BURST',
    default: String(messages.burst),
    description: 'Websocket messages that are read from one caller at once, 1 to 1000000.',
  },
  {
    name: 'MAX_UNSENT_BYTES',
    default: String(maxUnsentBytes),
    description: 'Unsent bytes of a connection above which nothing more is read from it, 65536 to 67108864.',
  },
  {
    name: 'MAX_UNSENT_SECONDS',
    default: String(maxUnsentMs / 1000),
    description: 'Seconds after which a connection above MAX_UNSENT_BYTES is ended, 1 to 300.',
  },
  {
    name: 'MAX_CALLER_BYTES',
    default: String(maxCallerBytes),
    description:
      'Memory that the websockets of one caller may hold: unsent bytes, subscriptions, queued samples; 1048576 to 1073741824.',
  },
  {
    name: 'CORS_ORIGINS',
    default: 'none',
    description: 'Origins of other sites whose pages may ask, with commas between.',
  },
  {
    name: 'TRUSTED_DOCUMENTS',
    default: 'none',
    description: 'Directory of `*.graphql` files and a `manifest.json`: documents known by their SHA-256.',
  },
  {
    name: 'TRUSTED_DOCUMENTS_ONLY',
    default: 'false',
    description: '`true` answers no other documents than the trusted ones.',
  },
  {
    name: 'INTROSPECTION',
    default: 'on',
    description: '`off` hides the schema: no introspection, no suggestions of names.',
  },
] as const;

type Name = (typeof callerLimitSettings)[number]['name'];

/** How `config.ts` reads variables; what is wrong with one is added to `problems`. */
interface SettingReader {
  problems: string[];
  optional(name: Name): string | undefined;
  whole(name: Name, otherwise: number, least: number, most: number): number;
  oneOf<Value extends string>(name: Name, values: readonly Value[], otherwise: Value): Value;
}

export function readCallerLimits(reader: SettingReader): CallerLimits {
  const { operation, mostRestCalls, mostBodyBytes, rate } = defaultCallerLimits;
  const trustedDocuments = reader.optional('TRUSTED_DOCUMENTS');
  const trustedDocumentsOnly = reader.oneOf('TRUSTED_DOCUMENTS_ONLY', ['true', 'false'], 'false') === 'true';
  if (trustedDocumentsOnly && trustedDocuments === undefined) {
    reader.problems.push('TRUSTED_DOCUMENTS: is missing; TRUSTED_DOCUMENTS_ONLY=true needs it.');
  }
  return {
    operation: {
      mostTokens: reader.whole('MAX_TOKENS', operation.mostTokens, 10, 100_000),
      mostDepth: reader.whole('MAX_DEPTH', operation.mostDepth, 1, 100),
      mostAliases: reader.whole('MAX_ALIASES', operation.mostAliases, 0, 1000),
      mostDirectives: reader.whole('MAX_DIRECTIVES', operation.mostDirectives, 0, 100),
      mostRootFields: reader.whole('MAX_ROOT_FIELDS', operation.mostRootFields, 1, 1000),
      mostRepeats: reader.whole('MAX_REPEATS', operation.mostRepeats, 1, 1000),
      mostCost: reader.whole('MAX_COST', operation.mostCost, 1, 1_000_000_000),
      allowsIntrospection: reader.oneOf('INTROSPECTION', ['on', 'off'], 'on') === 'on',
    },
    mostRestCalls: reader.whole('MAX_REST_CALLS', mostRestCalls, 1, 1_000_000),
    mostBodyBytes: reader.whole('MAX_BODY_BYTES', mostBodyBytes, 1024, 16_777_216),
    rate: {
      perSecond: reader.whole('RATE_PER_SECOND', rate.perSecond, 0, 1_000_000),
      burst: reader.whole('RATE_BURST', rate.burst, 1, 1_000_000),
    },
    ...readDeliveryLimits(reader),
    corsOrigins: readOrigins(reader),
    trustedDocuments,
    trustedDocumentsOnly,
  };
}

function readDeliveryLimits(reader: SettingReader) {
  return {
    messages: {
      perSecond: reader.whole('MESSAGES_PER_SECOND', messages.perSecond, 0, 1_000_000),
      burst: reader.whole('MESSAGES_BURST', messages.burst, 1, 1_000_000),
    },
    maxUnsentBytes: reader.whole('MAX_UNSENT_BYTES', maxUnsentBytes, 65_536, 67_108_864),
    maxUnsentMs: reader.whole('MAX_UNSENT_SECONDS', maxUnsentMs / 1000, 1, 300) * 1000,
    maxCallerBytes: reader.whole('MAX_CALLER_BYTES', maxCallerBytes, 1_048_576, 1_073_741_824),
  };
}

/** `*` and `null` are no origins: a gateway that holds a credential is not for everybody's pages. */
function readOrigins({ optional, problems }: SettingReader): string[] {
  const origins = (optional('CORS_ORIGINS') ?? '')
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
  for (const origin of origins) {
    const isOrigin = /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
    if (!isOrigin) {
      problems.push(`CORS_ORIGINS: ${JSON.stringify(origin)} is no origin such as https://example.com.`);
    }
  }
  return origins;
}
