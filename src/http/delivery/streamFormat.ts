/** Chooses the format of a stream of results by the header `Accept`. Pure. */
import { type MediaRange, parseAccept } from '../responses/mediaTypes.js';

/** `sse`: GraphQL over Server-Sent Events. `multipart`: Apollo's multipart HTTP protocol for subscriptions. */
export type StreamFormat = 'sse' | 'multipart';

interface StreamChoice {
  format: StreamFormat;
}

/** A choice by `Accept`. */
export type Preferred<Choice> = Choice & {
  /** If true, complete results are sent as a stream, too. */
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
export function chooseStream(accept: string | undefined): Preferred<StreamChoice> | undefined {
  return choosePreferred(accept, toChoice);
}

/**
 * Returns undefined if `toChoice` knows none of the types that the client accepts. Wildcards do not select a
 * stream, because `curl` sends them without supporting streams. If the client accepts several choices, its preferred one
 * is chosen, or the first one if it prefers none.
 */
export function choosePreferred<Choice extends object>(
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

function toChoice({ type, parameters }: MediaRange): StreamChoice | undefined {
  if (type === 'text/event-stream') return { format: 'sse' };
  // Without the parameter the client expects incremental delivery, which has another form.
  if (type === 'multipart/mixed' && parameters.get('subscriptionspec') === '1.0')
    return { format: 'multipart' };
  return undefined;
}
