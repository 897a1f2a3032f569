import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { recovered } from './health.ts';

export interface Loaded<Value> {
  data: Value | undefined;
  error: Error | undefined;
  loading: boolean;
  /** Loads again. The old value stays until the answer comes. */
  reload(): void;
  /** Replaces the loaded value, for example after a change. */
  set(value: Value): void;
}

/** Loads when `key` changes, and again when the service comes back. An undefined key loads nothing. */
export function useLoad<Value>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Value>,
): Loaded<Value> {
  const [state, setState] = useState<{ key?: string; data?: Value; error?: Error; loading: boolean }>({
    loading: key !== undefined,
  });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (key === undefined) {
      setState({ loading: false });
      return;
    }
    const controller = new AbortController();
    // A value that was loaded for another key is not shown.
    setState((before) => ({ key, data: before.key === key ? before.data : undefined, loading: true }));
    latest.current(controller.signal).then(
      (data) => !controller.signal.aborted && setState({ key, data, loading: false }),
      (error: Error) =>
        !controller.signal.aborted &&
        setState((before) => ({ key, data: before.data, error, loading: false })),
    );
    return () => controller.abort();
  }, [key, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  useEffect(() => recovered.listen(reload), [reload]);
  const set = useCallback((data: Value) => setState({ key, data, loading: false }), [key]);
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    loading: key !== undefined && (!isCurrent || state.loading),
    reload,
    set,
  };
}
