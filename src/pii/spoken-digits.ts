/** Reads digits that people write as words or as similar letters: `four one double one`, `4lll O1`. */
import { readWords } from './words/words.js';

const { digits: SPOKEN, repeats: REPEATS } = readWords<'digits' | 'repeats'>('spoken');

const DIGIT_OF = new Map(
  Object.entries(SPOKEN).flatMap(([digit, words]) => words.split('|').map((word) => [word, digit])),
);
const WORD = new RegExp(
  `(?:(${Object.keys(REPEATS).join('|')}) )?(${[...DIGIT_OF.keys()].sort((a, b) => b.length - a.length).join('|')})(?!\\p{L})`,
  'iuy',
);
/**
 * Digits, and letters that look like digits, in a piece that contains nothing else. Digits alone may also have a word right behind
 * them, as in text that was joined from the pieces of a stream. Capital letters there are part of a code: `2123456702AF`.
 */
const FIGURES =
  /[\dOolI]{1,19}(?![A-Za-z\u00c0-\u024f\p{N}])|\d{2,19}(?=[A-Za-z\u00c0-\u024f]\p{Ll}+(?![\p{L}\p{N}]))/uy;
const LOOKALIKES: Readonly<Record<string, string>> = { O: '0', o: '0', l: '1', I: '1' };
/** What may separate the digits of one number. Brackets and signs of patterns and lists may not. */
const BETWEEN = /[^\p{L}\p{N}[\]{}?\\^$]{1,3}/uy;
/** Where a number may begin: at a digit, or at a word for one. */
export const FIRST_DIGIT = new RegExp(`\\d|(?<!\\p{L})(?:${WORD.source})`, 'iu');

/** The words for all digits except 1 and 2, which occur in most texts. Hardly any number has only those two. */
export const RARE_SPOKEN = Object.entries(SPOKEN)
  .flatMap(([digit, words]) => (digit === '1' || digit === '2' ? [] : [words]))
  .join('|');
/** Three words for digits in a row. Most texts have fewer in a row. */
export const THREE_SPOKEN = new RegExp(`(?<!\\p{L})(?:(?:${WORD.source})[^\\p{L}\\p{N}]{1,3}){3}`, 'iu');

const MOST_DIGITS = 24;

/** A number in digits, with the place of each digit in the text. */
export interface LooseNumber {
  digits: string;
  starts: number[];
  ends: number[];
  /** The number of digits before each piece of the number, and after the last one. */
  borders: number[];
}

/** Reads the number at `start`. It goes on as long as there are only digits, words for digits, and separators. */
export function looseNumberAt(text: string, start: number): LooseNumber {
  const number: LooseNumber = { digits: '', starts: [], ends: [], borders: [0] };
  for (let at = start; number.digits.length < MOST_DIGITS; ) {
    const end = addFigures(text, at, number) ?? addWord(text, at, number);
    if (end === undefined) break;
    number.borders.push(number.digits.length);
    BETWEEN.lastIndex = end;
    at = BETWEEN.test(text) ? BETWEEN.lastIndex : text.length;
    if (at >= text.length) break;
  }
  return number;
}

function addFigures(text: string, at: number, number: LooseNumber): number | undefined {
  FIGURES.lastIndex = at;
  const found = FIGURES.exec(text)?.[0];
  if (found === undefined) return undefined;
  for (const [index, figure] of [...found].entries()) {
    number.digits += LOOKALIKES[figure] ?? figure;
    number.starts.push(at + index);
    number.ends.push(at + index + 1);
  }
  return at + found.length;
}

function addWord(text: string, at: number, number: LooseNumber): number | undefined {
  WORD.lastIndex = at;
  const match = WORD.exec(text);
  if (match === null) return undefined;
  const [found, repeat, word] = match;
  const digit = DIGIT_OF.get(word!.toLowerCase())!;
  for (let count = repeat === undefined ? 1 : Number(REPEATS[repeat.toLowerCase()]); count > 0; count--) {
    number.digits += digit;
    number.starts.push(at);
    number.ends.push(at + found.length);
  }
  return at + found.length;
}
