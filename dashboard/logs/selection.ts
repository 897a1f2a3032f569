import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { LogSummary } from '../api/client.ts';

export interface Selection {
  ids: ReadonlySet<string>;
  /** Selects a row or removes it from the selection; with `range` all rows from the one that was toggled last. */
  toggle: (index: number, range: boolean) => void;
  clear: () => void;
}

/** The selection in one list. Another `key` clears it, so that no log is changed that the reader does not see. */
export function useSelection(logs: LogSummary[], key: string): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef(logs);
  latest.current = logs;
  const anchor = useRef<string | undefined>(undefined);
  const toggle = useCallback((index: number, range: boolean) => {
    const id = latest.current[index]?.id;
    if (id === undefined) return;
    setIds((before) => {
      const next = new Set(before);
      const start = latest.current.findIndex((log) => log.id === anchor.current);
      if (range && start !== -1) {
        const [from, to] = start < index ? [start, index] : [index, start];
        for (const log of latest.current.slice(from, to + 1)) next.add(log.id);
      } else if (!next.delete(id)) next.add(id);
      anchor.current = id;
      return next;
    });
  }, []);
  const clear = useCallback(() => setIds(new Set()), []);
  useEffect(clear, [key]);
  return { ids, toggle, clear };
}
