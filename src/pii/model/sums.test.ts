import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LABEL_COUNT } from './labels.js';
import { VALUE_COUNT } from './pairs.js';
import { MOST_FEATURES, simdSums } from './simd-sums.js';
import { plainSums } from './sums.js';
import { BUCKET_SLOTS, bucketOf, featureCheck, loadWeights, type Weights } from './weights.js';

/** Features that the model knows, and others. */
function someFeatures({ buckets, checks }: Weights) {
  const known = fc.nat(checks.length - 1).map((slot) => {
    const upper = Math.ceil((Math.floor(slot / BUCKET_SLOTS) * 65_536) / buckets);
    return (upper << 16) | checks[slot]!;
  });
  return fc.array(fc.oneof(known, fc.integer(), fc.constant(0)), { minLength: 1, maxLength: MOST_FEATURES });
}

describe('the sums of the weights of features', () => {
  const weights = loadWeights();
  const plain = plainSums(weights);
  const fast = simdSums(weights)!;

  it('are the same in WebAssembly as in JavaScript', () => {
    fc.assert(
      fc.property(someFeatures(weights), (features) => {
        for (const sums of [plain, fast]) {
          sums.features.set(features);
          sums.sum(features.length);
        }
        expect(fast.sums).toEqual(plain.sums);
      }),
    );
  });

  it('of pairs are the same in WebAssembly as in JavaScript', () => {
    const values = fc.array(fc.integer(), { minLength: VALUE_COUNT, maxLength: VALUE_COUNT });
    fc.assert(
      fc.property(values, (numbers) => {
        for (const sums of [plain, fast]) {
          sums.values.set(numbers);
          sums.sumPairs();
        }
        expect(fast.sums).toEqual(plain.sums);
      }),
    );
  });

  it('have a part of each feature that the model knows', () => {
    const known = weights.checks.findIndex((_, slot) => weights.values[slot * LABEL_COUNT] !== 0);
    const feature = weights.checks[known]!;
    expect(bucketOf(feature, weights.buckets)).toBe(Math.floor(known / BUCKET_SLOTS));
    expect(featureCheck(feature)).toBe(weights.checks[known]);
    fast.features.set([feature, feature]);
    fast.sum(2);
    expect(fast.sums[0]).toBe(2 * weights.values[known * LABEL_COUNT]!);
  });
});
