/** Counts, in one pass over a line, the marks that only code has and the words that only sentences have. */
import {
  CLASS_DIGIT,
  CLASS_LETTER,
  CLASS_MARK,
  CLASS_SPACE,
  CLASS_UPPER,
  charClass,
} from '../model/characters.js';

const MAX_KEY = 40;

/** The counts for one line. */
export class Marks {
  score = 0;
  /**
   * The part of the code score that comes from names such as `user_id`, `run()` and `main.py`, which sentences
   * mention too.
   */
  named = 0;
  words = 0;
  lowerWords = 0;
  capitalised = 0;
  symbols = 0;
}

/** A letter, a digit or `_`. */
export function isIdent(unit: number): boolean {
  const kind = charClass[unit]!;
  return kind === CLASS_LETTER || kind === CLASS_UPPER || kind === CLASS_DIGIT || unit === 0x5f;
}

/** How much one mark suggests code. `before` and `after` are the units beside it, 0 at the ends of the line. */
function weigh(unit: number, before: number, after: number): number {
  switch (unit) {
    case 0x7b: // {
    case 0x7d: // }
      return 1;
    case 0x28: // (
      if (!isIdent(before)) return 0;
      return after === 0x29
        ? 2
        : after === 0x73 || after === 0x65 || after === 0x6e || after === 0x69
          ? 0.5
          : 1;
    case 0x5b: // [
      return isIdent(before) ? 1 : 0;
    case 0x3d: // =
      // An arrow alone also occurs in notes.
      if (after === 0x3e) return 1.5;
      if (before === 0x21 || before === 0x3a || before === 0x2b) return 2;
      return before === 0x20 && after === 0x20 ? 1 : 0.25;
    case 0x5f: // _
      return isIdent(before) && isIdent(after) ? 1 : 0.25;
    case 0x26: // &
      return after === 0x26 ? 2 : after !== 0x20 && before === 0x20 ? 0.5 : 0;
    case 0x7c: // |
      return after === 0x7c ? 2 : 0;
    case 0x3a: // :
      return after === 0x3a || after === 0x3d ? 2 : 0;
    case 0x2d: // -
      return after === 0x3e ? 2 : 0;
    case 0x24: // $
      return charClass[after] === CLASS_LETTER || after === 0x7b || after === 0x28 ? 2 : 0;
    case 0x3c: // <
      return after === 0x2f ? 2 : isIdent(before) && isIdent(after) ? 1 : 0;
    case 0x3e: // >
      return before === 0x2f ? 2 : 0;
    case 0x3b: // ;
      return after === 0 ? 2 : 0;
    case 0x2e: // .
      return charClass[before] === CLASS_LETTER && charClass[after] === CLASS_LETTER ? 0.5 : 0;
    case 0x5c: // \
      return 0.25;
    default:
      return 0;
  }
}

/** Whether the mark `unit` is part of a name such as `user_id`, rather than an operator or bracket of a statement. */
function isOfName(unit: number, before: number, after: number): boolean {
  if (unit === 0x5f || unit === 0x2e) return true;
  return unit === 0x28 && after === 0x29 && isIdent(before);
}

function isWordUnit(unit: number): boolean {
  const kind = charClass[unit]!;
  return (
    kind === CLASS_LETTER || kind === CLASS_UPPER || kind === CLASS_MARK || unit === 0x27 || unit === 0x2019
  );
}

/** `==` and `===` are comparisons. A longer row of `=` is a line that somebody drew. */
function equality(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && text.charCodeAt(at) === 0x3d) at++;
  return at - from <= 3 ? 2 : 0;
}

/**
 * Whether the mark is skipped although it looks like code: the slashes after a scheme (`://`), and the `@` or `#` of
 * handles and hashtags.
 */
function isSkipped(unit: number, before: number, after: number): boolean {
  if (unit === 0x2f) return before === 0x3a && after === 0x2f;
  return (unit === 0x40 || unit === 0x23) && before === 0x20 && charClass[after] === CLASS_UPPER;
}

/**
 * Whether a string in quotes before a colon is the name of a field (`"name":`). A sentence in quotes before a colon
 * is not.
 */
function isKey(text: string, from: number, to: number): boolean {
  if (to - from > MAX_KEY) return false;
  for (let at = from; at < to; at++) if (charClass[text.charCodeAt(at)] === CLASS_SPACE) return false;
  return to > from;
}

/**
 * Whether a word is part of a sentence, by the units around it: a blank or `(` before it, a blank or one of `,.?!)`
 * after it.
 */
function isOfSentence(before: number, after: number): boolean {
  if (before !== 0x20 && before !== 0x28) return false;
  return (
    after === 0x20 || after === 0x2c || after === 0x2e || after === 0x3f || after === 0x21 || after === 0x29
  );
}

/** Counts the marks and words in [from, to). Words in quotes do not count, because code has sentences in quotes. */
export function countMarks(text: string, from: number, to: number): Marks {
  const marks = new Marks();
  let inQuotes = false;
  let quote = from;
  /** The number of open brackets of calls. Their arguments do not count as words of a sentence. */
  let depth = 0;
  let before = 0x20;
  for (let at = from; at < to; ) {
    const unit = text.charCodeAt(at);
    const kind = charClass[unit]!;
    if (kind === CLASS_LETTER || kind === CLASS_UPPER) {
      const opener = at > from ? text.charCodeAt(at - 1) : 0x20;
      let after = 0x20;
      before = unit;
      for (at++; at < to; at++) {
        after = text.charCodeAt(at);
        if (!isWordUnit(after)) break;
        before = after;
      }
      if (inQuotes || depth > 0) continue;
      if (!isOfSentence(opener, at < to ? after : 0x20)) continue;
      marks.words++;
      if (kind === CLASS_UPPER) marks.capitalised++;
      else marks.lowerWords++;
      continue;
    }
    at++;
    if (kind === CLASS_SPACE || kind === CLASS_DIGIT) {
      before = unit;
      continue;
    }
    const after = at < to ? text.charCodeAt(at) : 0;
    if (unit === 0x2f && after === 0x2f && before !== 0x3a) {
      marks.score += 1.5;
      break;
    }
    if (isSkipped(unit, before, after)) {
      while (at < to && charClass[text.charCodeAt(at)] !== CLASS_SPACE) at++;
      before = 0x20;
      continue;
    }
    if (unit === 0x22) {
      inQuotes = !inQuotes;
      if (inQuotes) quote = at;
      else if (after === 0x3a && isKey(text, quote, at - 1)) marks.score += 2.5;
    }
    if (unit === 0x28 && (depth > 0 || isIdent(before))) depth++;
    else if (unit === 0x29 && depth > 0) depth--;
    const weight =
      unit === before
        ? 0
        : unit === after && unit === 0x3d
          ? equality(text, at - 1, to)
          : weigh(unit, before, after);
    if (weight > 0) marks.symbols++;
    marks.score += weight;
    if (isOfName(unit, before, after)) marks.named += weight;
    before = unit;
  }
  return marks;
}
