/** A value that is there already, or comes later. Nearly always it is there: a promise would cost a turn of microtasks. */
export type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Hands a value on: at once, and without a promise, where it is there. The only way to look into a `MaybePromise`
 * outside of an `async` function, where `await` does the same.
 */
export function settle<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** As `try` and `catch`: what `failed` makes of an error, whether it comes at once or later. */
export function recover<Value, Other>(
  make: () => MaybePromise<Value>,
  failed: (thrown: unknown) => Other,
): MaybePromise<Value | Other> {
  try {
    const value = make();
    return value instanceof Promise ? value.catch(failed) : value;
  } catch (thrown) {
    return failed(thrown);
  }
}
