/**
 * Labels the tokens of one described stretch of text: sums up what the features of each token say. Every buffer is
 * made once; a stretch is at most MAX_TOKENS long, so the work is linear in the length of the text.
 */
import { ContextHashes } from './context-hash.js';
import { BESIDE_EACH, BESIDE_OFFSETS, besideFeatures, WORD_FEATURES, wordFeatures } from './features.js';
import { mix } from './hash.js';
import { B_PERSON, I_PERSON, LABEL_COUNT, O } from './labels.js';
import { Lattice } from './lattice.js';
import { writeValues } from './pairs.js';
import { rarenessOf } from './rare-names.js';
import { markReadable } from './readable.js';
import { listsAt, MAX_TOKENS, type Sentence } from './sentence.js';
import type { FeatureSums } from './simd-sums.js';
import { featureSums, SumCache } from './sums.js';
import { PAD } from './tokenize.js';
import type { Weights } from './weights.js';

const L = LABEL_COUNT;
/** Words whose sums are kept: 32 bytes each. */
const WORDS_KEPT = 8192;
/** Words of which is kept what they say of the tokens beside them: 80 bytes each. */
const BESIDE_KEPT = 4096;
/** Tokens whose sums are kept with all that stands around them: a stream shows each several times. */
const TOKENS_KEPT = 16_384;

export class Decoder {
  readonly #weights: Weights;
  readonly #lattice: Lattice;
  readonly #features: FeatureSums;
  readonly #words = new SumCache(WORDS_KEPT);
  readonly #beside = new SumCache(BESIDE_KEPT, BESIDE_OFFSETS.length);
  readonly #context = new ContextHashes();
  readonly #tokens = new SumCache(TOKENS_KEPT);
  /** LABEL_COUNT for each token. */
  readonly #sums = new Int32Array(MAX_TOKENS * L);
  readonly #isKnown = new Uint8Array(MAX_TOKENS);
  readonly #readable = new Uint8Array(MAX_TOKENS);
  readonly labels: Uint8Array;
  /** Probability of each label at each token whose label is not O, LABEL_COUNT for a token. */
  readonly marginals: Float64Array;

  constructor(weights: Weights) {
    this.#weights = weights;
    this.#features = featureSums(weights);
    this.#lattice = new Lattice(weights.transitions);
    this.labels = this.#lattice.labels;
    this.marginals = this.#lattice.marginals;
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
    for (let i = from; i < to; i++) sentence.describeAffixes(text, i);
    this.#sums.fill(0, from * L, to * L);
    this.#addKnown(sentence, from, to);
    for (let k = from + BESIDE_OFFSETS[0]!; k < to + BESIDE_OFFSETS.at(-1)!; k++)
      this.#addBeside(sentence, k, from, to);
    for (let i = from; i < to; i++) {
      if (this.#isKnown[i] === 0) this.#addFeatures(sentence, i);
      this.#emit(sentence, i);
    }
    return this.#lattice.decode(sentence.step, from, to);
  }

  /** The scores of every label for token `i`, from the weights of its features. */
  #emit(sentence: Sentence, i: number): void {
    const { emissions } = this.#lattice;
    for (let y = i * L; y < (i + 1) * L; y++) emissions[y] = this.#sums[y]! * this.#weights.scale;
    const rareness = rarenessOf(sentence, i);
    emissions[i * L + B_PERSON]! += rareness;
    emissions[i * L + I_PERSON]! += rareness;
  }

  /** Adds the sums of the tokens that were read before with the same around them. */
  #addKnown(sentence: Sentence, from: number, to: number): void {
    this.#context.prepare(sentence, from, to);
    for (let i = from; i < to; i++) {
      this.#context.read(sentence, i);
      const kept = this.#tokens.find(this.#context.first(i), this.#context.second(i));
      this.#isKnown[i] = Number(kept >= 0);
      if (kept >= 0) this.#tokens.add(kept, this.#sums, i * L);
    }
  }

  #addFeatures(sentence: Sentence, i: number): void {
    this.#addWord(sentence, i);
    writeValues(sentence, i, this.#features.values);
    this.#features.sumPairs();
    this.#addSums(i);
    this.#tokens.set(this.#context.first(i), this.#context.second(i), this.#sums, i * L);
  }

  /** Adds what the word of token `i` says by itself. */
  #addWord(sentence: Sentence, i: number): void {
    const word = sentence.word[i + PAD]!;
    const around = mix(mix(sentence.shape[i + PAD]!, listsAt(sentence, i + PAD)), sentence.key);
    const kept = this.#words.find(word, around);
    if (kept >= 0) {
      this.#words.add(kept, this.#sums, i * L);
      return;
    }
    wordFeatures(sentence, i, this.#features.features);
    this.#features.sum(WORD_FEATURES);
    this.#addSums(i);
    this.#words.set(word, around, this.#features.sums);
  }

  /** Adds what the word of token `k` says of the tokens beside it that are not known, from `from` to `to`. */
  #addBeside(sentence: Sentence, k: number, from: number, to: number): void {
    let kept = -1;
    for (let place = 0; place < BESIDE_OFFSETS.length; place++) {
      const i = k - BESIDE_OFFSETS[place]!;
      if (i < from || i >= to || this.#isKnown[i] === 1) continue;
      if (kept < 0) kept = this.#besideSums(sentence, k + PAD);
      this.#beside.add(kept + place * L, this.#sums, i * L);
    }
  }

  /** Where the sums of the word at `at` (with PAD) stand. */
  #besideSums(sentence: Sentence, at: number): number {
    const word = sentence.word[at]!;
    const cluster = sentence.cluster[at]!;
    let kept = this.#beside.find(word, cluster);
    if (kept >= 0) return kept;
    for (let place = 0; place < BESIDE_OFFSETS.length; place++) {
      besideFeatures(sentence, at, place, this.#features.features, 0);
      this.#features.sum(BESIDE_EACH);
      kept = this.#beside.set(word, cluster, this.#features.sums, 0, place);
    }
    return kept;
  }

  /** Adds the sums made last to those of token `i`. */
  #addSums(i: number): void {
    const { sums } = this.#features;
    for (let y = 0; y < L; y++) this.#sums[i * L + y]! += sums[y]!;
  }
}
