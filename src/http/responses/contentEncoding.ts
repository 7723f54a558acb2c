/** Chooses the encoding of a response by `Accept-Encoding` (RFC 9110, 12.5.3). Pure. */
import type { ContentEncoding } from '../responseCache/cachedResponse.js';

/** By preference among equal weights: Brotli gives the smallest bodies. */
const encodings: readonly (ContentEncoding | 'identity')[] = ['br', 'gzip', 'identity'];

/** Headers longer than those of real clients are not parsed; the response is then sent without an encoding. */
const MAX_HEADER_CHARACTERS = 512;

/**
 * Returns the encoding with the highest weight; compression wins a tie. Returns `identity` if the header is absent, and
 * if it excludes everything: such a response is more useful than an error.
 */
export function chooseEncoding(header: string | undefined): ContentEncoding | 'identity' {
  if (header === undefined || header.length > MAX_HEADER_CHARACTERS) return 'identity';
  const weights = readWeights(header);
  let chosen: ContentEncoding | 'identity' = 'identity';
  let chosenWeight = 0;
  for (const encoding of encodings) {
    const weight = weightOf(weights, encoding);
    if (weight <= chosenWeight) continue;
    chosen = encoding;
    chosenWeight = weight;
  }
  return chosen;
}

/** Whether the client refuses a body without an encoding, by `identity;q=0` or `*;q=0`. */
export function refusesIdentity(header: string | undefined): boolean {
  if (header === undefined || !header.includes('q=0') || header.length > MAX_HEADER_CHARACTERS) return false;
  return weightOf(readWeights(header), 'identity') === 0;
}

function readWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
    // `x-gzip` is the older name of gzip (RFC 9110, 8.4.1.3).
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, toWeight(weight));
  }
  return weights;
}

/** An invalid weight counts as 0, which excludes the encoding. */
function toWeight(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}

/** `identity` is acceptable unless it is excluded, and ranks below all encodings that the client names. */
const UNNAMED_IDENTITY_WEIGHT = 0.0001;

function weightOf(weights: ReadonlyMap<string, number>, encoding: ContentEncoding | 'identity'): number {
  const named = weights.get(encoding);
  if (named !== undefined) return named;
  const any = weights.get('*');
  if (encoding !== 'identity') return any ?? 0;
  return any === 0 ? 0 : UNNAMED_IDENTITY_WEIGHT;
}
