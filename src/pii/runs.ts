/** Finds the runs of ASCII letters and digits that can begin a code. */
import { CLASS_LETTER, CLASS_MARK, CLASS_UPPER, charClass } from './model/characters.js';
import type { Run } from './recognizer.js';

const DIGIT = 1;
const LETTER = 2;
/** Letters alone begin a code when they are few and a digit follows: `KA 53 ME 3456`. */
const MAX_PREFIX = 3;

const kinds = new Uint8Array(128);
for (let unit = 48; unit <= 57; unit++) kinds[unit] = DIGIT;
for (let unit = 65; unit <= 90; unit++) kinds[unit] = kinds[unit + 32] = LETTER;

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < 128 ? kinds[unit]! : 0;
}

function isDigitAt(text: string, at: number): boolean {
  return at < text.length && kindAt(text, at) === DIGIT;
}

/** A run right after `_`, another letter, a letter and `-`, or a digit and one of `-./` belongs to a longer code. */
function isPiece(text: string, start: number): boolean {
  if (start === 0) return false;
  const before = text.charCodeAt(start - 1);
  const kind = charClass[before]!;
  if (before === 0x5f || kind === CLASS_LETTER || kind === CLASS_UPPER || kind === CLASS_MARK) return true;
  if (before !== 0x2d && before !== 0x2e && before !== 0x2f) return false;
  const earlier = start > 1 ? kindAt(text, start - 2) : 0;
  return earlier === DIGIT || (earlier === LETTER && before === 0x2d);
}

/** Runs that begin in [from, to). Linear: every unit is looked at once. */
export function findRuns(text: string, from: number, to: number): Run[] {
  const runs: Run[] = [];
  let at = from;
  if (at > 0 && kindAt(text, at - 1) !== 0) while (at < to && kindAt(text, at) !== 0) at++;
  while (at < to) {
    if (kindAt(text, at) === 0) {
      at++;
      continue;
    }
    const start = at;
    let hasDigit = false;
    for (let kind = kindAt(text, at); kind !== 0 && at < text.length; kind = kindAt(text, at)) {
      if (kind === DIGIT) hasDigit = true;
      at++;
    }
    if (hasDigit || (at - start <= MAX_PREFIX && isPrefix(text, at))) {
      runs.push({ start, end: at, isDigit: kindAt(text, start) === DIGIT, isPiece: isPiece(text, start) });
    }
  }
  return runs;
}

function isPrefix(text: string, end: number): boolean {
  const unit = text.charCodeAt(end);
  return (unit === 0x20 || unit === 0x2d) && isDigitAt(text, end + 1);
}
