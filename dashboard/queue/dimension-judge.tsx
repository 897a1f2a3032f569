import { useRef, useState } from 'preact/hooks';
import { call } from '../api/client.ts';
import { useShortcuts } from '../app/keyboard.ts';
import { may } from '../app/session.ts';
import { changed } from '../edit/undo.ts';
import { DimensionField } from '../judging/dimension-field.tsx';
import { type Dimension, nextDimension, type Values, valuesOf } from '../judging/judging.ts';
import { Button } from '../ui/button.tsx';
import { skipShortcut, TurnButtons } from './turn-buttons.tsx';
import type { Queue, Turn } from './use-queue.ts';

interface DimensionJudgeProps {
  queue: Queue;
  turn: Turn;
  name: string;
  dimensions: Dimension[];
}

/**
 * Judges a log of a named queue. The number keys give a value for one dimension after the other, and Enter sends
 * them.
 */
export function DimensionJudge({ queue, turn, name, dimensions }: DimensionJudgeProps) {
  const { log } = turn.version;
  const [values, setValues] = useState<Values>({});
  const [comment, setComment] = useState('');
  const commentField = useRef<HTMLInputElement>(null);
  const next = nextDimension(dimensions, values);
  const set = (dimension: Dimension, value: Values[string]) =>
    setValues((before) => ({ ...before, [dimension.name]: value }));
  const submit = () => {
    if (next !== undefined) return;
    const params = { project_uid: log.project_uid };
    queue.judge(log.id, async () => {
      const words = comment.trim();
      const body = { queue: name, log_id: log.id, values, ...(words === '' ? {} : { comment: words }) };
      const { id } = await call('POST /{project_uid}/judgements', { params, body });
      changed('Your judgement was saved.', async () => {
        await call('DELETE /{project_uid}/judgements/{judgement_id}', {
          params: { ...params, judgement_id: id },
        });
      });
    });
  };
  useShortcuts('Judging', [
    ...(next === undefined
      ? []
      : valuesOf(next)
          .slice(0, 9)
          .map((value, index) => ({
            key: String(index + 1),
            what: `Choose ${value}`,
            run: () => set(next, value),
          }))),
    { key: 'Enter', what: 'Save the judgement', run: submit },
    {
      key: 'Backspace',
      what: 'Clear the answers',
      run: () => setValues({}),
    },
    { key: 'c', what: 'Write a comment', run: () => commentField.current?.focus() },
    skipShortcut(queue, log),
  ]);
  if (!may('feedback'))
    return <p class="note">Your key cannot give feedback. Ask for one with that scope.</p>;
  return (
    <form
      class="judge-bar dimensions"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {dimensions.map((dimension) => (
        <DimensionField
          key={dimension.name}
          dimension={dimension}
          value={values[dimension.name]}
          onChange={(value) => set(dimension, value)}
          active={dimension === next}
        />
      ))}
      <div class="judge-end">
        <input
          ref={commentField}
          aria-label="Comment"
          placeholder="Comment (c)"
          value={comment}
          onInput={(event) => setComment(event.currentTarget.value)}
        />
        <Button primary submit busy={queue.busy} disabled={next !== undefined}>
          Save <kbd>Enter</kbd>
        </Button>
        <TurnButtons queue={queue} log={log} />
      </div>
    </form>
  );
}
