import { useMemo, useRef, useState } from 'preact/hooks';
import { type Answer, call, type Route, send } from '../api/client.ts';
import { linkTo, place, replaceWith } from '../app/router.ts';
import { useStore } from '../app/store.ts';
import { tellFailure } from '../edit/rating.tsx';
import { filterOf } from '../logs/filter.ts';
import { FilterBar } from '../logs/filter-bar.tsx';
import { Button } from '../ui/button.tsx';
import { Field, Select } from '../ui/field.tsx';
import { formatCompact, plural } from '../ui/format.ts';

const KINDS = [
  { value: 'sft', label: 'SFT: good answers, for fine-tuning' },
  { value: 'dpo', label: 'DPO: a better and a worse answer' },
  { value: 'kto', label: 'KTO: answers labelled good or bad' },
] as const;

/** A download is collected in parts of this size. Browsers keep blobs on disk, but smaller pieces in memory. */
const PART_BYTES = 4 * 1024 * 1024;

type Kind = (typeof KINDS)[number]['value'];

interface Progress {
  lines: number;
  bytes: number;
  done: boolean;
}

type LeftOut = Answer<'GET /{project_uid}/exports/sft/summary'>['left_out'];

/** Downloads training data made from the logs that match a filter. */
export function ExportsPage({ projectUid }: { projectUid: string }) {
  const { query } = useStore(place);
  const filter = useMemo(() => filterOf(query), [query.toString()]);
  const [kind, setKind] = useState<Kind>('sft');
  const [format, setFormat] = useState<'openai' | 'trl'>('openai');
  const [unrated, setUnrated] = useState(false);
  const [provenance, setProvenance] = useState(true);
  const [progress, setProgress] = useState<Progress>();
  const [leftOut, setLeftOut] = useState<LeftOut>();
  const running = useRef<AbortController | undefined>(undefined);

  const run = async () => {
    const parameters = new URLSearchParams(filter);
    parameters.set('format', kind === 'kto' ? 'trl' : format);
    if (kind === 'sft' && unrated) parameters.set('include_unrated', 'true');
    if (!provenance) parameters.set('provenance', 'none');
    const controller = new AbortController();
    running.current = controller;
    setProgress({ lines: 0, bytes: 0, done: false });
    setLeftOut(undefined);
    const summary = readLeftOut(projectUid, kind, parameters, controller.signal);
    try {
      const blob = await download(projectUid, kind, parameters, controller.signal, setProgress);
      save(blob, `${kind}.jsonl`);
      setLeftOut(await summary);
    } catch (error) {
      setProgress(undefined);
      if (!controller.signal.aborted) tellFailure(error);
    } finally {
      running.current = undefined;
    }
  };
  const isRunning = progress !== undefined && !progress.done;
  return (
    <section class="page narrow-page" aria-label="Exports">
      <header class="page-head">
        <h1>Exports</h1>
      </header>
      <FilterBar
        projectUid={projectUid}
        filter={filter}
        onChange={(next) => replaceWith(linkTo([projectUid, 'exports'], next))}
      />
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Field label="Kind">
          <Select value={kind} options={KINDS} onChange={setKind} />
        </Field>
        <Field label="Format" hint={kind === 'kto' ? 'KTO data always has the TRL format.' : undefined}>
          <Select
            value={kind === 'kto' ? 'trl' : format}
            options={[
              { value: 'openai', label: 'OpenAI' },
              { value: 'trl', label: 'TRL' },
            ]}
            onChange={setFormat}
            disabled={kind === 'kto'}
          />
        </Field>
        <div class="choices">
          {kind === 'sft' && (
            <label>
              <input type="checkbox" checked={unrated} onChange={() => setUnrated(!unrated)} />
              Include successful logs that nobody has rated
            </label>
          )}
          <label>
            <input type="checkbox" checked={provenance} onChange={() => setProvenance(!provenance)} />
            Add the source of each line (log id, signals, tags)
          </label>
        </div>
        <footer>
          {isRunning && <Button onClick={() => running.current?.abort()}>Cancel</Button>}
          <Button primary submit icon="exports" busy={isRunning}>
            Export
          </Button>
        </footer>
        <p role="status">
          {progress &&
            (progress.done && progress.lines === 0
              ? 'No log that matches this filter can be exported. Rate or improve some answers first.'
              : `${progress.done ? 'Done: ' : ''}${plural(progress.lines, 'line')}, ${formatCompact(progress.bytes)} bytes`)}
        </p>
        {leftOut && <LeftOutNote leftOut={leftOut} />}
      </form>
    </section>
  );
}

function LeftOutNote({ leftOut: { mixed_forms, invalid_improvement } }: { leftOut: LeftOut }) {
  return (
    <ul class="plain-list">
      {mixed_forms > 0 && (
        <li>
          {plural(mixed_forms, 'line')} left out: the prompt has names, and the answer has placeholders for
          them.
        </li>
      )}
      {invalid_improvement > 0 && (
        <li>
          {plural(invalid_improvement, 'line')} left out: the better answer does not satisfy the JSON Schema
          of its request.
        </li>
      )}
    </ul>
  );
}

/** The number of logs that were left out; undefined where it cannot be read, which does not affect the export itself. */
async function readLeftOut(
  project_uid: string,
  kind: Kind,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<LeftOut | undefined> {
  try {
    return (
      await call(`GET /{project_uid}/exports/${kind}/summary`, { params: { project_uid }, query, signal })
    ).left_out;
  } catch {
    return undefined;
  }
}

async function download(
  projectUid: string,
  kind: Kind,
  parameters: URLSearchParams,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Blob> {
  const route: Route = `GET /{project_uid}/exports/${kind}.jsonl`;
  const response = await send(route, { params: { project_uid: projectUid }, query: parameters, signal });
  const parts: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let lines = 0;
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
    pieces.push(piece.value);
    bytes += piece.value.length;
    for (const byte of piece.value) if (byte === 10) lines++;
    if (bytes >= (parts.length + 1) * PART_BYTES) {
      parts.push(new Blob(pieces));
      pieces = [];
    }
    onProgress({ lines, bytes, done: false });
  }
  onProgress({ lines, bytes, done: true });
  return new Blob([...parts, ...pieces], { type: 'application/jsonl' });
}

function save(blob: Blob, name: string): void {
  if (blob.size === 0) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
