/** Loaders of entities: each collects the keys of one level of a query and plans one fetch for all of them. */
import type DataLoader from 'dataloader';
import { isPlatformFault } from '../../cache/loadEntry.js';
import type { MaybePromise } from '../../lib/maybePromise.js';
import { createBatchLoader, settleEach, storeResult } from './batches.js';
import { loadWithFallback, plannedCalls } from './collectionFallback.js';
import type { Collection, LoadedCollection } from './collections.js';
import { planFetch } from './fetchPlan.js';
import type { KeyedSource } from './keyedSource.js';
import { countRestCalls, type Lookup } from './lookup.js';
import type { Reader } from './reader.js';

/** Returns a cached value without a promise, and batches the other keys. */
export interface Loader<Key, Value> {
  load(key: Key): MaybePromise<Value>;
}

/** A key whose value is not cached. */
interface MissedKey<Key, Value> {
  key: Key;
  lookup: Lookup<Value>;
}

interface BatchOptions<Key, Value> {
  source: KeyedSource<Key, Value>;
  loadBatch(missed: readonly MissedKey<Key, Value>[]): Promise<readonly (Value | Error)[]>;
  /** The value from a list that the operation has loaded, checked before the cache; undefined if no list has it. */
  getListed?(key: Key): Value | undefined;
  /** Called with each value that comes from the cache. */
  onCached?: ((value: Value) => void) | undefined;
}

/** Stores the results of one operation. Once loaded, a result is returned without a promise, like a cached value. */
class BatchLoader<Key, Value> implements Loader<Key, Value> {
  readonly #reader: Reader;
  readonly #options: BatchOptions<Key, Value>;
  /** By key, loading or loaded. */
  readonly #results = new Map<Key, MaybePromise<Value>>();
  /** Made for the first key that is not cached: most operations need few of their loaders. */
  #dataLoader: DataLoader<MissedKey<Key, Value>, Value> | undefined;

  constructor(reader: Reader, options: BatchOptions<Key, Value>) {
    this.#reader = reader;
    this.#options = options;
  }

  load(key: Key): MaybePromise<Value> {
    const loaded = this.#getLoaded(key);
    if (loaded !== undefined) return loaded;
    const lookup = this.#options.source.lookup(key);
    const cached = this.#getCached(lookup);
    return cached === undefined ? this.#beginLoad({ key, lookup }) : cached;
  }

  /** The value that is loaded, in flight or cached; undefined if `load` would begin to load it. */
  get(key: Key): MaybePromise<Value> | undefined {
    const loaded = this.#getLoaded(key);
    return loaded === undefined ? this.#getCached(this.#options.source.lookup(key)) : loaded;
  }

  #getLoaded(key: Key): MaybePromise<Value> | undefined {
    const result = this.#results.get(key);
    return result === undefined ? this.#options.getListed?.(key) : result;
  }

  #getCached(lookup: Lookup<Value>): Value | undefined {
    const value = this.#reader.get(lookup);
    if (value !== undefined) this.#options.onCached?.(value);
    return value;
  }

  /** Adds a result that another loader has loaded. */
  prime(key: Key, value: Value): void {
    if (!this.#results.has(key)) this.#results.set(key, value);
  }

  #beginLoad(missed: MissedKey<Key, Value>): MaybePromise<Value> {
    this.#dataLoader ??= createBatchLoader(this.#reader.turns, this.#options.loadBatch, { cache: false });
    return storeResult(this.#results, missed.key, this.#dataLoader.load(missed));
  }
}

/** Loads values that need one call for each key. */
export function createKeyedLoader<Key, Value>(
  reader: Reader,
  source: KeyedSource<Key, Value>,
): Loader<Key, Value> {
  return new BatchLoader(reader, {
    source,
    loadBatch: (missed) => settleEach(missed, ({ lookup }) => reader.load(lookup), reader.turns),
  });
}

interface PlannedOptions<Key, Value, Item> {
  /** Names the relation in explanations: `sites by id`. */
  name: string;
  /** Name of the strategy that makes a call for each key. */
  strategy: 'singles' | 'perParent';
  collection: Collection<Item>;
  source: KeyedSource<Key, Value>;
  loadOne(missed: MissedKey<Key, Value>): Promise<Value>;
  /** The value from a list; undefined if it does not follow from the list. */
  pick(list: LoadedCollection<Item>, key: Key): Value | undefined;
  onCached?: ((value: Value) => void) | undefined;
}

