import { useEffect, useState } from 'preact/hooks';
import { createSignal } from './signal.ts';

/** A value that belongs to the whole page, whose parts follow its changes. */
export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  listen(listener: (value: Value) => void): () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  const changed = createSignal<Value>();
  let current = initial;
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(value, current)) return;
      current = value;
      changed.tell(value);
    },
    listen: changed.listen,
  };
}

export function useStore<Value>(store: Store<Value>): Value {
  const [value, setValue] = useState(store.get());
  useEffect(() => {
    setValue(() => store.get());
    return store.listen((next) => setValue(() => next));
  }, [store]);
  return value;
}

/**
 * A store that this browser keeps under a name, the same in all tabs. A kept value that cannot be read is ignored.
 */
export function createKeptStore<Value>(name: string, initial: Value): Store<Value> {
  const store = createStore(readKept(name) ?? initial);
  store.listen((value) => {
    try {
      localStorage.setItem(name, JSON.stringify(value));
    } catch {
      // The page also works in a browser that keeps nothing.
    }
  });
  addEventListener('storage', ({ key }) => {
    if (key === name) store.set(readKept(name) ?? initial);
  });
  return store as Store<Value>;
}

function readKept<Value>(name: string): Value | undefined {
  try {
    const text = localStorage.getItem(name);
    return text === null ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}
