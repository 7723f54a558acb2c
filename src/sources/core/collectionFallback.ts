/** What is done where a collection fails though its items can be had: so that one broken endpoint blanks no more than its own list. */
import { GatewayError } from '../../errors.js';
import type { Collection, KeyedSource, LoadedCollection } from './collections.js';
import type { Reader } from './reader.js';

/** So many calls may stand in for one: a platform in trouble is not to be asked a thousand times instead of once. */
const MAX_FALLBACK_CALLS = 200;

export function canFallBack(calls: number): boolean {
  return calls <= MAX_FALLBACK_CALLS;
}

/** The collection, or where it is broken, the way that each key's answer comes by instead. */
export type CollectionOrFallback<Item, Key, Value> =
  | { collection: LoadedCollection<Item> }
  | { each: (key: Key) => Promise<Value> };

/**
 * A collection counts as broken where it fails and the call for the first of the keys does not, for then it is not the
 * platform that fails; it is not asked for a while. Rejects with the collection's error otherwise.
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
    const answer = await keyed.load(first).catch(() => {
      throw error;
    });
    reader.markFailing(collection.template);
    return { each: async (key) => (key === first ? answer : keyed.load(key)) };
  }
}

/**
 * Whether other endpoints may work. Not where there was no answer, for then the platform is away; not at a limit,
 * which more calls would only press; and not at "nothing here", which each key would be answered, too.
 */
function isEndpointFailure(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.retryAfterMs !== undefined) return false;
  const status = error.platform?.status ?? 0;
  if (error.code === 'PLATFORM_BAD_RESPONSE') return status !== 204;
  if (error.code === 'PLATFORM_REFUSED') return status !== 404;
  return error.code === 'PLATFORM_UNAUTHORIZED' || (error.code === 'PLATFORM_UNAVAILABLE' && status >= 500);
}
