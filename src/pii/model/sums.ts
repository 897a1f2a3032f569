/**
 * Sums of the weights of features. What a word gives by itself, or to its neighbours, is the same wherever it stands:
 * the sums of words seen lately are kept, which halves the work of a text.
 */
import { mix } from './hash.js';
import { LABEL_COUNT } from './labels.js';
import { PAIRS, pairFeatures, VALUE_COUNT } from './pairs.js';
import { type FeatureSums, MOST_FEATURES, simdSums } from './simd-sums.js';
import { BUCKET_SLOTS, bucketOf, featureCheck, type Weights } from './weights.js';

const L = LABEL_COUNT;

/** The sums of features, with the native speed where there is one. */
export function featureSums(weights: Weights): FeatureSums {
  return simdSums(weights) ?? plainSums(weights);
}

export function plainSums({ checks, values: weights, buckets }: Weights): FeatureSums {
  const features = new Int32Array(MOST_FEATURES);
  const values = new Int32Array(VALUE_COUNT);
  const sums = new Int32Array(L);
  const sum = (count: number) => {
    sums.fill(0);
    for (let f = 0; f < count; f++) {
      const feature = features[f]!;
      const check = featureCheck(feature);
      let slot = bucketOf(feature, buckets) * BUCKET_SLOTS;
      const end = slot + BUCKET_SLOTS;
      while (slot < end && checks[slot] !== check) slot++;
      if (slot === end) continue;
      for (let y = 0; y < L; y++) sums[y]! += weights[slot * L + y]!;
    }
  };
  const sumPairs = () => {
    pairFeatures(values, features);
    sum(PAIRS.length);
  };
  return { features, values, sums, sum, sumPairs };
}

/** Places of 16 bits that a key takes, half a line of the cache less one list of sums. */
const KEY = 8;

/** Lists of sums by a key of 64 bits; a new key takes the place of the one that stood in its slot. */
export class SumCache {
  readonly #keys: Int32Array;
  readonly #sums: Int16Array;
  readonly #mask: number;
  readonly #entry: number;

  /** `slots` is a power of two; a key has `lists` lists of sums. */
  constructor(slots: number, lists = 1) {
    this.#entry = KEY + lists * L;
    this.#sums = new Int16Array(slots * this.#entry);
    this.#keys = new Int32Array(this.#sums.buffer);
    this.#mask = slots - 1;
  }

  /** Where the sums of a key stand, -1 where they are not known. */
  find(first: number, second: number): number {
    const at = (mix(first, second) & this.#mask) * this.#entry;
    const isKnown = this.#keys[at >> 1] === first && this.#keys[(at >> 1) + 1] === second;
    return isKnown ? at + KEY : -1;
  }

  /** Adds the sums that stand at `from` to those at `to` of `sums`. */
  add(from: number, sums: Int32Array, to: number): void {
    const known = this.#sums;
    for (let y = 0; y < L; y++) sums[to + y]! += known[from + y]!;
  }

  /** Keeps the sums at `from` of `sums`; gives where the lists of the key stand. */
  set(first: number, second: number, sums: Int32Array, from = 0, list = 0): number {
    const at = (mix(first, second) & this.#mask) * this.#entry;
    this.#keys[at >> 1] = first;
    this.#keys[(at >> 1) + 1] = second;
    const kept = this.#sums;
    const to = at + KEY + list * L;
    for (let y = 0; y < L; y++) kept[to + y] = sums[from + y]!;
    return at + KEY;
  }
}
