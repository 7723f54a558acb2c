/**
 * The source of one kind of entity: the whole list, single entities by id, and all entities of a parent, planned
 * together.
 */
import type { ResourceKind } from '../../cache/policies.js';
import { isPromise, type MaybePromise } from '../../lib/maybePromise.js';
import type { TypedEndpoint } from '../../rest/endpointKinds.js';
import { type ItemList, type PrefetchKeys, readCollection } from './collections.js';
import { type KeyedSource, readList } from './keyedSource.js';
import { createByIdLoader, createByParentLoader } from './loaders.js';
import type { Reader } from './reader.js';

export interface EntitySource<Item> {
  /** The whole list: at once if it is loaded. */
  list(): MaybePromise<ItemList<Item>>;
  /** Whether the platform is known to truncate the list. */
  isTruncated(): boolean;
  /** Null for an id that does not exist. */
  byId(id: number): MaybePromise<Item | null>;
  /** Begins to load the list if an operation will need `count` entities, or those of `count` parents. */
  prefetch(count: number): Promise<unknown> | undefined;
}

interface EntityOptions<Row, Item> {
  /** In the plural, for explanations: `devices`. */
  name: string;
  kind: ResourceKind;
  toItem(row: Row): Item;
  list: TypedEndpoint<[], readonly Row[]>;
  one: KeyedSource<number, Item | null>;
}

interface ChildEntityOptions<Row, Item> extends EntityOptions<Row, Item> {
  parent: {
    /** In the plural, for explanations: `sites`. */
    name: string;
    idOf(item: Item): number | null;
    /** All items of one parent. */
    list: TypedEndpoint<[number], readonly Row[]>;
  };
}

export function createEntitySource<Row, Item extends { id: number }>(
  reader: Reader,
  options: EntityOptions<Row, Item>,
): EntitySource<Item> {
  return createSource(reader, options).source;
}

/**
 * Callers list the methods of `source`: V8 copies all properties one by one, and each operation creates several
 * sources.
 */
export function createChildEntitySource<Row, Item extends { id: number }>(
  reader: Reader,
  options: ChildEntityOptions<Row, Item>,
) {
  const { name, kind, toItem, parent } = options;
  const perParent = readList(reader, kind, parent.list, toItem);
  const relation = `${name} of ${parent.name}`;
  const alternative = { name: relation, expectedCost: perParent.expectedCost };
  const { source, collection, onItems } = createSource(reader, options, parent.idOf, alternative);
  const loader = createByParentLoader<Item>(reader, { name: relation, collection, perParent, onItems });
  return {
    source,
    collection,
    ofParent: (parentId: number) => loader.load(parentId),
    /** Undefined if `ofParent` would wait. */
    loadedOfParent(parentId: number): readonly Item[] | undefined {
      const found = loader.get(parentId);
      return isPromise(found) ? undefined : found;
    },
  };
}

/** `alternative` to the list; if absent, a call for each entity. */
function createSource<Row, Item extends { id: number }>(
  reader: Reader,
  { name, kind, toItem, list, one }: EntityOptions<Row, Item>,
  parentIdOf?: (item: Item) => number | null,
  alternative: PrefetchKeys = { name: `${name} by id`, expectedCost: one.expectedCost },
) {
  const collection = readCollection(reader, { kind, endpoint: list, toItem, parentIdOf });
  const byId = createByIdLoader(reader, { name: `${name} by id`, collection, one });
  const source: EntitySource<Item> = {
    list: () => collection.load(),
    isTruncated: () => collection.restCalls() === Number.POSITIVE_INFINITY,
    byId: byId.load,
    prefetch: (count) => collection.prefetch(count, alternative),
  };
  return { source, collection, onItems: byId.prime };
}
