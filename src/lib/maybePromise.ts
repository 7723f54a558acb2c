/**
 * A value, or a promise of it. For functions that mostly return cached values, for which a promise would cost an
 * extra microtask.
 */
export type MaybePromise<Value> = Value | Promise<Value>;

export function isPromise<Value>(value: MaybePromise<Value>): value is Promise<Value> {
  return value instanceof Promise;
}

/** Applies `next` to the value: at once, or when the promise resolves. */
export function whenReady<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return isPromise(value) ? value.then(next) : next(value);
}

/** Runs `run` as `try` and `catch` do: at once if it returns a value or throws, otherwise when its promise settles. */
export function settle<Value, Result>(
  run: () => MaybePromise<Value>,
  onValue: (value: Value) => Result,
  onError: (error: unknown) => Result,
): MaybePromise<Result> {
  let value: MaybePromise<Value>;
  try {
    value = run();
  } catch (error) {
    return onError(error);
  }
  return isPromise(value) ? value.then(onValue, onError) : onValue(value);
}

/** All values in the same order: at once if none is a promise. */
export function allReady<Values extends readonly unknown[]>(
  values: {
    readonly [Index in keyof Values]: MaybePromise<Values[Index]>;
  },
): MaybePromise<Values> {
  const all = values.some(isPromise) ? Promise.all(values) : values;
  return all as MaybePromise<Values>;
}

/** Checks all items at the same time. */
export async function filterAsync<Item>(
  items: readonly Item[],
  isIncluded: (item: Item) => Promise<boolean>,
): Promise<Item[]> {
  const included = await Promise.all(items.map(isIncluded));
  return items.filter((_, index) => included[index]);
}

/**
 * Handles rejections of promises that are awaited in a later turn of the event loop, or not at all: Node ends the process
 * when a promise rejects that nobody awaits. Takes a promise or a list; ignores other values.
 */
export function ignoreRejections(value: unknown): void {
  if (value instanceof Promise) value.catch(() => undefined);
  else if (Array.isArray(value)) value.forEach(ignoreRejections);
}
