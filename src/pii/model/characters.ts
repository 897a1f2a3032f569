/**
 * What the name model needs to know about a UTF-16 unit, in tables that are built once: its class, its lower-case
 * form and its base letter without accents. Without tables, `toLowerCase` and `\p{…}` would take most of the time
 * that a message needs. The ranges are written out because patterns with `\p{L}` take several megabytes when they are
 * compiled, and depend on the Unicode version of Node.js.
 */
import { rangesOf, readWords } from '../words/words.js';

export const CLASS_OTHER = 0;
export const CLASS_LETTER = 1;
export const CLASS_DIGIT = 2;
export const CLASS_SPACE = 3;
export const CLASS_NEWLINE = 4;
export const CLASS_UPPER = 5;
/** A combining mark. It is part of a word, and is skipped when letters are compared without accents. */
export const CLASS_MARK = 6;

const UNITS = 0x10000;

export const charClass = new Uint8Array(UNITS);
export const lowerUnit = new Uint16Array(UNITS);
export const baseUnit = new Uint16Array(UNITS);

/**
 * Letters of scripts with upper and lower case (Latin, Greek, Cyrillic, Armenian and their extensions), letters of
 * scripts without (Hebrew, Arabic, Indian and other scripts, kana, Chinese characters, Hangul), and combining marks.
 */
const { cased, uncased, marks } = readWords<'ranges'>('characters').ranges;
const BLANKS = [0x09, 0x0b, 0x0c, 0x20, 0xa0, 0x1680, 0x202f, 0x205f, 0x3000, 0xfeff];
const NEWLINES = [0x0a, 0x0d, 0x2028, 0x2029];
/** Letters that Unicode does not decompose into a base letter and a mark. */
const WHOLE_LETTERS: Readonly<Record<string, string>> = { ß: 's', ø: 'o', ł: 'l', đ: 'd', ı: 'i' };

function fillCased(unit: number): void {
  const char = String.fromCharCode(unit);
  const lower = char.toLowerCase();
  if (lower === char && lower.toUpperCase() === char && unit < 0x100) return;
  charClass[unit] = lower === char ? CLASS_LETTER : CLASS_UPPER;
  lowerUnit[unit] = lower.charCodeAt(0);
  baseUnit[unit] = (WHOLE_LETTERS[lower] ?? lower.normalize('NFD')).charCodeAt(0);
}

for (let unit = 0; unit < UNITS; unit++) lowerUnit[unit] = baseUnit[unit] = unit;
for (const [from, to] of rangesOf(cased!)) for (let unit = from; unit < to; unit++) fillCased(unit);
for (const [from, to] of rangesOf(uncased!)) charClass.fill(CLASS_LETTER, from, to);
for (const [from, to] of rangesOf(marks!)) charClass.fill(CLASS_MARK, from, to);
charClass.fill(CLASS_DIGIT, 0x30, 0x3a);
charClass.fill(CLASS_SPACE, 0x2000, 0x200b);
for (const unit of BLANKS) charClass[unit] = CLASS_SPACE;
for (const unit of NEWLINES) charClass[unit] = CLASS_NEWLINE;

export function isLetterUnit(unit: number): boolean {
  const kind = charClass[unit]!;
  return kind === CLASS_LETTER || kind === CLASS_UPPER || kind === CLASS_MARK;
}