/**
 * Loads values by a call for each key or from the whole collection. The failure of one key does not affect the others.
 */
export function createPlannedLoader<Key, Value, Item>(
  reader: Reader,
  { name, strategy, collection, source, loadOne, pick, onCached }: PlannedOptions<Key, Value, Item>,
): BatchLoader<Key, Value> {
  async function loadBatch(missed: readonly MissedKey<Key, Value>[]) {
    const calls = countRestCalls(missed.map(({ lookup }) => reader.inspect(lookup)));
    const callCount = plannedCalls(reader, collection, calls);
    const plan = planFetch<'singles' | 'perParent' | 'collection'>([
      { name: strategy, callCount: calls, costPerCall: source.expectedCost() },
      { name: 'collection', callCount, costPerCall: collection.expectedCost() },
    ]);
    reader.records.addPlan(name, missed.length, plan);
    if (plan.strategy !== 'collection') return loadEach(missed, findFresh());
    const loaded = await loadWithFallback(reader, collection, { keys: missed, loadOne }).catch(
      (error: unknown) => ({ each: (one: MissedKey<Key, Value>) => getStale(one, error) }),
    );
    if ('each' in loaded) return settleEach(missed, loaded.each, reader.turns);
    return loadEach(missed, loaded.collection);
  }

  /** Takes the values from the list, and makes a call for each key whose value does not follow from it. */
  function loadEach(missed: readonly MissedKey<Key, Value>[], list: LoadedCollection<Item> | undefined) {
    const load = (one: MissedKey<Key, Value>) => {
      const value = list && pick(list, one.key);
      return value === undefined ? loadOne(one).catch((error: unknown) => getStale(one, error)) : value;
    };
    return settleEach(missed, load, reader.turns);
  }

  /**
   * In an outage, a stale value may be cached that the plan did not choose to load: that of the key, or that of a
   * list. The list may lack new items, so an object that is missing from it remains an error, and so does a parent
   * without items.
   */
  async function getStale({ key, lookup }: MissedKey<Key, Value>, error: unknown): Promise<Value> {
    if (!isPlatformFault(error)) throw error;
    const own = reader.getStale(lookup);
    if (own !== undefined) return own;
    const list = await collection.readStale();
    const value = list && pick(list, key);
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) throw error;
    return value;
  }

  /** A truncated list still has the items that it contains. */
  function findFresh(): LoadedCollection<Item> | undefined {
    const found = collection.inspect();
    return found.state === 'fresh' ? found.value : undefined;
  }

  function getListed(key: Key): Value | undefined {
    const list = collection.get();
    return list && pick(list, key);
  }

  return new BatchLoader(reader, { source, loadBatch, getListed, onCached });
}

interface ByIdOptions<Item> {
  name: string;
  collection: Collection<Item>;
  one: KeyedSource<number, Item | null>;
}

/** Loads null for an id that does not exist. */
export function createByIdLoader<Item extends { id: number }>(
  reader: Reader,
  { name, collection, one }: ByIdOptions<Item>,
) {
  const loader = createPlannedLoader<number, Item | null, Item>(reader, {
    name,
    strategy: 'singles',
    collection,
    source: one,
    loadOne: ({ key, lookup }) => (one.loadShared ? one.loadShared(key) : reader.load(lookup)),
    pick: ({ byId, isComplete }, id) => byId(id) ?? (isComplete ? null : undefined),
  });
  return {
    load: (id: number) => loader.load(id),
    /** Adds items from lists. They need no call, but may be a little older than an item that is loaded by id. */
    prime(items: readonly Item[]): void {
      for (const item of items) loader.prime(item.id, item);
    },
  };
}

interface ByParentOptions<Item> {
  name: string;
  collection: Collection<Item>;
  perParent: KeyedSource<number, readonly Item[]>;
  /** Called with the items of each list that is loaded. */
  onItems?(items: readonly Item[]): void;
}

/** Loads all items of a parent, in the platform's order. */
export function createByParentLoader<Item>(
  reader: Reader,
  { name, collection, perParent, onItems }: ByParentOptions<Item>,
): BatchLoader<number, readonly Item[]> {
  return createPlannedLoader<number, readonly Item[], Item>(reader, {
    name,
    strategy: 'perParent',
    collection,
    source: perParent,
    async loadOne({ lookup }) {
      const items = await reader.load(lookup);
      onItems?.(items);
      return items;
    },
    pick: ({ byParent, isComplete }, id) => (isComplete ? byParent(id) : undefined),
    onCached: onItems,
  });
}
