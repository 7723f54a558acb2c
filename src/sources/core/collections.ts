/** The three shapes in which the platform answers about things: all of them, one by its key, all of a parent. */
import type { ResourceKind } from '../../cache/policies.js';
import type { MaybePromise } from '../../lib/maybePromise.js';
import type { TypedEndpoint } from '../../rest/endpointKinds.js';
import type { PathValue } from '../../rest/path.js';
import type { CallRecord } from '../../rest/restCaller.js';
import type { ExpectedCost } from './endpointStats.js';
import { isCutOff, planFetch } from './fetchPlan.js';
import type { Reader, ReadRequest } from './reader.js';
import { checkShape, isIdentified, isListOfIdentified } from './storedShape.js';

/** One and the same for all that have none, so that whoever compares lists finds them equal. */
const EMPTY: readonly never[] = [];

export interface LoadedCollection<Item> {
  readonly items: readonly Item[];
  /** False where the platform may have cut the list off: what is not in it may exist all the same. */
  readonly isComplete: boolean;
  byId(id: number): Item | undefined;
  /** The items of one parent; the index is made once for as long as the collection is kept. */
  byParent(parentId: number): readonly Item[];
}

/** A call for each of many keys, as the other way to what a collection holds. */
export interface PrefetchKeys extends Pick<KeyedSource<never, unknown>, 'expectedCost'> {
  /** What is looked up, for explanations: `devices of sites`. */
  name: string;
}

/** All things of a kind, read at most once for an operation. */
export interface Collection<Item> {
  /** Of its endpoint. */
  template: string;
  load(): MaybePromise<LoadedCollection<Item>>;
  /** What is loaded, or fresh in the cache; undefined where `load` would wait. */
  getCached(): LoadedCollection<Item> | undefined;
  /**
   * So many keys are about to be asked for one level after another: begins to load where a call for each, `keyed`,
   * would cost more. Resolves when it is there or has failed: what fails here fails again for who loads it.
   */
  prefetch(count: number, keyed: PrefetchKeys): Promise<unknown> | undefined;
  /** How many REST calls it takes: 0 when it is here or on its way, Infinity when it is known to be cut off. */
  restCallCount(): number;
  expectedCost(): ExpectedCost;
}

/** An answer for each key. */
export interface KeyedSource<Key, Value> {
  load(key: Key): Promise<Value>;
  /** The answer where it is fresh in the cache; undefined where `load` would wait. */
  getCached(key: Key): Value | undefined;
  /** Whether the answer is at hand. */
  has(key: Key): boolean;
  expectedCost(): ExpectedCost;
}

export interface CollectionOptions<Row, Item> {
  kind: ResourceKind;
  endpoint: TypedEndpoint<[], readonly Row[]>;
  toItem(row: Row): Item;
  /** The parent an item belongs to, for collections asked by parent. */
  parentIdOf?(item: Item): number | null;
}

