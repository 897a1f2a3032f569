import { useMemo, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { isOwnImage, Markdown } from '../ui/markdown.tsx';
import { MarkContext, type MarkedText, markText } from '../ui/marked-text.tsx';
import type { Part, Turn } from './conversation.ts';
import type { ToldFinding } from './findings.ts';
import { foundPieces, maskedPieces } from './pieces.ts';

interface TurnProps {
  turn: Turn;
  /** The findings in this turn, by the number of the part. */
  findings?: Map<number, ToldFinding[]>;
}

export function TurnView({ turn, findings }: TurnProps) {
  return (
    <article class={`turn ${turn.role}`}>
      <p class="role">{turn.role}</p>
      <div class="turn-body" dir="auto">
        {turn.parts.map((part, index) => (
          <PartView key={index} part={part} findings={findings?.get(index)} />
        ))}
        {turn.parts.length === 0 && <p class="muted">No content.</p>}
      </div>
    </article>
  );
}

function PartView({ part, findings }: { part: Part; findings?: ToldFinding[] }) {
  switch (part.kind) {
    case 'text':
      return <TextPart text={part.text} findings={findings} />;
    case 'reasoning':
      return (
        <details class="fold">
          <summary>Reasoning</summary>
          <Markdown text={part.text} />
        </details>
      );
    case 'image':
      return isOwnImage(part.url) ? (
        <img class="content-image" src={part.url} alt="Part of the message" />
      ) : (
        <p class="left-out">[image not fetched: {part.url.slice(0, 200)}]</p>
      );
    case 'tool-call':
      return (
        <Fold title="Tool call" name={part.name}>
          {part.text}
        </Fold>
      );
    case 'tool-result':
      return <Fold title="Tool result">{part.text}</Fold>;
    case 'other':
      return <Fold title="Other content">{JSON.stringify(part.value, null, 2)}</Fold>;
  }
}

const MOST_FOLDED_UNITS = 100_000;

function Fold({ title, name, children }: { title: string; name?: string; children: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} {name && <code>{name}</code>}
      </summary>
      {open && (
        <pre tabIndex={0}>
          {children.slice(0, MOST_FOLDED_UNITS)}
          {children.length > MOST_FOLDED_UNITS && '\n… The rest is in the JSON of the log.'}
        </pre>
      )}
    </details>
  );
}

/** A longer text is folded, so that what follows stays visible and a page with a megabyte of text stays fast. */
const FOLDED_UNITS = 2_400;
const FOLDED_LINES = 30;

function foldedLength(text: string): number {
  let at = -1;
  for (let line = 0; line < FOLDED_LINES; line++) {
    at = text.indexOf('\n', at + 1);
    if (at === -1 || at > FOLDED_UNITS) return Math.min(text.length, FOLDED_UNITS);
  }
  return at;
}

function TextPart({ text, findings = [] }: { text: string; findings?: ToldFinding[] }) {
  const [open, setOpen] = useState(false);
  const [plain, setPlain] = useState(false);
  const folded = useMemo(() => foldedLength(text), [text]);
  const isLong = text.length > folded;
  const shown = isLong && !open ? text.slice(0, folded) : text;
  const marked = useMemo(() => markFindings(shown, findings), [shown, findings]);
  return (
    <div class="text-part">
      {plain ? <div class="plain-text">{markText(marked)}</div> : <Formatted marked={marked} />}
      {isLong && (
        <Button small expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : `Show all ${formatCount(text.length)} characters`}
        </Button>
      )}
      <span class="text-tools">
        <Button quiet small pressed={plain} onClick={() => setPlain(!plain)}>
          Plain text
        </Button>
      </span>
    </div>
  );
}

/**
 * The offsets of findings refer to the original text. Where the log has `<TYPE>` instead of a value, the mark goes
 * there.
 */
function markFindings(text: string, findings: ToldFinding[]): MarkedText {
  if (findings.length === 0) return { text, pieces: [{ text }] };
  const isMasked = findings.some(({ type }) => text.includes(`<${type}>`));
  return { text, pieces: isMasked ? maskedPieces(text, findings) : foundPieces(text, findings) };
}

/** Shows the text as JSON where all of it is JSON, and otherwise as Markdown. */
function Formatted({ marked }: { marked: MarkedText }) {
  const { text } = marked;
  const json = useMemo(() => indentedJson(text), [text]);
  if (json !== undefined) return <pre tabIndex={0}>{json}</pre>;
  return (
    <MarkContext.Provider value={marked}>
      <Markdown text={text} marked={marked} />
    </MarkContext.Provider>
  );
}

function indentedJson(text: string): string | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}
