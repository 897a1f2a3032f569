/**
 * Patterns for what stands right behind a place, right before it, or for all of a short text. Hundreds are tried at each
 * name, and hardly one matches: the first or last four units tell that, looked up in tables that are read from the
 * patterns themselves. To run a pattern costs thirty times as much.
 */
import { CODES, type CodeSet, codeAt, readUnits } from './pattern-units.js';

export type Anchored = Pick<RegExp, 'test' | 'exec'>;

/** Patterns of one table: a bit of each entry is for one of them. */
const IN_TABLE = 32;

/** Lists of words have fewer, and patterns that begin with any name more. */
const FEW_PAIRS = 400;

/** Bits by the first unit, and by the second and third, and the third and fourth, side by side. */
class Table {
  readonly first = new Int32Array(CODES);
  readonly second = new Int32Array(CODES * CODES);
  readonly third = new Int32Array(CODES * CODES);
  #count = 0;

  get isFull(): boolean {
    return this.#count === IN_TABLE;
  }

  /** Gives the bit of the pattern, or 0 where it is not bound there. */
  add(pattern: RegExp, isBackward: boolean): number {
    const bit = 1 << this.#count;
    const isBound = readUnits(pattern, isBackward, {
      first: (low, high) => addCodes(this.first, 0, low, high, bit),
      pair: (place, low, high, codes) => {
        if (place > 1) addPairs(place === 2 ? this.second : this.third, low, high, codes, bit);
      },
    });
    if (!isBound) return 0;
    this.#count++;
    return bit;
  }

  /** Whether most texts can begin, or end, as the pattern of this bit. */
  isWide(bit: number): boolean {
    let pairs = 0;
    for (const bits of this.second) if ((bits & bit) !== 0) pairs++;
    return pairs > FEW_PAIRS;
  }
}

/** Sets `bit` in the entries from `from` on of these codes. */
function addCodes(entries: Int32Array, from: number, low: number, high: number, bit: number): void {
  for (let bits = low; bits !== 0; bits &= bits - 1) entries[from + 31 - Math.clz32(bits & -bits)]! |= bit;
  for (let bits = high; bits !== 0; bits &= bits - 1) entries[from + 63 - Math.clz32(bits & -bits)]! |= bit;
}

function addPairs(pairs: Int32Array, low: number, high: number, codes: CodeSet, bit: number): void {
  for (let code = 0; code < CODES; code++) {
    const isThere = ((code < 32 ? low : high) & (1 << (code & 31))) !== 0;
    if (isThere) addCodes(pairs, code * CODES, codes.low, codes.high, bit);
  }
}

/** A table that has room for one more. */
function tableOf(tables: Table[]): Table {
  const last = tables.at(-1);
  if (last !== undefined && !last.isFull) return last;
  const table = new Table();
  tables.push(table);
  return table;
}

const heads: Table[] = [];
const tails: Table[] = [];

class Head implements Anchored {
  readonly #pattern: Anchored;
  readonly #table: Table;
  readonly #bit: number;

  constructor(pattern: Anchored, table: Table, bit: number) {
    this.#pattern = pattern;
    this.#table = table;
    this.#bit = bit;
  }

  #mayMatch(text: string): boolean {
    const { first, second, third } = this.#table;
    if ((first[codeAt(text, 0)]! & this.#bit) === 0) return false;
    const middle = codeAt(text, 2);
    return (
      (second[codeAt(text, 1) * CODES + middle]! & third[middle * CODES + codeAt(text, 3)]! & this.#bit) !== 0
    );
  }

  test(text: string): boolean {
    return this.#mayMatch(text) && this.#pattern.test(text);
  }

  exec(text: string): RegExpExecArray | null {
    return this.#mayMatch(text) ? this.#pattern.exec(text) : null;
  }
}

class Tail implements Anchored {
  readonly #pattern: Anchored;
  readonly #table: Table;
  readonly #bit: number;

  constructor(pattern: Anchored, table: Table, bit: number) {
    this.#pattern = pattern;
    this.#table = table;
    this.#bit = bit;
  }

  #mayMatch(text: string): boolean {
    const { first, second, third } = this.#table;
    const last = text.length - 1;
    if ((first[codeAt(text, last)]! & this.#bit) === 0) return false;
    const middle = codeAt(text, last - 2);
    return (
      (second[codeAt(text, last - 1) * CODES + middle]! &
        third[middle * CODES + codeAt(text, last - 3)]! &
        this.#bit) !==
      0
    );
  }

  test(text: string): boolean {
    return this.#mayMatch(text) && this.#pattern.test(text);
  }

  exec(text: string): RegExpExecArray | null {
    return this.#mayMatch(text) ? this.#pattern.exec(text) : null;
  }
}

/** The same pattern, run where a text begins, or ends, as it must. */
export function anchored(pattern: RegExp): Anchored {
  const [head, tail] = [tableOf(heads), tableOf(tails)];
  const isPlain = !/[gmy]/.test(pattern.flags);
  const headBit = isPlain ? head.add(pattern, false) : 0;
  // To look at both ends is worth it where the first says little.
  const isTold = headBit !== 0 && !head.isWide(headBit);
  const tailBit = isTold || !isPlain ? 0 : tail.add(pattern, true);
  if (headBit === 0 && tailBit === 0) throw new Error(`${pattern} is not anchored`);
  const inner = tailBit === 0 ? pattern : new Tail(pattern, tail, tailBit);
  return headBit === 0 ? inner : new Head(inner, head, headBit);
}
