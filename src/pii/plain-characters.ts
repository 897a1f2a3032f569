/**
 * The form in which recognizers read a character: a digit of any script as an ASCII digit, a blank or dash of any
 * kind as ` ` or `-`, an invisible character as nothing, and other forms of an ASCII character as that character.
 */
import { rangesOf, readWords } from './words/words.js';

const { ranges: RANGES, circled } = readWords<'ranges' | 'circled'>('characters');

/**
 * Characters that are invisible by the Unicode standard (UAX 44), and control characters other than line breaks and
 * tabs.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufff9-\ufffb]/u;
/** Blanks, page and line separators other than a line feed, and the Braille cell without a dot. */
const BLANK = /[\p{Zs}\v\f\u0085\u2028\u2029\u2800]/u;
const DECIMAL = /\p{Nd}/u;
const DASH = /[\p{Pd}\u2043\u207b\u208b\u2212]/u;
/** The katakana mark for a long vowel. It counts as a dash only between two digits. */
const LONG_VOWEL = /[\u30fc\uff70]/;
/** Dots in the middle or at the bottom of a line that are written between the groups of a number. */
const POINT = /[\u00b7\u0387\u2022\u2027\u2219\u22c5\u2e31\u3002\u30fb\uff61\uff65]/;
/** Superscript letters of abbreviations, such as `nº`, are not changed, because words are looked up with them. */
const KEPT = /[\u00aa\u00ba\u1d2c-\u1dbf\u02b0-\u02ff]/;
/**
 * Numbers in brackets or with a dot that are one character: `⑴`, `⒈` and `🄁`. The bracket or dot is not part of the
 * number.
 */
const FIGURES = /^\(?(\d{1,2})[).,]?$/;
const ASCII = /^[!-~]$/;
/** Digits in circles that Unicode does not map to plain digits: the first code point, and its value. */
const CIRCLED = Object.entries(circled).map(([range, first]) => ({
  range: rangesOf(range)[0]!,
  first: Number(first),
}));

/**
 * The kinds of UTF-16 units: one that is never changed, one that is always changed, and one for which its neighbours
 * decide.
 */
export const PLAIN = 0;
export const CHANGED = 1;
export const DEPENDS = 2;

function circledValue(point: number): string | undefined {
  const row = CIRCLED.find(({ range: [from, to] }) => point >= from && point < to);
  return row && String(row.first + point - row.range[0]);
}

/** The value of a decimal digit of any script. The ten digits of a script have consecutive code points; scripts may follow one another. */
function digitValue(char: string): string | undefined {
  if (!DECIMAL.test(char)) return undefined;
  const point = char.codePointAt(0)!;
  let zero = point;
  while (DECIMAL.test(String.fromCodePoint(zero - 1))) zero--;
  return String((point - zero) % 10);
}

/** The form in which a character is read, at most two units; the character itself where it does not change. */
function read(char: string): string {
  if (char >= ' ' && char <= '~') return char;
  if (char === '\n' || char === '\r' || char === '\t') return char;
  if (INVISIBLE.test(char)) return '';
  if (BLANK.test(char)) return ' ';
  if (DASH.test(char)) return '-';
  const digit = digitValue(char) ?? circledValue(char.codePointAt(0)!);
  if (digit !== undefined) return digit;
  if (KEPT.test(char)) return char;
  const form = char.normalize('NFKC');
  if (ASCII.test(form)) return form;
  return FIGURES.exec(form)?.[1] ?? char;
}

/** A cache for characters outside the Basic Multilingual Plane. A text has few different ones, but repeats them. */
const known = new Map<number, string>();
const MOST_KNOWN = 4_096;

export function plainCharacter(char: string): string {
  const point = char.codePointAt(0)!;
  let plain = known.get(point);
  if (plain === undefined) {
    plain = read(char);
    if (known.size < MOST_KNOWN) known.set(point, plain);
  }
  return plain;
}

/** How a character between two digits is read, where it separates the groups of a number; else undefined. */
export function separatorFor(char: string): string | undefined {
  if (POINT.test(char)) return '.';
  return LONG_VOWEL.test(char) ? '-' : undefined;
}

/** Marks on or around the character before them, in any script: `e\u0301`, `4\u20e3`. */
const MARKS = rangesOf(RANGES.marksAround!);

const GRAPHEME_JOINER = 0x34f;

export function isMark(char: string): boolean {
  const unit = char.charCodeAt(0);
  // The combining grapheme joiner is invisible and does not mark a character.
  return (
    unit >= MARKS[0]![0] && unit !== GRAPHEME_JOINER && MARKS.some(([from, to]) => unit >= from && unit < to)
  );
}

/** Characters that begin an escape in JSON, HTML or a web address. */
const ESCAPES = '\\&%';

/**
 * Chinese characters, Hangul and the private use area: tens of thousands of letters, none of which has another form.
 */
const LETTERS = rangesOf(RANGES.letters!);

/** The kind of each UTF-16 unit. For half of a surrogate pair, the other half decides. */
export function kindsOfUnits(): Uint8Array {
  return new Uint8Array(0x10000).map((_, unit) => {
    // Beyond the Basic Multilingual Plane, only the first plane and that of tags have digits or invisible characters.
    if ((unit >= 0xd801 && unit <= 0xd83f) || (unit >= 0xdb40 && unit <= 0xdb43)) return DEPENDS;
    if (unit >= 0xd800 && unit <= 0xdfff) return PLAIN;
    if (LETTERS.some(([from, to]) => unit >= from && unit < to)) return PLAIN;
    const char = String.fromCharCode(unit);
    if (isMark(char) || ESCAPES.includes(char) || separatorFor(char) !== undefined) return DEPENDS;
    return read(char) === char ? PLAIN : CHANGED;
  });
}
