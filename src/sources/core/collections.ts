/** Reads lists of the platform: all items of a kind, or of one key. The platform may truncate them. */
import type { ResourceKind } from '../../cache/policies.js';
import { type CallOptions, readCounted } from '../../rest/callRecord.js';
import type { TypedEndpoint } from '../../rest/endpointKinds.js';
import type { PathValue } from '../../rest/path.js';
import { type ExpectedCost, planFetch } from './fetchPlan.js';
import type { KeyedSource } from './keyedSource.js';
import { type Lookup, type LookupResult, type ReadRequest, restCallsFor } from './lookup.js';
import { withoutRepeats } from './paginator.js';
import type { Reader } from './reader.js';
import { checkShape, isListOfIdentified } from './storedShape.js';

/** Shared by all parents without items, so that comparisons of lists by identity succeed. */
const EMPTY: readonly never[] = [];

export interface ItemList<Item> {
  readonly items: readonly Item[];
  /** False if the platform may have truncated the list: items that are missing from it may still exist. */
  readonly isComplete: boolean;
  /** Whether unreadable rows were left out. */
  readonly isPartial?: boolean;
}

export interface LoadedCollection<Item> extends ItemList<Item> {
  byId(id: number): Item | undefined;
  /** The items of one parent; the index is built once while the collection is cached. */
  byParent(parentId: number): readonly Item[];
}

/** A REST call for each key, as the alternative to a collection. */
export interface PrefetchKeys extends Pick<KeyedSource<never, unknown>, 'expectedCost'> {
  /** Names the relation in explanations: `devices of sites`. */
  name: string;
}

/** A list for each key. Like a collection, it may be truncated. */
export interface KeyedCollection<Key, Item> extends KeyedSource<Key, LoadedCollection<Item>> {
  /** See `Collection`. */
  restCalls(key: Key): number;
}

interface CollectionOptions<Parameters extends readonly unknown[], Row, Item> {
  kind: ResourceKind;
  endpoint: TypedEndpoint<Parameters, readonly Row[]>;
  toItem(row: Row): Item;
  /** The parent that an item belongs to, for collections that are read by parent. */
  parentIdOf?: ((item: Item) => number | null) | undefined;
  /** Whether items of several parents have the same id, as custom attributes do. False by default. */
  sharesIds?: boolean;
}

export function readCollection<Row, Item extends { id: number }>(
  reader: Reader,
  options: CollectionOptions<[], Row, Item>,
): Collection<Item> {
  return new Collection(reader, toCollectionRequest(reader, options, options.endpoint.template));
}

export function readKeyedCollection<Key extends PathValue, Row, Item extends { id: number }>(
  reader: Reader,
  { endpoint, ...options }: CollectionOptions<[Key], Row, Item>,
): KeyedCollection<Key, Item> {
  const { template } = endpoint;
  const { endpointStats } = reader;
  const listOf = (key: Key) => `${template} ${key}`;
  /** The loader, the plans and the load look up each key several times. */
  const lookups = new Map<Key, Lookup<LoadedCollection<Item>>>();
  const createLookup = (key: Key) => {
    const ofKey = Object.assign((callOptions: CallOptions) => endpoint(key, callOptions), { template });
    const request = toCollectionRequest(reader, { ...options, endpoint: ofKey }, listOf(key));
    const created = reader.lookup({ ...request, parameter: key });
    lookups.set(key, created);
    return created;
  };
  const lookup = (key: Key) => lookups.get(key) ?? createLookup(key);
  return {
    lookup,
    restCalls: (key) =>
      restCallsForCollection(reader.inspect(lookup(key)), endpointStats.isTruncated(listOf(key))),
    expectedCost: () => endpointStats.expectedCost(template),
  };
}

/** All items of a kind, read at most once for each operation. */
export class Collection<Item> {
  /** Path template of its endpoint. */
  readonly template: string;
  readonly #reader: Reader;
  readonly #lookup: Lookup<LoadedCollection<Item>>;
  #loading: Promise<LoadedCollection<Item>> | undefined;
  #loaded: LoadedCollection<Item> | undefined;
  #isCacheRead = false;
  #stale: LoadedCollection<Item> | undefined;

  constructor(reader: Reader, request: ReadRequest<LoadedCollection<Item>>) {
    this.template = request.template;
    this.#reader = reader;
    this.#lookup = reader.lookup(request);
  }

