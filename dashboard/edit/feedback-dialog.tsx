import { useMemo, useState } from 'preact/hooks';
import type { Log } from '../api/client.ts';
import { answerText, askedTurns } from '../log/conversation.ts';
import { TurnView } from '../log/parts.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, TextArea } from '../ui/field.tsx';
import { indentJson } from '../ui/indent-json.ts';
import { Problem } from '../ui/problem.tsx';
import { useSaving } from '../ui/use-saving.ts';
import { Difference } from './difference.tsx';
import { jsonMistakeAt } from './json-mistake.ts';
import { asksForJson } from './json-output.ts';
import { placeOf } from './json-text.ts';
import { giveFeedback, type Signal } from './log-changes.ts';
import { ScoreFields, scoreError, weightError } from './score-fields.tsx';

interface FeedbackDialogProps {
  log: Log;
  /** Whether the dialog starts with the answer in the editor, for improving it. */
  improve: boolean;
  onClose: () => void;
  onDone?: () => void;
}

/** How many of the last turns are shown. The end of a conversation is enough to improve its answer. */
const SHOWN_TURNS = 4;

/** Feedback of a person: a score with its weight, a comment, and a better answer. */
export function FeedbackDialog({ log, improve, onClose, onDone }: FeedbackDialogProps) {
  const json = useMemo(() => asksForJson(log), [log]);
  const original = useMemo(() => {
    const said = answerText(log);
    return (json ? indentJson(said) : undefined) ?? said;
  }, [log, json]);
  const [score, setScore] = useState(improve ? '0' : '1');
  const [weight, setWeight] = useState('1');
  const [words, setWords] = useState('');
  const [improving, setImproving] = useState(improve);
  const [answer, setAnswer] = useState(original);
  const { busy, problem, save } = useSaving();
  const unchanged = improving && (answer === original || answer.trim() === '');
  const mistake = improving && json ? jsonMistakeAt(answer) : undefined;
  const wrong = mistake === undefined ? undefined : `${placeOf(answer, mistake)}: this is not valid JSON.`;

  const submit = (event: Event) => {
    event.preventDefault();
    if (scoreError(score) ?? weightError(weight) ?? wrong) return;
    const signal: Signal = { score: Number(score), weight: Number(weight) };
    if (words.trim() !== '') signal.qualitative_feedback = words.trim();
    if (improving) signal.improvement = { role: 'assistant', content: answer };
    void save(async () => {
      await giveFeedback(log, signal, improving ? 'The better answer was saved.' : 'The feedback was saved.');
      onClose();
      onDone?.();
    });
  };
  return (
    <Dialog title={improve ? 'Improve the answer' : 'Give feedback'} onClose={onClose} wide={improving}>
      <form
        onSubmit={submit}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !unchanged) submit(event);
        }}
      >
        {improving && <Improvement log={log} original={original} {...{ answer, setAnswer, json, wrong }} />}
        <ScoreFields
          score={score}
          weight={weight}
          onScore={setScore}
          onWeight={setWeight}
          autofocus={!improving}
        />
        <Field label="Comment" hint="What was good or bad about the answer. Optional.">
          <TextArea value={words} onInput={setWords} rows={2} />
        </Field>
        <Problem text={problem} />
        <footer>
          {!improving && (
            <Button icon="pencil" onClick={() => setImproving(true)}>
              Add a better answer
            </Button>
          )}
          <Button primary submit busy={busy} disabled={unchanged || wrong !== undefined}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

interface ImprovementProps {
  log: Log;
  original: string;
  answer: string;
  setAnswer: (text: string) => void;
  json: boolean;
  wrong: string | undefined;
}

/** The end of the conversation, an editor for the better answer below it, and the difference. */
function Improvement({ log, original, answer, setAnswer, json, wrong }: ImprovementProps) {
  const turns = useMemo(() => askedTurns(log).slice(-SHOWN_TURNS), [log]);
  return (
    <div class="side-by-side improving">
      <section class="improving-conversation" tabIndex={0} aria-label="The conversation">
        <div class="conversation">
          {turns.map((turn, index) => (
            <TurnView key={index} turn={turn} />
          ))}
        </div>
      </section>
      <div class="improving-answer">
        <Field
          label="Better answer"
          hint={
            json ? 'The request asks for JSON. It is checked against its schema when you save.' : undefined
          }
          error={wrong}
        >
          <TextArea value={answer} onInput={setAnswer} rows={12} code={json} autofocus />
        </Field>
        <div class="field">
          <span class="label">Changes</span>
          <Difference before={original} after={answer} />
        </div>
      </div>
    </div>
  );
}
