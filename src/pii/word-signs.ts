/**
 * Finds the places in a text where a word of a list can begin. A pattern of a hundred words takes time at each letter
 * of a text. A table of the first letters of these words shows quickly that nearly all texts contain none.
 */
import { CLASS_LETTER, CLASS_UPPER, charClass } from './model/characters.js';

/**
 * The number of letters that the quick table looks at, and the number that decides where the quick table has an
 * entry.
 */
const TABLE_LETTERS = 3;
const LETTERS_READ = 6;
const BITS = 5;
/** `a` to `z` have the codes 1 to 26. Anything that is not a letter ends the word and has the code 0. */
const NO_LETTER = 0;
const LETTERS = 26;
/** The code of letters of other scripts. No list contains them. */
const FOREIGN_LETTER = 28;
/** The first unit after Latin letters and combining marks. A further block of Latin letters is at MORE_LATIN. */
const FIRST_FOREIGN = 0x370;
const MORE_LATIN = [0x1e00, 0x1f00] as const;
/**
 * Letters that a pattern with the flag `i` treats like a plain small letter: the long s, the Kelvin sign and the
 * Ångström sign.
 */
const FOLDED = new Map([
  [0x17f, 's'],
  [0x212a, 'k'],
  [0x212b, 'å'],
]);
const MOST_LISTS = 32;

const codes = charClass.map((kind, unit) => {
  const folded = FOLDED.get(unit);
  if (folded !== undefined) return latinCode(folded);
  if (kind !== CLASS_LETTER && kind !== CLASS_UPPER) return NO_LETTER;
  const isLatin = unit < FIRST_FOREIGN || (unit >= MORE_LATIN[0] && unit < MORE_LATIN[1]);
  return isLatin ? latinCode(String.fromCharCode(unit)) : FOREIGN_LETTER;
});

/**
 * The code of a letter in either case. `é` counts as `e`. A letter without a base letter gets one of the 26 codes.
 */
function latinCode(letter: string): number {
  const base = letter.toLowerCase().normalize('NFD').charCodeAt(0);
  return base >= 0x61 && base <= 0x7a ? base - 0x60 : 1 + (base % LETTERS);
}

/** Finds words of up to 32 lists, each written as a pattern: `mon(?:day)?|tues|[Mm]y`. */
export class WordSigns {
  /** For the first two letters of a word, a bit for each third letter with which a word of a list goes on. */
  readonly #isBeginning = new Int32Array(1 << (BITS * (TABLE_LETTERS - 1)));
  /** For the first six letters of a word, the lists that contain such a word, as bits. */
  readonly #exact = new Map<number, number>();
  /** The lists whose words all begin with a capital, as bits. */
  #capitals = 0;
  #lists = 0;
  /** The offsets at which the latest search found words. `#listsAt` has the lists of each, as bits. */
  readonly #places: number[] = [];
  readonly #listsAt: number[] = [];
  #count = 0;

