/**
 * Where a text has a word that can begin what a pattern finds. A pattern of a hundred words costs the same at each
 * letter of a text; the first letters of its words, looked up in a table, tell that nearly all of a text has none.
 */
import { CLASS_LETTER, CLASS_UPPER, charClass } from './model/characters.js';

/** Letters that the table is asked for, and those that are looked at where it has a word. */
const TABLE_LETTERS = 3;
const LETTERS_READ = 6;
const BITS = 5;
/** `a` to `z` are 1 to 26; what is no letter is 0: it ends the word. */
const NO_LETTER = 0;
const LETTERS = 26;
/** Of another script: no list has it. */
const FOREIGN_LETTER = 28;
/** First unit behind Latin letters and their marks, but for a block further on. */
const FIRST_FOREIGN = 0x370;
const MORE_LATIN = [0x1e00, 0x1f00] as const;
/**
 * Letters that a pattern with the flag `i` equates with a plain small letter: the long s, the Kelvin sign and the
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

/** The same for a letter in either case: `é` is an `e`, and what has no letter below its mark any of them. */
function latinCode(letter: string): number {
  const base = letter.toLowerCase().normalize('NFD').charCodeAt(0);
  return base >= 0x61 && base <= 0x7a ? base - 0x60 : 1 + (base % LETTERS);
}

/** Signs for up to 32 lists of words, each written as a pattern: `mon(?:day)?|tues|[Mm]y`. */
export class WordSigns {
  /** By the first two letters of a word: a bit for each third one that a word of a list has. */
  readonly #isBeginning = new Int32Array(1 << (BITS * (TABLE_LETTERS - 1)));
  /** By the first six letters: the lists that have such a word. */
  readonly #exact = new Map<number, number>();
  /** The lists whose words all begin with a capital. */
  #capitals = 0;
  #lists = 0;
  /** The offsets at which the latest search found words of the lists, and in `#listsAt` the bits of their lists. */
  readonly #places: number[] = [];
  readonly #listsAt: number[] = [];
  #count = 0;

  /** A bit that no list has, for a sign that is no word. */
  bit(): number {
    if (this.#lists === MOST_LISTS) throw new Error('more lists than there are bits for');
    return 1 << this.#lists++;
  }

  /** Gives the bit of the list. Where all its words begin with a capital, others are none of them. */
  add(list: string): number {
    const bit = this.bit();
    const beginnings = beginningsOf(list);
    if (beginnings.every((beginning) => /^\p{Lu}/u.test(beginning))) this.#capitals |= bit;
    for (const beginning of beginnings) this.#add(beginning, bit);
    return bit;
  }

  /** The bits of all lists of which a word stands in [from, to), as far as its first six letters tell; `placesOf` knows where. */
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

  /** Where words of the lists with these bits stand in what `in` was asked for last. */
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

  /** The lists that may have the word at `at`. */
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
      if (code === FOREIGN_LETTER) throw new Error(`the letters of "${beginning}" are not Latin`);
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

/** The offset of the last letter of the word around `at`. Looks no further than `to`. */
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

/** Units that stand for themselves, up to one that may be missing. */
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
  if (unit === '') throw new Error(`the words of "${pattern}" cannot be told at ${at}`);
  return { words: new Set(letters), end: at + unit.length };
}
