import { useState } from 'preact/hooks';
import { call } from '../api/client.ts';
import { useLoad } from '../app/load.ts';
import { filterBody } from '../logs/filter.ts';
import { FilterBar } from '../logs/filter-bar.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Select, TextArea, TextInput } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { useSaving } from '../ui/use-saving.ts';
import { nameFor } from './dimension-dialog.tsx';
import { type Judging, type NamedQueue, titleOf } from './judging.ts';

const TASKS = [
  { value: 'judge', label: 'Judge answers' },
  { value: 'mark_pii', label: 'Mark personal data' },
] as const;

interface QueueDialogProps {
  projectUid: string;
  judging: Judging;
  /** The queue to change; undefined for a new one. */
  queue: NamedQueue | undefined;
  onClose: () => void;
  onSave: (next: Judging) => Promise<void>;
}

/** Turns the filter of a request body into the form that the filter bar uses. */
function parametersOf(filter: Record<string, unknown>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(filter).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
  );
}

export function QueueDialog({ projectUid, judging, queue, onClose, onSave }: QueueDialogProps) {
  const [title, setTitle] = useState(queue === undefined ? '' : titleOf(queue));
  const [filter, setFilter] = useState(() => parametersOf(queue?.filter ?? {}));
  const [rubric, setRubric] = useState(queue?.rubric ?? '');
  const [dimensions, setDimensions] = useState(queue?.dimensions ?? []);
  const [people, setPeople] = useState(queue?.people ?? []);
  const [judges, setJudges] = useState(String(queue?.judges ?? 1));
  const [task, setTask] = useState(queue?.task ?? 'judge');
  const [sample, setSample] = useState(queue?.sample === undefined ? '' : String(queue.sample));
  const { busy, problem, save } = useSaving();
  const keys = useLoad(`keys ${projectUid}`, (signal) =>
    call('GET /api/projects/{uid}/api-keys', { params: { uid: projectUid }, signal }),
  );
  const known = (keys.data?.data ?? [])
    .filter(({ scopes }) => scopes.includes('feedback') && scopes.includes('logs'))
    .map(({ name: key }) => key);
  const name = queue?.name ?? nameFor(title);

  const submit = (event: Event) => {
    event.preventDefault();
    const next = {
      name,
      title: title.trim(),
      filter: filterBody(filter),
      ...(rubric.trim() === '' ? {} : { rubric }),
      ...(task === 'judge' ? {} : { task }),
      ...(sample.trim() === '' ? {} : { sample: Number(sample) }),
      dimensions: task === 'judge' ? dimensions : [],
      people,
      judges: Number(judges),
    } as NamedQueue;
    const queues =
      queue === undefined
        ? [...judging.queues, next]
        : judging.queues.map((one) => (one === queue ? next : one));
    void save(() => onSave({ ...judging, queues }));
  };
  return (
    <Dialog title={queue === undefined ? 'New queue' : `Queue ${titleOf(queue)}`} onClose={onClose} wide>
      <form onSubmit={submit}>
        <Field
          label="Name"
          hint={name === '' ? 'Such as “Support, weekly”' : `In addresses it is called ${name}.`}
        >
          <TextInput value={title} onInput={setTitle} autofocus />
        </Field>
        <Field
          label="Task"
          hint={
            task === 'mark_pii'
              ? 'People mark personal data in the texts, so that you can measure the detector with `sluice pii eval`.'
              : undefined
          }
        >
          <Select value={task} options={TASKS} onChange={setTask} />
        </Field>
        <div class="field">
          <span class="label">Logs</span>
          <FilterBar projectUid={projectUid} filter={filter} onChange={setFilter} />
          <p class="hint">The logs that belong to the queue. Without a condition: all successful ones.</p>
        </div>
        <Field label="How to judge" hint="What the people who judge need to know, in Markdown. Optional.">
          <TextArea value={rubric} onInput={setRubric} rows={4} />
        </Field>
        {task === 'judge' && (
          <Several
            title="Dimensions"
            hint={
              judging.dimensions.length === 0
                ? 'There are none yet, so people judge on one scale from 1 to 5.'
                : undefined
            }
            options={judging.dimensions.map((one) => ({ value: one.name, label: titleOf(one) }))}
            chosen={dimensions}
            onChange={setDimensions}
          />
        )}
        <Several
          title="People"
          hint="Names of keys with the scopes feedback and logs. If you choose none, everybody may judge."
          options={[...new Set([...known, ...people])].map((one) => ({ value: one, label: one }))}
          chosen={people}
          onChange={setPeople}
        />
        <Field
          label="Share of these logs"
          hint="A random sample, such as 0.05 for one log in twenty. Optional."
        >
          <TextInput type="number" value={sample} onInput={setSample} />
        </Field>
        <Field label="People per log" hint="With two or more you can see how far they agree.">
          <TextInput type="number" value={judges} onInput={setJudges} />
        </Field>
        <Problem text={problem} />
        <footer>
          <Button primary submit busy={busy} disabled={name === ''}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

interface SeveralProps {
  title: string;
  hint: string | undefined;
  options: { value: string; label: string }[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

function Several({ title, hint, options, chosen, onChange }: SeveralProps) {
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  return (
    <fieldset class="choices boxed">
      <legend>{title}</legend>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <div class="choice-row">
        {options.map(({ value, label }) => (
          <label key={value}>
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
