import { characterOf, escapeLength, isLetterOfEscape } from './json-escapes.js';

/**
 * Text as the recognizers read it: digits of any script and full-width forms as ASCII, dashes and blanks of any
 * kind as `-` and a blank, zero-width characters gone, escapes of JSON as what they mean. Each unit of the result knows where it came from, so that
 * findings are given in offsets of the original. Most text needs nothing of this and is passed on as it is.
 */

/** All that is changed, and the first half of what stands outside of the basic plane. */
const NEEDS_WORK =
  /[\u00a0\u00ad\u0660-\u0669\u06f0-\u06f9\u07c0-\u07c9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0e50-\u0e59\u0ed0-\u0ed9\u0f20-\u0f29\u1040-\u1049\u17e0-\u17e9\u1810-\u1819\u180e\u2000-\u200f\u2010-\u2015\u202a-\u202f\u205f-\u2064\u2212\u3000\u2460-\u2473\ufe58\ufe63\ufeff\uff01-\uff5e\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089\ud835]|[\u0300-\u036f]|\\/;
/** By UTF-16 unit: a table is read faster than the pattern. */
const needsWork = new Uint8Array(0x10000).map((_, unit) =>
  Number(NEEDS_WORK.test(String.fromCharCode(unit))),
);
const MATHEMATICAL_DIGIT = /\ud835[\udfce-\udfff]/y;
/** Accents that follow a letter are part of it, where there is one letter for both. */
const MARKS = /[\u0300-\u036f]+/y;
const LETTER = /[A-Za-z]/;
const ZERO_WIDTH = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/;
const BLANK = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/;
const BACKSLASH = '\\'.charCodeAt(0);
const DASH = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/;

export interface Normalized {
  text: string;
  /** Original offset of each unit and, last, of the end; undefined when nothing was changed. */
  offsets?: Int32Array;
}

/** Value of a decimal digit of any script, in runs of ten that Unicode keeps in order. */
function digitOf(char: string): string | undefined {
  if (!/\p{Nd}/u.test(char)) return undefined;
  const point = char.codePointAt(0)!;
  let zero = point;
  while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  if (point >= 0x1d7ce && point <= 0x1d7ff) return String((point - 0x1d7ce) % 10);
  return String((point - zero) % 10);
}

/** What stands for one character of the original: at most as many units as it has. */
function plain(char: string): string {
  if (ZERO_WIDTH.test(char)) return '';
  if (BLANK.test(char)) return ' ';
  if (DASH.test(char)) return '-';
  const digit = digitOf(char);
  if (digit !== undefined) return digit;
  const point = char.codePointAt(0)!;
  const isWide = point >= 0xff01 && point <= 0xff5e;
  return isWide ? String.fromCharCode(point - 0xfee0) : char;
}

/** Units that are looked at between two chances for other work to run. */
const STRIDE = 65_536;

/** The first unit from `from` on that may change, or `to`. */
function nextChange(text: string, from: number, to: number): number {
  let at = from;
  for (;;) {
    while (at < to && needsWork[text.charCodeAt(at)] === 0) at++;
    // Most backslashes begin nothing that is read in another way.
    if (at === to || text.charCodeAt(at) !== BACKSLASH || escapeLength(text, at) > 0) return at;
    at++;
  }
}

/** Text that is not long and stays as it is, as most does. */
export function unchanged(text: string): Normalized | undefined {
  return text.length <= STRIDE && nextChange(text, 0, text.length) === text.length ? { text } : undefined;
}

/** Normalises step by step; each step is a bounded piece of work. */
export function* normalizeSteps(text: string): Generator<void, Normalized> {
  let first = 0;
  for (let to = 0; first === to && to < text.length; ) {
    to = Math.min(text.length, to + STRIDE);
    first = nextChange(text, first, to);
    if (text.length > STRIDE) yield;
  }
  if (first === text.length) return { text };
  const offsets = new Int32Array(text.length + 1);
  const pieces: string[] = [];
  let length = 0;
  let from = 0;
  const keepUpTo = (to: number) => {
    pieces.push(text.slice(from, to));
    while (from < to) offsets[length++] = from++;
  };
  for (let at = first, stop = STRIDE; at < text.length; ) {
    const change = nextChange(text, at, Math.min(text.length, stop));
    if (change >= stop) {
      stop += STRIDE;
      at = change;
      yield;
      continue;
    }
    if (change === text.length) break;
    const { start, end, changed } = changeAt(text, from, change);
    at = end;
    if (changed === undefined) continue;
    keepUpTo(start);
    pieces.push(changed);
    for (let k = 0; k < changed.length; k++) offsets[length++] = start + k;
    from = end;
  }
  keepUpTo(text.length);
  offsets[length] = text.length;
  return { text: pieces.join(''), offsets: offsets.subarray(0, length + 1) };
}

/** What becomes of the character at an offset, and of the letter before it; what lies before `from` stays. */
function changeAt(text: string, from: number, at: number): { start: number; end: number; changed?: string } {
  const units = text.charCodeAt(at) === BACKSLASH ? escapeLength(text, at) : 0;
  if (units === 2) return { start: at, end: at + units, changed: ' ' };
  if (units > 2) return { start: at, end: at + units, changed: plain(characterOf(text, at)) };
  const marks = marksAt(text, at);
  if (marks > 0 && at > from && LETTER.test(text[at - 1]!)) {
    const end = at + marks;
    return { start: at - 1, end, changed: text.slice(at - 1, end).normalize('NFC') };
  }
  if (marks > 0) return { start: at, end: at + marks };
  if (text[at] === '\ud835') {
    MATHEMATICAL_DIGIT.lastIndex = at;
    if (!MATHEMATICAL_DIGIT.test(text)) return { start: at, end: at + 1 };
  }
  const char = String.fromCodePoint(text.codePointAt(at)!);
  return { start: at, end: at + char.length, changed: plain(char) };
}

function marksAt(text: string, at: number): number {
  MARKS.lastIndex = at;
  return MARKS.exec(text)?.[0].length ?? 0;
}

export function normalize(text: string): Normalized {
  const steps = normalizeSteps(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Where a word begins behind an escape, such as `\\n`, whose letter was read as the word's first. */
function afterEscape(text: string, start: number, end: number): number {
  return start + 1 < end && isLetterOfEscape(text, start) ? start + 1 : start;
}

/** Of the character, or of the escape of one. */
function unitsAt(text: string, at: number): number {
  const units = text.charCodeAt(at) === BACKSLASH ? escapeLength(text, at) : 0;
  return units > 0 ? units : String.fromCodePoint(text.codePointAt(at)!).length;
}

function isMark(unit: number): boolean {
  return unit >= 0x300 && unit < 0x370;
}

/** Offsets of a span in the original. A span ends after the last character that is part of it. */
export function originalSpan(
  normalized: Normalized,
  start: number,
  end: number,
  original: string,
): [number, number] {
  const { offsets } = normalized;
  if (offsets === undefined) return [afterEscape(original, start, end), end];
  const last = offsets[end - 1]!;
  let stop = last + unitsAt(original, last);
  while (isMark(original.charCodeAt(stop))) stop++;
  return [afterEscape(original, offsets[start]!, last), Math.min(stop, offsets[end]!)];
}
