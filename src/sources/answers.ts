/** The three shapes in which the platform answers about things: all of them, one by its key, all of a parent. */
import type { Kind } from '../cache/policies.js';
import type { Expectation } from '../lib/endpointStats.js';
import type { Endpoint } from '../rest/endpointKinds.js';
import type { PathValue } from '../rest/path.js';
import type { CallRecord } from '../rest/restCaller.js';
import { isCutOff } from './fetchPlan.js';
import type { Reader, ReadRequest } from './reader.js';

export interface LoadedCollection<Item> {
  readonly items: readonly Item[];
  /** False where the platform may have cut the list off: what is not in it may exist all the same. */
  readonly isComplete: boolean;
  byId(id: number): Item | undefined;
  /** The items of one parent; the index is made once for as long as the collection is kept. */
  ofParent(parentId: number): readonly Item[];
}

/** All things of a kind, read at most once for an operation. */
export interface Collection<Item> {
  /** Of its endpoint. */
  template: string;
  load(): Promise<LoadedCollection<Item>>;
  /** How many REST calls it takes: 0 when it is here or on its way, Infinity when it is known to be cut off. */
  calls(): number;
  expected(): Expectation;
}

/** An answer for each key. */
export interface Keyed<Key, Value> {
  load(key: Key): Promise<Value>;
  /** Whether the answer is at hand. */
  has(key: Key): boolean;
  expected(): Expectation;
}

export interface CollectionOf<Row, Item> {
  kind: Kind;
  endpoint: Endpoint<[], readonly Row[]>;
  toItem(row: Row): Item;
  /** The parent an item belongs to, for collections asked by parent. */
  parentIdOf?(item: Item): number | null;
}

export function readCollection<Row, Item extends { id: number }>(
  reader: Reader,
  { kind, endpoint, toItem, parentIdOf = () => null }: CollectionOf<Row, Item>,
): Collection<Item> {
  const request: ReadRequest<LoadedCollection<Item>> = {
    kind,
    template: endpoint.template,
    async load(options) {
      let rowsLeftOut = 0;
      const onCall = (call: CallRecord) => {
        rowsLeftOut = call.rowsLeftOut;
        options.onCall?.(call);
      };
      const items = (await endpoint({ ...options, onCall })).map(toItem);
      return toCollection(items, parentIdOf, items.length + rowsLeftOut);
    },
    toStored: ({ items }) => items,
    revive: (items) => toCollection(items as readonly Item[], parentIdOf, (items as readonly Item[]).length),
  };
  let loading: Promise<LoadedCollection<Item>> | undefined;
  let isKnownCutOff = false;

  async function load(): Promise<LoadedCollection<Item>> {
    const loaded = await reader.read(request);
    isKnownCutOff = !loaded.isComplete;
    return loaded;
  }

  return {
    template: endpoint.template,
    load() {
      loading ??= load();
      return loading;
    },
    calls() {
      if (isKnownCutOff) return Number.POSITIVE_INFINITY;
      if (loading !== undefined) return 0;
      const held = reader.peek(request);
      if (held === undefined) return reader.isUnderWay(request) ? 0 : 1;
      return held.isComplete ? 0 : Number.POSITIVE_INFINITY;
    },
    expected: () => reader.expected(endpoint.template),
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
    ofParent(parentId) {
      byParent ??= groupBy(items, parentIdOf);
      return byParent.get(parentId) ?? [];
    },
  };
}

/** One thing by its key; null where the platform has none. */
export function readOne<Key extends PathValue, Row, Item>(
  reader: Reader,
  kind: Kind,
  endpoint: Endpoint<[Key], Row | null>,
  toItem: (row: Row) => Item | null,
): Keyed<Key, Item | null> {
  return readKeyed(reader, kind, endpoint, (row) => (row === null ? null : toItem(row)));
}

/** All things of one parent. */
export function readList<Key extends PathValue, Row, Item>(
  reader: Reader,
  kind: Kind,
  endpoint: Endpoint<[Key], readonly Row[]>,
  toItem: (row: Row) => Item,
): Keyed<Key, readonly Item[]> {
  return readKeyed(reader, kind, endpoint, (rows) => rows.map(toItem));
}

export function readKeyed<Key extends PathValue, Answer, Value>(
  reader: Reader,
  kind: Kind,
  endpoint: Endpoint<[Key], Answer>,
  toValue: (answer: Answer) => Value,
): Keyed<Key, Value> {
  const { template } = endpoint;
  const toRequest = (key: Key): ReadRequest<Value> => ({
    kind,
    template,
    parameter: key,
    load: async (options) => toValue(await endpoint(key, options)),
  });
  return {
    load: (key) => reader.read(toRequest(key)),
    has(key) {
      const request = toRequest(key);
      return reader.peek(request) !== undefined || reader.isUnderWay(request);
    },
    expected: () => reader.expected(template),
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
