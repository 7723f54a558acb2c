/** Batches of keys that one operation loads together, divided over turns of the event loop if they are long. */
import DataLoader from 'dataloader';
import { isPromise, type MaybePromise } from '../../lib/maybePromise.js';
import { type OperationTurns, scheduleBatch } from '../../lib/turnBudget.js';

/** Collects all keys that one level of an operation needs, and divides the delivery of their results. */
export function createBatchLoader<Key, Value, CacheKey = Key>(
  turns: OperationTurns,
  loadBatch: (keys: readonly Key[]) => Promise<readonly (Value | Error)[]>,
  options: Pick<DataLoader.Options<Key, Value, CacheKey>, 'cache' | 'cacheKeyFn'>,
): DataLoader<Key, Value, CacheKey> {
  const load = (keys: readonly Key[]) => loadBatch(keys).then((results) => inSlices(results, turns));
  return new DataLoader(load, {
    batchScheduleFn: (dispatch) => scheduleBatch(turns, dispatch),
    ...options,
  });
}

/** Maximum results delivered in one turn of the event loop. Each of them resumes the fields that wait for it. */
const MAX_SLICE_RESULTS = 128;

/**
 * Delivers many results over several turns: those after the first slice are promises, with which DataLoader
 * resolves.
 */
function inSlices<Value>(
  results: readonly (Value | Error)[],
  turns: OperationTurns,
): ArrayLike<Value | Error> {
  if (results.length <= MAX_SLICE_RESULTS) return results;
  const toResult = (result: Value | Error) => {
    if (result instanceof Error) throw result;
    return result;
  };
  const slices: (MaybePromise<Value> | Error)[] = results.slice(0, MAX_SLICE_RESULTS);
  for (let start = MAX_SLICE_RESULTS; start < results.length; start += MAX_SLICE_RESULTS) {
    const turn = turns.later(() => undefined);
    for (const result of results.slice(start, start + MAX_SLICE_RESULTS)) {
      slices.push(turn.then(() => toResult(result)));
    }
  }
  // DataLoader resolves the promise of a key with the value it gets, so that value may itself be a promise.
  return slices as (Value | Error)[];
}

/** Loads that are begun between two checks of the clock. Each takes a few microseconds. */
const KEYS_PER_MEASUREMENT = 64;

/**
 * Loads all keys in parallel. Returns each failure at the place of its key, as DataLoader expects. With `turns`, the loads
 * of many keys begin in several turns of the event loop. `load` does not throw.
 */
export async function settleEach<Key, Value>(
  keys: readonly Key[],
  load: (key: Key) => MaybePromise<Value>,
  turns?: OperationTurns,
): Promise<(Value | Error)[]> {
  const loading: MaybePromise<Value | Error>[] = [];
  for (const key of keys) {
    if (loading.length % KEYS_PER_MEASUREMENT === KEYS_PER_MEASUREMENT - 1 && turns?.measure()) {
      await turns.later(() => undefined);
    }
    const value = load(key);
    loading.push(isPromise(value) ? value.catch(toError) : value);
  }
  return Promise.all(loading);
}

export function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/**
 * Stores what one operation has loaded, or is loading, and returns it. A promise is replaced by its value once it resolves,
 * so that later calls return without a promise.
 */
export function storeResult<Key, Value>(
  results: Map<Key, MaybePromise<Value>>,
  key: Key,
  result: MaybePromise<Value>,
): MaybePromise<Value> {
  results.set(key, result);
  if (isPromise(result)) {
    result.then(
      (value) => results.set(key, value),
      () => undefined,
    );
  }
  return result;
}
