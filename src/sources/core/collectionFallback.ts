/** Replaces a list whose endpoint fails by calls for single keys, so that only fields that need the whole list fail. */
import { GatewayError, hasCode } from '../../errors.js';
import type { Collection, LoadedCollection } from './collections.js';
import type { Reader } from './reader.js';

/**
 * A collection call is replaced by at most this many calls: a platform in trouble must not get a thousand calls instead of
 * one. A platform that refuses the collection works, so that only the limit of the operation applies.
 */
const MAX_FALLBACK_CALLS = 200;

/**
 * The calls of a collection for a plan whose other strategies take `otherCalls`: Infinity while its endpoint fails and the
 * other strategies may replace it. A collection that the platform refuses may be replaced by any number of calls.
 */
export function plannedCalls(reader: Reader, collection: Collection<unknown>, otherCalls: number): number {
  const calls = collection.restCalls();
  const { isFailing, isRefused } = reader.endpointStats;
  const { template } = collection;
  const isReplaced = calls > 0 && (isRefused(template) || (canFallBack(otherCalls) && isFailing(template)));
  return isReplaced ? Number.POSITIVE_INFINITY : calls;
}

function canFallBack(calls: number): boolean {
  return calls <= MAX_FALLBACK_CALLS;
}

interface FallbackOptions<Key, Value> {
  keys: readonly Key[];
  loadOne(key: Key): Promise<Value>;
  /** The number of calls that load the values of all keys; one for each key by default. */
  calls?: number;
}

/** The collection or, if its endpoint fails, a function that loads the value of one key. */
type CollectionOrFallback<Item, Key, Value> =
  | { collection: LoadedCollection<Item> }
  | { each: (key: Key) => Promise<Value> };

/**
 * Falls back to calls for single keys if the collection fails and the call for the first key succeeds. The platform then
 * works, so the endpoint is marked as failing, and plans do not use the collection for a while. Rejects with the
 * collection's error otherwise.
 */
export async function loadWithFallback<Item, Key, Value>(
  reader: Reader,
  collection: Collection<Item>,
  { keys, loadOne, calls = keys.length }: FallbackOptions<Key, Value>,
): Promise<CollectionOrFallback<Item, Key, Value>> {
  const { endpointStats } = reader;
  const { template } = collection;
  const [first] = keys;
  if (first === undefined) return { collection: await collection.load(keys.length) };

  async function probe(key: Key, isRefusal: boolean) {
    const value = await loadOne(key);
    endpointStats.markFailing(template, isRefusal);
    return { each: async (other: Key) => (other === key ? value : loadOne(other)) };
  }

  // After a timeout an operation has no time left to call for the first key, so the next operation does that first.
  if (canFallBack(calls) && endpointStats.hasTimedOut(template) && collection.restCalls() > 0) {
    const fallback = await probe(first, false).catch(() => undefined);
    if (fallback !== undefined) return fallback;
  }
  try {
    return { collection: await collection.load(keys.length) };
  } catch (error) {
    const isRefusal = hasCode(error, 'PLATFORM_REFUSED');
    if (!isEndpointFailure(error) || !(canFallBack(calls) || isRefusal || isForbidden(error))) throw error;
    return probe(first, isRefusal).catch(() => {
      throw error;
    });
  }
}

/**
 * Whether the platform responded with 403. This is not recorded as a refusal of the collection: the token may have been
 * invalid, and the call for the first key may have renewed it.
 */
function isForbidden(error: unknown): boolean {
  return error instanceof GatewayError && error.platform?.status === 403;
}

/**
 * Whether other endpoints may work. False if there is no connection, because the platform is unavailable; for a
 * rate limit, which more calls would only make worse; and for "not found", which each key would also get.
 */
export function isEndpointFailure(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.retryAfterMs !== undefined) return false;
  const status = error.platform?.status ?? 0;
  if (error.code === 'PLATFORM_BAD_RESPONSE') return status !== 204;
  if (error.code === 'PLATFORM_REFUSED') return status !== 404;
  if (error.code === 'PLATFORM_UNAVAILABLE') return status !== 0;
  return error.code === 'PLATFORM_UNAUTHORIZED' || error.code === 'PLATFORM_TIMEOUT';
}
