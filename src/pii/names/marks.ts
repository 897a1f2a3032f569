/**
 * The marks that the rules for names need, collected in one pass over a text: searching for each by itself would cost a
 * call each.
 */
export const MARK_COMMA = 1;
export const MARK_COLON = 2;
/** `-` or `–`. */
export const MARK_HYPHEN = 4;
export const MARK_QUOTE = 8;
export const MARK_APOSTROPHE = 16;
export const MARK_BRACKET = 32;
export const MARK_SQUARE_BRACKET = 64;
export const MARK_DIGIT = 128;
export const MARK_LESS = 256;
export const MARK_LINE = 512;
export const MARK_SLASH = 1024;
/** A letter between two dots. */
export const MARK_DOTS = 2048;
export const MARK_AT = 4096;
export const MARK_EQUALS = 8192;
/** A brace that opens. */
export const MARK_BRACE = 16_384;

const ASCII = 0x80;
const marks = new Uint16Array(ASCII);
const MARKED: readonly [string, number][] = [
  [',', MARK_COMMA],
  [':', MARK_COLON],
  ['-', MARK_HYPHEN],
  ['"', MARK_QUOTE],
  ["'", MARK_APOSTROPHE],
  ['(', MARK_BRACKET],
  ['[', MARK_SQUARE_BRACKET],
  ['<', MARK_LESS],
  ['\n', MARK_LINE],
  ['/', MARK_SLASH],
  ['@', MARK_AT],
  ['=', MARK_EQUALS],
  ['{', MARK_BRACE],
];
for (const [mark, bit] of MARKED) marks[mark.charCodeAt(0)] = bit;
for (let digit = 0x30; digit <= 0x39; digit++) marks[digit] = MARK_DIGIT;
const OTHERS = new Map([
  ['–', MARK_HYPHEN],
  ['“', MARK_QUOTE],
  ['”', MARK_QUOTE],
  ['„', MARK_QUOTE],
  ['’', MARK_APOSTROPHE],
]);
const FIRST_OTHER = 0x2010;
const LAST_OTHER = 0x201f;
const DOT = 0x2e;

/** The marks that [from, to) has. */
export function marksIn(text: string, from: number, to: number): number {
  let found = 0;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit < ASCII) {
      found |= marks[unit]!;
      if (unit === DOT && text.charCodeAt(at + 2) === DOT) found |= MARK_DOTS;
    } else if (unit >= FIRST_OTHER && unit <= LAST_OTHER) {
      found |= OTHERS.get(text[at]!) ?? 0;
    }
  }
  return found;
}
