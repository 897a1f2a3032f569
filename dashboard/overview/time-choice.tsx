import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Select, TextInput } from '../ui/field.tsx';
import { ownSpan, RANGES, type RangeName } from './ranges.ts';

interface TimeChoiceProps {
  range: RangeName | 'own';
  onRange: (range: RangeName) => void;
  onOwn: (from: string, to: string) => void;
}

const OPTIONS = [
  ...Object.entries(RANGES).map(([value, { title }]) => ({ value, label: title })),
  { value: 'own', label: 'Custom range …' },
];

/** Lets the reader choose a time up to now, or two dates. */
export function TimeChoice({ range, onRange, onOwn }: TimeChoiceProps) {
  const [choosing, setChoosing] = useState(false);
  return (
    <>
      <Select
        label="Time range"
        value={range as string}
        options={OPTIONS}
        onChange={(next) => (next === 'own' ? setChoosing(true) : onRange(next as RangeName))}
      />
      {range === 'own' && (
        <Button small onClick={() => setChoosing(true)}>
          Change
        </Button>
      )}
      {choosing && (
        <OwnRange
          onClose={() => setChoosing(false)}
          onChoose={(from, to) => {
            setChoosing(false);
            onOwn(from, to);
          }}
        />
      )}
    </>
  );
}

/** The local time without its zone, as the browser's date field takes it. */
function localText(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const DAY_MS = 86_400_000;

function OwnRange({
  onClose,
  onChoose,
}: {
  onClose: () => void;
  onChoose: (from: string, to: string) => void;
}) {
  const [from, setFrom] = useState(() => localText(Date.now() - DAY_MS));
  const [to, setTo] = useState(() => localText(Date.now()));
  const [start, end] = [new Date(from), new Date(to)];
  const isWrong =
    Number.isNaN(start.getTime()) ||
    Number.isNaN(end.getTime()) ||
    ownSpan(start.toISOString(), end.toISOString(), Date.now()) === undefined;
  return (
    <Dialog title="Custom range" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWrong) onChoose(start.toISOString(), end.toISOString());
        }}
      >
        <Field label="From" hint="In your time zone.">
          <TextInput type="datetime-local" value={from} onInput={setFrom} autofocus />
        </Field>
        <Field label="To" error={isWrong ? 'must be later than the start' : undefined}>
          <TextInput type="datetime-local" value={to} onInput={setTo} />
        </Field>
        <footer>
          <Button primary submit disabled={isWrong}>
            Show
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
