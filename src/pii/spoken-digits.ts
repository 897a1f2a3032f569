/** Digits as people say or write them where no figure is wanted: `four one double one`, `4lll O1`. */

/** By language: the words for 0 to 9, each with its other forms. */
const SPOKEN: readonly string[] = [
  'zero/oh/nought/null/cero/nul/zéro/nil',
  'one/eins/ein/un/une/uno/una/um/uma/een/één/jeden',
  'two/zwei/zwo/deux/dos/due/dois/duas/twee/dwa',
  'three/drei/trois/tres/tre/três/drie/trzy',
  'four/vier/quatre/cuatro/quattro/quatro/cztery',
  'five/fünf/fuenf/cinq/cinco/cinque/vijf/pięć',
  'six/sechs/seis/sei/zes/sześć',
  'seven/sieben/sept/siete/sette/sete/zeven/siedem',
  'eight/acht/huit/ocho/otto/oito/osiem',
  'nine/neun/neuf/nueve/nove/negen/dziewięć',
];
const REPEATS: Readonly<Record<string, number>> = { double: 2, triple: 3, doppel: 2, doble: 2 };

const DIGIT_OF = new Map(
  SPOKEN.flatMap((row, digit) => row.split(/[/ ]/).map((word) => [word, digit] as const)),
);
const WORD = new RegExp(
  `(?:(${Object.keys(REPEATS).join('|')}) )?(${[...DIGIT_OF.keys()].sort((a, b) => b.length - a.length).join('|')})(?!\\p{L})`,
  'iuy',
);
/** Letters that are taken for figures, in a piece that has nothing else. */
const FIGURES = /[\dOolI]{1,19}(?![A-Za-z\u00c0-\u024f\p{N}])/uy;
const LOOKALIKES: Readonly<Record<string, string>> = { O: '0', o: '0', l: '1', I: '1' };
const BETWEEN = /[^\p{L}\p{N}]{1,3}/uy;
/** Where a number may begin: a figure, or a word for one. */
export const FIRST_DIGIT = new RegExp(`\\d|(?<!\\p{L})(?:${WORD.source})`, 'iu');

/** Words for figures but 1 and 2, which most texts have: hardly a number is without one. */
export const RARE_SPOKEN = SPOKEN.filter((_, digit) => digit === 0 || digit > 2)
  .join('/')
  .replaceAll('/', '|');
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
  for (let count = repeat === undefined ? 1 : REPEATS[repeat.toLowerCase()]!; count > 0; count--) {
    number.digits += digit;
    number.starts.push(at);
    number.ends.push(at + found.length);
  }
  return at + found.length;
}
