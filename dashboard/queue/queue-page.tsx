import { useMemo } from 'preact/hooks';
import { useShortcuts } from '../app/keyboard.ts';
import { linkTo, place, replaceWith } from '../app/router.ts';
import { useStore } from '../app/store.ts';
import { dimensionsOf, type Judging, titleOf, useJudging } from '../judging/judging.ts';
import { ConversationView } from '../log/conversation-view.tsx';
import { filterOf } from '../logs/filter.ts';
import { FilterBar } from '../logs/filter-bar.tsx';
import { MarkJudge } from '../marking/mark-judge.tsx';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import { formatCount } from '../ui/format.ts';
import { Markdown } from '../ui/markdown.tsx';
import { ModelName } from '../ui/model-name.tsx';
import { Moment } from '../ui/moment.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { Status } from '../ui/status.tsx';
import { DimensionJudge } from './dimension-judge.tsx';
import { QuickJudge } from './quick-judge.tsx';
import { type Looked, type Queue, type Turn, useQueue } from './use-queue.ts';

const MOST_LEFT = 1000;

/** Shows one log at a time, of a named queue or of any filter. The log on screen is not given to anybody else. */
export function QueuePage({ projectUid }: { projectUid: string }) {
  const { query } = useStore(place);
  const filter = useMemo(() => filterOf(query), [query.toString()]);
  const judging = useJudging(projectUid).data;
  const asked = query.get('queue') ?? undefined;
  const named = judging?.queues.find(({ name }) => name === asked);
  const queue = useQueue(projectUid, filter, asked);
  const { state } = queue;
  const turn = typeof state === 'object' && 'turn' in state ? state.turn : undefined;
  useShortcuts('Queue', [
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
        {judging !== undefined && judging.queues.length > 0 && (
          <div class="tools">
            <Select
              label="Queue to judge"
              value={asked ?? ''}
              options={[
                { value: '', label: 'Logs that match a filter' },
                ...judging.queues.map((one) => ({ value: one.name, label: titleOf(one) })),
              ]}
              onChange={(name) =>
                replaceWith(linkTo([projectUid, 'queue'], name === '' ? {} : { queue: name }))
              }
            />
          </div>
        )}
      </header>
      {asked === undefined && (
        <FilterBar
          projectUid={projectUid}
          filter={filter}
          onChange={(next) => replaceWith(linkTo([projectUid, 'queue'], next))}
        />
      )}
      {named?.rubric !== undefined && (
        <details class="fold rubric" open>
          <summary>How to judge</summary>
          <Markdown text={named.rubric} />
        </details>
      )}
      {state === 'loading' && <Loading what="the next log" />}
      {typeof state === 'object' && 'looked' in state && (
        <NothingLeft
          named={asked !== undefined}
          looked={state.looked}
          onAgain={queue.again}
          onFurther={queue.lookFurther}
        />
      )}
      {typeof state === 'object' && 'error' in state && <Failure error={state.error} onRetry={queue.again} />}
      {turn && (
        <>
          <Facts projectUid={projectUid} turn={turn} />
          <Task key={turn.version.log.id} queue={queue} turn={turn} asked={asked} judging={judging} />
        </>
      )}
    </section>
  );
}

interface TaskProps {
  queue: Queue;
  turn: Turn;
  /** The name of the queue; undefined for that of a filter. */
  asked: string | undefined;
  judging: Judging | undefined;
}

/** What people do with a log of the queue. */
function Task({ queue, turn, asked, judging }: TaskProps) {
  const named = judging?.queues.find(({ name }) => name === asked);
  if (named?.task === 'mark_pii') return <MarkJudge queue={queue} turn={turn} name={named.name} />;
  return (
    <>
      <div class="queue-body">
        <ConversationView log={turn.version.log} />
      </div>
      {asked === undefined ? (
        <QuickJudge queue={queue} turn={turn} />
      ) : (
        judging &&
        named && (
          <DimensionJudge
            queue={queue}
            turn={turn}
            name={named.name}
            dimensions={dimensionsOf(judging, named)}
          />
        )
      )}
    </>
  );
}

interface NothingLeftProps {
  named: boolean;
  looked: Looked | undefined;
  onAgain: () => void;
  onFurther: (from: Looked) => void;
}

function NothingLeft({ named, looked, onAgain, onFurther }: NothingLeftProps) {
  if (looked !== undefined) {
    return (
      <Empty title="There is nothing to judge so far.">
        <p class="muted">
          Looked through the newest {formatCount(looked.searched)} logs of this queue. There are older ones.
        </p>
        <Button onClick={() => onFurther(looked)}>Look further</Button>
      </Empty>
    );
  }
  return (
    <Empty title="There is nothing left to judge.">
      <p class="muted">
        {named
          ? 'You have judged every log of this queue, or enough other people have. New logs join the queue by themselves.'
          : 'Logs with a rating or feedback leave the queue. Only successful answers are shown unless the filter has a status. New logs join the queue by themselves.'}
      </p>
      <Button onClick={onAgain}>Look again</Button>
    </Empty>
  );
}

function Facts({ projectUid, turn }: { projectUid: string; turn: Turn }) {
  const { log } = turn.version;
  return (
    <p class="queue-facts">
      <Status status={log.status} code={log.http_status} />
      <span>{log.endpoint}</span>
      <span class="muted">
        <ModelName log={log} />
      </span>
      <Moment at={log.created_at} />
      <a href={linkTo([projectUid, 'logs', log.id])}>Full log</a>
    </p>
  );
}
