/**
 * Cuts text into words, numbers, line breaks and single marks. Apostrophes and hyphens stand alone, so that
 * `l'Allemagne`, `O'Brien` and `Aix-en-Provence` need no rules for each language: the model joins the pieces.
 */
import {
  CLASS_DIGIT,
  CLASS_LETTER,
  CLASS_MARK,
  CLASS_NEWLINE,
  CLASS_OTHER,
  CLASS_SPACE,
  CLASS_UPPER,
  charClass,
} from './characters.js';

/** Cells before the first and after the last token, so that a look at neighbours needs no bounds check. */
export const PAD = 3;

export interface Tokens {
  count: number;
  start: Int32Array;
  end: Int32Array;
  /** Class of the first unit of the token. */
  kind: Uint8Array;
}

/** A word or number of more units than this is cut, so that one token costs a bounded time. */
const MAX_TOKEN_UNITS = 64;
/** Nor has a stretch more units than this, give or take a token. */
const MAX_STRETCH_UNITS = 4096;

export function makeTokens(capacity: number): Tokens {
  return {
    count: 0,
    start: new Int32Array(capacity),
    end: new Int32Array(capacity),
    kind: new Uint8Array(capacity),
  };
}

/** Length in units of the token at `start`, whose first unit is of class `kind`. */
function tokenEnd(text: string, start: number, end: number, kind: number): number {
  const limit = Math.min(end, start + MAX_TOKEN_UNITS);
  let at = start + 1;
  if (kind === CLASS_LETTER || kind === CLASS_UPPER) {
    while (at < limit) {
      const next = charClass[text.charCodeAt(at)]!;
      if (next !== CLASS_LETTER && next !== CLASS_UPPER && next !== CLASS_MARK) break;
      at++;
    }
  } else if (kind === CLASS_DIGIT) {
    while (at < limit && charClass[text.charCodeAt(at)] === CLASS_DIGIT) at++;
  } else if (kind === CLASS_NEWLINE) {
    while (at < limit && charClass[text.charCodeAt(at)] === CLASS_NEWLINE) at++;
  } else if (kind === CLASS_OTHER && (text.charCodeAt(start) & 0xfc00) === 0xd800 && at < end) {
    at++;
  }
  return at;
}

/**
 * Fills `tokens` from `text` between `from` and `to`, at most as many as fit and of no more units than a stretch has;
 * gives the offset where it stopped.
 */
export function tokenize(text: string, from: number, to: number, tokens: Tokens): number {
  tokens.count = 0;
  return appendTokens(text, from, to, tokens);
}

/** The same, after the tokens that are there. */
export function appendTokens(text: string, from: number, to: number, tokens: Tokens): number {
  const capacity = tokens.start.length;
  let { count } = tokens;
  let at = from;
  const limit = Math.min(to, from + MAX_STRETCH_UNITS);
  while (at < limit && count < capacity) {
    const kind = charClass[text.charCodeAt(at)]!;
    if (kind === CLASS_SPACE) {
      at++;
      continue;
    }
    const end = tokenEnd(text, at, to, kind);
    tokens.start[count] = at;
    tokens.end[count] = end;
    tokens.kind[count] = kind === CLASS_MARK ? CLASS_OTHER : kind;
    count++;
    at = end;
  }
  tokens.count = count;
  return at;
}
