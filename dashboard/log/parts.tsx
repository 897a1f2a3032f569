import { useMemo, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { isOwnImage, Markdown } from '../ui/markdown.tsx';
import type { Part, Turn } from './conversation.ts';
import { type Finding, foundPieces, maskedPieces } from './pieces.ts';

interface TurnProps {
  turn: Turn;
  /** What plugins found in this turn, by the number of its part. */
  findings?: Map<number, Finding[]>;
}

export function TurnView({ turn, findings }: TurnProps) {
  return (
    <article class={`turn ${turn.role}`}>
      <p class="role">{turn.role}</p>
      <div class="turn-body">
        {turn.parts.map((part, index) => (
          <PartView key={index} part={part} findings={findings?.get(index)} />
        ))}
        {turn.parts.length === 0 && <p class="muted">Nothing.</p>}
      </div>
    </article>
  );
}

function PartView({ part, findings }: { part: Part; findings?: Finding[] }) {
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
        <Fold title="Calls" name={part.name}>
          {part.text}
        </Fold>
      );
    case 'tool-result':
      return <Fold title="Result of a tool">{part.text}</Fold>;
    case 'other':
      return <Fold title="Another kind of part">{JSON.stringify(part.value, null, 2)}</Fold>;
  }
}

function Fold({ title, name, children }: { title: string; name?: string; children: string }) {
  return (
    <details class="fold">
      <summary>
        {title} {name && <code>{name}</code>}
      </summary>
      <pre tabIndex={0}>{children}</pre>
    </details>
  );
}

/** Formatted, or as it came; with findings as it came, since their places are those of the plain text. */
function TextPart({ text, findings = [] }: { text: string; findings?: Finding[] }) {
  const isMasked = findings.some(({ type }) => text.includes(`<${type}>`));
  const marked = isMasked ? maskedPieces(text, findings) : foundPieces(text, findings);
  const [plain, setPlain] = useState(marked.length > 1);
  return (
    <div class="text-part">
      {plain ? (
        <div class="plain-text">
          {marked.map(({ text: piece, finding }, index) =>
            finding ? (
              <mark key={index} title={`${finding.type}, score ${finding.score.toFixed(2)}`}>
                {piece}
              </mark>
            ) : (
              piece
            ),
          )}
        </div>
      ) : (
        <Formatted text={text} />
      )}
      <Button quiet small pressed={plain} onClick={() => setPlain(!plain)}>
        Plain text
      </Button>
    </div>
  );
}

/** Markdown, or JSON where the whole text is that. */
function Formatted({ text }: { text: string }) {
  const json = useMemo(() => indentedJson(text), [text]);
  return json === undefined ? <Markdown text={text} /> : <pre tabIndex={0}>{json}</pre>;
}

function indentedJson(text: string): string | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}
