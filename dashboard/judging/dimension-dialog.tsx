import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Select, TextArea, TextInput } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { useSaving } from '../ui/use-saving.ts';
import { type Dimension, type Judging, readCategories, titleOf, writeCategories } from './judging.ts';

interface DimensionDialogProps {
  judging: Judging;
  /** The dimension to change; undefined for a new one. */
  dimension: Dimension | undefined;
  onClose: () => void;
  onSave: (next: Judging) => Promise<void>;
}

/** Makes a name from a title, in the form that `signal_name` and addresses allow. */
export function nameFor(title: string): string {
  return title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63);
}

export function DimensionDialog({ judging, dimension, onClose, onSave }: DimensionDialogProps) {
  const [title, setTitle] = useState(dimension === undefined ? '' : titleOf(dimension));
  const [help, setHelp] = useState(dimension?.help ?? '');
  const [kind, setKind] = useState<'scale' | 'categories'>(dimension?.categories ? 'categories' : 'scale');
  const [min, setMin] = useState(String(dimension?.scale?.min ?? 1));
  const [max, setMax] = useState(String(dimension?.scale?.max ?? 5));
  const [low, setLow] = useState(dimension?.scale?.low ?? '');
  const [high, setHigh] = useState(dimension?.scale?.high ?? '');
  const [written, setWritten] = useState(writeCategories(dimension?.categories));
  const { busy, problem, save } = useSaving();
  const categories = readCategories(written);
  const wrong = kind === 'categories' && typeof categories === 'string' ? categories : undefined;
  const name = dimension?.name ?? nameFor(title);

  const submit = (event: Event) => {
    event.preventDefault();
    const next: Dimension = {
      name,
      title: title.trim(),
      ...(help.trim() === '' ? {} : { help: help.trim() }),
      ...(kind === 'scale'
        ? {
            scale: {
              min: Number(min),
              max: Number(max),
              ...(low.trim() === '' ? {} : { low: low.trim() }),
              ...(high.trim() === '' ? {} : { high: high.trim() }),
            },
          }
        : { categories: categories as NonNullable<Dimension['categories']> }),
      ...(dimension?.weight === undefined ? {} : { weight: dimension.weight }),
    };
    const dimensions =
      dimension === undefined
        ? [...judging.dimensions, next]
        : judging.dimensions.map((one) => (one === dimension ? next : one));
    void save(() => onSave({ ...judging, dimensions }));
  };
  return (
    <Dialog
      title={dimension === undefined ? 'New dimension' : `Dimension ${titleOf(dimension)}`}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <Field
          label="Question"
          hint={name === '' ? 'Such as “Is it correct?”' : `Its feedback signal is named ${name}.`}
        >
          <TextInput value={title} onInput={setTitle} autofocus />
        </Field>
        <Field label="Help" hint="What the question means. People see it while they judge. Optional.">
          <TextArea value={help} onInput={setHelp} rows={2} />
        </Field>
        <Field label="Answer type">
          <Select
            value={kind}
            options={[
              { value: 'scale', label: 'A scale of whole numbers' },
              { value: 'categories', label: 'One of several categories' },
            ]}
            onChange={setKind}
          />
        </Field>
        {kind === 'scale' ? (
          <div class="fields">
            <Field label="From">
              <TextInput type="number" value={min} onInput={setMin} />
            </Field>
            <Field label="To">
              <TextInput type="number" value={max} onInput={setMax} />
            </Field>
            <Field label="Meaning of the lowest value" hint="Optional.">
              <TextInput value={low} onInput={setLow} />
            </Field>
            <Field label="Meaning of the highest value" hint="Optional.">
              <TextInput value={high} onInput={setHigh} />
            </Field>
          </div>
        ) : (
          <Field
            label="Categories"
            hint="One per line, such as “correct = 1”. The number is its score, from −1 to 1. A category without a number does not count in the score of a log."
            error={written === '' ? undefined : wrong}
          >
            <TextArea value={written} onInput={setWritten} rows={4} />
          </Field>
        )}
        <Problem text={problem} />
        <footer>
          <Button primary submit busy={busy} disabled={name === '' || wrong !== undefined}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
