/**
 * Text as the recognizers read it: digits of any script and other forms of ASCII characters as ASCII, dashes and blanks
 * of any kind as `-` and a blank, invisible characters gone, escapes of JSON and HTML as what they mean. Each unit of the
 * result knows where it came from, so that findings are given in offsets of the original. Most text needs nothing of
 * this and is passed on as it is.
 */
import { characterOf, escapeLength, isLetterOfEscape, pairOf } from './json-escapes.js';
import { type Escape, entityAt, percentEscapeAt } from './markup-escapes.js';
import { CHANGED, isMark, kindsOfUnits, PLAIN, plainCharacter, separatorFor } from './plain-characters.js';

const kinds = kindsOfUnits();
const BACKSLASH = '\\'.charCodeAt(0);
const AMPERSAND = '&'.charCodeAt(0);
const PERCENT = '%'.charCodeAt(0);
const LETTER = /[A-Za-z]/;
const DIGIT = /\d/;
/** Tags, which are invisible and repeat ASCII: https://www.unicode.org/charts/PDF/UE0000.pdf. */
const TAG_BASE = 0xe0000;
/** Models read a text of tags as they read plain text. Fewer in a row are marks between other characters. */
const TAGS = /[\u{e0020}-\u{e007e}]{4,}/uy;

export interface Normalized {
  text: string;
  /** Original offset of each unit and, last, of the end; undefined when nothing was changed. */
  offsets?: Int32Array;
}

interface Change {
  start: number;
  end: number;
  /** The text to read instead; undefined where the original stays. */
  changed?: string;
}

/** Units that are looked at between two chances for other work to run. */
const STRIDE = 65_536;

/** The first unit from `from` on that may change, or `to`. */
function nextChange(text: string, from: number, to: number): number {
  let at = from;
  for (;;) {
    while (at < to && kinds[text.charCodeAt(at)] === PLAIN) at++;
    // Usually a character that can begin an escape does not begin one.
    if (at >= to || mayChange(text, at)) return Math.min(at, to);
    at++;
  }
}

function mayChange(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (kinds[unit] === CHANGED) return true;
  if (unit === BACKSLASH) return escapeLength(text, at) > 0;
  if (unit === AMPERSAND || unit === PERCENT) return markupEscapeAt(text, at) !== undefined;
  const char = characterAt(text, at);
  if (char.length > 1) return plainCharacter(char) !== char;
  return isMark(char) || (separatorFor(char) !== undefined && isBetweenDigits(text, at));
}

function markupEscapeAt(text: string, at: number): Escape | undefined {
  const unit = text.charCodeAt(at);
  if (unit === AMPERSAND) return entityAt(text, at);
  return unit === PERCENT ? percentEscapeAt(text, at) : undefined;
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at)!);
}

/** The character that ends before `at`. */
function characterBefore(text: string, at: number): string {
  if (at === 0) return '';
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff && at > 1 ? characterAt(text, at - 2) : text[at - 1]!;
}

/** The most invisible characters between a digit and the mark on it: `4\ufe0f\u20e3` has one. */
const MOST_INVISIBLE = 4;

function visibleBefore(text: string, at: number): string {
  let char = characterBefore(text, at);
  for (
    let end = at, count = 0;
    count < MOST_INVISIBLE && char !== '' && plainCharacter(char) === '';
    count++
  ) {
    end -= char.length;
    char = characterBefore(text, end);
  }
  return char;
}

function readsAsDigit(char: string): boolean {
  return char !== '' && DIGIT.test(plainCharacter(char));
}

function isBetweenDigits(text: string, at: number): boolean {
  return readsAsDigit(visibleBefore(text, at)) && readsAsDigit(visibleAfter(text, at + 1));
}

function visibleAfter(text: string, at: number): string {
  for (let next = at, count = 0; next < text.length && count <= MOST_INVISIBLE; count++) {
    const char = characterAt(text, next);
    if (plainCharacter(char) !== '') return char;
    next += char.length;
  }
  return '';
}

