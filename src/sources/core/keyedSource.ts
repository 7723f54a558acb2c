/** Reads one response of the platform for each key: one item, or all items of a parent. */
import type { ResourceKind } from '../../cache/policies.js';
import type { CallOptions } from '../../rest/callRecord.js';
import type { TypedEndpoint } from '../../rest/endpointKinds.js';
import type { PathValue } from '../../rest/path.js';
import type { ExpectedCost } from './fetchPlan.js';
import type { Lookup, ReadRequest } from './lookup.js';
import { withoutRepeats } from './paginator.js';
import type { Reader } from './reader.js';
import { checkShape, isIdentified, isListOfIdentified } from './storedShape.js';

/** One response for each key. */
export interface KeyedSource<Key, Value> {
  /** The request for `Reader.get`, which reads only the cache, and for `Reader.load`, which waits. */
  lookup(key: Key): Lookup<Value>;
  /** Loads a missing value instead of the reader, if the value is shared with another loader. */
  loadShared?(key: Key): Promise<Value>;
  expectedCost(): ExpectedCost;
}

/** One item by its key; null if the platform has none. `toChangedAtMs`: see `CacheRequest`. */
export function readOne<Key extends PathValue, Row, Item>(
  reader: Reader,
  kind: ResourceKind,
  endpoint: TypedEndpoint<[Key], Row | null>,
  toItem: (row: Row) => Item | null,
  toChangedAtMs?: (key: Key) => number | undefined,
): KeyedSource<Key, Item | null> {
  // Besides an entity, a stored value may be null, or the status of a threshold, which is a string.
  const isOne = (stored: unknown) => stored === null || typeof stored === 'string' || isIdentified(stored);
  const toValue = (row: Row | null) => (row === null ? null : toItem(row));
  return readKeyed(reader, { kind, endpoint, toValue, isValue: isOne, toChangedAtMs });
}

/** All items of one parent. */
export function readList<Key extends PathValue, Row, Item extends { id: number }>(
  reader: Reader,
  kind: ResourceKind,
  endpoint: TypedEndpoint<[Key], readonly Row[]>,
  toItem: (row: Row) => Item,
): KeyedSource<Key, readonly Item[]> {
  const toItems = (rows: readonly Row[]) => withoutRepeats(rows.map(toItem));
  const reuse = (previous: readonly Item[]) => previous;
  return readKeyed(reader, { kind, endpoint, toValue: toItems, isValue: isListOfIdentified, reuse });
}

interface KeyedOptions<Key extends PathValue, Result, Value> {
  kind: ResourceKind;
  endpoint: TypedEndpoint<[Key], Result>;
  toValue: (result: Result) => Value;
  /** Whether a value that was stored in Redis has the shape of a `Value`. */
  isValue: (stored: unknown) => boolean;
  reuse?: ReadRequest<Value>['reuse'];
  toChangedAtMs?: ((key: Key) => number | undefined) | undefined;
}

export function readKeyed<Key extends PathValue, Result, Value>(
  reader: Reader,
  { kind, endpoint, toValue, isValue, reuse, toChangedAtMs }: KeyedOptions<Key, Result, Value>,
): KeyedSource<Key, Value> {
  const { template } = endpoint;
  const deserialize = (stored: unknown) => checkShape<Value>(stored, isValue);
  const toRequest = (key: Key): ReadRequest<Value> => {
    const load = async (options: CallOptions) => toValue(await endpoint(key, options));
    const request: ReadRequest<Value> = { kind, template, parameter: key, load, deserialize };
    if (reuse) request.reuse = reuse;
    if (toChangedAtMs) request.changedAtMs = toChangedAtMs(key);
    return request;
  };
  return {
    lookup: (key) => reader.lookup(toRequest(key)),
    expectedCost: () => reader.endpointStats.expectedCost(template),
  };
}
