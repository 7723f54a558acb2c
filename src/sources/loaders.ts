/** The DataLoaders that resources are made of: each gathers the keys of one level of a query and plans them together. */
import DataLoader from 'dataloader';
import type { MaybePromise } from '../lib/maybePromise.js';
import { settleEach } from '../lib/settleEach.js';
import type { Collection, Keyed } from './answers.js';
import { loadOrReplace, mayReplaceCollection } from './brokenCollection.js';
import { type Plan, planFetch } from './fetchPlan.js';
import type { Reader } from './reader.js';

/** Answers at once what is at hand, and gathers what is not. */
export interface Lookup<Key, Value> {
  load(key: Key): MaybePromise<Value>;
}

export interface ById<Item> {
  /** What is looked up, for explanations: `sites`. */
  name: string;
  collection: Collection<Item>;
  one: Keyed<number, Item | null>;
}

/** Answers null for an id that does not exist; one failing id fails alone. */
export function createByIdLoader<Item>(
  reader: Reader,
  { name, collection, one }: ById<Item>,
): Lookup<number, Item | null> {
  const createLoader = () => new DataLoader<number, Item | null>(loadAll);

  async function loadAll(ids: readonly number[]) {
    const plan = planAgainstCollection(reader, 'singles', ids, one, collection);
    reader.explanation?.addPlan(`${name} by id`, ids.length, plan);
    if (plan.way === 'singles') return settleEach(ids, one.load);
    const found = await loadOrReplace(reader, collection, ids, one);
    if ('each' in found) return settleEach(ids, found.each);
    const { isComplete, byId } = found.collection;
    return settleEach(ids, async (id) => byId(id) ?? (isComplete ? null : one.load(id)));
  }

  function held(id: number): Item | null | undefined {
    const whole = collection.held();
    const found = whole?.byId(id);
    if (found !== undefined || whole?.isComplete) return found ?? null;
    return one.held(id);
  }

  return loadUnlessHeld(held, createLoader);
}

/** The loader is made for the first key that is not at hand: most operations need few of theirs. */
function loadUnlessHeld<Key, Value>(
  held: (key: Key) => Value | undefined,
  createLoader: () => DataLoader<Key, Value>,
): Lookup<Key, Value> {
  let loader: DataLoader<Key, Value> | undefined;
  return {
    load(key) {
      const value = held(key);
      if (value !== undefined) return value;
      loader ??= createLoader();
      return loader.load(key);
    },
  };
}

export interface OfParent<Item> {
  /** What is looked up, for explanations: `devices of sites`. */
  name: string;
  collection: Collection<Item>;
  ofParent: Keyed<number, readonly Item[]>;
}

/** Answers all that a parent has, in the platform's order; one failing parent fails alone. */
export function createOfParentLoader<Item>(
  reader: Reader,
  { name, collection, ofParent }: OfParent<Item>,
): Lookup<number, readonly Item[]> {
  const createLoader = () => new DataLoader<number, readonly Item[]>(loadAll);

  async function loadAll(parentIds: readonly number[]) {
    const plan = planAgainstCollection(reader, 'perParent', parentIds, ofParent, collection);
    reader.explanation?.addPlan(name, parentIds.length, plan);
    if (plan.way === 'perParent') return settleEach(parentIds, ofParent.load);
    const found = await loadOrReplace(reader, collection, parentIds, ofParent);
    if ('each' in found) return settleEach(parentIds, found.each);
    if (!found.collection.isComplete) return settleEach(parentIds, ofParent.load);
    return parentIds.map(found.collection.ofParent);
  }

  function held(parentId: number): readonly Item[] | undefined {
    const whole = collection.held();
    return whole?.isComplete ? whole.ofParent(parentId) : ofParent.held(parentId);
  }

  return loadUnlessHeld(held, createLoader);
}

/** Answers that have no other way than a call for each key. */
export function createKeyedLoader<Key, Value>(keyed: Keyed<Key, Value>): Lookup<Key, Value> {
  return loadUnlessHeld(keyed.held, () => new DataLoader<Key, Value>((keys) => settleEach(keys, keyed.load)));
}

function planAgainstCollection<Name extends string, Key>(
  reader: Reader,
  name: Name,
  keys: readonly Key[],
  keyed: Keyed<Key, unknown>,
  collection: Collection<unknown>,
): Plan<Name | 'collection'> {
  const missing = countMissing(keys, keyed);
  const atHand = collection.calls();
  const isAvoided = atHand > 0 && mayReplaceCollection(missing) && reader.isAvoided(collection.template);
  return planFetch<Name | 'collection'>([
    { name, calls: missing, each: keyed.expected() },
    {
      name: 'collection',
      calls: isAvoided ? Number.POSITIVE_INFINITY : atHand,
      each: collection.expected(),
    },
  ]);
}

/** How many of the keys take a call. */
export function countMissing<Key>(keys: readonly Key[], keyed: Keyed<Key, unknown>): number {
  return keys.reduce((count, key) => (keyed.has(key) ? count : count + 1), 0);
}
