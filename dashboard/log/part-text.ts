import { indentPieces, isJson } from '../ui/indent-json.ts';
import type { MarkedText } from '../ui/marked-text.tsx';
import type { ExplainedFinding } from './findings.ts';
import { foundPieces, maskedPieces } from './pieces.ts';

/** A text as it is shown: its findings are marked, and JSON has a line for each member. */
export interface ShownText {
  marked: MarkedText;
  isJson: boolean;
}

export function readText(text: string, findings: ExplainedFinding[]): ShownText {
  const pieces = markedPieces(text, findings);
  if (!isJson(text)) return { marked: { text, pieces }, isJson: false };
  return { marked: joined(indentPieces(pieces)), isJson: true };
}

/**
 * The text cut at its findings. Their offsets refer to the original text; where the log has placeholders instead,
 * these are marked.
 */
function markedPieces(text: string, findings: ExplainedFinding[]): MarkedText['pieces'] {
  if (findings.length === 0) return [{ text }];
  const types = new Set(findings.map(({ type }) => type));
  // Logs of older versions do not say whether they are masked.
  const isMasked =
    findings.some(({ masked }) => masked) || [...types].some((type) => text.includes(`<${type}>`));
  return isMasked ? maskedPieces(text, findings) : foundPieces(text, findings);
}

/** A longer text is folded, so that what follows stays visible and a page with a megabyte of text stays fast. */
const FOLDED_UNITS = 2_400;
const FOLDED_LINES = 30;

/** The beginning of a long text; undefined for a text that is short. */
export function foldedText({ text, pieces }: MarkedText): MarkedText | undefined {
  const length = foldedLength(text);
  if (text.length <= length) return undefined;
  const shown: MarkedText['pieces'] = [];
  let left = length;
  for (const piece of pieces) {
    if (left <= 0) break;
    shown.push({ ...piece, text: piece.text.slice(0, left) });
    left -= piece.text.length;
  }
  return joined(shown);
}

function foldedLength(text: string): number {
  let at = -1;
  for (let line = 0; line < FOLDED_LINES; line++) {
    at = text.indexOf('\n', at + 1);
    if (at === -1 || at > FOLDED_UNITS) return Math.min(text.length, FOLDED_UNITS);
  }
  return at;
}

function joined(pieces: MarkedText['pieces']): MarkedText {
  return { text: pieces.map(({ text }) => text).join(''), pieces };
}
