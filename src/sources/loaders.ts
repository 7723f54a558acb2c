/** The two DataLoaders that every resource is made of: things by id, and the things of a parent. */
import DataLoader from 'dataloader';
import { settleEach } from '../lib/settleEach.js';
import type { Collection } from './collection.js';
import { cheapestWay } from './fetchPlan.js';

/** Answers null for an id that does not exist; one failing id fails alone. */
export function createByIdLoader<Item>(
  collection: Collection<Item>,
  fetchOne: (id: number) => Promise<Item | null>,
): DataLoader<number, Item | null> {
  return new DataLoader<number, Item | null>(async (ids) => {
    const way = cheapestWay([
      { name: 'singles', calls: ids.length },
      { name: 'collection', calls: collection.calls() },
    ]);
    if (way === 'singles') return settleEach(ids, fetchOne);
    const loaded = await collection.load();
    return settleEach(ids, async (id) => loaded.byId(id) ?? (loaded.isComplete ? null : fetchOne(id)));
  });
}

export interface Relation<Item> {
  collection: Collection<Item>;
  /** The parent an item belongs to. */
  parentIdOf(item: Item): number | null;
  fetchOfParent(parentId: number): Promise<readonly Item[]>;
}

/** Answers all that a parent has, in the platform's order; one failing parent fails alone. */
export function createOfParentLoader<Item>(relation: Relation<Item>): DataLoader<number, readonly Item[]> {
  const { collection, parentIdOf, fetchOfParent } = relation;
  return new DataLoader<number, readonly Item[]>(async (parentIds) => {
    const way = cheapestWay([
      { name: 'perParent', calls: parentIds.length },
      { name: 'collection', calls: collection.calls() },
    ]);
    if (way === 'perParent') return settleEach(parentIds, fetchOfParent);
    const loaded = await collection.load();
    if (!loaded.isComplete) return settleEach(parentIds, fetchOfParent);
    const groups = groupBy(loaded.items, parentIdOf);
    return parentIds.map((parentId) => groups.get(parentId) ?? []);
  });
}

export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key | null,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
