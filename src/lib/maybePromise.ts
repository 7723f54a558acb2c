/** For answers that are often at hand: a value where there is one, a promise only where somebody has to wait. */
export type MaybePromise<Value> = Value | Promise<Value>;

export function isPromise<Value>(value: MaybePromise<Value>): value is Promise<Value> {
  return value instanceof Promise;
}

/** `next` of the value: at once where it is at hand. */
export function whenReady<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return isPromise(value) ? value.then(next) : next(value);
}

/** As `try` and `catch` around `run`: at once where what it answers is at hand. */
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

/** All values in their order: at once where all are at hand. */
export function allReady<Values extends readonly unknown[]>(
  values: {
    readonly [Index in keyof Values]: MaybePromise<Values[Index]>;
  },
): MaybePromise<Values> {
  const all = values.some(isPromise) ? Promise.all(values) : values;
  return all as MaybePromise<Values>;
}
