/** An event that parts of the page can listen to. */
export interface Signal<Value> {
  tell(value: Value): void;
  /** Returns the function that ends the listening. */
  listen(listener: (value: Value) => void): () => void;
}

export function createSignal<Value>(): Signal<Value> {
  const listeners = new Set<(value: Value) => void>();
  return {
    tell: (value) => {
      for (const listener of [...listeners]) listener(value);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
