/** Reads which format of incremental delivery a client accepts. Pure. */
import type { IncomingMessage } from 'node:http';
import type { IncrementalFormat } from '../../execution/incremental/incrementalFormat.js';
import { toRecord } from '../../lib/records.js';
import type { MediaRange } from '../responses/mediaTypes.js';
import { choosePreferred, type Preferred } from './streamFormat.js';

export interface IncrementalChoice {
  format: IncrementalFormat;
  /** How the results are sent, complete ones too if the client accepts no JSON. */
  container: 'multipart' | 'sse';
}

/** Returns undefined if the client accepts no results in parts. */
export function chooseIncremental(accept: string | undefined): Preferred<IncrementalChoice> | undefined {
  return choosePreferred(accept, toChoice);
}

function toChoice({ type, parameters }: MediaRange): IncrementalChoice | undefined {
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
  return DIRECTIVE.test(text) || text.includes('persistedQuery') || /%40|@|persistedQuery/i.test(url);
}

export function isIncremental(source: string): boolean {
  return DIRECTIVE.test(source);
}

/** GraphQL allows spaces after the `@`. */
const DIRECTIVE = /(?:@|\\u0040)[\s,]*(?:defer|stream)\b/i;
