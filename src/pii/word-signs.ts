/**
 * Where a text has a word that can begin what a pattern finds. A pattern of a hundred words costs the same at each
 * letter of a text; the first three letters of its words, looked up in a table, tell that nearly all of a text has none.
 */
import { CLASS_LETTER, CLASS_MARK, CLASS_UPPER, charClass } from './model/characters.js';

const LETTERS_READ = 3;
const BITS = 5;
/** `a` to `z` are 1 to 26, what is no letter is 0: it ends the word. */
const NO_LETTER = 0;
/** Any other Latin letter: it may be one of those in another form (`ſ` is an `s`), and is taken for all. */
const OTHER_LETTER = 27;
/** Of another script: no list has it. */
const FOREIGN_LETTER = 28;
/** First unit behind Latin letters and their marks, but for a block further on. */
const FIRST_FOREIGN = 0x370;
const MORE_LATIN = [0x1e00, 0x1f00] as const;
/** The sign for degrees Kelvin is a `k` to a pattern that ignores case, and no letter to the tables. */
const KELVIN = 0x212a;
const ALL = 0xffff;

const codes = Uint8Array.from(charClass, (kind, unit) => {
  const lower = unit | 0x20;
  if (unit < 0x80 && lower >= 0x61 && lower <= 0x7a) return lower - 0x60;
  if (unit === KELVIN) return OTHER_LETTER;
  if (kind !== CLASS_LETTER && kind !== CLASS_UPPER && kind !== CLASS_MARK) return NO_LETTER;
  const isLatin = unit < FIRST_FOREIGN || (unit >= MORE_LATIN[0] && unit < MORE_LATIN[1]);
  return isLatin ? OTHER_LETTER : FOREIGN_LETTER;
});

/** Signs for up to 16 lists of words, each written as a pattern: `mon(?:day)?|tues|[Mm]y`. */
export class WordSigns {
  /** By the first three letters of a word: a bit for each list with a word that begins so. */
  readonly #masks = new Uint16Array(1 << (BITS * LETTERS_READ));
  #lists = 0;

  /** Gives the bit of the list. */
  add(list: string): number {
    const bit = 1 << this.#lists++;
    for (const beginning of beginningsOf(list)) this.#add(beginning, bit);
    return bit;
  }

  /** The bits of all lists of which a word may begin in [from, to). */
  in(text: string, from: number, to: number): number {
    let found = 0;
    for (let at = from; at < to; at++) {
      const code = codes[text.charCodeAt(at)]!;
      if (code === NO_LETTER) continue;
      found |= this.#maskAt(text, at, code);
      at = wordEnd(text, at, to);
    }
    return found;
  }

  /** Where the next word from `at` on begins that may be in a list; `to` where none does before. */
  next(text: string, at: number, to: number): number {
    const isInside = at > 0 && codes[text.charCodeAt(at - 1)] !== NO_LETTER;
    for (let next = isInside ? wordEnd(text, at - 1, to) + 1 : at; next < to; next++) {
      const code = codes[text.charCodeAt(next)]!;
      if (code === NO_LETTER) continue;
      if (this.#maskAt(text, next, code) !== 0) return next;
      next = wordEnd(text, next, to);
    }
    return to;
  }

  #maskAt(text: string, at: number, first: number): number {
    const second = codeAt(text, at + 1);
    const third = second === NO_LETTER ? NO_LETTER : codeAt(text, at + 2);
    if (first === OTHER_LETTER || second === OTHER_LETTER || third === OTHER_LETTER) return ALL;
    return this.#masks[(((first << BITS) | second) << BITS) | third]!;
  }

  #add(beginning: string, bit: number): void {
    const letters: number[] = [];
    for (const unit of beginning) {
      const code = codes[unit.charCodeAt(0)]!;
      if (code === FOREIGN_LETTER) throw new Error(`the letters of "${beginning}" are not Latin`);
      // Words with other letters are found by these.
      if (code === OTHER_LETTER) return;
      letters.push(code);
      if (code === NO_LETTER) break;
    }
    while (letters.at(-1) === NO_LETTER && letters.length < LETTERS_READ) letters.push(NO_LETTER);
    const missing = BITS * (LETTERS_READ - letters.length);
    const first = letters.reduce((sum, code) => (sum << BITS) | code, 0) << missing;
    for (let rest = 0; rest < 1 << missing; rest++) this.#masks[first + rest]! |= bit;
  }
}

/** The last unit of the word that has the one at `at`, before `to`. */
function wordEnd(text: string, at: number, to: number): number {
  let end = at;
  while (end + 1 < to && codes[text.charCodeAt(end + 1)] !== NO_LETTER) end++;
  return end;
}

function codeAt(text: string, at: number): number {
  return at < text.length ? codes[text.charCodeAt(at)]! : NO_LETTER;
}

/** The first letters of all that a pattern of letters, classes, groups and `?` can match. Throws for any other. */
export function beginningsOf(pattern: string): string[] {
  const { words, end } = readWays(pattern, 0);
  if (end < pattern.length) throw new Error(`the words of "${pattern}" cannot be told at ${end}`);
  return [...words];
}

interface Read {
  words: ReadonlySet<string>;
  end: number;
}

function readWays(pattern: string, from: number): Read {
  const words = new Set<string>();
  for (let at = from; ; at++) {
    const way = readWay(pattern, at);
    for (const word of way.words) words.add(word);
    at = way.end;
    if (pattern[at] !== '|') return { words, end: at };
  }
}

function readWay(pattern: string, from: number): Read {
  let words: ReadonlySet<string> = new Set(['']);
  let at = from;
  while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
    const unit = readUnit(pattern, at);
    const isOptional = pattern[unit.end] === '?';
    const longer = new Set(isOptional ? words : []);
    for (const word of words) {
      for (const more of unit.words) longer.add(`${word}${more}`.slice(0, LETTERS_READ));
    }
    words = longer;
    at = unit.end + Number(isOptional);
  }
  return { words, end: at };
}

function readUnit(pattern: string, at: number): Read {
  if (pattern.startsWith('(?:', at)) {
    const { words, end } = readWays(pattern, at + 3);
    return { words, end: end + 1 };
  }
  const [unit = '', letters = unit] =
    /^(?:\[([^\]^\\-]+)\]|[^()[\]\\^$.*+?{}])/u.exec(pattern.slice(at)) ?? [];
  if (unit === '') throw new Error(`the words of "${pattern}" cannot be told at ${at}`);
  return { words: new Set(letters), end: at + unit.length };
}
