/** Asks for every key at once and keeps each failure with its own key, as DataLoader wants its batches answered. */
export function settleEach<Key, Value>(
  keys: readonly Key[],
  load: (key: Key) => Promise<Value>,
): Promise<(Value | Error)[]> {
  return Promise.all(keys.map((key) => load(key).catch(toError)));
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
