import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { call, callWhole, type Log } from '../api/client.ts';
import { recovered } from '../app/health.ts';
import type { Version } from '../edit/log-changes.ts';
import { tellFailure } from '../edit/rating.tsx';
import { undoLast } from '../edit/undo.ts';
import { filterBody } from '../logs/filter.ts';

export interface Turn {
  version: Version;
  left: number;
}

/** How far the queue looked without finding a log, where there are older ones. */
export interface Looked {
  searched: number;
  /** Older logs than this moment were not looked through. */
  olderThan: string;
}

export type State = { turn: Turn } | { error: Error } | { looked: Looked | undefined } | 'loading';

const MOST_SKIPPED = 1000;

/** Gives the logs of a filter, or of a named queue, one at a time. */
export function useQueue(projectUid: string, filter: URLSearchParams, queue: string | undefined) {
  const [state, setState] = useState<State>('loading');
  const [busy, setBusy] = useState(false);
  const skipped = useRef<string[]>([]);
  const judged = useRef<string[]>([]);
  const held = useRef<string | undefined>(undefined);
  /** How far earlier looks came, which found nothing. */
  const looked = useRef<Looked | undefined>(undefined);
  /** The judgement that is being saved, which an undo waits for. */
  const saving = useRef<Promise<void>>(Promise.resolve());
  const key = `${projectUid} ${queue ?? ''} ${filter}`;
  const latest = useRef(key);
  latest.current = key;

  const next = useCallback(async () => {
    try {
      const which = queue === undefined ? { filter: filterBody(filter) } : { queue };
      const reply = await callWhole('POST /{project_uid}/queue/next', {
        params: { project_uid: projectUid },
        body: { ...which, skip: skipped.current.slice(-MOST_SKIPPED), older_than: looked.current?.olderThan },
      });
      if (latest.current !== key) return;
      held.current = reply.data?.log.id;
      if (reply.data === null) setState({ looked: lookedFurther(reply.headers, looked.current) });
      else setState({ turn: { version: { log: reply.data.log, etag: reply.etag }, left: reply.data.left } });
    } catch (error) {
      if (latest.current === key) setState({ error: error as Error });
    }
  }, [key]);

  const giveBack = (id: string) => {
    if (held.current === id) held.current = undefined;
    const params = { project_uid: projectUid, log_id: id };
    // A lease that is not given back expires by itself.
    return call('DELETE /{project_uid}/queue/{log_id}', { params }).catch(() => {});
  };

  useEffect(() => {
    setState('loading');
    skipped.current = [];
    looked.current = undefined;
    void next();
    const stop = recovered.listen(() => void next());
    return () => {
      stop();
      if (held.current !== undefined) void giveBack(held.current);
      held.current = undefined;
    };
  }, [next]);

  const save = async (id: string, work: () => Promise<unknown>) => {
    try {
      if ((await work()) !== false) {
        judged.current.push(id);
        // Some filters also find judged logs, so this log must not be shown again.
        skipped.current.push(id);
        // In a named queue the judgement itself gives the log back.
        if (queue === undefined) await giveBack(id);
      }
      await next();
    } catch (error) {
      tellFailure(error);
    }
  };

  return {
    state,
    busy,
    again: () => {
      looked.current = undefined;
      void next();
    },
    lookFurther: (from: Looked) => {
      looked.current = from;
      setState('loading');
      void next();
    },
    /** Runs the work and shows the next log. Where the work fails, the log stays. */
    judge: (id: string, work: () => Promise<unknown>) => {
      if (busy) return;
      setBusy(true);
      saving.current = save(id, work).finally(() => setBusy(false));
    },
    skip: (log: Log) => {
      skipped.current.push(log.id);
      void giveBack(log.id).then(next);
    },
    undo: async () => {
      await saving.current;
      if (!(await undoLast())) return;
      const last = judged.current.pop();
      skipped.current = skipped.current.filter((id) => id !== last);
      looked.current = undefined;
      if (held.current !== undefined) await giveBack(held.current);
      await next();
    },
  };
}

function lookedFurther(headers: Headers, before: Looked | undefined): Looked | undefined {
  const [searched, olderThan] = [headers.get('x-sluice-searched'), headers.get('x-sluice-older-than')];
  if (searched === null || olderThan === null) return undefined;
  return { searched: (before?.searched ?? 0) + Number(searched), olderThan };
}

export type Queue = ReturnType<typeof useQueue>;
