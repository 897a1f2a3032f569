/**
 * Which cluster a word is of: words that stand among the same words share one (Brown et al. 1992, "Class-based n-gram
 * models of natural language"), so what was learnt of `Paris` holds for `Lyon`. The clusters are one open-addressing
 * table of 16-bit check values with two paths of each word, with a capital and without.
 */
import { checkOf, slotOf } from './gazetteer.js';
import { hashText, mix } from './hash.js';

export const CLUSTER_LANGUAGES: readonly string[] = ['en', 'de', 'es'];
const HASHES = CLUSTER_LANGUAGES.map(hashText);
const ENGLISH = HASHES[0]!;

export class WordClusters {
  readonly #checks: Uint16Array;
  readonly #upper: Uint16Array;
  readonly #lower: Uint16Array;
  readonly #paths: Int32Array;
  readonly #mask: number;

  /** `upper` and `lower` are places in `paths`, for each slot of `checks`. */
  constructor(checks: Uint16Array, upper: Uint16Array, lower: Uint16Array, paths: Int32Array) {
    this.#checks = checks;
    this.#upper = upper;
    this.#lower = lower;
    this.#paths = paths;
    this.#mask = checks.length - 1;
  }

  /**
   * The path of a word, 0 where it is not known. `word` and `language` are hashes. In a language without clusters of its
   * own, words with a capital have the English ones: names are much the same, ordinary words are not.
   */
  find(word: number, language: number, isUpper: boolean): number {
    const isOwn = HASHES.includes(language);
    if (!isOwn && !isUpper) return 0;
    const key = mix(word, isOwn ? language : ENGLISH);
    const check = checkOf(key);
    for (let slot = slotOf(key, this.#mask); ; slot = (slot + 1) & this.#mask) {
      const found = this.#checks[slot]!;
      if (found === check) return this.#paths[(isUpper ? this.#upper : this.#lower)[slot]!]!;
      if (found === 0) return 0;
    }
  }
}

/** The first `bits` branches of a path; the number of its language stays. */
export function beginningOf(path: number, bits: number): number {
  return path & (((1 << bits) - 1) | ~PATH_BITS);
}

/** What of a path is branches; above stands the number of the language, from 1. */
export const PATH_BITS = 0xfffff;
