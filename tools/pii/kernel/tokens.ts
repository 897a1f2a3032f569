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
  classOf,
} from './characters';

/** Tokens that are read together. Longer text is cut at a sentence or line end before this. */
export const MAX_TOKENS = 256;
/** Tokens before the first and behind the last, so that a look at neighbours needs no check. */
export const PAD = 3;
/** A word or number of more units than this is cut, so that one token costs a bounded time. */
const MAX_TOKEN_UNITS = 64;
/** Nor has a stretch more units than this, give or take a token. */
const MAX_STRETCH_UNITS = 4096;
/** Units that the text of a stretch has at most. */
export const MOST_UNITS = 32768;

/** What is known of a token. Places are those of its units in the text of the stretch; hashes are of its letters. */
@unmanaged
export class Token {
  start: i32;
  end: i32;
  /** Class of its first unit. */
  kind: i32;
  /** How it relates to the token before it, for the transitions between labels. */
  step: i32;
  word: i32;
  shape: i32;
  lists: i32;
  /** In a place of several words: 1 for the first, 2 for the others. */
  place: i32;
  cluster: i32;
  /** The words around the run of capitals it stands in, or around itself, and their clusters. */
  before: i32;
  after: i32;
  beforeCluster: i32;
  afterCluster: i32;
  /** The first and the last word of its run, and their clusters; 0 outside of any. */
  first: i32;
  last: i32;
  firstCluster: i32;
  lastCluster: i32;
  /** Length of its run and its place there; 0 outside of any. */
  run: i32;
  /** Of its last three and four letters. */
  ending3: i32;
  ending4: i32;
  /** Whether the model has to weigh it. */
  isReadable: i32;
  label: i32;
  /** Hash of its word, shape and lists. */
  seen: u64;
  /** Hash of all that its features depend on. */
  context: u64;
}

/** log2 of the bytes that a token takes. */
const TOKEN_SHIFT = 7;
/** The text of the stretch, in UTF-16. */
export const UNITS: usize = memory.data(2 * MOST_UNITS, 16);
export const TOKENS: usize = memory.data((MAX_TOKENS + 2 * PAD) << TOKEN_SHIFT, 16);

/** Tokens of the stretch. */
export let count: i32 = 0;

export function unitAt(at: i32): i32 {
  return load<u16>(UNITS + (at << 1));
}

/** Token `i`, from -PAD to MAX_TOKENS + PAD - 1. */
export function tokenAt(i: i32): Token {
  return changetype<Token>(TOKENS + ((i + PAD) << TOKEN_SHIFT));
}

export function isWord(kind: i32): bool {
  return kind === CLASS_LETTER || kind === CLASS_UPPER;
}

/** Where the token at `start` ends, whose first unit is of class `kind`. */
function tokenEnd(start: i32, end: i32, kind: i32): i32 {
  const limit = min(end, start + MAX_TOKEN_UNITS);
  let at = start + 1;
  if (isWord(kind)) {
    while (at < limit) {
      const next = classOf(unitAt(at));
      if (!isWord(next) && next !== CLASS_MARK) break;
      at++;
    }
  } else if (kind === CLASS_DIGIT || kind === CLASS_NEWLINE) {
    while (at < limit && classOf(unitAt(at)) === kind) at++;
  } else if (kind === CLASS_OTHER && (unitAt(start) & 0xfc00) === 0xd800 && at < end) {
    at++;
  }
  return at;
}

/** Adds the tokens of [from, to), as many as fit and of no more units than a stretch has; gives where it stopped. */
function appendTokens(from: i32, to: i32): i32 {
  const limit = min(to, from + MAX_STRETCH_UNITS);
  let at = from;
  while (at < limit && count < MAX_TOKENS) {
    const kind = classOf(unitAt(at));
    if (kind === CLASS_SPACE) {
      at++;
      continue;
    }
    const end = tokenEnd(at, to, kind);
    addToken(at, end, kind === CLASS_MARK ? CLASS_OTHER : kind);
    at = end;
  }
  return at;
}

function addToken(start: i32, end: i32, kind: i32): void {
  const token = tokenAt(count++);
  token.start = start;
  token.end = end;
  token.kind = kind;
}

function endsSentence(i: i32): bool {
  const token = tokenAt(i);
  if (token.kind === CLASS_NEWLINE) return true;
  const unit = unitAt(token.start);
  return (unit === 0x2e || unit === 0x3f || unit === 0x21) && unitAt(token.end) === 0x20;
}

/** Takes the stretch that begins with the text's units before `to`; gives where the next one begins. */
export function takeStretch(to: i32): i32 {
  count = 0;
  const stop = appendTokens(0, to);
  if (stop >= to) return to;
  for (let i = count - 1; i >= count >> 1; i--) {
    if (!endsSentence(i)) continue;
    count = i + 1;
    return tokenAt(i).end;
  }
  return stop;
}

export function takeNothing(): void {
  count = 0;
}

/** Adds a line break, unless nothing stands before it, and the tokens of [from, to); false where they do not fit. */
export function appendRange(from: i32, to: i32): bool {
  const before = count;
  if (before > 0 && before < MAX_TOKENS) {
    const end = tokenAt(before - 1).end;
    addToken(end, end + 1, CLASS_NEWLINE);
  }
  if (appendTokens(from, to) >= to) return true;
  count = before;
  return false;
}

/** Whether a token is a word: the `T` of `2024-05-01T10:11` is none, and figures alone are no names. */
export function hasWords(): bool {
  for (let i = 0; i < count; i++) {
    const token = tokenAt(i);
    if (isWord(token.kind) && (token.end - token.start > 1 || unitAt(token.start) > 0x7f)) return true;
  }
  return false;
}
