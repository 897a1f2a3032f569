import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../api/client.ts';
import { useShortcuts } from '../app/keyboard.ts';
import { formatCount } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import {
  type Condition,
  describeCondition,
  FIELDS,
  MOMENT_CHOICES,
  readCondition,
  readConditions,
  withCondition,
  withoutCondition,
} from './filter.ts';

interface FilterBarProps {
  projectUid: string;
  filter: URLSearchParams;
  onChange: (filter: URLSearchParams) => void;
  /** The API's names of the fields that this page can use; by default all fields. */
  fields?: readonly string[];
}

interface Choice {
  text: string;
  what: string;
  /** Whether the field stays open, because a value must still be chosen or written. */
  goesOn: boolean;
}

/** Shows conditions as chips, with a field that helps to write new ones. */
export function FilterBar({ projectUid, filter, onChange, fields }: FilterBarProps) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const choices = useChoices(projectUid, lastPiece(text), open, fields);
  useShortcuts('Filter', [{ key: '/', what: 'Filter', run: () => field.current?.focus() }]);

  const add = (conditions: Condition[]) => {
    if (conditions.length === 0) return;
    onChange(conditions.reduce((next, condition) => withCondition(next, ...condition), filter));
    setText('');
    setAt(-1);
  };
  const choose = ({ text: chosen, goesOn }: Choice) => {
    setAt(-1);
    const before = text.slice(0, text.length - lastPiece(text).length);
    if (goesOn) setText(before + chosen);
    else {
      const condition = readCondition(chosen);
      add([...readConditions(before), ...(condition === undefined ? [] : [condition])]);
    }
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = choices[at];
    if (step !== undefined && choices.length > 0) setAt((at + step + choices.length) % choices.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) choose(chosen);
    else if (event.key === 'Enter') add(readConditions(text));
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
          placeholder={
            filter.size > 0
              ? ''
              : fields === undefined
                ? PLACEHOLDER
                : 'Filter: endpoint:support model:local key:bot'
          }
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

const MOST = 40;
const PLACEHOLDER = 'Filter: status:error slower-than:2s metadata.key=value or words';
/** Suggestions are loaded after the reader has not typed for this long. */
const QUIET_MS = 120;

/** The condition that is being typed, and the complete text before it. */
function lastPiece(text: string): string {
  return /(?:[^\s"]*"[^"]*"?|\S+)?$/.exec(text)?.[0] ?? '';
}

/** Suggests fields until one is written, and then values of that field. */
function useChoices(
  projectUid: string,
  text: string,
  open: boolean,
  fields: readonly string[] | undefined,
): Choice[] {
  const [choices, setChoices] = useState<Choice[]>([]);
  useEffect(() => {
    if (!open) return;
    let wanted = true;
    const show = (found: Choice[]) => wanted && setChoices(found.slice(0, MOST));
    const ask = () => choicesFor(projectUid, text, fields).then(show, () => show([]));
    const waiting = setTimeout(() => void ask(), text.includes(':') ? QUIET_MS : 0);
    return () => {
      wanted = false;
      clearTimeout(waiting);
    };
  }, [projectUid, text, open]);
  return choices;
}

async function choicesFor(
  projectUid: string,
  text: string,
  allowed: readonly string[] | undefined,
): Promise<Choice[]> {
  const colon = text.indexOf(':');
  const field = FIELDS.find(({ word }) => word === text.slice(0, colon));
  if (field === undefined) return colon === -1 ? fieldChoices(text, allowed) : [];
  const prefix = text
    .slice(colon + 1)
    .replaceAll('"', '')
    .trim();
  const known = await valuesOf(field.name, projectUid, prefix);
  return known
    .filter(({ value }) => value.toLowerCase().startsWith(prefix.toLowerCase()))
    .map(({ value, what }) => ({ text: `${field.word}:${value}`, what, goesOn: false }));
}

function fieldChoices(text: string, allowed: readonly string[] | undefined): Choice[] {
  const begin = text.trim().toLowerCase();
  const known = FIELDS.filter(({ name }) => allowed?.includes(name) ?? name !== 'q');
  const fields = known
    .filter(({ word }) => word.startsWith(begin))
    .map(({ word, what }) => ({
      text: `${word}:`,
      what,
      goesOn: true,
    }));
  return begin === '' && allowed === undefined
    ? [...fields, { text: 'metadata.', what: 'key=value', goesOn: true }]
    : fields;
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
  // How often a model failed is not counted.
  if (name === 'failed_model') {
    return (await countedValues(projectUid, 'model')).map(({ value }) => ({ value, what: '' }));
  }
  const by = COUNTED[name];
  return by === undefined ? [] : countedValues(projectUid, by);
}

type Grouping = 'endpoint' | 'model' | 'key' | 'error' | 'plugin';

/** Filters whose values the statistics can group by. */
const COUNTED: Partial<Record<string, Grouping>> = {
  endpoint: 'endpoint',
  model: 'model',
  key: 'key',
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

/** The values of the last months, the most frequent first. They are loaded at most once a minute. */
function countedValues(projectUid: string, by: Grouping): Promise<Value[]> {
  const key = `${projectUid} ${by}`;
  const now = Date.now();
  const kept = counted.get(key);
  if (kept !== undefined && kept.until > now) return kept.values;
  const from = new Date(now - COUNTED_DAYS * DAY_MS).toISOString();
  const values = call('GET /{project_uid}/stats', {
    params: { project_uid: projectUid },
    query: { bucket: 'total', by: [by], from },
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
