/** Chooses the format of a stream of results, and of results in parts, by the header `Accept`. Pure. */
import type { IncomingMessage } from 'node:http';
import type { IncrementalFormat } from '../../execution/incremental/incrementalFormat.js';
import { toRecord } from '../../lib/records.js';
import { type MediaRange, parseAccept } from '../responses/mediaTypes.js';

/** `sse`: GraphQL over Server-Sent Events. `multipart`: Apollo's multipart HTTP protocol for subscriptions. */
export type StreamFormat = 'sse' | 'multipart';

/** A choice by `Accept`. */
export type Preferred<Choice> = Choice & {
  /** If true, a complete result is also sent as a stream. */
  acceptsNoJson: boolean;
};

const jsonTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/graphql-response+json',
  'application/graphql+json',
  'application/*',
  '*/*',
]);

/** Returns undefined if the client accepts no stream. */
export function chooseStream(accept: string | undefined): Preferred<{ format: StreamFormat }> | undefined {
  return choosePreferred(accept, toStreamChoice);
}

/**
 * Returns undefined if `toChoice` knows none of the types that the client accepts. Wildcards do not select a
 * stream, because `curl` sends them without supporting streams. If the client accepts several choices, its preferred one
 * is chosen, or the first one if it prefers none.
 */
function choosePreferred<Choice extends object>(
  accept: string | undefined,
  toChoice: (range: MediaRange) => Choice | undefined,
): Preferred<Choice> | undefined {
  if (accept === undefined || !mayAcceptStream(accept)) return undefined;
  const ranges = parseAccept(accept);
  const acceptsNoJson = !ranges.some(({ type }) => jsonTypes.has(type));
  const [preferred] = ranges
    .flatMap((range) => {
      const choice = toChoice(range);
      return choice === undefined ? [] : [{ choice, quality: range.quality }];
    })
    .sort((one, other) => other.quality - one.quality);
  return preferred && { ...preferred.choice, acceptsNoJson };
}

/** Most requests accept no stream, and parsing takes time. */
export function mayAcceptStream(accept: string | undefined): boolean {
  return accept !== undefined && /event-stream|multipart/i.test(accept);
}

function toStreamChoice({ type, parameters }: MediaRange): { format: StreamFormat } | undefined {
  if (type === 'text/event-stream') return { format: 'sse' };
  // Without the parameter the client expects incremental delivery, which has a different format.
  if (type === 'multipart/mixed' && parameters.get('subscriptionspec') === '1.0')
    return { format: 'multipart' };
  return undefined;
}

export interface IncrementalChoice {
  format: IncrementalFormat;
  /** How the results are sent, complete ones too if the client accepts no JSON. */
  container: 'multipart' | 'sse';
}

/** Returns undefined if the client accepts no results in parts. */
export function chooseIncremental(accept: string | undefined): Preferred<IncrementalChoice> | undefined {
  return choosePreferred(accept, toIncrementalChoice);
}

function toIncrementalChoice({ type, parameters }: MediaRange): IncrementalChoice | undefined {
  const format = toFormat(parameters.get('incrementalspec'), parameters.get('deferspec'));
  if (type === 'text/event-stream') return format && { format, container: 'sse' };
  if (type !== 'multipart/mixed' || parameters.has('subscriptionspec')) return undefined;
  // Clients that send no parameter, such as urql and Relay's network layers, expect the earliest format.
  const isPlain = !parameters.has('incrementalspec') && !parameters.has('deferspec');
  const chosen = isPlain ? '20220824' : format;
  return chosen && { format: chosen, container: 'multipart' };
}

/** Undefined for formats that the gateway does not know. */
function toFormat(incrementalSpec: unknown, deferSpec: unknown): IncrementalFormat | undefined {
  if (incrementalSpec === 'v0.2') return 'v0.2';
  return deferSpec === '20220824' ? '20220824' : undefined;
}

/** The format that a message on a long-lived connection requests in its `extensions`, in place of an `Accept` header. */
export function readIncrementalFormat(extensions: unknown): IncrementalFormat | undefined {
  const { incrementalSpec, deferSpec } = toRecord(extensions);
  // Some clients send the date as a number.
  return toFormat(incrementalSpec, typeof deferSpec === 'number' ? String(deferSpec) : deferSpec);
}

/** A cheap check that is true for every request whose document may contain `@defer` or `@stream`. */
export function mayBeIncremental({ url = '' }: IncomingMessage, text: string): boolean {
  return DIRECTIVE.test(text) || NAMED_DOCUMENT.test(text) || /%40|@/.test(url) || NAMED_DOCUMENT.test(url);
}

export function isIncremental(source: string): boolean {
  return DIRECTIVE.test(source);
}

/** Parameters that name a document by its hash or id. */
const NAMED_DOCUMENT = /persistedQuery|documentId/i;
/** GraphQL allows spaces after the `@`. */
const DIRECTIVE = /(?:@|\\u0040)[\s,]*(?:defer|stream)\b/i;
