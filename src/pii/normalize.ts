/**
 * Turns a text into the form that recognizers read: digits of any script and other forms of ASCII characters become
 * ASCII, dashes become `-`, blanks become a space, invisible characters are removed, and escapes of JSON and HTML
 * become what they mean. Each unit of the result knows its offset in the original, so that findings have offsets of
 * the original. Most texts need no change and are passed on as they are.
 */
import { characterOf, escapeLength, isLetterOfEscape, pairOf, shortCharacterOf } from './json-escapes.js';
import { type Escape, entityAt, percentEscapeAt } from './markup-escapes.js';
import { CHANGED, isMark, kindsOfUnits, PLAIN, plainCharacter, separatorFor } from './plain-characters.js';

const kinds = kindsOfUnits();
const BACKSLASH = '\\'.charCodeAt(0);
const AMPERSAND = '&'.charCodeAt(0);
const PERCENT = '%'.charCodeAt(0);
const LETTER = /[A-Za-z]/;
const DIGIT = /\d/;
/** Unicode tags, which are invisible and repeat ASCII: https://www.unicode.org/charts/PDF/UE0000.pdf. */
const TAG_BASE = 0xe0000;
/**
 * Language models read text in tags like plain text. With fewer than four in a row, they are marks between other
 * characters.
 */
const TAGS = /[\u{e0020}-\u{e007e}]{4,}/uy;

export interface Normalized {
  text: string;
  /**
   * The original offset of each unit and, at the end, of the end of the text. Undefined where nothing was changed.
   */
  offsets?: Int32Array;
}

interface Change {
  start: number;
  end: number;
  /** The text to read instead; undefined where the original stays. */
  changed?: string;
}

/** In a text without such characters nothing changes. A look at the kind of each unit takes twice as long. */
const MAY_CHANGE = /[\\&%]|[^\t\n\r -~]/;

/** The UTF-16 units that are examined in one step. */
const STRIDE = 65_536;

/** The first unit from `from` on that may have to change, or `to` where none has to. */
function nextChange(text: string, from: number, to: number): number {
  let at = from;
  for (;;) {
    while (at < to && kinds[text.charCodeAt(at)] === PLAIN) at++;
    // Most characters that can begin an escape, such as `&`, do not begin one.
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

/** The most invisible characters that may stand between a digit and its mark. `4\ufe0f\u20e3` has one. */
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

/**
 * The result for a short text in which nothing has to change; undefined for other texts. Most texts are of this kind.
 */
export function unchanged(text: string): Normalized | undefined {
  if (text.length <= STRIDE && !MAY_CHANGE.test(text)) return { text };
  return text.length <= STRIDE && nextChange(text, 0, text.length) === text.length ? { text } : undefined;
}

/** Normalises a text. Each step is a bounded piece of work. */
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

/** The original offset that belongs to the k-th unit of the text that replaces [start, end). */
function offsetIn(text: string, start: number, end: number, k: number): number {
  const isTag = text.codePointAt(start)! >= TAG_BASE;
  return Math.min(end - 1, start + (isTag ? 2 * k : k));
}

/** The change at an offset. It may also replace the letter before the offset, but nothing before `from`. */
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
  if (units === 2) return { start: at, end: at + units, changed: shortCharacterOf(text, at) };
  const pair = pairOf(text, at);
  const plain = pair === undefined ? undefined : plainCharacter(pair);
  if (plain !== undefined && plain !== pair) return { start: at, end: at + 2 * units, changed: plain };
  return { start: at, end: at + units, changed: plainCharacter(characterOf(text, at)) };
}

/**
 * Merges an accent with the letter before it where Unicode has one character for both. Marks around a digit are
 * decoration and are dropped.
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

/** Where the word really begins, if its first letter is the letter of an escape such as `\\n`. */
function afterEscape(text: string, start: number, end: number): number {
  return start + 1 < end && isLetterOfEscape(text, start) ? start + 1 : start;
}

/** The length in UTF-16 units of the character at this offset, or of the escape that stands for a character. */
function unitsAt(text: string, at: number): number {
  const units = text.charCodeAt(at) === BACKSLASH ? escapeLength(text, at) : markupEscapeAt(text, at)?.units;
  return units || characterAt(text, at).length;
}

/** The offsets of a span in the original. A span ends after its last character and the marks on it. */
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
  // The next unit can come from the same character, as the 0 of `⑩` does.
  const limit = Math.max(stop, offsets[end]!);
  for (let at = stop; at < limit; at++) if (isMark(original[at]!)) stop = at + 1;
  return [afterEscape(original, offsets[start]!, last), stop];
}
