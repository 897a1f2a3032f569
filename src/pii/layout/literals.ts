/**
 * Finds the places in source code where names can stand: strings, comments, and the text between tags. A block
 * comment, or a string in three quotes, that is open at the end of a line is remembered for the next line.
 */
import { CLASS_SPACE, charClass } from '../model/characters.js';
import { isIdent } from './line-marks.js';

export interface Literal {
  start: number;
  end: number;
  isComment: boolean;
}

function isSpace(text: string, at: number): boolean {
  return charClass[text.charCodeAt(at)] === CLASS_SPACE;
}

type Close = '*/' | '-->' | '"""' | "'''";

/** The longest string whose end is searched for, in UTF-16 units. */
const MAX_STRING = 4096;

export class LiteralScan {
  /** What ends the comment or string that began on an earlier line. */
  #open: Close | undefined;

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Adds the strings and comments of the line [from, to) to `found`. */
  scan(text: string, from: number, to: number, found: Literal[]): void {
    let at = from;
    if (this.#open !== undefined) at = this.#close(text, from, to, found);
    while (at < to) {
      const next = this.#literalAt(text, from, at, to, found);
      at = next > at ? next : at + 1;
    }
  }

  #close(text: string, from: number, to: number, found: Literal[]): number {
    const open = this.#open!;
    const end = indexWithin(text, open, from, to);
    if (end < 0) {
      add(found, text, from, to, true);
      return to;
    }
    add(found, text, from, end, true);
    this.#open = undefined;
    return end + open.length;
  }

  /** Adds the literal that begins at `at`. Returns its end, or `at` where none begins. */
  #literalAt(text: string, from: number, at: number, to: number, found: Literal[]): number {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
      case 0x27: // '
        return this.#quoted(text, at, to, found);
      case 0x60: // `
        return quote(text, at, to, found);
      case 0x2f: // /
        if (isBlockStart(text, from, at)) return this.#block(text, at, 2, '*/', to, found);
        if (text.charCodeAt(at + 1) !== 0x2f || (at > from && text.charCodeAt(at - 1) === 0x3a)) return at;
        return comment(text, at, to, found);
      case 0x23: // #
        return isHashComment(text, from, at, to) ? comment(text, at, to, found) : at;
      case 0x2d: // -
        if (!text.startsWith('-- ', at) || (at > from && !isSpace(text, at - 1))) return at;
        return comment(text, at, to, found);
      case 0x3c: // <
        return text.startsWith('<!--', at) ? this.#block(text, at, 4, '-->', to, found) : at;
      case 0x3e: // >
        return between(text, at, to, found);
      default:
        return at;
    }
  }

  #quoted(text: string, at: number, to: number, found: Literal[]): number {
    const mark = text[at]!;
    const triple = mark === '"' ? '"""' : "'''";
    if (text.startsWith(triple, at)) return this.#block(text, at, 3, triple, to, found);
    return quote(text, at, to, found);
  }

  #block(text: string, at: number, width: number, close: Close, to: number, found: Literal[]): number {
    this.#open = close;
    return this.#close(text, Math.min(to, at + width), to, found);
  }
}

function indexWithin(text: string, wanted: string, from: number, to: number): number {
  const first = wanted.charCodeAt(0);
  for (let at = from; at + wanted.length <= to; at++) {
    if (text.charCodeAt(at) === first && text.startsWith(wanted, at)) return at;
  }
  return -1;
}

function add(found: Literal[], text: string, from: number, to: number, isComment: boolean): void {
  let start = from;
  while (start < to && (isComment ? isLeader(text.charCodeAt(start)) : isSpace(text, start))) start++;
  let end = to;
  while (end > start && isSpace(text, end - 1)) end--;
  if (end > start) found.push({ start, end, isComment });
}

/** Whether the unit is a blank or one of the marks that frame comments. */
function isLeader(unit: number): boolean {
  return (
    charClass[unit] === CLASS_SPACE ||
    unit === 0x2a ||
    unit === 0x23 ||
    unit === 0x2f ||
    unit === 0x21 ||
    unit === 0x2d ||
    unit === 0x3d
  );
}

