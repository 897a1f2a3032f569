import { useMemo, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { isOwnImage, Markdown } from '../ui/markdown.tsx';
import { MarkContext, markText } from '../ui/marked-text.tsx';
import type { Part, Turn } from './conversation.ts';
import type { ExplainedFinding } from './findings.ts';
import { foldedText, readText } from './part-text.ts';

interface TurnProps {
  turn: Turn;
  /** The findings in this turn, by the number of the part. */
  findings?: Map<number, ExplainedFinding[]>;
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

function PartView({ part, findings }: { part: Part; findings?: ExplainedFinding[] }) {
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
        <p class="left-out">[image not loaded: {part.url.slice(0, 200)}]</p>
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

function TextPart({ text, findings = [] }: { text: string; findings?: ExplainedFinding[] }) {
  const [open, setOpen] = useState(false);
  const [plain, setPlain] = useState(false);
  const whole = useMemo(() => readText(text, findings), [text, findings]);
  const folded = useMemo(() => foldedText(whole.marked), [whole]);
  const marked = open || folded === undefined ? whole.marked : folded;
  return (
    <div class="text-part">
      {plain ? (
        <div class="plain-text">{markText(marked)}</div>
      ) : whole.isJson ? (
        <pre tabIndex={0} dir="ltr">
          {markText(marked)}
        </pre>
      ) : (
        <MarkContext.Provider value={marked}>
          <Markdown text={marked.text} marked={marked} />
        </MarkContext.Provider>
      )}
      {folded !== undefined && (
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
