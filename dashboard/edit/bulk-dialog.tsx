import { useState } from 'preact/hooks';
import { useLoad } from '../app/load.ts';
import { may } from '../app/session.ts';
import { tell } from '../app/toasts.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Select, TextArea } from '../ui/field.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { Problem } from '../ui/problem.tsx';
import { useSaving } from '../ui/use-saving.ts';
import { type BulkChange, changeMany, countLogs, type Job, type Target } from './bulk.ts';
import { readJsonObject } from './json-text.ts';
import { ScoreFields, scoreError, weightError } from './score-fields.tsx';
import { TagEditor } from './tag-editor.tsx';

interface BulkDialogProps {
  projectUid: string;
  target: Target;
  onClose: () => void;
  onDone: () => void;
}

const RATINGS = [
  { value: 'keep', label: 'Do not change' },
  { value: '👍', label: '👍 Good' },
  { value: '👎', label: '👎 Bad' },
  { value: 'none', label: 'Remove the rating' },
] as const;

type RatingChoice = (typeof RATINGS)[number]['value'];

/** Changes the selected logs, or all that match a filter. Shows how many there are, the progress and the result. */
export function BulkDialog({ projectUid, target, onClose, onDone }: BulkDialogProps) {
  const [rating, setRating] = useState<RatingChoice>('keep');
  const [addTags, setAddTags] = useState<string[]>([]);
  const [removeTags, setRemoveTags] = useState<string[]>([]);
  const [metadata, setMetadata] = useState('');
  const [unset, setUnset] = useState('');
  const [score, setScore] = useState('');
  const [weight, setWeight] = useState('1');
  const [words, setWords] = useState('');
  const [answer, setAnswer] = useState('');
  const [job, setJob] = useState<Job>();
  const { busy, problem, save } = useSaving();
  const read = metadata.trim() === '' ? { value: {} } : readJsonObject(metadata);
  const count = useCount(projectUid, target);
  const change = readChange({
    rating,
    addTags,
    removeTags,
    unset,
    metadata: 'value' in read ? read.value : {},
    signal: { score, weight, words, answer },
  });
  const isEmpty = Object.keys(change).length === 0;
  const isWrong = 'error' in read || signalProblem({ score, weight, words, answer }) !== undefined;

  const submit = (event: Event) => {
    event.preventDefault();
    if (isWrong || isEmpty) return;
    void save(async () => {
      await changeMany(projectUid, target, change, setJob);
      onDone();
    });
  };
  const close = () => {
    if (busy) tell('The change continues in the background. A message will tell you the result.');
    onClose();
  };
  return (
    <Dialog title={`Edit ${count.words}`} onClose={close}>
      <form onSubmit={submit}>
        {'filter' in target && (
          <p class="muted">
            This changes all logs that match the filter now, including those that are not loaded. Logs that
            arrive later are not changed.
          </p>
        )}
        <Field label="Rating">
          <Select value={rating} options={RATINGS} onChange={setRating} />
        </Field>
        <Field label="Add tags">
          <TagEditor projectUid={projectUid} tags={addTags} onChange={setAddTags} label="Add tags" />
        </Field>
        <Field label="Remove tags">
          <TagEditor projectUid={projectUid} tags={removeTags} onChange={setRemoveTags} label="Remove tags" />
        </Field>
        <Field
          label="Set metadata"
          hint='A JSON object, such as {"reviewed": true}. Other keys are not changed.'
          error={'error' in read ? read.error : undefined}
        >
          <TextArea code rows={3} value={metadata} onInput={setMetadata} />
        </Field>
        <Field label="Remove metadata" hint="One key per line.">
          <TextArea code rows={2} value={unset} onInput={setUnset} />
        </Field>
        {may('feedback') && (
          <details class="fold">
            <summary>Give feedback to all of them</summary>
            <ScoreFields score={score} weight={weight} onScore={setScore} onWeight={setWeight} optional />
            <Field label="Comment" hint="What was good or bad about the answers. Optional.">
              <TextArea value={words} onInput={setWords} rows={2} />
            </Field>
            <Field
              label="Better answer"
              hint="All of these logs get the same answer, for example because they ask the same question. Optional."
              error={signalProblem({ score, weight, words, answer })}
            >
              <TextArea value={answer} onInput={setAnswer} rows={3} />
            </Field>
          </details>
        )}
        {job && <Progress job={job} />}
        <Problem text={problem} />
        <footer>
          <Button primary submit busy={busy} disabled={isEmpty || isWrong || count.none}>
            Edit {count.words}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function Progress({ job: { matched, total } }: { job: Job }) {
  return (
    <p>
      <progress value={matched} max={Math.max(1, total)} aria-label="Progress" />{' '}
      <span class="number">
        {formatCount(matched)} of {formatCount(total)}
      </span>
    </p>
  );
}

function useCount(projectUid: string, target: Target): { words: string; none: boolean } {
  const isFilter = 'filter' in target;
  const counted = useLoad(isFilter ? `count ${projectUid} ${target.filter}` : undefined, (signal) =>
    countLogs(projectUid, (target as { filter: URLSearchParams }).filter, signal),
  );
  if (!isFilter) return { words: plural(target.ids.length, 'log'), none: false };
  if (counted.data === undefined) return { words: 'all matching logs', none: false };
  const { count, at_least } = counted.data;
  return {
    words: at_least ? `more than ${formatCount(count)} logs` : plural(count, 'log'),
    none: count === 0,
  };
}

interface Written {
  rating: RatingChoice;
  addTags: string[];
  removeTags: string[];
  metadata: Record<string, unknown>;
  unset: string;
  signal: WrittenSignal;
}

interface WrittenSignal {
  score: string;
  weight: string;
  words: string;
  answer: string;
}

/** What is wrong with the signal; undefined where nothing is wrong, or nothing was written. */
function signalProblem({ score, weight, words, answer }: WrittenSignal): string | undefined {
  if (score.trim() !== '') return scoreError(score) ?? weightError(weight);
  return words.trim() === '' && answer.trim() === ''
    ? undefined
    : 'A comment or a better answer needs a score.';
}

function signalOf({ score, weight, words, answer }: WrittenSignal): BulkChange['feedback'] {
  if (score.trim() === '') return undefined;
  return {
    score: Number(score),
    weight: Number(weight),
    ...(words.trim() === '' ? {} : { qualitative_feedback: words.trim() }),
    ...(answer.trim() === '' ? {} : { improvement: { role: 'assistant', content: answer } }),
  };
}

function readChange({ rating, addTags, removeTags, metadata, unset, signal }: Written): BulkChange {
  const feedback = signalOf(signal);
  const keys = unset.split('\n').filter((key) => key !== '');
  return {
    ...(rating === 'keep' ? {} : { quality_rating: rating === 'none' ? null : rating }),
    ...(addTags.length > 0 ? { add_tags: addTags } : {}),
    ...(removeTags.length > 0 ? { remove_tags: removeTags } : {}),
    ...(Object.keys(metadata).length > 0 ? { set_metadata: metadata } : {}),
    ...(keys.length > 0 ? { unset_metadata: keys } : {}),
    ...(feedback === undefined ? {} : { feedback }),
  };
}
