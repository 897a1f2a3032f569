/**
 * Sums of the weights of features. What a word gives by itself, or to its neighbours, is the same wherever it stands:
 * the sums of words seen lately are kept, which halves the work of a text.
 */
import { mix } from './hash.js';
import { LABEL_COUNT } from './labels.js';
import { BUCKET_SLOTS, bucketOf, featureCheck, type Weights } from './weights.js';

const L = LABEL_COUNT;

/** Adds the weights of each feature to `sums`, in units of the model's scale. */
export function addWeights(
  { checks, values, buckets }: Weights,
  features: Int32Array,
  count: number,
  sums: Int32Array,
): void {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let s4 = 0;
  let s5 = 0;
  let s6 = 0;
  let s7 = 0;
  for (let f = 0; f < count; f++) {
    const feature = features[f]!;
    const check = featureCheck(feature);
    let slot = bucketOf(feature, buckets) * BUCKET_SLOTS;
    const end = slot + BUCKET_SLOTS;
    while (slot < end && checks[slot] !== check) slot++;
    if (slot === end) continue;
    const row = slot * L;
    s0 += values[row]!;
    s1 += values[row + 1]!;
    s2 += values[row + 2]!;
    s3 += values[row + 3]!;
    s4 += values[row + 4]!;
    s5 += values[row + 5]!;
    s6 += values[row + 6]!;
    s7 += values[row + 7]!;
  }
  sums[0]! += s0;
  sums[1]! += s1;
  sums[2]! += s2;
  sums[3]! += s3;
  sums[4]! += s4;
  sums[5]! += s5;
  sums[6]! += s6;
  sums[7]! += s7;
}

/** Sums by a key of 64 bits; a new one takes the place of the one that stood in its slot. */
export class SumCache {
  readonly #keys: Int32Array;
  readonly #sums: Int32Array;
  readonly #mask: number;

  /** `slots` is a power of two. */
  constructor(slots: number) {
    this.#keys = new Int32Array(slots * 2);
    this.#sums = new Int32Array(slots * L);
    this.#mask = slots - 1;
  }

  /** Adds the sums of a key to `sums`; false where they are not known. */
  add(first: number, second: number, sums: Int32Array): boolean {
    const slot = mix(first, second) & this.#mask;
    if (this.#keys[slot * 2] !== first || this.#keys[slot * 2 + 1] !== second) return false;
    const known = this.#sums;
    const at = slot * L;
    for (let y = 0; y < L; y++) sums[y]! += known[at + y]!;
    return true;
  }

  set(first: number, second: number, sums: Int32Array): void {
    const slot = mix(first, second) & this.#mask;
    this.#keys[slot * 2] = first;
    this.#keys[slot * 2 + 1] = second;
    this.#sums.set(sums, slot * L);
  }
}
