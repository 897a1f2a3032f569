import { useState } from 'preact/hooks';
import { type Log, messageOf } from '../api/client.ts';
import { answerText } from '../log/conversation.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, TextArea } from '../ui/field.tsx';
import { Difference } from './difference.tsx';
import { giveFeedback, type Signal } from './log-changes.ts';
import { ScoreFields, scoreError, weightError } from './score-fields.tsx';

interface FeedbackDialogProps {
  log: Log;
  /** Begins with the answer to be improved. */
  improve: boolean;
  onClose: () => void;
  onDone?: () => void;
}

/** A signal of a person: a score with its weight, words, and a better answer. */
export function FeedbackDialog({ log, improve, onClose, onDone }: FeedbackDialogProps) {
  const original = answerText(log);
  const [score, setScore] = useState(improve ? '0' : '1');
  const [weight, setWeight] = useState('1');
  const [words, setWords] = useState('');
  const [improving, setImproving] = useState(improve);
  const [answer, setAnswer] = useState(original);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const unchanged = improving && (answer === original || answer.trim() === '');

  const submit = async (event: Event) => {
    event.preventDefault();
    if (scoreError(score) ?? weightError(weight)) return;
    const signal: Signal = { score: Number(score), weight: Number(weight) };
    if (words.trim() !== '') signal.qualitative_feedback = words.trim();
    if (improving) signal.improvement = { role: 'assistant', content: answer };
    setBusy(true);
    try {
      await giveFeedback(log, signal, improving ? 'The better answer was saved.' : 'The feedback was saved.');
      onClose();
      onDone?.();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={improve ? 'Improve the answer' : 'Give feedback'} onClose={onClose} wide={improving}>
      <form
        onSubmit={submit}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !unchanged) void submit(event);
        }}
      >
        {improving && (
          <div class="side-by-side">
            <Field label="Better answer">
              <TextArea value={answer} onInput={setAnswer} rows={14} autofocus />
            </Field>
            <div class="field">
              <span class="label">Difference to the original</span>
              <Difference before={original} after={answer} />
            </div>
          </div>
        )}
        <ScoreFields
          score={score}
          weight={weight}
          onScore={setScore}
          onWeight={setWeight}
          autofocus={!improving}
        />
        <Field label="In words" hint="What was good or bad. May stay empty.">
          <TextArea value={words} onInput={setWords} rows={2} />
        </Field>
        {problem && (
          <p class="error-text" role="alert">
            {problem}
          </p>
        )}
        <footer>
          {!improving && (
            <Button icon="pencil" onClick={() => setImproving(true)}>
              Add a better answer
            </Button>
          )}
          <Button primary submit busy={busy} disabled={unchanged}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
