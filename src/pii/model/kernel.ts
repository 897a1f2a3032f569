/**
 * The part of the name model that is compiled to WebAssembly, with its memory: it takes text in UTF-16 units and
 * returns names. Its AssemblyScript sources are in `tools/pii/kernel`, and `npm run build:kernel` writes
 * `kernel.wasm`. The model's file is in the same memory, after what the kernel needs for itself.
 */
import { randomFillSync } from 'node:crypto';
import { baseUnit, charClass, lowerUnit } from './characters.js';
import { hashText } from './hash.js';

const PAGE_BYTES = 65_536;
/** The size of a token in bytes, and the number of tokens that are kept in front of a stretch. */
const TOKEN_BYTES = 128;
const PAD = 3;
/** The size of a name in bytes: start, end and label as 32-bit numbers, four unused bytes, then the score. */
const NAME_BYTES = 24;
/** From this length on, a copy by Node.js takes less time than a loop over the units. */
const FEWEST_WRITTEN = 32;
/** Languages that have clusters of similar words. Names of other languages are looked up in them in this order. */
export const CLUSTER_LANGUAGES: readonly string[] = ['de', 'es', 'en'];
/** Languages whose names are looked up in Spanish first. */
const ROMANCE = ['fr', 'it', 'pt'];

/** The members that are used here. The types of Node.js do not declare WebAssembly. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: Exports };
};

interface Place {
  readonly value: number;
}

/** What `tools/pii/kernel/index.ts` exports. Each place is an address in the kernel's memory. */
export interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly CLASSES: Place;
  readonly LOWER_UNITS: Place;
  readonly BASE_UNITS: Place;
  readonly UNITS: Place;
  readonly MOST_UNITS: Place;
  readonly TOKENS: Place;
  readonly NAMES: Place;
  readonly ALL_FEATURES: Place;
  readonly FEATURE_COUNT: Place;
  setSeed(seed: bigint): void;
  setEdges(begin: number, finish: number): void;
  setTransitions(at: number): void;
  setWeights(buckets: number, checks: number, values: number, scale: number): void;
  setLists(checks: number, flags: number, slots: number): void;
  setClusters(checks: number, upper: number, lower: number, slots: number, paths: number): void;
  takeStretch(to: number): number;
  takeNothing(): void;
  appendRange(from: number, to: number): number;
  tokenCount(): number;
  describe(language: number, first: number, second: number, third: number): void;
  writeAll(token: number): void;
  readNames(language: number, first: number, second: number, third: number): number;
}

/** A token of a stretch with the members that training and tests need. `tools/pii/kernel/tokens.ts` explains each. */
export interface KernelToken {
  start: number;
  end: number;
  step: number;
  word: number;
  cluster: number;
  first: number;
  last: number;
}

/** The hash of a language, and those of the languages in whose clusters its words are looked up. */
type Language = readonly [hash: number, first: number, second: number, third: number];

export class Kernel {
  readonly exports: Exports;
  /** The whole memory of the kernel, and the offset in it at which the model's file begins. */
  readonly bytes: Uint8Array;
  readonly fileAt: number;
  /** The text of a stretch, in UTF-16. */
  readonly units: Uint16Array;
  readonly #unitBytes: Buffer;
  readonly #names: Int32Array;
  readonly #scores: Float64Array;
  readonly #languages = new Map<string, Language>();

  /**
   * `code` is the content of `kernel.wasm`. The caller then reads the model's file, of `fileBytes` bytes, into
   * `bytes`.
   */
  constructor(code: Uint8Array, fileBytes: number) {
    this.exports = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
    const { memory, CLASSES, LOWER_UNITS, BASE_UNITS, UNITS, MOST_UNITS, NAMES } = this.exports;
    this.fileAt = memory.grow(Math.ceil(fileBytes / PAGE_BYTES)) * PAGE_BYTES;
    const { buffer } = memory;
    this.bytes = new Uint8Array(buffer);
    this.units = new Uint16Array(buffer, UNITS.value, MOST_UNITS.value);
    this.#unitBytes = Buffer.from(buffer, UNITS.value, 2 * MOST_UNITS.value);
    this.#names = new Int32Array(buffer, NAMES.value);
    this.#scores = new Float64Array(buffer, NAMES.value);
    new Uint8Array(buffer, CLASSES.value).set(charClass);
    new Uint16Array(buffer, LOWER_UNITS.value).set(lowerUnit);
    new Uint16Array(buffer, BASE_UNITS.value).set(baseUnit);
    this.exports.setSeed(randomFillSync(new BigUint64Array(1))[0]!);
    this.exports.setEdges(hashText('<begin>'), hashText('<finish>'));
  }

  /** Copies the units [from, to) of a text to offset `at` of the kernel's text. */
  copy(text: string, from: number, to: number, at: number): void {
    if (to - from < FEWEST_WRITTEN) {
      const { units } = this;
      for (let k = from; k < to; k++) units[at + k - from] = text.charCodeAt(k);
      return;
    }
    const some = from === 0 && to === text.length ? text : text.slice(from, to);
    this.#unitBytes.write(some, at * 2, 'utf16le');
  }

  /** Finds the names in the stretch that was taken. Returns their number. */
  readNames(language: string): number {
    return this.exports.readNames(...this.#languageOf(language));
  }

  /** The offset of the first unit of name `k`. */
  start(k: number): number {
    return this.#names[(k * NAME_BYTES) / 4]!;
  }

  /** The offset after the last unit of name `k`. */
  end(k: number): number {
    return this.#names[(k * NAME_BYTES) / 4 + 1]!;
  }

  label(k: number): number {
    return this.#names[(k * NAME_BYTES) / 4 + 2]!;
  }

  score(k: number): number {
    return this.#scores[(k * NAME_BYTES) / 8 + 2]!;
  }

  /** Describes the tokens of the stretch that was taken, for training and tests. */
  describe(language: string): void {
    this.exports.describe(...this.#languageOf(language));
  }

  token(i: number): KernelToken {
    const place = this.exports.TOKENS.value + (i + PAD) * TOKEN_BYTES;
    const numbers = new Int32Array(this.bytes.buffer, place, TOKEN_BYTES / 4);
    const [start = 0, end = 0, , step = 0, word = 0, , , , cluster = 0] = numbers;
    const [first = 0, last = 0] = numbers.subarray(13);
    return { start, end, step, word, cluster, first, last };
  }

  #languageOf(name: string): Language {
    let known = this.#languages.get(name);
    if (known === undefined) {
      const first = CLUSTER_LANGUAGES.includes(name) ? name : ROMANCE.includes(name) ? 'es' : 'de';
      const [second = '', third = ''] = CLUSTER_LANGUAGES.filter((other) => other !== first);
      known = [hashText(name), hashText(first), hashText(second), hashText(third)];
      this.#languages.set(name, known);
    }
    return known;
  }
}
