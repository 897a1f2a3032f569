import { Field, TextInput } from '../ui/field.tsx';

interface ScoreFieldsProps {
  score: string;
  weight: string;
  onScore: (text: string) => void;
  onWeight: (text: string) => void;
  autofocus?: boolean;
  /** Whether the score may stay empty, which means that no feedback is given. */
  optional?: boolean;
}

/** Fields for a score and its weight, which say what is wrong with a value. */
export function ScoreFields({ score, weight, onScore, onWeight, autofocus, optional }: ScoreFieldsProps) {
  return (
    <div class="fields">
      <Field
        label="Score"
        hint={
          optional
            ? 'From −1 (worst) to 1 (best). Leave empty to give no feedback.'
            : 'From −1 (worst) to 1 (best)'
        }
        error={optional && score.trim() === '' ? undefined : scoreError(score)}
      >
        <TextInput type="number" value={score} onInput={onScore} autofocus={autofocus} />
      </Field>
      <Field label="Weight" hint="From 0 to 1" error={weightError(weight)}>
        <TextInput type="number" value={weight} onInput={onWeight} />
      </Field>
    </div>
  );
}

export const scoreError = (text: string) => rangeError(text, -1, 1);
export const weightError = (text: string) => rangeError(text, 0, 1);

function rangeError(text: string, from: number, to: number): string | undefined {
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) || value < from || value > to
    ? `must be a number from ${from} to ${to}`
    : undefined;
}
