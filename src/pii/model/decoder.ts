/**
 * Finds the best sequence of labels (Viterbi) and how sure the model is of each (forward-backward), for one
 * described stretch of text. Every buffer is made once; a stretch is at most MAX_TOKENS long, so the work is
 * linear in the length of the text.
 */
import { randomFillSync } from 'node:crypto';
import {
  BESIDE_FEATURES,
  BESIDE_OFFSETS,
  besideFeature,
  contextHash,
  listsAt,
  PAIR_FEATURES,
  pairFeatures,
  WORD_FEATURES,
  wordFeatures,
} from './features.js';
import { mix } from './hash.js';
import { isAllowed, LABEL_COUNT, O } from './labels.js';
import { markReadable } from './readable.js';
import { MAX_TOKENS, PAD, type Sentence, STEP_COUNT } from './sentence.js';
import type { FeatureSums } from './simd-sums.js';
import { featureSums, SumCache } from './sums.js';
import type { Weights } from './weights.js';

const L = LABEL_COUNT;
const IMPOSSIBLE = -1e9;
/** Words whose sums are kept: 40 bytes each, twice. */
const WORDS_KEPT = 8192;
/** Tokens whose sums are kept with all that stands around them: a stream shows each several times. */
const TOKENS_KEPT = 16_384;
const SEEDS = randomFillSync(new Int32Array(2));

export class Decoder {
  readonly #weights: Weights;
  readonly #transitions: Float64Array;
  readonly #factors: Float64Array;
  readonly #features: FeatureSums;
  readonly #words = new SumCache(WORDS_KEPT);
  readonly #beside = new SumCache(WORDS_KEPT);
  readonly #tokens = new SumCache(TOKENS_KEPT);
  readonly #sums = new Int32Array(L);
  readonly #emissions = new Float64Array(MAX_TOKENS * L);
  readonly #odds = new Float64Array(MAX_TOKENS * L);
  readonly #forward = new Float64Array(MAX_TOKENS * L);
  readonly #best = new Float64Array(MAX_TOKENS * L);
  readonly #from = new Uint8Array(MAX_TOKENS * L);
  readonly #backward = new Float64Array(L);
  readonly #next = new Float64Array(L);
  readonly #readable = new Uint8Array(MAX_TOKENS);
  readonly labels = new Uint8Array(MAX_TOKENS);
  /** Probability of each label at each token, LABEL_COUNT for a token. */
  readonly marginals = new Float64Array(MAX_TOKENS * L);

  constructor(weights: Weights) {
    this.#weights = weights;
    this.#features = featureSums(weights);
    this.#transitions = new Float64Array(STEP_COUNT * L * L);
    this.#factors = new Float64Array(STEP_COUNT * L * L);
    for (let k = 0; k < this.#transitions.length; k++) {
      const allowed = isAllowed(((k / L) | 0) % L, k % L);
      this.#transitions[k] = allowed ? weights.transitions[k]! : IMPOSSIBLE;
      this.#factors[k] = allowed ? Math.exp(weights.transitions[k]!) : 0;
    }
  }

  /**
   * Fills `labels`, and `marginals` where a label is not O; gives whether any is not. Stretches of tokens that can be
   * part of a name are decoded each by itself: around them there are none.
   */
  decode(text: string, sentence: Sentence): boolean {
    const count = sentence.tokens.count;
    const readable = this.#readable;
    this.labels.fill(O, 0, count);
    if (!markReadable(text, sentence, readable)) return false;
    let found = false;
    for (let from = 0; from < count; from++) {
      if (readable[from] === 0) continue;
      let to = from + 1;
      while (to < count && readable[to] === 1) to++;
      if (this.#decodeStretch(text, sentence, from, to)) found = true;
      from = to;
    }
    return found;
  }

  #decodeStretch(text: string, sentence: Sentence, from: number, to: number): boolean {
    for (let i = from; i < to; i++) {
      sentence.describeAffixes(text, i);
      this.#emit(sentence, i);
    }
    if (!this.#viterbi(sentence.step, from, to)) return false;
    this.#forwardBackward(sentence.step, from, to);
    return true;
  }

  /** The scores of every label for token `i`, from the weights of its features. */
  #emit(sentence: Sentence, i: number): void {
    const sums = this.#sums.fill(0);
    const first = contextHash(sentence, i, SEEDS[0]!);
    const second = contextHash(sentence, i, SEEDS[1]!);
    if (!this.#tokens.add(first, second, sums)) {
      this.#addFeatures(sentence, i);
      this.#tokens.set(first, second, sums);
    }
    for (let y = 0; y < L; y++) this.#emissions[i * L + y] = sums[y]! * this.#weights.scale;
  }

