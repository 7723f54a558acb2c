/** Loads all keys in parallel. Returns each failure at the place of its key, as DataLoader expects. */
export function settleEach<Key, Value>(
  keys: readonly Key[],
  load: (key: Key) => Promise<Value>,
): Promise<(Value | Error)[]> {
  return Promise.all(keys.map((key) => load(key).catch(toError)));
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
