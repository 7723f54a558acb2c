/** Loaders of entities: each collects the keys of one level of a query and plans one fetch for all of them. */
import DataLoader from 'dataloader';
import { GatewayError } from '../../errors.js';
import type { MaybePromise } from '../../lib/maybePromise.js';
import type { Collection, KeyedSource, LoadedCollection } from './collections.js';
import { countRestCalls, type FetchPlan, planFetch } from './fetchPlan.js';
import type { Reader } from './reader.js';

/** Returns a cached value without a promise, and batches the other keys. */
export interface Loader<Key, Value> {
  load(key: Key): MaybePromise<Value>;
}

type LoadBatch<Key, Value> = (keys: readonly Key[]) => Promise<readonly (Value | Error)[]>;

/** Serves the results of one operation: without a promise from then on, as it serves cached values. */
class BatchLoader<Key, Value> implements Loader<Key, Value> {
  readonly #getCached: (key: Key) => Value | undefined;
  readonly #loadBatch: LoadBatch<Key, Value>;
  /** By key, loading or loaded. */
  readonly #results = new Map<Key, MaybePromise<Value>>();
  /** Made for the first key that is not cached: most operations need few of their loaders. */
  #dataLoader: DataLoader<Key, Value> | undefined;

  constructor(getCached: (key: Key) => Value | undefined, loadBatch: LoadBatch<Key, Value>) {
    this.#getCached = getCached;
    this.#loadBatch = loadBatch;
  }

  load(key: Key): MaybePromise<Value> {
    const result = this.#results.get(key);
    if (result !== undefined) return result;
    const value = this.#getCached(key);
    return value === undefined ? this.#beginLoad(key) : value;
  }

  /** Adds a result that another loader has brought. */
  prime(key: Key, value: Value): void {
    if (!this.#results.has(key)) this.#results.set(key, value);
  }

  #beginLoad(key: Key): Promise<Value> {
    this.#dataLoader ??= new DataLoader(this.#loadBatch);
    const loading = this.#dataLoader.load(key);
    this.#results.set(key, loading);
    loading.then(
      (value) => this.#results.set(key, value),
      () => undefined,
    );
    return loading;
  }
}

/** Loads answers that only a call for each key brings. */
export function createKeyedLoader<Key, Value>(keyed: KeyedSource<Key, Value>): Loader<Key, Value> {
  return new BatchLoader(keyed.get, (keys) => settleEach(keys, keyed.load));
}

interface ByIdOptions<Item> {
  /** Names the relation in explanations: `sites by id`. */
  name: string;
  collection: Collection<Item>;
  one: KeyedSource<number, Item | null>;
}

/** A loader that accepts items from lists: they need no call, though a list may be a little older than a single item. */
interface ByIdLoader<Item> extends Loader<number, Item | null> {
  prime(items: readonly Item[]): void;
}

/** Loads null for an id that does not exist; one failing id fails alone. */
export function createByIdLoader<Item extends { id: number }>(
  reader: Reader,
  { name, collection, one }: ByIdOptions<Item>,
): ByIdLoader<Item> {
  async function loadBatch(ids: readonly number[]) {
    const plan = planWithCollection(reader, 'singles', ids, one, collection);
    reader.records.addPlan(name, ids.length, plan);
    if (plan.strategy === 'singles') {
      // A list that is cut off still has the items that it contains.
      const list = collection.lookup();
      const listed = (id: number) => (list.state === 'fresh' ? list.value.byId(id) : undefined);
      return settleEach(ids, async (id) => listed(id) ?? one.load(id));
    }
    const loaded = await loadWithFallback(reader, collection, ids, one);
    if ('each' in loaded) return settleEach(ids, loaded.each);
    const { isComplete, byId } = loaded.collection;
    return settleEach(ids, async (id) => byId(id) ?? (isComplete ? null : one.load(id)));
  }

  function getCached(id: number): Item | null | undefined {
    const loaded = collection.get();
    const item = loaded?.byId(id);
    if (item !== undefined || loaded?.isComplete) return item ?? null;
    return one.get(id);
  }

  const loader = new BatchLoader<number, Item | null>(getCached, loadBatch);
  return {
    load: (id) => loader.load(id),
    prime(items) {
      for (const item of items) loader.prime(item.id, item);
    },
  };
}

interface ByParentOptions<Item> {
  /** Names the relation in explanations: `devices of sites`. */
  name: string;
  collection: Collection<Item>;
  perParent: KeyedSource<number, readonly Item[]>;
  /** Takes the items of each list that is loaded. */
  onItems?(items: readonly Item[]): void;
}

/** Loads all items of a parent, in the platform's order; one failing parent fails alone. */
export function createByParentLoader<Item>(
  reader: Reader,
  { name, collection, perParent, onItems }: ByParentOptions<Item>,
): Loader<number, readonly Item[]> {
  const observed: typeof perParent = {
    ...perParent,
    async load(parentId) {
      const items = await perParent.load(parentId);
      onItems?.(items);
      return items;
    },
  };

  async function loadBatch(parentIds: readonly number[]) {
    const plan = planWithCollection(reader, 'perParent', parentIds, perParent, collection);
    reader.records.addPlan(name, parentIds.length, plan);
    if (plan.strategy === 'perParent') return settleEach(parentIds, observed.load);
    const loaded = await loadWithFallback(reader, collection, parentIds, observed);
    if ('each' in loaded) return settleEach(parentIds, loaded.each);
    if (!loaded.collection.isComplete) return settleEach(parentIds, observed.load);
    return parentIds.map(loaded.collection.byParent);
  }

  function getCached(parentId: number): readonly Item[] | undefined {
    const loaded = collection.get();
    if (loaded?.isComplete) return loaded.byParent(parentId);
    const items = perParent.get(parentId);
    if (items) onItems?.(items);
    return items;
  }

  return new BatchLoader(getCached, loadBatch);
}

function planWithCollection<Name extends string, Key>(
  reader: Reader,
  name: Name,
  keys: readonly Key[],
  keyed: KeyedSource<Key, unknown>,
  collection: Collection<unknown>,
): FetchPlan<Name | 'collection'> {
  const keyedCalls = countRestCalls(keys, keyed);
  const collectionCalls = collection.restCalls();
  const isAvoided = collectionCalls > 0 && canFallBack(keyedCalls) && reader.isFailing(collection.template);
  return planFetch<Name | 'collection'>([
    { name, callCount: keyedCalls, costPerCall: keyed.expectedCost() },
    {
      name: 'collection',
      callCount: isAvoided ? Number.POSITIVE_INFINITY : collectionCalls,
      costPerCall: collection.expectedCost(),
    },
  ]);
}

/** Loads all keys in parallel. Returns each failure at the place of its key, as DataLoader expects. */
export function settleEach<Key, Value>(
  keys: readonly Key[],
  load: (key: Key) => Promise<Value>,
): Promise<(Value | Error)[]> {
  return Promise.all(keys.map((key) => load(key).catch(toError)));
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** A collection call is replaced by at most this many calls: a platform in trouble must not get a thousand calls instead of one. */
const MAX_FALLBACK_CALLS = 200;

/** Replaces a failing collection by calls for single keys, so that one broken endpoint blanks only its own list. */
function canFallBack(calls: number): boolean {
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
async function loadWithFallback<Item, Key, Value>(
  reader: Reader,
  collection: Collection<Item>,
  keys: readonly Key[],
  keyed: KeyedSource<Key, Value>,
): Promise<CollectionOrFallback<Item, Key, Value>> {
  try {
    return { collection: await collection.load(keys.length) };
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
