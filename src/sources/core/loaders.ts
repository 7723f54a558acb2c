/** The DataLoaders that resources are made of: each gathers the keys of one level of a query and plans them together. */
import DataLoader from 'dataloader';
import type { MaybePromise } from '../../lib/maybePromise.js';
import { canFallBack, loadWithFallback } from './collectionFallback.js';
import type { Collection, KeyedSource } from './collections.js';
import { type FetchPlan, planFetch } from './fetchPlan.js';
import type { Reader } from './reader.js';
import { settleEach } from './settleEach.js';

/** Answers at once what is at hand, and gathers what is not. */
export interface Lookup<Key, Value> {
  load(key: Key): MaybePromise<Value>;
}

export interface ByIdOptions<Item> {
  /** What is looked up, for explanations: `sites`. */
  name: string;
  collection: Collection<Item>;
  one: KeyedSource<number, Item | null>;
}

/** Answers null for an id that does not exist; one failing id fails alone. */
export function createByIdLoader<Item extends { id: number }>(
  reader: Reader,
  { name, collection, one }: ByIdOptions<Item>,
): ByIdLookup<Item> {
  const createLoader = () => new DataLoader<number, Item | null>(loadAll);

  async function loadAll(ids: readonly number[]) {
    const plan = planWithCollection(reader, 'singles', ids, one, collection);
    reader.explanation?.addPlan(`${name} by id`, ids.length, plan);
    if (plan.strategy === 'singles') return settleEach(ids, one.load);
    const found = await loadWithFallback(reader, collection, ids, one);
    if ('each' in found) return settleEach(ids, found.each);
    const { isComplete, byId } = found.collection;
    return settleEach(ids, async (id) => byId(id) ?? (isComplete ? null : one.load(id)));
  }

  function held(id: number): Item | null | undefined {
    const whole = collection.getCached();
    const found = whole?.byId(id);
    if (found !== undefined || whole?.isComplete) return found ?? null;
    return one.getCached(id);
  }

  const results: Results<number, Item | null> = new Map();
  const { load } = createLookup(held, createLoader, results);
  return {
    load,
    prime(items) {
      for (const item of items) if (!results.has(item.id)) results.set(item.id, item);
    },
  };
}

/** What an operation has asked for: on its way, or there. */
type Results<Key, Value> = Map<Key, MaybePromise<Value>>;

/**
 * The loader is made for the first key that is not at hand: most operations need few of theirs. What it has brought is
 * answered without a promise from then on, as what is held.
 */
function createLookup<Key, Value>(
  held: (key: Key) => Value | undefined,
  createLoader: () => DataLoader<Key, Value>,
  results: Results<Key, Value> = new Map(),
): Lookup<Key, Value> {
  let loader: DataLoader<Key, Value> | undefined;

  function begin(key: Key): Promise<Value> {
    loader ??= createLoader();
    const loading = loader.load(key);
    results.set(key, loading);
    loading.then(
      (value) => results.set(key, value),
      () => undefined,
    );
    return loading;
  }

  return {
    load(key) {
      const known = results.get(key);
      if (known !== undefined) return known;
      const value = held(key);
      return value === undefined ? begin(key) : value;
    },
  };
}

/**
 * A lookup that is told of items that came otherwise: they need not be asked for again, though a list may be a little
 * older than what is kept of one item.
 */
export interface ByIdLookup<Item> extends Lookup<number, Item | null> {
  prime(items: readonly Item[]): void;
}

export interface ByParentOptions<Item> {
  /** What is looked up, for explanations: `devices of sites`. */
  name: string;
  collection: Collection<Item>;
  byParent: KeyedSource<number, readonly Item[]>;
  /** Of the same items, where they have ids of their own. */
  byId?: Pick<ByIdLookup<Item>, 'prime'>;
}

/** Answers all that a parent has, in the platform's order; one failing parent fails alone. */
export function createByParentLoader<Item>(
  reader: Reader,
  { name, collection, byParent, byId }: ByParentOptions<Item>,
): Lookup<number, readonly Item[]> {
  const createLoader = () => new DataLoader<number, readonly Item[]>(loadAll);

  async function loadAll(parentIds: readonly number[]) {
    const plan = planWithCollection(reader, 'perParent', parentIds, byParent, collection);
    reader.explanation?.addPlan(name, parentIds.length, plan);
    if (plan.strategy === 'perParent') return settleEach(parentIds, learning.load);
    const found = await loadWithFallback(reader, collection, parentIds, learning);
    if ('each' in found) return settleEach(parentIds, found.each);
    if (!found.collection.isComplete) return settleEach(parentIds, learning.load);
    return parentIds.map(found.collection.byParent);
  }

  const learning: typeof byParent = {
    ...byParent,
    async load(parentId) {
      const items = await byParent.load(parentId);
      byId?.prime(items);
      return items;
    },
  };

  function held(parentId: number): readonly Item[] | undefined {
    const whole = collection.getCached();
    if (whole?.isComplete) return whole.byParent(parentId);
    const items = byParent.getCached(parentId);
    if (items) byId?.prime(items);
    return items;
  }

  return createLookup(held, createLoader);
}

/** Answers that have no other way than a call for each key. */
export function createKeyedLoader<Key, Value>(keyed: KeyedSource<Key, Value>): Lookup<Key, Value> {
  return createLookup(
    keyed.getCached,
    () => new DataLoader<Key, Value>((keys) => settleEach(keys, keyed.load)),
  );
}

function planWithCollection<Name extends string, Key>(
  reader: Reader,
  name: Name,
  keys: readonly Key[],
  keyed: KeyedSource<Key, unknown>,
  collection: Collection<unknown>,
): FetchPlan<Name | 'collection'> {
  const missing = countMissing(keys, keyed);
  const atHand = collection.restCallCount();
  const isAvoided = atHand > 0 && canFallBack(missing) && reader.isFailing(collection.template);
  return planFetch<Name | 'collection'>([
    { name, callCount: missing, costPerCall: keyed.expectedCost() },
    {
      name: 'collection',
      callCount: isAvoided ? Number.POSITIVE_INFINITY : atHand,
      costPerCall: collection.expectedCost(),
    },
  ]);
}

/** How many of the keys take a call. */
export function countMissing<Key>(keys: readonly Key[], keyed: KeyedSource<Key, unknown>): number {
  return keys.reduce((count, key) => (keyed.has(key) ? count : count + 1), 0);
}
