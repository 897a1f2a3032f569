import { type ComponentChildren, createContext } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import type { ExplainedFinding } from '../log/findings.ts';

/** A piece of a text, and the finding in it, if any. */
export interface MarkedPiece {
  text: string;
  finding?: ExplainedFinding;
}

/** A text, and the same text cut at its findings. */
export interface MarkedText {
  text: string;
  pieces: MarkedPiece[];
}

/** The marked text that surrounds a formatted part, for the texts inside that part. */
export const MarkContext = createContext<MarkedText | undefined>(undefined);

/** Only this many marks are buttons. Nobody opens more of them, and each button costs time. */
const MOST_BUTTONS = 200;

export function markText({ pieces }: MarkedText): ComponentChildren {
  let count = 0;
  return pieces.map(({ text, finding }, index) =>
    finding === undefined ? (
      text
    ) : (
      <Mark key={index} text={text} finding={finding} plain={++count > MOST_BUTTONS} />
    ),
  );
}

/** A mark in the text. Pressing it shows the reason. */
function Mark({ text, finding, plain }: { text: string; finding: ExplainedFinding; plain?: boolean }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { type, score, plugin, reason } = finding;
  const said = `${type}, score ${score.toFixed(2)}`;
  if (plain) return <mark title={said}>{text}</mark>;
  return (
    <>
      <button
        type="button"
        class="found"
        title={said}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <mark>{text}</mark>
      </button>
      {open && (
        <span id={id} class="found-reason" dir="ltr">
          {plugin} found {type} here with a score of {score.toFixed(2)}.{' '}
          {reason === undefined
            ? 'The log does not say why. Set return_decision_process in the plugin to record the reasons.'
            : `Reason: ${reason}.`}
        </span>
      )}
    </>
  );
}

/*
 * Markdown is parsed as one text, so marks travel through the parser as characters of Unicode's private area: a start with
 * the number of its finding, and an end. A text that has such characters itself is shown without marks.
 */
const START = '\ue000';
const END = '\ue001';
const DIGIT = 0xe010;
const MARKS = /[\ue000\ue001]/;
const OWN = /[\ue000-\ue01f]/;

/** The text with markers for the parser; undefined where it cannot carry markers. */
export function withMarkers({ text, pieces }: MarkedText): string | undefined {
  if (pieces.every(({ finding }) => finding === undefined)) return text;
  if (OWN.test(text)) return undefined;
  return pieces
    .map((piece, index) =>
      piece.finding === undefined ? piece.text : `${START}${toDigits(index)}${piece.text}${END}`,
    )
    .join('');
}

function toDigits(index: number): string {
  return [...String(index)].map((digit) => String.fromCharCode(DIGIT + Number(digit))).join('');
}

/** Shows the marks in a text of the parsed tree. */
export function MarkedInside({ text }: { text: string }) {
  const marked = useContext(MarkContext);
  if (marked === undefined || !MARKS.test(text)) return <>{text}</>;
  const pieces: MarkedPiece[] = [];
  const add = (piece: string, finding?: ExplainedFinding) =>
    piece !== '' && pieces.push({ text: piece, finding });
  let finding: ExplainedFinding | undefined;
  for (const part of text.split(/([\ue000][\ue010-\ue019]+|\ue001)/)) {
    if (part === END) finding = undefined;
    else if (part.startsWith(START)) {
      const index = [...part.slice(1)].map((digit) => digit.charCodeAt(0) - DIGIT).join('');
      finding = marked.pieces[Number(index)]?.finding;
    } else add(part, finding);
  }
  return <>{markText({ text, pieces })}</>;
}

/** The text without markers, for places that cannot show marks. */
export function withoutMarkers(text: string): string {
  return text.replace(/[\ue000\ue001\ue010-\ue019]/g, '');
}
