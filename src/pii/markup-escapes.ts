/** Escapes in HTML and in web addresses: `&#52;`, `&nbsp;`, `%34`. */

import { readWords } from './words/words.js';

/** What one escape stands for, and its length in UTF-16 units. */
export interface Escape {
  units: number;
  char: string;
}

/**
 * Named characters that occur in or beside findings: blanks, dashes and punctuation. Accented letters are not needed
 * here.
 */
const NAMED: Readonly<Record<string, string>> = readWords<'entities'>('characters').entities;
const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,14}));/y;
const LAST_POINT = 0x10ffff;

export function entityAt(text: string, at: number): Escape | undefined {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(text);
  if (match === null) return undefined;
  const [written, decimal, hexadecimal, name] = match;
  if (name !== undefined) {
    const char = Object.hasOwn(NAMED, name) ? NAMED[name]! : undefined;
    return char === undefined ? undefined : { units: written.length, char };
  }
  const point = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
  return point > LAST_POINT ? undefined : { units: written.length, char: String.fromCodePoint(point) };
}

const ESCAPED_DIGIT = /%3(\d)/y;
const ESCAPED_BLANK = /%20(?=\d|%3\d)/y;

/**
 * Decodes an escaped digit, and an escaped blank between two digits, which becomes a dash so that the address stays one
 * piece. Other escapes stay, because the recognizers of addresses understand them.
 */
export function percentEscapeAt(text: string, at: number): Escape | undefined {
  ESCAPED_DIGIT.lastIndex = at;
  const digit = ESCAPED_DIGIT.exec(text)?.[1];
  if (digit !== undefined) return { units: 3, char: digit };
  ESCAPED_BLANK.lastIndex = at;
  const isBetweenDigits = at > 0 && /\d/.test(text[at - 1]!) && ESCAPED_BLANK.test(text);
  return isBetweenDigits ? { units: 3, char: '-' } : undefined;
}
