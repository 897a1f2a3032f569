/**
 * Finds the best sequence of labels (Viterbi) and how sure the model is of each (forward-backward), for one
 * described stretch of text. Every buffer is made once; a stretch is at most MAX_TOKENS long, so the work is
 * linear in the length of the text.
 */
import { FEATURE_COUNT, featuresOf } from './features.js';
import { isAllowed, LABEL_COUNT, O } from './labels.js';
import { MAX_TOKENS, type Sentence, STEP_COUNT } from './sentence.js';
import { BUCKET_SLOTS, bucketOf, featureCheck, type Weights } from './weights.js';

const L = LABEL_COUNT;
const IMPOSSIBLE = -1e9;

export class Decoder {
  readonly #weights: Weights;
  readonly #transitions: Float64Array;
  readonly #factors: Float64Array;
  readonly #features = new Int32Array(FEATURE_COUNT);
  readonly #emissions = new Float64Array(MAX_TOKENS * L);
  readonly #odds = new Float64Array(MAX_TOKENS * L);
  readonly #forward = new Float64Array(MAX_TOKENS * L);
  readonly #best = new Float64Array(MAX_TOKENS * L);
  readonly #from = new Uint8Array(MAX_TOKENS * L);
  readonly #backward = new Float64Array(L);
  readonly #next = new Float64Array(L);
  readonly #sum = new Float64Array(L);
  readonly labels = new Uint8Array(MAX_TOKENS);
  /** Probability of each label at each token, LABEL_COUNT for a token. */
  readonly marginals = new Float64Array(MAX_TOKENS * L);

  constructor(weights: Weights) {
    this.#weights = weights;
    this.#transitions = new Float64Array(STEP_COUNT * L * L);
    this.#factors = new Float64Array(STEP_COUNT * L * L);
    for (let k = 0; k < this.#transitions.length; k++) {
      const allowed = isAllowed(((k / L) | 0) % L, k % L);
      this.#transitions[k] = allowed ? weights.transitions[k]! : IMPOSSIBLE;
      this.#factors[k] = allowed ? Math.exp(weights.transitions[k]!) : 0;
    }
  }

  /** Fills `labels`, and `marginals` unless every label is O; gives whether any is not. */
  decode(sentence: Sentence): boolean {
    const count = sentence.tokens.count;
    for (let i = 0; i < count; i++) this.#emit(sentence, i);
    const found = this.#viterbi(sentence.step, count);
    if (found) this.#forwardBackward(sentence.step, count);
    return found;
  }

  #emit(sentence: Sentence, i: number): void {
    const { checks, values, buckets, scale } = this.#weights;
    const features = this.#features;
    const count = featuresOf(sentence, i, features);
    const sum = this.#sum.fill(0);
    for (let f = 0; f < count; f++) {
      const feature = features[f]!;
      const check = featureCheck(feature);
      let slot = bucketOf(feature, buckets) * BUCKET_SLOTS;
      const end = slot + BUCKET_SLOTS;
      while (slot < end && checks[slot] !== check) slot++;
      if (slot === end) continue;
      const row = slot * L;
      for (let y = 0; y < L; y++) sum[y]! += values[row + y]!;
    }
    for (let y = 0; y < L; y++) this.#emissions[i * L + y] = sum[y]! * scale;
  }

  #viterbi(step: Uint8Array, count: number): boolean {
    const best = this.#best;
    const emissions = this.#emissions;
    for (let i = 0; i < count; i++) {
      const matrix = step[i]! * L * L;
      for (let y = 0; y < L; y++) {
        let top = i === 0 ? this.#transitions[matrix + O * L + y]! : IMPOSSIBLE * 2;
        let from = O;
        for (let x = 0; i > 0 && x < L; x++) {
          const score = best[(i - 1) * L + x]! + this.#transitions[matrix + x * L + y]!;
          if (score > top) {
            top = score;
            from = x;
          }
        }
        best[i * L + y] = top + emissions[i * L + y]!;
        this.#from[i * L + y] = from;
      }
    }
    return this.#follow(count);
  }

  #follow(count: number): boolean {
    let label = O;
    const last = (count - 1) * L;
    for (let y = 1; y < L; y++) if (this.#best[last + y]! > this.#best[last + label]!) label = y;
    let found = false;
    for (let i = count - 1; i >= 0; i--) {
      this.labels[i] = label;
      if (label !== O) found = true;
      label = this.#from[i * L + label]!;
    }
    return found;
  }

  #forwardBackward(step: Uint8Array, count: number): void {
    const forward = this.#forward;
    for (let i = 0; i < count; i++) {
      this.#weigh(i);
      const matrix = step[i]! * L * L;
      let total = 0;
      for (let y = 0; y < L; y++) {
        let mass = i === 0 ? this.#factors[matrix + O * L + y]! : 0;
        for (let x = 0; i > 0 && x < L; x++)
          mass += forward[(i - 1) * L + x]! * this.#factors[matrix + x * L + y]!;
        mass *= this.#odds[i * L + y]!;
        forward[i * L + y] = mass;
        total += mass;
      }
      for (let y = 0; y < L; y++) forward[i * L + y]! /= total;
    }
    this.#goBack(step, count);
  }

  /** exp of the emissions of a token, its best label as 1. */
  #weigh(i: number): void {
    let top = IMPOSSIBLE;
    for (let y = 0; y < L; y++) top = Math.max(top, this.#emissions[i * L + y]!);
    for (let y = 0; y < L; y++) this.#odds[i * L + y] = Math.exp(this.#emissions[i * L + y]! - top);
  }

  #goBack(step: Uint8Array, count: number): void {
    const backward = this.#backward.fill(1);
    const next = this.#next;
    for (let i = count - 1; i >= 0; i--) {
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
