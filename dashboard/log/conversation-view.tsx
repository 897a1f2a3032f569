import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Log } from '../api/client.ts';
import { useShortcuts } from '../app/keyboard.ts';
import { Button } from '../ui/button.tsx';
import { plural } from '../ui/format.ts';
import { answerTurns, askedTurns, clientTurns, type Turn } from './conversation.ts';
import { findingsByTurn } from './findings.ts';
import { InvalidOutputs } from './invalid-outputs.tsx';
import { keptNotes } from './kept-notes.ts';
import { TurnView } from './parts.tsx';

/** A longer conversation is first shown with its first message and this many of its last ones. */
const SHOWN_LAST = 6;

/** The request and the answer, in which the findings of plugins are marked. */
export function ConversationView({ log }: { log: Log }) {
  const asked = useMemo(() => askedTurns(log), [log]);
  const [whole, setWhole] = useState(false);
  const question = useRef<HTMLDivElement>(null);
  const answer = useRef<HTMLDivElement>(null);
  useShortcuts('Conversation', [
    { key: 'q', what: 'Go to the question', run: () => showPart(question.current) },
    { key: 'a', what: 'Go to the answer', run: () => showPart(answer.current) },
  ]);
  useEffect(() => bringAnswerIntoView(question.current, answer.current), [log.id]);
  if (log.request === null && log.response === null) {
    return <p class="muted">No messages are kept for this endpoint: its `log_content` is set to `none`.</p>;
  }
  const notes = keptNotes(log);
  const isCut = !whole && asked.length > SHOWN_LAST + 2;
  const from = isCut ? asked.length - SHOWN_LAST : 0;
  const lastOfUser = asked.findLastIndex(({ role }) => role === 'user');
  return (
    <div class="conversation">
      {notes.request !== undefined && <p class="note">{notes.request}</p>}
      <Asked log={log} turns={asked} from={0} to={isCut ? 1 : 0} />
      {isCut && (
        <p>
          <Button small onClick={() => setWhole(true)}>
            Show {plural(from - 1, 'earlier message')}
          </Button>
        </p>
      )}
      <Asked log={log} turns={asked} from={from} to={lastOfUser} />
      <div ref={question} tabIndex={-1} class="conversation-part">
        <Asked log={log} turns={asked} from={Math.max(from, lastOfUser)} to={asked.length} />
      </div>
      <div ref={answer} tabIndex={-1} class="conversation-part">
        <Answers log={log} note={notes.response} />
        {log.error !== null && <ErrorNote log={log} />}
        <InvalidOutputs log={log} />
      </div>
    </div>
  );
}

/** Messages from `from` up to `to`. Findings refer to their numbers in the whole conversation. */
function Asked({ log, turns, from, to }: { log: Log; turns: Turn[]; from: number; to: number }) {
  const found = useMemo(() => findingsByTurn(log, 'request'), [log]);
  return (
    <>
      {turns.slice(from, Math.max(from, to)).map((turn, index) => (
        <TurnView key={from + index} turn={turn} findings={found.get(from + index)} />
      ))}
    </>
  );
}

function Answers({ log, note }: { log: Log; note: string | undefined }) {
  const said = answerTurns(log);
  const got = clientTurns(log);
  if (got === undefined) {
    return (
      <>
        {note !== undefined && <p class="note">{note}</p>}
        <Answer turns={said} log={log} />
      </>
    );
  }
  return (
    <div class="side-by-side">
      <section aria-label="What the model said">
        <h2 class="beside">What the model said</h2>
        {note !== undefined && <p class="note">{note}</p>}
        <Answer turns={said} log={log} />
      </section>
      <section aria-label="What the client got">
        <h2 class="beside">What the client got</h2>
        {got.length > 0 ? (
          <Answer turns={got} />
        ) : (
          <p class="note">The client got an error, because a plugin rejected this answer.</p>
        )}
      </section>
    </div>
  );
}

function Answer({ turns, log }: { turns: Turn[]; log?: Log }) {
  const found = useMemo(() => (log === undefined ? undefined : findingsByTurn(log, 'response')), [log]);
  return (
    <>
      {turns.map((turn, index) => (
        <TurnView key={index} turn={turn} findings={found?.get(index)} />
      ))}
    </>
  );
}

function ErrorNote({ log }: { log: Log }) {
  const invalid = log.attempts.findLast(({ status }) => status === 'invalid_output');
  return (
    <div class="note bad-note">
      <strong>{log.error?.code}</strong> {log.error?.message}
      {invalid?.error?.path !== undefined && (
        <p>
          Validation failed at <code>{invalid.error.path || '(the whole output)'}</code>:{' '}
          {invalid.error.message}
        </p>
      )}
    </div>
  );
}

function showPart(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'start' });
  element?.focus({ preventScroll: true });
}

/**
 * A reader who opens a log looks for the answer. Where the answer begins below the window, the page scrolls to the
 * question.
 */
function bringAnswerIntoView(question: HTMLElement | null, answer: HTMLElement | null): void {
  if (question === null || answer === null) return;
  if (answer.getBoundingClientRect().top < innerHeight * 0.7) return;
  question.scrollIntoView({ block: 'start' });
  if (answer.getBoundingClientRect().top > innerHeight * 0.7) answer.scrollIntoView({ block: 'center' });
}
