/**
 * The weights of features: a hash table of buckets of eight slots. A slot is found by a 16-bit check value, so a feature
 * that training did not keep costs one short look and adds nothing. A slot has a weight for each of the eight labels.
 */
import { FEATURES, MOST_FEATURES } from './features';

const BUCKET_BYTES_SHIFT = 4;
const WEIGHT_BYTES_SHIFT = 3;

/** The bucket of a feature is the upper 20 bits of its hash, times the number of buckets, by 2 ** 20. Here: by 2 ** 12. */
let bucketScale: i32 = 0;
let checks: usize = 0;
let values: usize = 0;
/** What a weight of 1 is, as a natural logarithm. */
export let scale: f64 = 0;

/** `bucketCount` is a multiple of 4096, at most 2 ** 24. */
export function setWeights(bucketCount: i32, checksAt: usize, valuesAt: usize, unit: f64): void {
  bucketScale = bucketCount >> 12;
  checks = checksAt;
  values = valuesAt;
  scale = unit;
}

/** Where the bucket of each feature stands, and then where the weights of each feature found do. */
const PLACES: usize = memory.data(4 * MOST_FEATURES, 16);

/**
 * The sum of the weights of the first `count` features, at least one, for all labels. Written in passes over all of
 * them: the processor waits for many places of the table at once, and for no branch.
 */
export function sumOf(count: i32): v128 {
  findBuckets(count);
  const found = findSlots(count);
  let sum = i16x8.splat(0);
  for (let at: usize = 0; at < <usize>found << 2; at += 4) {
    sum = i16x8.add(sum, v128.load_ext<i8>(<usize>load<u32>(PLACES + at)));
  }
  return sum;
}

/** Writes the check value of each feature, never 0, in its place, and where its bucket stands; looks at each bucket. */
function findBuckets(count: i32): void {
  const low = i32x4.splat(0xffff);
  const end = <usize>count << 2;
  for (let at: usize = 0; at < end; at += 16) {
    const four = v128.load(FEATURES + at);
    const check = v128.and(four, low);
    const isZero = v128.and(i32x4.eq(check, i32x4.splat(0)), i32x4.splat(1));
    v128.store(FEATURES + at, v128.or(check, isZero));
    const bucket = i32x4.shr_u(i32x4.mul(i32x4.shr_u(four, 12), i32x4.splat(bucketScale)), 8);
    v128.store(PLACES + at, i32x4.add(i32x4.shl(bucket, BUCKET_BYTES_SHIFT), i32x4.splat(<i32>checks)));
  }
}

/** Writes where the weights of each feature stand that has some; gives how many have. */
function findSlots(count: i32): i32 {
  let found = 0;
  const end = <usize>count << 2;
  for (let at: usize = 0; at < end; at += 4) {
    const bucket = <usize>load<u32>(PLACES + at);
    const check = i16x8.splat(load<i16>(FEATURES + at));
    const slots = i16x8.bitmask(i16x8.eq(v128.load(bucket), check));
    // The next one writes over what stands for a feature that has none.
    const slot = <usize>(((<i32>(bucket - checks)) >> 1) + ctz(slots));
    store<u32>(PLACES + (<usize>found << 2), <u32>(values + (slot << WEIGHT_BYTES_SHIFT)));
    found += <i32>(slots !== 0);
  }
  return found;
}