  /** A bit that no list uses, for a sign that is not a word. */
  bit(): number {
    if (this.#lists === MOST_LISTS) throw new Error(`more than ${MOST_LISTS} lists of words`);
    return 1 << this.#lists++;
  }

  /**
   * Adds a list and returns its bit. Where all words of the list begin with a capital, only words with a capital are
   * found.
   */
  add(list: string): number {
    const bit = this.bit();
    const beginnings = beginningsOf(list);
    if (beginnings.every((beginning) => /^\p{Lu}/u.test(beginning))) this.#capitals |= bit;
    for (const beginning of beginnings) this.#add(beginning, bit);
    return bit;
  }

  /**
   * The lists of which a word may stand in [from, to), as bits. Only the first six letters are compared. `placesOf`
   * returns the places.
   */
  in(text: string, from: number, to: number): number {
    let found = 0;
    this.#count = 0;
    for (let at = from; at < to; at++) {
      const code = codes[text.charCodeAt(at)]!;
      if (code === NO_LETTER) continue;
      if (this.#mayBegin(text, at, code)) {
        const lists = this.#listsOf(text, at);
        if (lists !== 0) {
          this.#places[this.#count] = at;
          this.#listsAt[this.#count++] = lists;
          found |= lists;
        }
      }
      at = wordEnd(text, at, to);
    }
    return found;
  }

  /** The offsets at which the latest call of `in` found words of the lists with these bits. */
  placesOf(bits: number): number[] {
    const places: number[] = [];
    for (let k = 0; k < this.#count; k++) if ((this.#listsAt[k]! & bits) !== 0) places.push(this.#places[k]!);
    return places;
  }

  /** Whether a word of a list begins with the three letters at `at`. */
  #mayBegin(text: string, at: number, first: number): boolean {
    const second = codeAt(text, at + 1);
    const third = second === NO_LETTER ? NO_LETTER : codeAt(text, at + 2);
    return (this.#isBeginning[(first << BITS) | second]! & (1 << third)) !== 0;
  }

  /** The lists that may contain the word at `at`, as bits. */
  #listsOf(text: string, at: number): number {
    let key = 0;
    let code = FOREIGN_LETTER;
    for (let k = 0; k < LETTERS_READ; k++) {
      code = code === NO_LETTER ? NO_LETTER : codeAt(text, at + k);
      key = (key << BITS) | code;
    }
    const lists = this.#exact.get(key) ?? 0;
    return charClass[text.charCodeAt(at)] === CLASS_UPPER ? lists : lists & ~this.#capitals;
  }

  #add(beginning: string, bit: number): void {
    const letters: number[] = [];
    for (const unit of beginning.slice(0, LETTERS_READ)) {
      const code = codes[unit.charCodeAt(0)]!;
      if (code === FOREIGN_LETTER)
        throw new Error(`a list of words contains "${beginning}", whose letters are not Latin`);
      if (code === NO_LETTER) break;
      letters.push(code);
    }
    this.#isBeginning[keyOf(letters, TABLE_LETTERS - 1)]! |= 1 << (letters[TABLE_LETTERS - 1] ?? NO_LETTER);
    const key = keyOf(letters, LETTERS_READ);
    this.#exact.set(key, (this.#exact.get(key) ?? 0) | bit);
  }
}

function keyOf(letters: readonly number[], length: number): number {
  let key = 0;
  for (let k = 0; k < length; k++) key = (key << BITS) | (letters[k] ?? NO_LETTER);
  return key;
}

/** The offset of the last letter of the word around `at`, searched up to `to`. */
function wordEnd(text: string, at: number, to: number): number {
  let end = at;
  while (end + 1 < to && codes[text.charCodeAt(end + 1)] !== NO_LETTER) end++;
  return end;
}

function codeAt(text: string, at: number): number {
  return at < text.length ? codes[text.charCodeAt(at)]! : NO_LETTER;
}

/**
 * The first letters of all words that a pattern can match. The pattern may consist of letters, classes, groups and
 * `?`; for any other an Error is thrown.
 */
export function beginningsOf(pattern: string): string[] {
  const { words, end } = readWays(pattern, 0);
  if (end < pattern.length) throw new Error(unreadable(pattern, end));
  return [...words];
}

function unreadable(pattern: string, at: number): string {
  return `cannot read the words in "${pattern}" from offset ${at} on: only letters, [classes], (?:groups) and ? are known`;
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
    const plain = plainAt(pattern, at);
    const unit = plain === '' ? readUnit(pattern, at) : { words: [plain], end: at + plain.length };
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

/** Characters that stand for themselves, up to one that is optional. */
const PLAIN = /[^()[\]\\^$.*+?{}|]+(?!\?)/uy;

function plainAt(pattern: string, at: number): string {
  PLAIN.lastIndex = at;
  return PLAIN.exec(pattern)?.[0] ?? '';
}

function readUnit(pattern: string, at: number): Read {
  if (pattern.startsWith('(?:', at)) {
    const { words, end } = readWays(pattern, at + 3);
    return { words, end: end + 1 };
  }
  const [unit = '', letters = unit] =
    /^(?:\[([^\]^\\-]+)\]|\\\.|[^()[\]\\^$.*+?{}])/u.exec(pattern.slice(at)) ?? [];
  if (unit === '') throw new Error(unreadable(pattern, at));
  return { words: new Set(letters), end: at + unit.length };
}