  #addFeatures(sentence: Sentence, i: number): void {
    this.#addWord(sentence, i);
    for (let place = 0; place < BESIDE_FEATURES; place++) {
      this.#addBeside(sentence.word[i + PAD + BESIDE_OFFSETS[place]!]!, place);
    }
    pairFeatures(sentence, i, this.#features.features);
    this.#addSums(PAIR_FEATURES);
  }

  /** Adds what the word of token `i` says by itself. */
  #addWord(sentence: Sentence, i: number): void {
    const word = sentence.word[i + PAD]!;
    const around = mix(mix(sentence.shape[i + PAD]!, listsAt(sentence, i + PAD)), sentence.key);
    if (this.#words.add(word, around, this.#sums)) return;
    wordFeatures(sentence, i, this.#features.features);
    this.#words.set(word, around, this.#addSums(WORD_FEATURES));
  }

  /** Adds what a word says of a token beside it. */
  #addBeside(word: number, place: number): void {
    if (this.#beside.add(word, place + 1, this.#sums)) return;
    this.#features.features[0] = besideFeature(word, place);
    this.#beside.set(word, place + 1, this.#addSums(1));
  }

  /** Adds the weights of the first `count` features, and gives their sums. */
  #addSums(count: number): Int32Array {
    const { sums } = this.#features;
    this.#features.sum(count);
    for (let y = 0; y < L; y++) this.#sums[y]! += sums[y]!;
    return sums;
  }

  #viterbi(step: Uint8Array, from: number, to: number): boolean {
    const best = this.#best;
    const emissions = this.#emissions;
    for (let i = from; i < to; i++) {
      const matrix = step[i]! * L * L;
      const isFirst = i === from;
      for (let y = 0; y < L; y++) {
        let top = isFirst ? this.#transitions[matrix + O * L + y]! : IMPOSSIBLE * 2;
        let origin = O;
        for (let x = 0; !isFirst && x < L; x++) {
          const score = best[(i - 1) * L + x]! + this.#transitions[matrix + x * L + y]!;
          if (score > top) {
            top = score;
            origin = x;
          }
        }
        best[i * L + y] = top + emissions[i * L + y]!;
        this.#from[i * L + y] = origin;
      }
    }
    return this.#follow(from, to);
  }

  #follow(from: number, to: number): boolean {
    let label = O;
    const last = (to - 1) * L;
    for (let y = 1; y < L; y++) if (this.#best[last + y]! > this.#best[last + label]!) label = y;
    let found = false;
    for (let i = to - 1; i >= from; i--) {
      this.labels[i] = label;
      if (label !== O) found = true;
      label = this.#from[i * L + label]!;
    }
    return found;
  }

  #forwardBackward(step: Uint8Array, from: number, to: number): void {
    const forward = this.#forward;
    for (let i = from; i < to; i++) {
      this.#weigh(i);
      const matrix = step[i]! * L * L;
      let total = 0;
      for (let y = 0; y < L; y++) {
        let mass = i === from ? this.#factors[matrix + O * L + y]! : 0;
        for (let x = 0; i > from && x < L; x++)
          mass += forward[(i - 1) * L + x]! * this.#factors[matrix + x * L + y]!;
        mass *= this.#odds[i * L + y]!;
        forward[i * L + y] = mass;
        total += mass;
      }
      for (let y = 0; y < L; y++) forward[i * L + y]! /= total;
    }
    this.#goBack(step, from, to);
  }

  /** exp of the emissions of a token, its best label as 1. */
  #weigh(i: number): void {
    let top = IMPOSSIBLE;
    for (let y = 0; y < L; y++) top = Math.max(top, this.#emissions[i * L + y]!);
    for (let y = 0; y < L; y++) this.#odds[i * L + y] = Math.exp(this.#emissions[i * L + y]! - top);
  }

  #goBack(step: Uint8Array, from: number, to: number): void {
    const backward = this.#backward.fill(1);
    const next = this.#next;
    for (let i = to - 1; i >= from; i--) {
      let total = 0;
      for (let y = 0; y < L; y++) total += this.#forward[i * L + y]! * backward[y]!;
      for (let y = 0; y < L; y++)
        this.marginals[i * L + y] = (this.#forward[i * L + y]! * backward[y]!) / total;
      const matrix = step[i]! * L * L;
      let sum = 0;
      for (let x = 0; x < L; x++) {
        let mass = 0;
        for (let y = 0; y < L; y++)
          mass += this.#factors[matrix + x * L + y]! * this.#odds[i * L + y]! * backward[y]!;
        next[x] = mass;
        sum += mass;
      }
      for (let x = 0; x < L; x++) backward[x] = next[x]! / sum;
    }
  }
}
