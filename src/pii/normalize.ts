/**
 * Text as the recognizers read it: digits of any script and full-width forms as ASCII, dashes and blanks of any
 * kind as `-` and a blank, zero-width characters gone. Each unit of the result knows where it came from, so that
 * findings are given in offsets of the original. Most text needs nothing of this and is passed on as it is.
 */

/** What is never normalised: everything below the first character that could need it, and common letters. */
const NEEDS_WORK =
  /[\u00a0\u00ad\u0660-\u0669\u06f0-\u06f9\u07c0-\u07c9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0e50-\u0e59\u0ed0-\u0ed9\u0f20-\u0f29\u1040-\u1049\u17e0-\u17e9\u1810-\u1819\u180e\u2000-\u200f\u2010-\u2015\u202a-\u202f\u205f-\u2064\u2212\u3000\u2460-\u2473\ufe58\ufe63\ufeff\uff01-\uff5e]|[\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089]|\ud835[\udfce-\udfff]|[A-Za-z][\u0300-\u036f]+/;
/** A letter and the accents that follow it are one letter, where there is one. */
const MARK = /^[A-Za-z][\u0300-\u036f]/;
const ZERO_WIDTH = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/;
const BLANK = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/;
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

/** Characters that change, handled between two chances for other work to run. */
const STRIDE = 2048;

/** Normalises step by step; each step is a bounded piece of work. What needs nothing is taken over in one piece. */
export function* normalizeSteps(text: string): Generator<void, Normalized> {
  if (!NEEDS_WORK.test(text)) return { text };
  const offsets = new Int32Array(text.length + 1);
  const pieces: string[] = [];
  let length = 0;
  let from = 0;
  let changes = 0;
  const pattern = new RegExp(NEEDS_WORK.source, 'g');
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const at = match.index;
    pieces.push(text.slice(from, at));
    while (from < at) offsets[length++] = from++;
    const isComposed = MARK.test(match[0]);
    const char = isComposed ? match[0] : String.fromCodePoint(text.codePointAt(at)!);
    const changed = isComposed ? char.normalize('NFC') : plain(char);
    pieces.push(changed);
    for (let k = 0; k < changed.length; k++) offsets[length++] = at + k;
    from = at + char.length;
    pattern.lastIndex = from;
    if (++changes % STRIDE === 0) yield;
  }
  pieces.push(text.slice(from));
  while (from < text.length) offsets[length++] = from++;
  offsets[length] = text.length;
  return { text: pieces.join(''), offsets: offsets.subarray(0, length + 1) };
}

export function normalize(text: string): Normalized {
  const steps = normalizeSteps(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
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
  if (offsets === undefined) return [start, end];
  const last = offsets[end - 1]!;
  let stop = last + String.fromCodePoint(original.codePointAt(last)!).length;
  while (isMark(original.charCodeAt(stop))) stop++;
  return [offsets[start]!, Math.min(stop, offsets[end]!)];
}