export function readCollection<Row, Item extends { id: number }>(
  reader: Reader,
  { kind, endpoint, toItem, parentIdOf = () => null }: CollectionOptions<Row, Item>,
): Collection<Item> {
  const request: ReadRequest<LoadedCollection<Item>> = {
    kind,
    template: endpoint.template,
    async load(options) {
      let rowsLeftOut = 0;
      const onCall = (call: CallRecord) => {
        rowsLeftOut = call.skippedRows;
        options.onCall?.(call);
      };
      const items = (await endpoint({ ...options, onCall })).map(toItem);
      return toCollection(items, parentIdOf, items.length + rowsLeftOut);
    },
    serialize: ({ items }) => items,
    deserialize(stored) {
      const items = checkShape(stored, isListOfIdentified<Item>);
      return toCollection(items, parentIdOf, items.length);
    },
  };
  let loading: Promise<LoadedCollection<Item>> | undefined;
  let loaded: LoadedCollection<Item> | undefined;
  let hasLooked = false;

  async function load(): Promise<LoadedCollection<Item>> {
    loaded = await reader.read(request);
    return loaded;
  }

  /** The cache is looked into once: what an operation has seen of a collection stays so until it ends. */
  function getCached(): LoadedCollection<Item> | undefined {
    if (hasLooked) return loaded;
    hasLooked = true;
    loaded = reader.get(request);
    return loaded;
  }

  function callsToLoad(): number {
    if (loading !== undefined) return 0;
    const found = reader.lookup(request);
    if (found === undefined) return reader.isInFlight(request) ? 0 : 1;
    return found.isComplete ? 0 : Number.POSITIVE_INFINITY;
  }

  function begin(): Promise<LoadedCollection<Item>> {
    loading ??= load();
    return loading;
  }

  return {
    template: endpoint.template,
    getCached,
    load: () => getCached() ?? begin(),
    prefetch(count, keyed) {
      if (getCached() !== undefined || reader.isFailing(endpoint.template)) return undefined;
      const calls = callsToLoad();
      // On its way for somebody else: to wait for it costs no call, and much less than to join it item by item.
      if (calls === 0) return begin().catch(() => undefined);
      if (calls > 1) return undefined;
      const plan = planFetch([
        { name: 'perParent', callCount: count, costPerCall: keyed.expectedCost() },
        { name: 'collection', callCount: 1, costPerCall: reader.expectedCost(endpoint.template) },
      ]);
      if (plan.strategy !== 'collection') return undefined;
      reader.explanation?.addPlan(keyed.name, count, plan);
      return begin().catch(() => undefined);
    },
    restCallCount() {
      if (loaded === undefined) return callsToLoad();
      return loaded.isComplete ? 0 : Number.POSITIVE_INFINITY;
    },
    expectedCost: () => reader.expectedCost(endpoint.template),
  };
}

function toCollection<Item extends { id: number }>(
  items: readonly Item[],
  parentIdOf: (item: Item) => number | null,
  lengthOnWire: number,
): LoadedCollection<Item> {
  let byId: Map<number, Item> | undefined;
  let byParent: Map<number, Item[]> | undefined;
  return {
    items,
    isComplete: !isCutOff(lengthOnWire),
    byId(id) {
      byId ??= new Map(items.map((item) => [item.id, item]));
      return byId.get(id);
    },
    byParent(parentId) {
      byParent ??= groupBy(items, parentIdOf);
      return byParent.get(parentId) ?? EMPTY;
    },
  };
}

/** One thing by its key; null where the platform has none. */
export function readOne<Key extends PathValue, Row, Item>(
  reader: Reader,
  kind: ResourceKind,
  endpoint: TypedEndpoint<[Key], Row | null>,
  toItem: (row: Row) => Item | null,
): KeyedSource<Key, Item | null> {
  /** A status is a text. */
  const isOne = (stored: unknown): stored is Item | null =>
    stored === null || typeof stored === 'string' || isIdentified(stored);
  return readKeyed(reader, kind, endpoint, (row) => (row === null ? null : toItem(row)), isOne);
}

/** All things of one parent. */
export function readList<Key extends PathValue, Row, Item extends { id: number }>(
  reader: Reader,
  kind: ResourceKind,
  endpoint: TypedEndpoint<[Key], readonly Row[]>,
  toItem: (row: Row) => Item,
): KeyedSource<Key, readonly Item[]> {
  const isList = (stored: unknown): stored is readonly Item[] => isListOfIdentified(stored);
  return readKeyed(reader, kind, endpoint, (rows) => rows.map(toItem), isList);
}

export function readKeyed<Key extends PathValue, Result, Value>(
  reader: Reader,
  kind: ResourceKind,
  endpoint: TypedEndpoint<[Key], Result>,
  toValue: (answer: Result) => Value,
  isValue: (stored: unknown) => stored is Value,
): KeyedSource<Key, Value> {
  const { template } = endpoint;
  const toRequest = (key: Key): ReadRequest<Value> => ({
    kind,
    template,
    parameter: key,
    load: async (options) => toValue(await endpoint(key, options)),
    deserialize: (stored) => checkShape(stored, isValue),
  });
  return {
    load: (key) => reader.read(toRequest(key)),
    getCached: (key) => reader.get(toRequest(key)),
    has(key) {
      const request = toRequest(key);
      return reader.lookup(request) !== undefined || reader.isInFlight(request);
    },
    expectedCost: () => reader.expectedCost(template),
  };
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
