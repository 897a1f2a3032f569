/**
 * What the name model needs to know of a UTF-16 unit, in tables made once: its class, its lower-case form and
 * its base letter without accents. Tables because the alternative, `toLowerCase` and `\p{…}` for each word,
 * would be most of the time spent on a message; ranges written out because patterns with `\p{L}` cost several
 * megabytes when they are compiled, and change with the version of Unicode that Node brings.
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

export const charClass = new Uint8Array(UNITS);
export const lowerUnit = new Uint16Array(UNITS);
export const baseUnit = new Uint16Array(UNITS);

/** Scripts whose letters have case: Latin, Greek, Cyrillic, Armenian, and their extensions. */
const CASED: readonly [number, number][] = [
  [0x41, 0x5b],
  [0x61, 0x7b],
  [0xc0, 0x300],
  [0x370, 0x590],
  [0x1e00, 0x2000],
];
/** Letters without case: Hebrew, Arabic, Indian and other scripts, kana, Chinese characters, Hangul. */
const UNCASED: readonly [number, number][] = [
  [0xaa, 0xab],
  [0xba, 0xbb],
  [0x5d0, 0x5f3],
  [0x620, 0x660],
  [0x66e, 0x6d4],
  [0x6fa, 0x700],
  [0x710, 0x1ab0],
  [0x1b00, 0x1dc0],
  [0x2c00, 0x2e00],
  [0x3005, 0x3008],
  [0x3031, 0x3036],
  [0x3041, 0x3100],
  [0x3105, 0x3190],
  [0x3400, 0xa490],
  [0xa640, 0xa670],
  [0xa720, 0xd7a4],
  [0xf900, 0xfb50],
  [0xfb50, 0xfe00],
  [0xfe70, 0xfeff],
  [0xff66, 0xffdd],
];
const MARKS: readonly [number, number][] = [
  [0x300, 0x370],
  [0x483, 0x48a],
  [0x591, 0x5be],
  [0x64b, 0x660],
  [0x1ab0, 0x1b00],
  [0x1dc0, 0x1e00],
  [0x20d0, 0x2100],
  [0xfe00, 0xfe10],
  [0xfe20, 0xfe30],
];
const BLANKS = [0x09, 0x0b, 0x0c, 0x20, 0xa0, 0x1680, 0x202f, 0x205f, 0x3000, 0xfeff];
const NEWLINES = [0x0a, 0x0d, 0x2028, 0x2029];
/** Letters that Unicode does not take apart. */
const WHOLE_LETTERS: Readonly<Record<string, string>> = { ß: 's', ø: 'o', ł: 'l', đ: 'd', ı: 'i' };

function fill(ranges: readonly [number, number][], kind: number): void {
  for (const [from, to] of ranges) charClass.fill(kind, from, to);
}

function fillCased(unit: number): void {
  const char = String.fromCharCode(unit);
  const lower = char.toLowerCase();
  if (lower === char && lower.toUpperCase() === char && unit < 0x100) return;
  charClass[unit] = lower === char ? CLASS_LETTER : CLASS_UPPER;
  lowerUnit[unit] = lower.charCodeAt(0);
  baseUnit[unit] = (WHOLE_LETTERS[lower] ?? lower.normalize('NFD')).charCodeAt(0);
}

for (let unit = 0; unit < UNITS; unit++) lowerUnit[unit] = baseUnit[unit] = unit;
for (const [from, to] of CASED) for (let unit = from; unit < to; unit++) fillCased(unit);
fill(UNCASED, CLASS_LETTER);
fill(MARKS, CLASS_MARK);
charClass.fill(CLASS_DIGIT, 0x30, 0x3a);
charClass.fill(CLASS_SPACE, 0x2000, 0x200b);
for (const unit of BLANKS) charClass[unit] = CLASS_SPACE;
for (const unit of NEWLINES) charClass[unit] = CLASS_NEWLINE;

export function isLetterUnit(unit: number): boolean {
  const kind = charClass[unit]!;
  return kind === CLASS_LETTER || kind === CLASS_UPPER || kind === CLASS_MARK;
}
