/** Digits as people say or write them where no figure is wanted: `four one double one`, `4lll O1`. */
import { readWords } from './words/words.js';

const { digits: SPOKEN, repeats: REPEATS } = readWords<'digits' | 'repeats'>('spoken');

const DIGIT_OF = new Map(
  Object.entries(SPOKEN).flatMap(([digit, words]) => words.split('|').map((word) => [word, digit])),
);
const WORD = new RegExp(
  `(?:(${Object.keys(REPEATS).join('|')}) )?(${[...DIGIT_OF.keys()].sort((a, b) => b.length - a.length).join('|')})(?!\\p{L})`,
  'iuy',
);
/** Letters that are taken for figures, in a piece that has nothing else. */
const FIGURES = /[\dOolI]{1,19}(?![A-Za-z\u00c0-\u024f\p{N}])/uy;
const LOOKALIKES: Readonly<Record<string, string>> = { O: '0', o: '0', l: '1', I: '1' };
/** Brackets and signs of patterns and lists part no figures of one number. */
const BETWEEN = /[^\p{L}\p{N}[\]{}?\\^$]{1,3}/uy;
/** Where a number may begin: a figure, or a word for one. */
export const FIRST_DIGIT = new RegExp(`\\d|(?<!\\p{L})(?:${WORD.source})`, 'iu');

/** Words for figures but 1 and 2, which most texts have: hardly a number is without one. */
export const RARE_SPOKEN = Object.entries(SPOKEN)
  .flatMap(([digit, words]) => (digit === '1' || digit === '2' ? [] : [words]))
  .join('|');
/** Three words for figures in a row: fewer are in most texts. */
export const THREE_SPOKEN = new RegExp(`(?<!\\p{L})(?:(?:${WORD.source})[^\\p{L}\\p{N}]{1,3}){3}`, 'iu');

const MOST_DIGITS = 24;

/** A number in figures, and where each of them stands. */
export interface LooseNumber {
  digits: string;
  starts: number[];
  ends: number[];
  /** How many digits stand before each piece of it, and after the last one. */
  borders: number[];
}

/** The number at `start`, as far as nothing but figures, words for them and marks between them goes on. */
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
