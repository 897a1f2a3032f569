/** Finds the runs of ASCII letters and digits that can begin a code. */
import { blockSigns, hasForeignLetters, NUMBER_WORDS } from './block-signs.js';
import { CLASS_LETTER, CLASS_MARK, CLASS_UPPER, charClass, isLetterUnit } from './model/characters.js';
import { isDigitUnit } from './patterns/units.js';
import { type Block, DIGIT_UNITS, type Place, type Run } from './recognizer.js';
import { isLatinUnit } from './scripts.js';

const DIGIT = 1;
const LETTER = 2;
const UNDERSCORE = 0x5f;
const DASH = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
/**
 * For numbers that are attached to a word: the fewest digits of the number, the fewest of them in the attached piece,
 * and the most letters of the word.
 */
const FEWEST_GLUED = 9;
const FEWEST_IN_PIECE = 3;
const MOST_GLUED = 12;
/** A code may begin with letters alone where they are at most this many and a digit follows: `KA 53 ME 3456`. */
const MAX_PREFIX = 3;
/** A longer run is not a code, and is not read to its end. */
const MAX_RUN = 1024;

const kinds = new Uint8Array(128);
for (let unit = 48; unit <= 57; unit++) kinds[unit] = DIGIT;
for (let unit = 65; unit <= 90; unit++) kinds[unit] = kinds[unit + 32] = LETTER;

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < 128 ? kinds[unit]! : 0;
}

/**
 * Says what stands directly before a run. A run after `_`, a letter, a letter and `-`, or a digit and one of `-./` is
 * part of something longer. Letters of scripts other than Latin do not count.
 */
function placeOfRun(text: string, start: number): Place {
  if (start === 0) return 'alone';
  const before = text.charCodeAt(start - 1);
  const kind = charClass[before]!;
  if (before === UNDERSCORE) return 'glued';
  if (kind === CLASS_LETTER || kind === CLASS_UPPER || kind === CLASS_MARK)
    return isLatinUnit(before) ? 'glued' : 'alone';
  if (before !== DASH && before !== DOT && before !== SLASH) return 'alone';
  const earlier = start > 1 ? kindAt(text, start - 2) : 0;
  if (earlier === DIGIT) return before === DOT ? 'decimal' : 'glued';
  return earlier === LETTER && before === DASH ? 'glued' : 'alone';
}

/**
 * The runs that begin in [from, to). They are found from their digits, so text without digits is skipped. Each unit
 * is examined three times at most.
 */
export function findRuns(text: string, from: number, to: number): Run[] {
  const runs: Run[] = [];
  const limit = digitLimit(text, from, to);
  const piece = text.slice(from, limit);
  for (let place = digitFrom(piece, 0); place >= 0; ) {
    const at = from + place;
    let start = at;
    while (start > from && kindAt(text, start - 1) !== 0) start--;
    const end = runEnd(text, at, limit);
    place = digitFrom(piece, end + 1 - from);
    if (start === from && start > 0 && kindAt(text, start - 1) !== 0) continue;
    addPrefix(text, from, start, to, runs);
    if (start >= to || end - start > MAX_RUN) continue;
    const run = runOf(text, start, end);
    runs.push(run);
    addDigitsOf(text, run, runs);
  }
  return runs;
}

const DIGITS = /[0-9]/g;

/** The offset of the first digit from `at` on, or -1. The pattern takes a sixth of the time of a loop. */
function digitFrom(text: string, at: number): number {
  DIGITS.lastIndex = at;
  return DIGITS.test(text) ? DIGITS.lastIndex - 1 : -1;
}

/** Adds the digits of `card4111` and of `4111visa` as a run of their own. */
function addDigitsOf(text: string, { start, end, letters, isMixed, digits }: Run, runs: Run[]): void {
  if ((letters === 0 && !isMixed) || letters > MOST_GLUED || digits < FEWEST_GLUED) return;
  const from = start + letters;
  let stop = from;
  while (stop < end && kindAt(text, stop) === DIGIT) stop++;
  if (stop - from < FEWEST_IN_PIECE || hasDigit(text, stop, end)) return;
  runs.push({ start: from, end: stop, letters: 0, isMixed: false, digits, place: 'glued' });
}

function hasDigit(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (kindAt(text, at) === DIGIT) return true;
  return false;
}

/** The limit of the search for digits: a digit beyond it belongs to no run that begins in [from, to). */
function digitLimit(text: string, from: number, to: number): number {
  let start = to;
  while (start > from && kindAt(text, start - 1) !== 0) start--;
  const isOurs = start < to && (start > from || start === 0 || kindAt(text, start - 1) === 0);
  return Math.min(text.length, (isOurs ? runEnd(text, to, Math.min(text.length, to + MAX_RUN)) : to) + 2);
}

function runEnd(text: string, at: number, limit: number): number {
  let end = at;
  while (end < limit && kindAt(text, end) !== 0) end++;
  return end;
}

/** Adds a few letters as a run where a blank, a dash or a dot separates them from the digit at `digit`. */
function addPrefix(text: string, from: number, digit: number, to: number, runs: Run[]): void {
  const end = digit - 1;
  const mark = text.charCodeAt(end);
  if ((mark !== 0x20 && mark !== DASH && mark !== DOT) || kindAt(text, digit) !== DIGIT) return;
  let start = end;
  while (start > from && end - start <= MAX_PREFIX && kindAt(text, start - 1) === LETTER) start--;
  const length = end - start;
  if (length === 0 || length > MAX_PREFIX || start >= to) return;
  if (start === 0 || kindAt(text, start - 1) === 0) runs.push(runOf(text, start, end));
}

function runOf(text: string, start: number, end: number): Run {
  let letters = 0;
  while (start + letters < end && kindAt(text, start + letters) === LETTER) letters++;
  let plain = start + letters;
  while (plain < end && kindAt(text, plain) === DIGIT) plain++;
  const digits = digitsFrom(text, start);
  return { start, end, letters, isMixed: plain < end, digits, place: placeOfRun(text, start) };
}

function digitsFrom(text: string, start: number): number {
  let count = 0;
  const to = Math.min(text.length, start + DIGIT_UNITS);
  for (let at = start; at < to; at++) if (isDigitUnit(text.charCodeAt(at))) count++;
  return count;
}

/** How far a word at the end of a block may reach into the next block, in UTF-16 units. */
const MARGIN = 16;

/** The block [from, to) of a text in the form that recognizers get. */
export function blockOf(text: string, from: number, to: number): Block {
  const runs = findRuns(text, from, to);
  let mostDigits = 0;
  for (const { digits } of runs) if (digits > mostDigits) mostDigits = digits;
  const piece = text.slice(from, to + MARGIN);
  const words = blockSigns.in(text, from, from + piece.length);
  const mayNameNumber = (words & NUMBER_WORDS) !== 0 || hasForeignLetters(piece);
  return { text, from, to, piece, runs, mostDigits, words, mayNameNumber };
}

/** Whether letters stand directly before a run, or letters and one of `_` and `-`. */
export function isBehindLetters(text: string, start: number): boolean {
  const mark = text[start - 1];
  return isLetterUnit(text.charCodeAt(mark === '_' || mark === '-' ? start - 2 : start - 1));
}
