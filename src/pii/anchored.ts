/**
 * Patterns for what stands right behind a place, right before it, or for all of a short text. Hundreds are tried at each
 * name, and hardly one matches: the first or last four units tell that, looked up in tables that are read from the
 * patterns themselves. To run a pattern costs thirty times as much.
 */
import { CODES, type CodeSet, codeAt, type Place, placesOf } from './pattern-units.js';

export type Anchored = Pick<RegExp, 'test' | 'exec'>;

/** Patterns of one table: a bit of each entry is for one of them. */
const IN_TABLE = 32;

/** Bits by the first unit, and by the second and third, and the third and fourth, side by side. */
class Table {
  readonly first = new Int32Array(CODES);
  readonly second = new Int32Array(CODES * CODES);
  readonly third = new Int32Array(CODES * CODES);
  #count = 0;

  get isFull(): boolean {
    return this.#count === IN_TABLE;
  }

  add(places: ReadonlySet<Place>): number {
    const bit = 1 << this.#count++;
    for (const { codes } of places) for (const code of listed(codes)) this.first[code]! |= bit;
    const seconds = nextOf(places);
    addPairs(seconds, this.second, bit);
    addPairs(nextOf(seconds), this.third, bit);
    return bit;
  }
}

function listed({ low, high }: CodeSet): number[] {
  const found: number[] = [];
  for (let bits = low; bits !== 0; bits &= bits - 1) found.push(31 - Math.clz32(bits & -bits));
  for (let bits = high; bits !== 0; bits &= bits - 1) found.push(63 - Math.clz32(bits & -bits));
  return found;
}

function nextOf(places: ReadonlySet<Place>): ReadonlySet<Place> {
  const all = new Set<Place>();
  for (const { next } of places) for (const one of next) all.add(one);
  return all;
}

/** Sets `bit` for each two codes that stand at these places and right behind. */
function addPairs(places: ReadonlySet<Place>, pairs: Int32Array, bit: number): void {
  const behind = Array.from({ length: CODES }, (): CodeSet => ({ low: 0, high: 0 }));
  for (const { codes, next } of places) {
    let low = 0;
    let high = 0;
    for (const one of next) {
      low |= one.codes.low;
      high |= one.codes.high;
    }
    for (const code of listed(codes)) {
      behind[code]!.low |= low;
      behind[code]!.high |= high;
    }
  }
  for (const [code, codes] of behind.entries())
    for (const other of listed(codes)) pairs[code * CODES + other]! |= bit;
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
  readonly #table = tableOf(heads);
  readonly #bit: number;

  constructor(pattern: Anchored, places: ReadonlySet<Place>) {
    this.#pattern = pattern;
    this.#bit = this.#table.add(places);
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
  readonly #table = tableOf(tails);
  readonly #bit: number;

  constructor(pattern: Anchored, places: ReadonlySet<Place>) {
    this.#pattern = pattern;
    this.#bit = this.#table.add(places);
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

/** The same pattern, run where a text begins and ends as it must: `^…`, `…$` or both. */
export function anchored(pattern: RegExp): Anchored {
  const head = placesOf(pattern, false);
  const tail = placesOf(pattern, true);
  if (/[gmy]/.test(pattern.flags) || (head === undefined && tail === undefined))
    throw new Error(`${pattern} is not anchored`);
  const inner = tail === undefined ? pattern : new Tail(pattern, tail);
  return head === undefined ? inner : new Head(inner, head);
}
