/** Loaders of entities: each collects the keys of one level of a query and plans one fetch for all of them. */
import type DataLoader from 'dataloader';
import type { MaybePromise } from '../../lib/maybePromise.js';
import { createBatchLoader, settleEach } from './batches.js';
import { loadWithFallback, plannedCalls } from './collectionFallback.js';
import type { Collection, KeyedSource } from './collections.js';
import { type FetchPlan, planFetch } from './fetchPlan.js';
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
  onCached?(value: Value): void;
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
    const result = this.#results.get(key);
    if (result !== undefined) return result;
    const listed = this.#options.getListed?.(key);
    if (listed !== undefined) return listed;
    const lookup = this.#options.source.lookup(key);
    const value = this.#reader.get(lookup);
    if (value === undefined) return this.#beginLoad({ key, lookup });
    this.#options.onCached?.(value);
    return value;
  }

  /** Adds a result that another loader has brought. */
  prime(key: Key, value: Value): void {
    if (!this.#results.has(key)) this.#results.set(key, value);
  }

  #beginLoad(missed: MissedKey<Key, Value>): Promise<Value> {
    this.#dataLoader ??= createBatchLoader(this.#reader.turns, this.#options.loadBatch, { cache: false });
    const loading = this.#dataLoader.load(missed);
    this.#results.set(missed.key, loading);
    loading.then(
      (value) => this.#results.set(missed.key, value),
      () => undefined,
    );
    return loading;
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

interface ByIdOptions<Item> {
  /** Names the relation in explanations: `sites by id`. */
  name: string;
  collection: Collection<Item>;
  one: KeyedSource<number, Item | null>;
}

/** Loads null for an id that does not exist; one failing id fails alone. */
export function createByIdLoader<Item extends { id: number }>(
  reader: Reader,
  { name, collection, one }: ByIdOptions<Item>,
) {
  const loadOne = ({ key, lookup }: MissedKey<number, Item | null>) =>
    one.loadShared ? one.loadShared(key) : reader.load(lookup);

  const { turns } = reader;

  async function loadBatch(missed: readonly MissedKey<number, Item | null>[]) {
    const plan = planWithCollection(reader, { name: 'singles', keyed: one, missed, collection });
    reader.records.addPlan(name, missed.length, plan);
    if (plan.strategy === 'singles') {
      // A list that is cut off still has the items that it contains.
      const list = collection.find();
      const listed = (id: number) => (list.state === 'fresh' ? list.value.byId(id) : undefined);
      return settleEach(missed, (one) => listed(one.key) ?? loadOne(one), turns);
    }
    const loaded = await loadWithFallback(reader, collection, { keys: missed, loadOne });
    if ('each' in loaded) return settleEach(missed, loaded.each, turns);
    const { isComplete, byId } = loaded.collection;
    return settleEach(missed, (one) => byId(one.key) ?? (isComplete ? null : loadOne(one)), turns);
  }

  function getListed(id: number): Item | null | undefined {
    const loaded = collection.get();
    const item = loaded?.byId(id);
    return item === undefined && loaded?.isComplete ? null : item;
  }

  const loader = new BatchLoader<number, Item | null>(reader, { source: one, loadBatch, getListed });
  return {
    load: (id: number) => loader.load(id),
    /** Adds items from lists. They need no call, but may be a little older than an item that is loaded by id. */
    prime(items: readonly Item[]): void {
      for (const item of items) loader.prime(item.id, item);
    },
  };
}

interface ByParentOptions<Item> {
  /** Names the relation in explanations: `devices of sites`. */
  name: string;
  collection: Collection<Item>;
  perParent: KeyedSource<number, readonly Item[]>;
  /** Called with the items of each list that is loaded. */
  onItems?(items: readonly Item[]): void;
}

/** Loads all items of a parent, in the platform's order; one failing parent fails alone. */
export function createByParentLoader<Item>(
  reader: Reader,
  { name, collection, perParent, onItems }: ByParentOptions<Item>,
): Loader<number, readonly Item[]> {
  async function loadOne({ lookup }: MissedKey<number, readonly Item[]>) {
    const items = await reader.load(lookup);
    onItems?.(items);
    return items;
  }

  const { turns } = reader;

  async function loadBatch(missed: readonly MissedKey<number, readonly Item[]>[]) {
    const plan = planWithCollection(reader, { name: 'perParent', keyed: perParent, missed, collection });
    reader.records.addPlan(name, missed.length, plan);
    if (plan.strategy === 'perParent') return settleEach(missed, loadOne, turns);
    const loaded = await loadWithFallback(reader, collection, { keys: missed, loadOne });
    if ('each' in loaded) return settleEach(missed, loaded.each, turns);
    const { isComplete, byParent } = loaded.collection;
    return isComplete ? missed.map(({ key }) => byParent(key)) : settleEach(missed, loadOne, turns);
  }

  function getListed(parentId: number): readonly Item[] | undefined {
    const loaded = collection.get();
    return loaded?.isComplete ? loaded.byParent(parentId) : undefined;
  }

  const source = perParent;
  const options = onItems
    ? { source, loadBatch, getListed, onCached: onItems }
    : { source, loadBatch, getListed };
  return new BatchLoader(reader, options);
}

interface PlanOptions<Name extends string> {
  /** Name of the strategy that makes a call for each key. */
  name: Name;
  keyed: Pick<KeyedSource<never, unknown>, 'expectedCost'>;
  missed: readonly MissedKey<unknown, unknown>[];
  collection: Collection<unknown>;
}

function planWithCollection<Name extends string>(
  reader: Reader,
  { name, keyed, missed, collection }: PlanOptions<Name>,
): FetchPlan<Name | 'collection'> {
  const keyedCalls = countRestCalls(missed.map(({ lookup }) => reader.find(lookup)));
  return planFetch<Name | 'collection'>([
    { name, callCount: keyedCalls, costPerCall: keyed.expectedCost() },
    {
      name: 'collection',
      callCount: plannedCalls(reader, collection, keyedCalls),
      costPerCall: collection.expectedCost(),
    },
  ]);
}
