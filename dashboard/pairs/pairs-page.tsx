import { useMemo, useState } from 'preact/hooks';
import { type Answer, call, type Log } from '../api/client.ts';
import { useShortcuts } from '../app/keyboard.ts';
import { useLoad } from '../app/load.ts';
import { linkTo, place, replaceWith } from '../app/router.ts';
import { may } from '../app/session.ts';
import { useStore } from '../app/store.ts';
import { giveFeedback, removeFeedback } from '../edit/log-changes.ts';
import { tellFailure } from '../edit/rating.tsx';
import { changed, undoLast } from '../edit/undo.ts';
import { answerTurns, askedTurns } from '../log/conversation.ts';
import { TurnView } from '../log/parts.tsx';
import { filterOf } from '../logs/filter.ts';
import { FilterBar } from '../logs/filter-bar.tsx';
import { Button } from '../ui/button.tsx';
import { formatScore } from '../ui/format.ts';
import { Moment } from '../ui/moment.tsx';
import { Empty, Shown } from '../ui/states.tsx';
import { comparisons } from './comparisons.ts';

type Group = Answer<'GET /{project_uid}/pairs'>['data'][number];

const SIGNAL = 'pairwise_comparison';

/** Answers to the same prompt side by side. Which is better becomes a pair of the dpo export. */
export function PairsPage({ projectUid }: { projectUid: string }) {
  const { query } = useStore(place);
  const filter = useMemo(() => filterOf(query), [query.toString()]);
  const groups = useLoad(`pairs ${projectUid} ${filter}`, (signal) =>
    call('GET /{project_uid}/pairs', { params: { project_uid: projectUid }, query: filter, signal }),
  );
  return (
    <section class="page pairs-page" aria-label="Pairs">
      <header class="page-head">
        <h1>Pairs</h1>
      </header>
      <FilterBar
        projectUid={projectUid}
        filter={filter}
        onChange={(next) => replaceWith(linkTo([projectUid, 'pairs'], next))}
      />
      <Shown of={groups} what="pairs">
        {({ data }) => <Compare key={`${projectUid} ${filter}`} groups={data} />}
      </Shown>
    </section>
  );
}

function Compare({ groups }: { groups: Group[] }) {
  const all = useMemo(() => comparisons(groups), [groups]);
  const [at, setAt] = useState(0);
  const [busy, setBusy] = useState(false);
  const pair = all[at];
  const judges = may('feedback');

  const choose = async (better: Log, worse: Log) => {
    if (busy || !judges) return;
    setBusy(true);
    try {
      await prefer(better, worse);
      setAt(at + 1);
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(false);
    }
  };
  useShortcuts('Pairs', [
    { key: '1', what: 'The left one is better', run: () => pair && void choose(pair.left, pair.right) },
    { key: '2', what: 'The right one is better', run: () => pair && void choose(pair.right, pair.left) },
    { key: 's', what: 'Skip this pair', run: () => pair && setAt(at + 1) },
    { key: 'k', what: 'Previous pair', run: () => setAt(Math.max(0, at - 1)) },
    {
      key: 'u',
      what: 'Undo the last choice',
      run: () => void undoLast().then((undone) => undone && setAt(Math.max(0, at - 1))),
    },
  ]);
  if (all.length === 0) {
    return (
      <Empty title="No prompt has two different answers.">
        <p class="muted">
          A pair needs two successful logs with the same messages, for example of a request that was sent to
          two models. Try a wider filter.
        </p>
      </Empty>
    );
  }
  if (pair === undefined) {
    return (
      <Empty title="You have compared all pairs.">
        <Button onClick={() => setAt(0)}>Start again</Button>
      </Empty>
    );
  }
  return (
    <>
      <p class="muted">
        Pair {at + 1} of {all.length}
      </p>
      <details class="prompt" open>
        <summary>Prompt</summary>
        <div class="conversation">
          {askedTurns(pair.left).map((turn, index) => (
            <TurnView key={index} turn={turn} />
          ))}
        </div>
      </details>
      <div class="side-by-side answers">
        <AnswerChoice
          log={pair.left}
          name="Left"
          shortcut="1"
          onChoose={() => void choose(pair.left, pair.right)}
        />
        <AnswerChoice
          log={pair.right}
          name="Right"
          shortcut="2"
          onChoose={() => void choose(pair.right, pair.left)}
        />
      </div>
      <p>
        <Button quiet onClick={() => setAt(at + 1)}>
          Skip <kbd>s</kbd>
        </Button>
      </p>
    </>
  );
}

interface AnswerChoiceProps {
  log: Log;
  name: string;
  shortcut: string;
  onChoose: () => void;
}

function AnswerChoice({ log, name, shortcut, onChoose }: AnswerChoiceProps) {
  return (
    <section class="answer-choice" aria-label={`${name} answer`}>
      <p class="row-between muted">
        <span>
          {log.model} · <Moment at={log.created_at} />
          {log.score !== null && ` · score ${formatScore(log.score)}`}
        </span>
        <a href={linkTo([log.project_uid, 'logs', log.id])}>Log</a>
      </p>
      {answerTurns(log).map((turn, index) => (
        <TurnView key={index} turn={turn} />
      ))}
      {may('feedback') && (
        <Button onClick={onChoose}>
          {name} is better <kbd>{shortcut}</kbd>
        </Button>
      )}
    </section>
  );
}

/** Two signals, that are undone together. */
async function prefer(better: Log, worse: Log): Promise<void> {
  const signal = (score: number, other: Log) => ({
    score,
    weight: 1,
    signal_name: SIGNAL,
    metadata: { compared_with: other.id },
  });
  const first = await giveFeedback(better, signal(1, worse));
  const second = await giveFeedback(worse, signal(-1, better)).catch(async (error) => {
    await removeFeedback(better.project_uid, better.id, first);
    throw error;
  });
  changed('Your choice was saved.', async () => {
    await removeFeedback(better.project_uid, better.id, first);
    await removeFeedback(worse.project_uid, worse.id, second);
  });
}