  /**
   * The collection that this operation has loaded, or the fresh one in the cache; undefined if `load` would wait. Reads the
   * cache only once, so that an operation sees one state of a collection until it ends.
   */
  get(): LoadedCollection<Item> | undefined {
    if (this.#isCacheRead) return this.#loaded;
    this.#isCacheRead = true;
    this.#loaded = this.#reader.get(this.#lookup);
    return this.#loaded;
  }

  /** The stale collection, for values whose own load failed; undefined if neither memory nor Redis has one. */
  async readStale(): Promise<LoadedCollection<Item> | undefined> {
    await this.#reader.recall(this.#lookup);
    this.#stale ??= this.#reader.getStale(this.#lookup);
    return this.#stale;
  }

  /** `keys` is the number of keys that the collection serves, for traces. */
  load(keys?: number): LoadedCollection<Item> | Promise<LoadedCollection<Item>> {
    return this.get() ?? this.#beginLoad(keys);
  }

  /** The state for plans: nothing is recorded. */
  inspect(): LookupResult<LoadedCollection<Item>> {
    if (this.#loaded) return { state: 'fresh', value: this.#loaded };
    if (this.#loading !== undefined) return { state: 'inFlight' };
    return this.#reader.inspect(this.#lookup);
  }

  expectedCost(): ExpectedCost {
    return this.#reader.endpointStats.expectedCost(this.template);
  }

  /** The number of REST calls needed to look up any key in it. Infinity if it is known to be truncated. */
  restCalls(): number {
    return restCallsForCollection(this.inspect(), this.#reader.endpointStats.isTruncated(this.template));
  }

  /**
   * Begins to load the collection if an operation will need `count` keys and `keyed`, a call for each, would cost
   * more. Resolves when the load ends, even if it fails: the load that needs the collection then reports the
   * error.
   */
  prefetch(count: number, keyed: PrefetchKeys): Promise<unknown> | undefined {
    const { isFailing, hasTimedOut } = this.#reader.endpointStats;
    if (this.get() !== undefined || isFailing(this.template) || hasTimedOut(this.template)) return undefined;
    const calls = this.restCalls();
    // Waiting for a load in flight costs no call, and much less time than awaiting it once per item.
    if (calls === 0) return this.#beginLoad(count).catch(() => undefined);
    if (calls > 1) return undefined;
    const plan = planFetch([
      { name: 'perParent', callCount: count, costPerCall: keyed.expectedCost() },
      { name: 'collection', callCount: 1, costPerCall: this.expectedCost() },
    ]);
    if (plan.strategy !== 'collection') return undefined;
    this.#reader.records.addPlan(keyed.name, count, plan);
    return this.#beginLoad(count).catch(() => undefined);
  }

  #beginLoad(keys: number | undefined): Promise<LoadedCollection<Item>> {
    this.#loading ??= this.#loadOnce(keys);
    return this.#loading;
  }

  async #loadOnce(batchSize: number | undefined): Promise<LoadedCollection<Item>> {
    this.#loaded = await this.#reader.load(this.#lookup, batchSize);
    return this.#loaded;
  }
}

/**
 * The number of REST calls that finding any key in the collection takes. Infinity if it is truncated, or was when it
 * was last loaded.
 */
export function restCallsForCollection(
  found: LookupResult<ItemList<unknown>>,
  wasTruncated: boolean,
): number {
  const isTruncated = found.state === 'fresh' ? !found.value.isComplete : wasTruncated;
  return isTruncated ? Number.POSITIVE_INFINITY : restCallsFor(found);
}

/** `list` names the list whose length is recorded. */
function toCollectionRequest<Row, Item extends { id: number }>(
  reader: Reader,
  { kind, endpoint, toItem, parentIdOf = () => null, sharesIds = false }: CollectionOptions<[], Row, Item>,
  list: string,
): ReadRequest<LoadedCollection<Item>> {
  const { template } = endpoint;
  const isComplete = (lengthOnWire: number) => !reader.endpointStats.recordLength(list, lengthOnWire);
  return {
    kind,
    template,
    async load(options) {
      const { rows, lengthOnWire } = await readCounted(endpoint, options);
      const isKnown = options.previousBody?.isUnchanged === true;
      // A list whose rows are all unusable does not show that there are no items.
      const isUsable = rows.length > 0 || lengthOnWire === 0;
      const isWhole = isKnown || (isComplete(lengthOnWire) && isUsable);
      const items = rows.map(toItem);
      // The length of a stored list shows whether the platform has truncated it, so such a list stays as it is.
      const distinct = sharesIds || !isWhole ? items : withoutRepeats(items);
      return toCollection(distinct, parentIdOf, {
        isComplete: isWhole,
        isPartial: lengthOnWire > rows.length,
      });
    },
    reuse(previous) {
      isComplete(previous.items.length);
      return previous;
    },
    serialize: ({ items }) => items,
    deserialize(stored) {
      const items = checkShape<readonly Item[]>(stored, isListOfIdentified);
      return toCollection(items, parentIdOf, { isComplete: isComplete(items.length), isPartial: false });
    },
  };
}

export function toCollection<Item extends { id: number }>(
  items: readonly Item[],
  parentIdOf: (item: Item) => number | null,
  { isComplete, isPartial }: { isComplete: boolean; isPartial: boolean },
): LoadedCollection<Item> {
  let byId: Map<number, Item> | undefined;
  let byParent: Map<number, readonly Item[]> | undefined;
  return {
    items,
    isComplete,
    isPartial,
    byId(id) {
      byId ??= new Map(items.map((item) => [item.id, item]));
      return byId.get(id);
    },
    byParent(parentId) {
      byParent ??= distinctByParent(items, parentIdOf);
      return byParent.get(parentId) ?? EMPTY;
    },
  };
}

function distinctByParent<Item extends { id: number }>(
  items: readonly Item[],
  parentIdOf: (item: Item) => number | null,
): Map<number, readonly Item[]> {
  const groups: Map<number, readonly Item[]> = groupBy(items, parentIdOf);
  for (const [parentId, group] of groups) groups.set(parentId, withoutRepeats(group));
  return groups;
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
