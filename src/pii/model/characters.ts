/**
 * What the name model needs to know of a UTF-16 unit, in tables made once: its class, its lower-case form and
 * its base letter without accents. Tables because the alternative, `toLowerCase` and `\p{…}` for each word,
 * would be most of the time spent on a message.
 */

export const CLASS_OTHER = 0;
export const CLASS_LETTER = 1;
export const CLASS_DIGIT = 2;
export const CLASS_SPACE = 3;
export const CLASS_NEWLINE = 4;
export const CLASS_UPPER = 5;
/** A combining mark: part of a word, skipped when letters are compared without accents. */
export const CLASS_MARK = 6;

const UNITS = 0x10000;
/** Above this no letter of the five languages is found, and base letters are the letters themselves. */
const ACCENTS_END = 0x2000;

export const charClass = new Uint8Array(UNITS);
export const lowerUnit = new Uint16Array(UNITS);
export const baseUnit = new Uint16Array(UNITS);

function classify(char: string): number {
  if (/[\n\r\u2028\u2029]/.test(char)) return CLASS_NEWLINE;
  if (/\s/.test(char)) return CLASS_SPACE;
  if (/\p{Lu}|\p{Lt}/u.test(char)) return CLASS_UPPER;
  if (/\p{L}/u.test(char)) return CLASS_LETTER;
  if (/\p{M}/u.test(char)) return CLASS_MARK;
  return /\p{N}/u.test(char) ? CLASS_DIGIT : CLASS_OTHER;
}

/** The first letter under the accents of one lower-case unit. */
function withoutAccents(lower: string): number {
  if (lower === 'ß') return 's'.charCodeAt(0);
  if (lower === 'ø') return 'o'.charCodeAt(0);
  if (lower === 'ł') return 'l'.charCodeAt(0);
  if (lower === 'đ') return 'd'.charCodeAt(0);
  if (lower === 'ı') return 'i'.charCodeAt(0);
  return lower.normalize('NFD').charCodeAt(0);
}

for (let unit = 0; unit < UNITS; unit++) {
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  const char = String.fromCharCode(unit);
  charClass[unit] = isSurrogate ? CLASS_OTHER : classify(char);
  const lower = isSurrogate ? char : char.toLowerCase();
  lowerUnit[unit] = lower.charCodeAt(0);
  baseUnit[unit] = unit < ACCENTS_END ? withoutAccents(lower) : lowerUnit[unit]!;
}

export function isLetterUnit(unit: number): boolean {
  const kind = charClass[unit]!;
  return kind === CLASS_LETTER || kind === CLASS_UPPER || kind === CLASS_MARK;
}
