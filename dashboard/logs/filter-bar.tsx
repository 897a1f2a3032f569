import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../api/client.ts';
import { useShortcuts } from '../app/keyboard.ts';
import { formatCount } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import {
  describeCondition,
  FIELDS,
  MOMENT_CHOICES,
  readCondition,
  withCondition,
  withoutCondition,
} from './filter.ts';

interface FilterBarProps {
  projectUid: string;
  filter: URLSearchParams;
  onChange: (filter: URLSearchParams) => void;
}

interface Choice {
  text: string;
  what: string;
  /** Stays open to have a value chosen or written. */
  goesOn: boolean;
}

/** The conditions as chips, and a field that completes new ones. */
export function FilterBar({ projectUid, filter, onChange }: FilterBarProps) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const choices = useChoices(projectUid, text, open);
  useShortcuts('Filter', [{ key: '/', what: 'Filter', run: () => field.current?.focus() }]);

  const add = (written: string) => {
    const condition = readCondition(written);
    if (condition === undefined) return;
    onChange(withCondition(filter, ...condition));
    setText('');
    setAt(-1);
  };
  const choose = ({ text: chosen, goesOn }: Choice) => {
    setAt(-1);
    if (goesOn) setText(chosen);
    else add(chosen);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = choices[at];
    if (step !== undefined && choices.length > 0) setAt((at + step + choices.length) % choices.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) choose(chosen);
    else if (event.key === 'Enter') add(text);
    else if (event.key === 'Backspace' && text === '') onChange(withoutLast(filter));
    else if (event.key === 'Escape') field.current?.blur();
    else return;
    event.preventDefault();
  };
  return (
    <search class="filter">
      <div class="filter-box">
        <Icon name="search" />
        {[...filter].map(([name, value]) => {
          const { word, value: shown, title } = describeCondition(name, value);
          return (
            <span key={name + value} class="chip" title={title}>
              <span class="chip-word">{word}</span> <span class="chip-text">{shown}</span>
              <button
                type="button"
                aria-label={`Remove ${word} ${shown}`}
                onClick={() => onChange(withoutCondition(filter, name, value))}
              >
                <Icon name="close" />
              </button>
            </span>
          );
        })}
        <input
          ref={field}
          role="combobox"
          aria-label="Filter logs"
          aria-expanded={open && choices.length > 0}
          aria-controls="filter-choices"
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `filter-choice-${at}` : undefined}
          placeholder={filter.size === 0 ? 'Filter: tag, endpoint, status, metadata.key=value, or words' : ''}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(-1);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
        {filter.size > 0 && (
          <button type="button" class="clear" onClick={() => onChange(new URLSearchParams())}>
            Clear
          </button>
        )}
      </div>
      {open && choices.length > 0 && (
        <ul id="filter-choices" role="listbox" aria-label="Conditions" class="options floating">
          {choices.map((choice, index) => (
            <li
              key={choice.text}
              id={`filter-choice-${index}`}
              role="option"
              aria-selected={index === at}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(choice)}
            >
              <span class="option-text">{choice.text}</span>
              <span class="muted">{choice.what}</span>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

function withoutLast(filter: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...filter].slice(0, -1));
}

const MOST = 14;

/** Fields while none is written, then values of that field. */
function useChoices(projectUid: string, text: string, open: boolean): Choice[] {
  const [choices, setChoices] = useState<Choice[]>([]);
  useEffect(() => {
    if (!open) return;
    let wanted = true;
    const show = (found: Choice[]) => wanted && setChoices(found.slice(0, MOST));
    choicesFor(projectUid, text).then(show, () => show([]));
    return () => {
      wanted = false;
    };
  }, [projectUid, text, open]);
  return choices;
}

async function choicesFor(projectUid: string, text: string): Promise<Choice[]> {
  const colon = text.indexOf(':');
  const field = FIELDS.find(({ word }) => word === text.slice(0, colon));
  if (field === undefined) return colon === -1 ? fieldChoices(text) : [];
  const prefix = text.slice(colon + 1).trim();
  const known = await valuesOf(field.name, projectUid, prefix);
  return known
    .filter(({ value }) => value.toLowerCase().startsWith(prefix.toLowerCase()))
    .map(({ value, what }) => ({ text: `${field.word}:${value}`, what, goesOn: false }));
}

function fieldChoices(text: string): Choice[] {
  const begin = text.trim().toLowerCase();
  const fields = FIELDS.filter(({ word, name }) => name !== 'q' && word.startsWith(begin)).map(
    ({ word, what }) => ({
      text: `${word}:`,
      what,
      goesOn: true,
    }),
  );
  return begin === '' ? [...fields, { text: 'metadata.', what: 'key=value', goesOn: true }] : fields;
}

async function valuesOf(name: string, projectUid: string, prefix: string): Promise<Value[]> {
  const field = FIELDS.find((one) => one.name === name);
  if (field?.values) return field.values.map((value) => ({ value, what: '' }));
  if (name.startsWith('tags_')) {
    const query = prefix === '' ? { limit: MOST } : { prefix, limit: MOST };
    const { data } = await call('GET /{project_uid}/tags', { params: { project_uid: projectUid }, query });
    return data.map(({ tag, count }) => ({ value: tag, what: formatCount(count) }));
  }
  if (name === 'from' || name === 'to') return MOMENT_CHOICES.map((value) => ({ value, what: 'ago' }));
  const by = COUNTED[name];
  return by === undefined ? [] : countedValues(projectUid, by);
}

/** Filters whose values are counted over time. */
const COUNTED: Partial<Record<string, 'endpoint' | 'model' | 'error' | 'plugin'>> = {
  endpoint: 'endpoint',
  model: 'model',
  error_code: 'error',
  rejected_by: 'plugin',
};
const DAY_MS = 86_400_000;
const COUNTED_DAYS = 90;
const KEPT_MS = 60_000;

interface Value {
  value: string;
  what: string;
}

const counted = new Map<string, { values: Promise<Value[]>; until: number }>();

/** The values of the last months, the most frequent first; asked for once a minute. */
function countedValues(projectUid: string, by: 'endpoint' | 'model' | 'error' | 'plugin'): Promise<Value[]> {
  const key = `${projectUid} ${by}`;
  const now = Date.now();
  const kept = counted.get(key);
  if (kept !== undefined && kept.until > now) return kept.values;
  const from = new Date(now - COUNTED_DAYS * DAY_MS).toISOString();
  const values = call('GET /{project_uid}/stats', {
    params: { project_uid: projectUid },
    query: { bucket: 'total', by, from },
  }).then(({ data }) =>
    data.flatMap((row) =>
      row.key === null
        ? []
        : [{ value: row.key, what: formatCount(by === 'plugin' ? row.rejected : row.requests) }],
    ),
  );
  counted.set(key, { values, until: now + KEPT_MS });
  values.catch(() => counted.delete(key));
  return values;
}
