import { useEffect, useRef } from 'preact/hooks';

/** Calls `reload` each time that `now` changes. */
export function useAgain(now: number, reload: () => void): void {
  const before = useRef(now);
  useEffect(() => {
    if (before.current === now) return;
    before.current = now;
    reload();
  }, [now, reload]);
}
