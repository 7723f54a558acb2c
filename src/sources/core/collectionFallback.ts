/** Replaces a failing collection by calls for single keys, so that one broken endpoint blanks only its own list. */
import { GatewayError } from '../../errors.js';
import type { Collection, KeyedSource, LoadedCollection } from './collections.js';
import type { Reader } from './reader.js';

/** A collection call is replaced by at most this many calls: a platform in trouble must not get a thousand calls instead of one. */
const MAX_FALLBACK_CALLS = 200;

export function canFallBack(calls: number): boolean {
  return calls <= MAX_FALLBACK_CALLS;
}

/** The collection; where its endpoint is broken, a function that loads the value of one key. */
type CollectionOrFallback<Item, Key, Value> =
  | { collection: LoadedCollection<Item> }
  | { each: (key: Key) => Promise<Value> };

/**
 * A collection is broken if it fails and the call for the first key succeeds: then the platform works, and plans avoid
 * the collection for a while. Rejects with the collection's error otherwise.
 */
export async function loadWithFallback<Item, Key, Value>(
  reader: Reader,
  collection: Collection<Item>,
  keys: readonly Key[],
  keyed: KeyedSource<Key, Value>,
): Promise<CollectionOrFallback<Item, Key, Value>> {
  try {
    return { collection: await collection.load() };
  } catch (error) {
    const [first] = keys;
    if (first === undefined || !canFallBack(keys.length) || !isEndpointFailure(error)) throw error;
    const value = await keyed.load(first).catch(() => {
      throw error;
    });
    reader.markFailing(collection.template);
    return { each: async (key) => (key === first ? value : keyed.load(key)) };
  }
}

/**
 * Whether other endpoints may work. False without a response, since the platform is unavailable; at a rate limit, which
 * more calls would only make worse; and for "not found", which each key would get, too.
 */
function isEndpointFailure(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.retryAfterMs !== undefined) return false;
  const status = error.platform?.status ?? 0;
  if (error.code === 'PLATFORM_BAD_RESPONSE') return status !== 204;
  if (error.code === 'PLATFORM_REFUSED') return status !== 404;
  return error.code === 'PLATFORM_UNAUTHORIZED' || (error.code === 'PLATFORM_UNAVAILABLE' && status >= 500);
}
