import type { Log } from '../api/client.ts';
import { tell } from '../app/toasts.tsx';
import { TurnButtons } from '../queue/turn-buttons.tsx';
import type { Queue } from '../queue/use-queue.ts';
import { Button } from '../ui/button.tsx';
import { plural } from '../ui/format.ts';
import { KeyField } from './key-field.tsx';
import { type Mark, overlaps, type Selection } from './marking.ts';

/** The types that a key marks. Any other one is written. */
export const MARK_KEYS: [key: string, type: string, label: string][] = [
  ['1', 'PERSON', 'Person'],
  ['2', 'LOCATION', 'Location'],
  ['3', 'EMAIL_ADDRESS', 'Email'],
  ['4', 'PHONE_NUMBER', 'Phone'],
  ['5', 'DATE_TIME', 'Date'],
  ['6', 'NRP', 'Nationality, religion'],
  ['7', 'URL', 'URL'],
  ['0', '_IGNORE', 'Unsure'],
];

interface MarkBarProps {
  queue: Queue;
  log: Log;
  texts: string[];
  /** The types of the detector. */
  types: string[];
  marks: Mark[];
  selection: Selection | undefined;
  onFind: (written: string) => void;
  onMark: (type: string) => void;
  onRemove: () => void;
  onDone: () => void;
}

/** What is selected, and everything that can be done with it. */
export function MarkBar({ queue, log, texts, types, marks, selection, ...props }: MarkBarProps) {
  const { onFind, onMark, onRemove, onDone } = props;
  return (
    <fieldset class="judge-bar mark-bar" disabled={queue.busy}>
      <legend class="hidden">Mark personal data</legend>
      <Selected texts={texts} marks={marks} selection={selection} />
      <span class="mark-types">
        {MARK_KEYS.map(([key, type, label]) => (
          <Button key={key} small onClick={() => onMark(type)}>
            {label} <kbd>{key}</kbd>
          </Button>
        ))}
      </span>
      <FindField onFind={onFind} />
      <TypeField types={types} onType={onMark} />
      <Button icon="trash" onClick={onRemove}>
        Remove <kbd>x</kbd>
      </Button>
      <Button primary busy={queue.busy} onClick={onDone}>
        Done, nothing more here <kbd>Enter</kbd>
      </Button>
      <TurnButtons queue={queue} log={log} />
    </fieldset>
  );
}

interface SelectedProps {
  texts: string[];
  marks: Mark[];
  selection: Selection | undefined;
}

/** Says what is selected, also to those who do not see it. */
function Selected({ texts, marks, selection }: SelectedProps) {
  const found = selection && marks.find((one) => overlaps(one, selection));
  return (
    <output class="marking-now">
      {selection === undefined ? (
        <span class="muted">{plural(marks.length, 'mark')}. Use ← → to select a word.</span>
      ) : (
        <>
          “{texts[selection.text]!.slice(selection.start, selection.end)}”{' '}
          <span class="muted">{markedAs(found)}</span>
        </>
      )}
    </output>
  );
}

function markedAs(mark: Mark | undefined): string {
  if (mark === undefined) return 'not marked';
  return mark.score === undefined ? mark.type : `${mark.type}, proposed with ${mark.score.toFixed(2)}`;
}

/** Finds a text to mark, which may also be a part of a word. */
function FindField({ onFind }: { onFind: (written: string) => void }) {
  return (
    <KeyField
      shortcut="/"
      label="Find a text to mark"
      placeholder="Find (/)"
      onSubmit={(written) => {
        onFind(written);
        return true;
      }}
    />
  );
}

function TypeField({ types, onType }: { types: string[]; onType: (type: string) => void }) {
  return (
    <KeyField
      shortcut="t"
      label="Other type"
      placeholder="Other type (t)"
      suggestions={types}
      onSubmit={(written) => {
        const type = written.trim().toUpperCase();
        if (types.includes(type)) onType(type);
        else tell(`There is no type ${type}.`, { tone: 'bad' });
        return types.includes(type);
      }}
    />
  );
}
