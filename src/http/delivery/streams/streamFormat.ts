/** Chooses the format of a stream of results by the header `Accept`. Pure. */

/** `sse`: GraphQL over Server-Sent Events. `multipart`: Apollo's multipart HTTP protocol for subscriptions. */
export type StreamFormat = 'sse' | 'multipart';

interface StreamChoice {
  format: StreamFormat;
  /** Whether the client accepts no JSON. Then the results of queries and mutations are streams, too. */
  isOnly: boolean;
}

/** One entry of `Accept`. */
export interface MediaRange {
  type: string;
  parameters: ReadonlyMap<string, string>;
  /** The client's preference from 0 to 1; 0 means that it does not accept the type. */
  quality: number;
}

const jsonTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/graphql-response+json',
  'application/graphql+json',
  'application/*',
  '*/*',
]);

/**
 * Returns undefined if the client accepts no stream. Wildcards do not choose a stream: `curl` sends them without support
 * for one. Of two formats the one that the client prefers is chosen, or the first one.
 */
export function chooseStream(accept: string | undefined): StreamChoice | undefined {
  if (accept === undefined || !mayAcceptStream(accept)) return undefined;
  const ranges = parseAccept(accept);
  const isOnly = !acceptsJson(ranges);
  const [preferred] = ranges
    .flatMap((range) => {
      const format = toFormat(range);
      return format === undefined ? [] : [{ format, quality: range.quality }];
    })
    .sort((one, other) => other.quality - one.quality);
  return preferred && { format: preferred.format, isOnly };
}

/** Most requests accept no stream, and parsing takes time. */
export function mayAcceptStream(accept: string | undefined): boolean {
  return accept !== undefined && /event-stream|multipart/i.test(accept);
}

function toFormat({ type, parameters }: MediaRange): StreamFormat | undefined {
  if (type === 'text/event-stream') return 'sse';
  // Without the parameter the client expects incremental delivery, which has another form.
  if (type === 'multipart/mixed' && parameters.get('subscriptionspec') === '1.0') return 'multipart';
  return undefined;
}

/** The types that the client accepts, in its order. */
export function parseAccept(accept: string): readonly MediaRange[] {
  return accept
    .split(',')
    .map(parseRange)
    .filter(({ quality }) => quality > 0);
}

export function acceptsJson(ranges: readonly MediaRange[]): boolean {
  return ranges.some(({ type }) => jsonTypes.has(type));
}

function parseRange(text: string): MediaRange {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = new Map(rest.map(parseParameter));
  const quality = Number(parameters.get('q') ?? '1');
  return { type: type.toLowerCase(), parameters, quality: Number.isNaN(quality) ? 1 : quality };
}

function parseParameter(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  if (equals === -1) return [text.toLowerCase(), ''];
  const value = text.slice(equals + 1).trim();
  const isQuoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"');
  return [text.slice(0, equals).trim().toLowerCase(), isQuoted ? value.slice(1, -1) : value];
}
