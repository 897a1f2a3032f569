import { randomFillSync } from 'node:crypto';
import { finishHash } from './hash.js';
import { MAX_TOKENS, type Sentence } from './sentence.js';
import { PAD } from './tokenize.js';

/** By these nobody who writes a text can tell which other one shares its hashes. */
const SEEDS = randomFillSync(new Int32Array(2));
const [FIRST_SEED = 0, SECOND_SEED = 0] = SEEDS;
const AFFIXES = 8;

/**
 * Two hashes of all that the features of a token depend on: itself, three tokens before it, two behind it, its run of
 * capitals (the words around it, its first and its last). Both are made side by side, which takes the time of one.
 */
export class ContextHashes {
  readonly #firsts = new Int32Array(MAX_TOKENS + 2 * PAD);
  readonly #seconds = new Int32Array(MAX_TOKENS + 2 * PAD);
  /** Of each token, the first and then the second. */
  readonly #ofTokens = new Int32Array(2 * MAX_TOKENS);

  first(i: number): number {
    return this.#ofTokens[2 * i]!;
  }

  second(i: number): number {
    return this.#ofTokens[2 * i + 1]!;
  }

  /** Reads the tokens from `from` to `to`, and those beside them. */
  prepare({ word, shape, lists, place }: Sentence, from: number, to: number): void {
    for (let at = from; at < to + 2 * PAD; at++) {
      const [a, b] = [word[at]!, shape[at]!];
      const listed = lists[at]! | (place[at]! << 16);
      this.#firsts[at] = step(step(step(FIRST_SEED, a), b), listed);
      this.#seconds[at] = step(step(step(SECOND_SEED, a), b), listed);
    }
  }

  /** Makes both hashes of token `i`. */
  read({ before, after, first: begin, last, chain, affix, key }: Sentence, i: number): void {
    const at = i + PAD;
    let first = step(FIRST_SEED, key);
    let second = step(SECOND_SEED, key);
    for (let k = at - PAD; k < at + PAD; k++) {
      first = step(first, this.#firsts[k]!);
      second = step(second, this.#seconds[k]!);
    }
    const ending = affix[i * AFFIXES + 5]!;
    const longerEnding = affix[i * AFFIXES + 6]!;
    first = step(step(step(first, before[at]!), after[at]!), chain[at]!);
    second = step(step(step(second, before[at]!), after[at]!), chain[at]!);
    first = step(step(first, begin[at]!), last[at]!);
    second = step(step(second, begin[at]!), last[at]!);
    this.#ofTokens[2 * i] = finishHash(step(step(first, ending), longerEnding));
    this.#ofTokens[2 * i + 1] = finishHash(step(step(second, ending), longerEnding));
  }
}

function step(hash: number, value: number): number {
  const x = Math.imul(hash ^ value, 0x85ebca6b);
  return x ^ (x >>> 15);
}
