/*
 * Escapes in JSON, such as `Jos\u00e9` and `Best,\nAnn Lee`. They occur in the arguments of tool calls, in JSON
 * outputs, in logs, and in JSON inside messages.
 */

import { isDigitUnit } from './patterns/units.js';

const BACKSLASH = '\\'.charCodeAt(0);
const HEXADECIMAL = /^[\da-f]{4}$/i;

/**
 * The length in UTF-16 units of the escape that a backslash begins; 0 where it begins none. An escape of two units is a
 * blank, because the string continues after it, or a backspace, which is invisible.
 */
export function escapeLength(text: string, at: number): number {
  if (text[at + 1] === 'u') {
    return HEXADECIMAL.test(text.slice(at + 2, at + 6)) && !isEscaped(text, at) ? 6 : 0;
  }
  const isShort = (isBlank(text, at + 1) && !goesOn(text, at + 2)) || isBackspace(text, at);
  return isShort && !isEscaped(text, at) ? 2 : 0;
}

/** The character that an escape of two units is read as. */
export function shortCharacterOf(text: string, at: number): string {
  return isBackspace(text, at) ? '' : ' ';
}

/** The character that an escape of six units stands for. */
export function characterOf(text: string, at: number): string {
  return String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16));
}

const HIGH_HALF = /[\ud800-\udbff]/;
const LOW_HALF = /[\udc00-\udfff]/;

/** The character that two escapes at an offset stand for together, where they are the halves of a surrogate pair. */
export function pairOf(text: string, at: number): string | undefined {
  const high = characterOf(text, at);
  if (!HIGH_HALF.test(high) || text[at + 6] !== '\\' || escapeLength(text, at + 6) !== 6) return undefined;
  const low = characterOf(text, at + 6);
  return LOW_HALF.test(low) ? high + low : undefined;
}

/** A line break, a tab or a page break. */
function isBlank(text: string, at: number): boolean {
  const letter = text[at];
  return letter === 'n' || letter === 'r' || letter === 't' || letter === 'f';
}

/** Only before a digit, because `\b` is also the end of a word in patterns. */
function isBackspace(text: string, at: number): boolean {
  return text[at + 1] === 'b' && isDigitUnit(text.charCodeAt(at + 2));
}

/** Whether the letter at this offset belongs to the backslash before it, as in `\nAnn`. */
export function isLetterOfEscape(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === BACKSLASH && isBlank(text, at) && !isEscaped(text, at - 1);
}

/** Whether a small letter follows. `\new` can then be a line break and a word, or a command or folder. */
function goesOn(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return Number.isNaN(unit) || (unit >= 97 && unit <= 122);
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}
