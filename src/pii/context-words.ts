/** Words near a number that show what type it is, and a quick test whether a text can contain one of them. */
import { isUnspacedUnit, SPACED_LETTERS } from './scripts.js';

const BITS = 11;
const MASK = (1 << BITS) - 1;
/** The most words of a text that are examined in one call. */
const MOST_KEYS = 512;

function keyOf(first: number, second: number, third: number): number {
  return ((first * 31 + second) * 31 + third) & MASK;
}

/** The key of a word: its first three UTF-16 units, or two where it is no longer. */
function keyAt(text: string, at: number): number {
  return keyOf(text.charCodeAt(at), unitAt(text, at + 1), unitAt(text, at + 2));
}

function unitAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : 0;
}

function isAscii(unit: number): boolean {
  return unit < 0x80;
}

function isAsciiWordUnit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39);
}

/** Words or phrases that stand near numbers of one type. They are compiled into one pattern when first needed. */
export class ContextWords {
  readonly #words: readonly string[];
  #pattern: RegExp | undefined;
  /** A bit for the key of each word; undefined until it is needed. */
  #keys: Uint32Array | undefined;

  constructor(words: readonly string[]) {
    // The longest comes first, because a pattern takes the first alternative that matches.
    this.#words = [...words].sort((a, b) => b.length - a.length);
  }

  get pattern(): RegExp {
    this.#pattern ??= new RegExp(patternOf(this.#words), 'gu');
    return this.#pattern;
  }

  /** Whether a text in lower case contains one of these words. */
  isIn(text: string): boolean {
    this.pattern.lastIndex = 0;
    return this.pattern.test(text);
  }

  /** The first of these words that a text in lower case contains. */
  in(text: string): string | undefined {
    this.pattern.lastIndex = 0;
    return this.pattern.exec(text)?.[0];
  }

  /** Whether a text can contain one of these words, by the beginnings of its words. */
  mayBeIn(beginnings: Beginnings): boolean {
    this.#keys ??= keysOf(this.#words);
    return beginnings.hasOneOf(this.#keys);
  }
}

/** Scripts such as Chinese put no spaces between words, so there a word may stand directly beside other letters. */
function patternOf(words: readonly string[]): string {
  const isUnspaced = (word: string) => isUnspacedUnit(word.charCodeAt(0));
  const ways = (some: readonly string[]) => some.map(escapePattern).join('|');
  const unspaced = words.filter(isUnspaced);
  const spaced = words.filter((word) => !isUnspaced(word));
  const bounded = `(?<![${SPACED_LETTERS}0-9])(?:${ways(spaced)})(?![${SPACED_LETTERS}])`;
  if (spaced.length === 0) return ways(unspaced);
  return unspaced.length === 0 ? bounded : `${bounded}|${ways(unspaced)}`;
}

function keysOf(words: readonly string[]): Uint32Array {
  const keys = new Uint32Array((MASK + 1) / 32);
  for (const word of words) {
    const first = word.charCodeAt(0);
    // A word of one unit, or one that begins with a punctuation mark, has no key, so every text may contain it.
    if (word.length === 1 || (isAscii(first) && !isAsciiWordUnit(first))) return keys.fill(0xffffffff);
    const key = keyAt(word, 0);
    keys[key >> 5]! |= 1 << (key & 31);
  }
  return keys;
}

/** The beginnings of the words in a text, which `ContextWords.mayBeIn` asks for. */
export class Beginnings {
  readonly #keys = new Uint16Array(MOST_KEYS);
  #count = 0;

  read(text: string): void {
    this.#count = 0;
    let isInside = false;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const isOfWord = isAsciiWordUnit(unit);
      if ((isOfWord && !isInside) || !isAscii(unit)) {
        this.#keys[this.#count++] = keyOf(unit, unitAt(text, at + 1), 0);
        this.#keys[this.#count++] = keyAt(text, at);
      }
      isInside = isOfWord;
    }
  }

  hasOneOf(keys: Uint32Array): boolean {
    for (let i = 0; i < this.#count; i++) {
      const key = this.#keys[i]!;
      if ((keys[key >> 5]! & (1 << (key & 31))) !== 0) return true;
    }
    return false;
  }
}

export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
