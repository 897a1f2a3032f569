import { useMemo, useState } from 'preact/hooks';
import { type Answer, call, type Log } from '../api/client.ts';
import { useShortcuts } from '../app/keyboard.ts';
import { useLoad } from '../app/load.ts';
import { linkTo, place, replaceWith } from '../app/router.ts';
import { may } from '../app/session.ts';
import { createKeptStore, useStore } from '../app/store.ts';
import { tellFailure } from '../edit/rating.tsx';
import { changed, undoLast } from '../edit/undo.ts';
import { answerTurns, askedTurns } from '../log/conversation.ts';
import { TurnView } from '../log/parts.tsx';
import { filterOf } from '../logs/filter.ts';
import { FilterBar } from '../logs/filter-bar.tsx';
import { Button } from '../ui/button.tsx';
import { formatCount, formatScore } from '../ui/format.ts';
import { Moment } from '../ui/moment.tsx';
import { Empty, Shown } from '../ui/states.tsx';
import { type Choice, type Comparison, comparisons, describeChoice } from './comparisons.ts';

type Group = Answer<'GET /{project_uid}/pairs'>['data'][number];

/** Whether the reader sees the model of each answer before choosing. This browser keeps it. */
const openly = createKeptStore('sluice.pairs-open', false);

/**
 * Shows two answers to the same prompt without their models. The reader's choice becomes a pair of the dpo export.
 */
export function PairsPage({ projectUid }: { projectUid: string }) {
  const { query } = useStore(place);
  const filter = useMemo(() => filterOf(query), [query.toString()]);
  const shown = useStore(openly);
  const groups = useLoad(`pairs ${projectUid} ${filter}`, (signal) =>
    call('GET /{project_uid}/pairs', { params: { project_uid: projectUid }, query: filter, signal }),
  );
  return (
    <section class="page pairs-page" aria-label="Pairs">
      <header class="page-head">
        <h1>Pairs</h1>
        <div class="choices">
          <label>
            <input type="checkbox" checked={shown} onChange={() => openly.set(!shown)} />
            Show the models
          </label>
        </div>
      </header>
      <FilterBar
        projectUid={projectUid}
        filter={filter}
        onChange={(next) => replaceWith(linkTo([projectUid, 'pairs'], next))}
      />
      <Shown of={groups} what="pairs">
        {({ data, searched }) => (
          <>
            <Compare key={`${projectUid} ${filter}`} groups={data} blind={!shown} onMore={groups.reload} />
            {searched !== undefined && (
              <p class="muted">
                Looked through the newest {formatCount(searched)} logs for prompts with several answers. To
                look at older ones, add a time to the filter, such as <code>to:7d</code>.
              </p>
            )}
          </>
        )}
      </Shown>
    </section>
  );
}

function Compare({ groups, blind, onMore }: { groups: Group[]; blind: boolean; onMore: () => void }) {
  const all = useMemo(() => comparisons(groups), [groups]);
  const [at, setAt] = useState(0);
  const [busy, setBusy] = useState(false);
  const pair = all[at];

  const choose = async (choice: Choice) => {
    if (busy || pair === undefined || !may('feedback')) return;
    setBusy(true);
    try {
      await judge(pair, choice);
      setAt(at + 1);
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(false);
    }
  };
  useShortcuts('Pairs', [
    { key: '1', what: 'The left one is better', run: () => void choose('left') },
    { key: '2', what: 'The right one is better', run: () => void choose('right') },
    { key: '3', what: 'Both are equally good', run: () => void choose('tie') },
    { key: '4', what: 'Both are bad', run: () => void choose('both_bad') },
    { key: 's', what: 'Skip this pair', run: () => pair && setAt(at + 1) },
    { key: 'k', what: 'Previous pair', run: () => setAt(Math.max(0, at - 1)) },
    {
      key: 'u',
      what: 'Undo the last choice',
      run: () => void undoLast().then((undone) => undone && setAt(Math.max(0, at - 1))),
    },
  ]);
  if (all.length === 0) return <NoPairs judged={groups.some(({ judged }) => judged.length > 0)} />;
  if (pair === undefined) {
    return (
      <Empty title="You have compared all pairs.">
        <Button
          onClick={() => {
            setAt(0);
            onMore();
          }}
        >
          Look for more
        </Button>
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
        <AnswerOf log={pair.left} name="Left" blind={blind} />
        <AnswerOf log={pair.right} name="Right" blind={blind} />
      </div>
      {may('feedback') && (
        <fieldset class="judge-bar" disabled={busy}>
          <legend class="hidden">Which answer is better?</legend>
          <Button onClick={() => void choose('left')}>
            Left is better <kbd>1</kbd>
          </Button>
          <Button onClick={() => void choose('right')}>
            Right is better <kbd>2</kbd>
          </Button>
          <Button onClick={() => void choose('tie')}>
            Tie <kbd>3</kbd>
          </Button>
          <Button onClick={() => void choose('both_bad')}>
            Both bad <kbd>4</kbd>
          </Button>
          <Button quiet onClick={() => setAt(at + 1)}>
            Skip <kbd>s</kbd>
          </Button>
        </fieldset>
      )}
    </>
  );
}

function NoPairs({ judged }: { judged: boolean }) {
  return judged ? (
    <Empty title="You have judged every pair that matches this filter." />
  ) : (
    <Empty title="No prompt has two different answers.">
      <p class="muted">
        A pair needs two successful logs with the same messages, such as those of a request that was sent to
        two models. Use a wider filter, or send one prompt to two endpoints from the playground.
      </p>
    </Empty>
  );
}

function AnswerOf({ log, name, blind }: { log: Log; name: string; blind: boolean }) {
  return (
    <section class="answer-choice" aria-label={`${name} answer`}>
      <p class="row-between muted">
        {blind ? (
          <span>{name}</span>
        ) : (
          <>
            <span>
              {log.model} · <Moment at={log.created_at} />
              {log.score !== null && ` · score ${formatScore(log.score)}`}
            </span>
            <a href={linkTo([log.project_uid, 'logs', log.id])}>Log</a>
          </>
        )}
      </p>
      {answerTurns(log).map((turn, index) => (
        <TurnView key={index} turn={turn} />
      ))}
    </section>
  );
}

/** Gives both logs their signal, or neither. The models are shown afterwards. */
async function judge(pair: Comparison, choice: Choice): Promise<void> {
  const params = { project_uid: pair.left.project_uid };
  const body = { left: pair.left.id, right: pair.right.id, choice };
  const { id } = await call('POST /{project_uid}/pairs/judgements', { params, body });
  changed(describeChoice(choice, pair), async () => {
    await call('DELETE /{project_uid}/judgements/{judgement_id}', {
      params: { ...params, judgement_id: id },
    });
  });
}