/** Whether a block comment begins here, and not a path such as `/tmp `. */
function isBlockStart(text: string, from: number, at: number): boolean {
  if (text.charCodeAt(at + 1) !== 0x2a) return false;
  return at === from || isSpace(text, at - 1) || '(,;{}'.includes(text[at - 1]!);
}

function comment(text: string, at: number, to: number, found: Literal[]): number {
  add(found, text, at, to, true);
  return to;
}

/**
 * Whether a comment such as `# text`, `## text` or `#text` begins the line. `#include`, `#define`, `$#` and `a#b` are
 * not comments.
 */
function isHashComment(text: string, from: number, at: number, to: number): boolean {
  if (at > from && !isSpace(text, at - 1)) return false;
  const next = text.charCodeAt(at + 1);
  return at + 1 === to || next === 0x20 || next === 0x09 || next === 0x23 || next === 0x3a;
}

/** Adds the string that the quote at `at` begins. A quote without a closing one in the line begins no string. */
function quote(text: string, at: number, to: number, found: Literal[]): number {
  const mark = text.charCodeAt(at);
  if (mark === 0x27 && at > 0 && isIdent(text.charCodeAt(at - 1)) && !isPrefix(text, at)) return at;
  if (mark === 0x27 && at > 0 && '<&'.includes(text[at - 1]!)) return at; // a lifetime of Rust
  const limit = Math.min(to, at + MAX_STRING);
  let piece = at + 1;
  const pieces: Literal[] = [];
  for (let end = piece; end < limit; end++) {
    const unit = text.charCodeAt(end);
    // In SQL, two quotes inside a string stand for one: `'O''Hanlon'`.
    if (unit === 0x27 && unit === mark && isDoubled(text, end)) {
      end++;
      continue;
    }
    if (unit === mark) {
      add(pieces, text, piece, end, false);
      if (isForeign(text.charCodeAt(at + 1)) || !isKey(text, end + 1, to))
        for (const one of pieces) found.push(one);
      return end + 1;
    }
    if (unit === 0x5c) {
      add(pieces, text, piece, end, false);
      piece = ++end + 1;
    } else if (unit === 0x24 && mark === 0x60 && text.charCodeAt(end + 1) === 0x7b) {
      add(pieces, text, piece, end, false);
      while (end < limit && text.charCodeAt(end) !== 0x7d) end++;
      piece = end + 1;
    }
  }
  return at;
}

function isDoubled(text: string, at: number): boolean {
  return (
    text.charCodeAt(at + 1) === 0x27 && isIdent(text.charCodeAt(at - 1)) && isIdent(text.charCodeAt(at + 2))
  );
}

/** Whether the unit before the quote is a prefix of the string, as in `b'…'`, `r"…"`, `f'…'`, `u'…'`, `L'…'`. */
function isPrefix(text: string, at: number): boolean {
  return 'bBrRfFuULN'.includes(text[at - 1]!) && !(at > 1 && isIdent(text.charCodeAt(at - 2)));
}

/** Whether the unit is a Greek or Cyrillic letter. No program names its fields so. */
function isForeign(unit: number): boolean {
  return unit >= 0x370 && unit < 0x530;
}

/** Whether the string is the name of a field, because a colon follows. */
function isKey(text: string, at: number, to: number): boolean {
  while (at < to && isSpace(text, at)) at++;
  return at < to && text.charCodeAt(at) === 0x3a && text.charCodeAt(at + 1) !== 0x3a;
}

/** Adds the text from a tag up to the next tag. */
function between(text: string, at: number, to: number, found: Literal[]): number {
  const before = at > 0 ? text.charCodeAt(at - 1) : 0;
  if (!isIdent(before) && before !== 0x22 && before !== 0x27 && before !== 0x2f) return at;
  if (text.charCodeAt(at + 1) === 0x3d || isSpace(text, at + 1)) return at;
  let end = at + 1;
  while (end < to && text.charCodeAt(end) !== 0x3c && text.charCodeAt(end) !== 0x3e) end++;
  if (
    end === to ||
    text.charCodeAt(end) === 0x3e ||
    !(text.charCodeAt(end + 1) === 0x2f || isIdent(text.charCodeAt(end + 1)))
  )
    return at;
  add(found, text, at + 1, end, false);
  return end;
}
