/** Where long text is cut for the model: at the last line or sentence end of a full stretch, else where it is full. */
import { CLASS_NEWLINE } from './characters.js';
import { appendTokens, type Tokens, tokenize } from './tokenize.js';

function endsSentence(text: string, tokens: Tokens, i: number): boolean {
  if (tokens.kind[i] === CLASS_NEWLINE) return true;
  const unit = text.charCodeAt(tokens.start[i]!);
  return (unit === 0x2e || unit === 0x3f || unit === 0x21) && text.charCodeAt(tokens.end[i]!) === 0x20;
}

/** Fills `tokens` with the stretch that begins at `from`; gives where the next one begins. */
export function nextSegment(text: string, from: number, to: number, tokens: Tokens): number {
  const stop = tokenize(text, from, to, tokens);
  if (stop >= to) return to;
  for (let i = tokens.count - 1; i >= tokens.count >> 1; i--) {
    if (!endsSentence(text, tokens, i)) continue;
    tokens.count = i + 1;
    return tokens.end[i]!;
  }
  return stop;
}

/** Adds a line break, unless nothing stands before it, and the tokens of a range; false where they do not fit. */
export function appendRange(text: string, from: number, to: number, tokens: Tokens): boolean {
  const before = tokens.count;
  if (before > 0 && before < tokens.start.length) {
    tokens.start[before] = tokens.end[before - 1]!;
    tokens.end[before] = tokens.start[before]! + 1;
    tokens.kind[before] = CLASS_NEWLINE;
    tokens.count++;
  }
  if (appendTokens(text, from, to, tokens) >= to) return true;
  tokens.count = before;
  return false;
}
