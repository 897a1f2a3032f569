import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { call, callWhole, type Log } from '../api/client.ts';
import { recovered } from '../app/health.ts';
import { useShortcuts } from '../app/keyboard.ts';
import { linkTo, place, replaceWith } from '../app/router.ts';
import { may } from '../app/session.ts';
import { useStore } from '../app/store.ts';
import { FeedbackDialog } from '../edit/feedback-dialog.tsx';
import { giveFeedback, patchLog, type Version } from '../edit/log-changes.ts';
import { tellFailure } from '../edit/rating.tsx';
import { undoLast } from '../edit/undo.ts';
import { ConversationView } from '../log/conversation-view.tsx';
import { filterBody, filterOf } from '../logs/filter.ts';
import { FilterBar } from '../logs/filter-bar.tsx';
import { Button } from '../ui/button.tsx';
import { formatCount, formatScore } from '../ui/format.ts';
import { Moment } from '../ui/moment.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { Status } from '../ui/status.tsx';

interface Turn {
  version: Version;
  left: number;
}

type State = { turn: Turn } | { error: Error } | 'empty' | 'loading';

/** What keys 1 to 5 stand for. */
const SCORES = [-1, -0.5, 0, 0.5, 1] as const;
const MOST_LEFT = 10_000;
const MOST_SKIPPED = 1000;

/** One log at a time of any filter. Nobody else is given the log that is shown; what was judged is gone. */
export function QueuePage({ projectUid }: { projectUid: string }) {
  const { query } = useStore(place);
  const filter = useMemo(() => filterOf(query), [query.toString()]);
  const queue = useQueue(projectUid, filter);
  const [improving, setImproving] = useState(false);
  const { state } = queue;
  const turn = typeof state === 'object' && 'turn' in state ? state.turn : undefined;

  const judge = (work: (turn: Turn) => Promise<unknown>) => {
    if (turn !== undefined) void queue.judge(turn.version.log.id, () => work(turn));
  };
  const good = () => judge(({ version }) => patchLog(version, { quality_rating: '👍' }, 'Rated as good.'));
  const bad = () => judge(({ version }) => patchLog(version, { quality_rating: '👎' }, 'Rated as bad.'));
  const score = (value: number) =>
    judge(({ version }) =>
      giveFeedback(
        version.log,
        { score: value, weight: 1, signal_name: 'judgement' },
        `Score ${formatScore(value)}`,
      ),
    );
  const scores = may('feedback');
  useShortcuts('Judging', [
    { key: 'g', what: 'Rate as good', run: good },
    { key: 'b', what: 'Rate as bad', run: bad },
    ...(scores
      ? [
          ...SCORES.map((value, index) => ({
            key: String(index + 1),
            what: `Score ${formatScore(value)}`,
            run: () => score(value),
          })),
          { key: 'e', what: 'Improve the answer', run: () => turn && setImproving(true) },
        ]
      : []),
    {
      key: 's',
      what: 'Skip, and leave it to somebody else',
      run: () => turn && queue.skip(turn.version.log),
    },
    { key: 'u', what: 'Undo the last judgement and show that log again', run: () => void queue.undo() },
  ]);
  return (
    <section class="page queue-page" aria-label="Queue">
      <header class="page-head">
        <h1>
          Queue{' '}
          {turn && (
            <span class="muted left">
              {turn.left >= MOST_LEFT ? `${formatCount(MOST_LEFT)} or more` : formatCount(turn.left)} left
            </span>
          )}
        </h1>
      </header>
      <FilterBar
        projectUid={projectUid}
        filter={filter}
        onChange={(next) => replaceWith(linkTo([projectUid, 'queue'], next))}
      />
      {state === 'loading' && <Loading what="the next log" />}
      {state === 'empty' && (
        <Empty title="There is nothing left to judge.">
          <p class="muted">
            Logs with a rating or feedback leave the queue, and only successful answers come in unless the
            filter has a status. New logs join by themselves.
          </p>
          <Button onClick={queue.again}>Look again</Button>
        </Empty>
      )}
      {typeof state === 'object' && 'error' in state && <Failure error={state.error} onRetry={queue.again} />}
      {turn && (
        <>
          <p class="queue-facts">
            <Status status={turn.version.log.status} code={turn.version.log.http_status} />
            <span>{turn.version.log.endpoint}</span>
            <span class="muted">{turn.version.log.model}</span>
            <Moment at={turn.version.log.created_at} />
            <a href={linkTo([projectUid, 'logs', turn.version.log.id])}>Whole log</a>
          </p>
          <div class="queue-body">
            <ConversationView key={turn.version.log.id} log={turn.version.log} />
          </div>
          <fieldset class="judge-bar" disabled={queue.busy}>
            <legend class="hidden">Judge this answer</legend>
            <Button icon="good" onClick={good}>
              Good <kbd>g</kbd>
            </Button>
            <Button icon="bad" onClick={bad}>
              Bad <kbd>b</kbd>
            </Button>
            {scores && (
              <>
                <span class="button-group">
                  {SCORES.map((value, index) => (
                    <Button
                      key={value}
                      label={`${index + 1}: score ${formatScore(value)}`}
                      onClick={() => score(value)}
                    >
                      {String(index + 1)}
                    </Button>
                  ))}
                </span>
                <Button icon="pencil" onClick={() => setImproving(true)}>
                  Improve <kbd>e</kbd>
                </Button>
              </>
            )}
            <Button quiet onClick={() => queue.skip(turn.version.log)}>
              Skip <kbd>s</kbd>
            </Button>
            <Button quiet onClick={() => void queue.undo()}>
              Undo <kbd>u</kbd>
            </Button>
          </fieldset>
        </>
      )}
      {improving && turn && (
        <FeedbackDialog
          log={turn.version.log}
          improve
          onClose={() => setImproving(false)}
          onDone={() => void queue.judge(turn.version.log.id, async () => {})}
        />
      )}
    </section>
  );
}

