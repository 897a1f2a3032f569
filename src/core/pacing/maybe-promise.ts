/**
 * A value that is available at once or comes later. Nearly always it is available at once, where a promise would cost
 * a turn of microtasks.
 */
export type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Passes a value to `next`: at once, and without a promise, where it is available. Outside of `async` functions,
 * where `await` does the same, this is the only way to look into a `MaybePromise`.
 */
export function settle<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Does what `try` and `catch` do, for an error that comes at once or later. `failed` turns the error into a result. */
export function recover<Value, Other>(
  make: () => MaybePromise<Value>,
  failed: (thrown: unknown) => MaybePromise<Other>,
): MaybePromise<Value | Other> {
  try {
    const value = make();
    return value instanceof Promise ? value.catch(failed) : value;
  } catch (thrown) {
    return failed(thrown);
  }
}