/** The quick answer for a short text in which nothing has to change. Most texts are so. */
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
  let offsets = new Int32Array(text.length + 1);
  const pieces: string[] = [];
  let length = 0;
  let from = 0;
  // The result can be longer than the text: `⑩` is read as `10`.
  const makeRoom = (units: number) => {
    if (length + units < offsets.length) return;
    const larger = new Int32Array(2 * (length + units));
    larger.set(offsets);
    offsets = larger;
  };
  const keepUpTo = (to: number) => {
    makeRoom(to - from);
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
    makeRoom(changed.length);
    for (let k = 0; k < changed.length; k++) offsets[length++] = offsetIn(text, start, end, k);
    from = end;
  }
  keepUpTo(text.length);
  offsets[length] = text.length;
  return { text: pieces.join(''), offsets: offsets.subarray(0, length + 1) };
}

/** The original offset of the k-th unit of a span that was replaced, as far as it can be told. */
function offsetIn(text: string, start: number, end: number, k: number): number {
  const isTag = text.codePointAt(start)! >= TAG_BASE;
  return Math.min(end - 1, start + (isTag ? 2 * k : k));
}

/**
 * The change that applies at an offset, which may also replace the letter before it. Nothing before `from` is changed.
 */
function changeAt(text: string, from: number, at: number): Change {
  return escapeChange(text, at) ?? markChange(text, from, at) ?? characterChange(text, at);
}

function escapeChange(text: string, at: number): Change | undefined {
  const markup = markupEscapeAt(text, at);
  if (markup !== undefined) {
    const end = at + markup.units;
    return { start: at, end, changed: markup.char === '' ? '' : plainCharacter(markup.char) };
  }
  const units = text.charCodeAt(at) === BACKSLASH ? escapeLength(text, at) : 0;
  if (units === 0) return undefined;
  if (units === 2) return { start: at, end: at + units, changed: ' ' };
  const pair = pairOf(text, at);
  const plain = pair === undefined ? undefined : plainCharacter(pair);
  if (plain !== undefined && plain !== pair) return { start: at, end: at + 2 * units, changed: plain };
  return { start: at, end: at + units, changed: plainCharacter(characterOf(text, at)) };
}

/**
 * An accent after a letter is merged with it where Unicode has one letter for both. Marks around a digit are decoration
 * and are dropped.
 */
function markChange(text: string, from: number, at: number): Change | undefined {
  if (!isMark(text[at]!)) return undefined;
  let end = at;
  let marks = '';
  while (end < text.length) {
    const char = characterAt(text, end);
    if (isMark(char)) marks += char;
    else if (plainCharacter(char) !== '') break;
    end += char.length;
  }
  if (at > from && LETTER.test(text[at - 1]!)) {
    return { start: at - 1, end, changed: (text[at - 1]! + marks).normalize('NFC') };
  }
  return { start: at, end, changed: readsAsDigit(visibleBefore(text, at)) ? '' : marks };
}

function characterChange(text: string, at: number): Change {
  const char = characterAt(text, at);
  if (char.codePointAt(0)! > TAG_BASE) {
    TAGS.lastIndex = at;
    const tags = TAGS.exec(text)?.[0];
    if (tags !== undefined) return { start: at, end: at + tags.length, changed: untagged(tags) };
  }
  return { start: at, end: at + char.length, changed: separatorFor(char) ?? plainCharacter(char) };
}

function untagged(tags: string): string {
  return [...tags].map((tag) => String.fromCharCode(tag.codePointAt(0)! - TAG_BASE)).join('');
}

export function normalize(text: string): Normalized {
  const steps = normalizeSteps(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Where the word begins after an escape such as `\\n`, whose letter was read as the first letter of the word.
 */
function afterEscape(text: string, start: number, end: number): number {
  return start + 1 < end && isLetterOfEscape(text, start) ? start + 1 : start;
}

/** The length in units of the character, or of the escape that stands for it. */
function unitsAt(text: string, at: number): number {
  const units = text.charCodeAt(at) === BACKSLASH ? escapeLength(text, at) : markupEscapeAt(text, at)?.units;
  return units || characterAt(text, at).length;
}

/** Offsets of a span in the original. A span ends after the last character that is part of it, and the marks on it. */
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
  // What follows can belong to the same character, as the 0 of `⑩` does.
  const limit = Math.max(stop, offsets[end]!);
  for (let at = stop; at < limit; at++) if (isMark(original[at]!)) stop = at + 1;
  return [afterEscape(original, offsets[start]!, last), stop];
}
