import { useMemo, useState } from 'preact/hooks';
import { type Answer, call, type Log } from '../api/client.ts';
import { useShortcuts } from '../app/keyboard.ts';
import { useLoad } from '../app/load.ts';
import { may } from '../app/session.ts';
import { tell } from '../app/toasts.tsx';
import { changed } from '../edit/undo.ts';
import { keptNotes } from '../log/kept-notes.ts';
import { skipShortcut } from '../queue/turn-buttons.tsx';
import type { Queue, Turn } from '../queue/use-queue.ts';
import { plural } from '../ui/format.ts';
import { Shown } from '../ui/states.tsx';
import { MARK_KEYS, MarkBar } from './mark-bar.tsx';
import { MarkText } from './mark-text.tsx';
import {
  extended,
  findNext,
  inOrder,
  type Mark,
  neighbour,
  nextMark,
  type Selection,
  type Span,
  select,
  withMark,
  withoutMarks,
  wordsOf,
} from './marking.ts';

type Texts = Answer<'GET /{project_uid}/logs/{id}/pii-marks'>;

/** The marks that were sent lately, so that a log that comes back by an undo has them again. */
const sent = new Map<string, Mark[]>();
const MOST_SENT = 20;

interface MarkJudgeProps {
  queue: Queue;
  turn: Turn;
  name: string;
}

/** Somebody marks what is personal data in the texts of a log, beginning with what the detector found. */
export function MarkJudge({ queue, turn, name }: MarkJudgeProps) {
  const { log } = turn.version;
  const params = { project_uid: log.project_uid, id: log.id };
  const loaded = useLoad(`texts to mark ${log.project_uid} ${log.id}`, (signal) =>
    call('GET /{project_uid}/logs/{id}/pii-marks', { params, signal }),
  );
  // A log whose texts cannot be read can be skipped, too.
  useShortcuts('Queue', [skipShortcut(queue, log)]);
  return (
    <Shown of={loaded} what="the texts">
      {(texts) => <Marking queue={queue} log={log} name={name} given={texts} />}
    </Shown>
  );
}

interface MarkingProps {
  queue: Queue;
  log: Log;
  name: string;
  given: Texts;
}

function Marking({ queue, log, name, given }: MarkingProps) {
  const texts = useMemo(() => given.texts.map(({ text }) => text), [given]);
  const words = useMemo(() => wordsOf(texts), [texts]);
  const [marks, setMarks] = useState(() => sent.get(log.id) ?? proposed(given));
  const [selection, setSelection] = useState<Selection>();
  const judges = may('feedback');

  const go = (to: Span | undefined) => to && setSelection(select(to));
  const step = (by: 1 | -1, { shiftKey }: KeyboardEvent) => {
    if (shiftKey && selection) setSelection(extended(words, selection, by));
    else go(neighbour(words, selection, by));
  };
  const mark = (type: string) => {
    if (selection === undefined) tell('Select what to mark first, with the arrow keys or the mouse.');
    else setMarks(withMark(marks, selection, type));
  };
  const remove = () => selection && setMarks(withoutMarks(marks, selection));
  const done = () => queue.judge(log.id, () => send(log, name, given, marks));
  const keyShortcuts = [
    ...MARK_KEYS.map(([key, type, label]) => ({ key, what: `Mark as ${label}`, run: () => mark(type) })),
    { key: 'x', what: 'Remove the mark', run: remove },
    { key: 'Enter', what: 'Done, nothing more here', run: done },
  ];
  useShortcuts('Marking', [
    {
      key: 'ArrowRight',
      what: 'Next word; with Shift one word more',
      run: (event) => step(1, event),
      repeats: true,
    },
    {
      key: 'ArrowLeft',
      what: 'Previous word; with Shift one word less',
      run: (event) => step(-1, event),
      repeats: true,
    },
    { key: 'j', what: 'Next mark', run: () => go(nextMark(marks, selection, 1)), repeats: true },
    { key: 'k', what: 'Previous mark', run: () => go(nextMark(marks, selection, -1)), repeats: true },
    ...(judges ? keyShortcuts : []),
  ]);
  const onSelect = (text: number, start: number, end: number) => {
    const span = end > start ? trimmed(texts[text]!, { text, start, end }) : at(marks, words, text, start);
    setSelection(span && select(span));
  };
  return (
    <>
      <Notes log={log} cut={given.cut} isEmpty={texts.length === 0} />
      <div class="conversation marking">
        {given.texts.map(({ role, text }, index) => (
          <article key={index} class={`turn ${role}`}>
            <p class="role">{role}</p>
            <MarkText
              label={`Text ${index + 1} of ${texts.length}, ${role}`}
              text={text}
              marks={marks.filter((one) => one.text === index)}
              selection={selection?.text === index ? selection : undefined}
              onSelect={(start, end) => onSelect(index, start, end)}
            />
          </article>
        ))}
      </div>
      {judges ? (
        <MarkBar
          queue={queue}
          log={log}
          texts={texts}
          types={given.types}
          marks={marks}
          selection={selection}
          onFind={(written) => go(findNext(texts, written, selection))}
          onMark={mark}
          onRemove={remove}
          onDone={done}
        />
      ) : (
        <p class="note">Your key cannot give feedback. Ask for one with that scope.</p>
      )}
    </>
  );
}

function proposed({ texts }: Texts): Mark[] {
  return inOrder(
    texts.flatMap(({ findings }, text) =>
      findings.map(({ start, end, type, score }) => ({ text, start, end, type, score })),
    ),
  );
}

/** The mark or the word at a place of a text. */
function at(marks: Mark[], words: Span[], text: number, place: number): Span | undefined {
  const isThere = (span: Span) => span.text === text && span.start <= place && place <= span.end;
  return marks.find(isThere) ?? words.find(isThere);
}

/** The span without blanks at its ends; undefined where nothing else is in it. */
function trimmed(text: string, { text: index, start, end }: Span): Span | undefined {
  const selected = text.slice(start, end);
  const length = selected.trim().length;
  const from = start + selected.length - selected.trimStart().length;
  return length === 0 ? undefined : { text: index, start: from, end: from + length };
}

async function send(log: Log, queue: string, { texts }: Texts, marks: Mark[]): Promise<void> {
  const params = { project_uid: log.project_uid };
  const body = {
    queue,
    marks: marks.map(({ text, start, end, type }) => {
      const { phase, place } = texts[text]!;
      return { phase, place, start, end, type };
    }),
  };
  const { id } = await call('POST /{project_uid}/logs/{id}/pii-marks', {
    params: { ...params, id: log.id },
    body,
  });
  sent.set(log.id, marks);
  if (sent.size > MOST_SENT) sent.delete(sent.keys().next().value!);
  changed(`${plural(marks.length, 'mark')} saved.`, async () => {
    await call('DELETE /{project_uid}/judgements/{judgement_id}', {
      params: { ...params, judgement_id: id },
    });
  });
}

function Notes({ log, cut, isEmpty }: { log: Log; cut: boolean; isEmpty: boolean }) {
  const { request, response } = keptNotes(log);
  const isMasked = [log.request_kept, log.response_kept].includes('masked');
  if (isEmpty) {
    return <p class="note">The log keeps no text to mark. Press Enter to go on.</p>;
  }
  return (
    <>
      {[...new Set([request, response])].map((note) => note && <p class="note">{note}</p>)}
      {isMasked && (
        <p class="note">
          You mark the text as it is kept. What a plugin masked is gone, so these marks tell what it missed,
          and not how much it found.
        </p>
      )}
      {cut && <p class="note">The log has more text than is shown here. Only this part is measured.</p>}
    </>
  );
}