function useQueue(projectUid: string, filter: URLSearchParams) {
  const [state, setState] = useState<State>('loading');
  const [busy, setBusy] = useState(false);
  const skipped = useRef<string[]>([]);
  const judged = useRef<string[]>([]);
  const held = useRef<string | undefined>(undefined);
  const key = `${projectUid} ${filter}`;
  const latest = useRef(key);
  latest.current = key;

  const next = useCallback(async () => {
    try {
      const reply = await callWhole('POST /{project_uid}/queue/next', {
        params: { project_uid: projectUid },
        body: { filter: filterBody(filter), skip: skipped.current.slice(-MOST_SKIPPED) },
      });
      if (latest.current !== key) return;
      held.current = reply.data?.log.id;
      if (reply.data === null) setState('empty');
      else setState({ turn: { version: { log: reply.data.log, etag: reply.etag }, left: reply.data.left } });
    } catch (error) {
      if (latest.current === key) setState({ error: error as Error });
    }
  }, [key]);

  const giveBack = (id: string) => {
    const params = { project_uid: projectUid, log_id: id };
    // A lease that nobody gives back ends by itself.
    return call('DELETE /{project_uid}/queue/{log_id}', { params }).catch(() => {});
  };

  useEffect(() => {
    setState('loading');
    skipped.current = [];
    void next();
    const stop = recovered.listen(() => void next());
    return () => {
      stop();
      if (held.current !== undefined) void giveBack(held.current);
      held.current = undefined;
    };
  }, [next]);

  return {
    state,
    busy,
    again: () => void next(),
    /** Does the work and goes on to the next log; where it fails the log stays. */
    judge: async (id: string, work: () => Promise<unknown>) => {
      if (busy) return;
      setBusy(true);
      try {
        if ((await work()) !== false) {
          judged.current.push(id);
          // Some filters ask for judged logs: this one is not shown again.
          skipped.current.push(id);
          await giveBack(id);
        }
        await next();
      } catch (error) {
        tellFailure(error);
      } finally {
        setBusy(false);
      }
    },
    skip: (log: Log) => {
      skipped.current.push(log.id);
      void giveBack(log.id).then(next);
    },
    undo: async () => {
      if (!(await undoLast())) return;
      const last = judged.current.pop();
      skipped.current = skipped.current.filter((id) => id !== last);
      if (held.current !== undefined) await giveBack(held.current);
      await next();
    },
  };
}
