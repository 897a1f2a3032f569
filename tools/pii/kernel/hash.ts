/** The hash functions of `src/pii/model/hash.ts`, bit for bit: what training has hashed with them stands in the file of the model. */

export const HASH_START: i32 = 0x811c9dc5;

/** Mixes a value with the number of the feature it stands in, or two values with each other. */
export function mix(a: i32, b: i32): i32 {
  let x = ((a ^ 0x9e3779b9) * 0x85ebca6b) ^ ((b + 0x7f4a7c15) * 0xc2b2ae35);
  x ^= x >>> 16;
  x *= 0x7feb352d;
  return x ^ (x >>> 15);
}

/** The same for four values and four others. */
export function mixFour(a: v128, b: v128): v128 {
  const left = i32x4.mul(v128.xor(a, i32x4.splat(0x9e3779b9)), i32x4.splat(0x85ebca6b));
  const right = i32x4.mul(i32x4.add(b, i32x4.splat(0x7f4a7c15)), i32x4.splat(0xc2b2ae35));
  let x = v128.xor(left, right);
  x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, 16)), i32x4.splat(0x7feb352d));
  return v128.xor(x, i32x4.shr_u(x, 15));
}

/** One step of FNV-1a over a UTF-16 unit. */
export function hashUnit(hash: i32, unit: i32): i32 {
  return (hash ^ unit) * 0x01000193;
}

/** Spreads the last steps of FNV-1a, whose low bits are weak for short words. */
export function finishHash(hash: i32): i32 {
  const x = (hash ^ (hash >>> 15)) * 0x2c1b3c6d;
  return x ^ (x >>> 12);
}

/** Drawn anew by each process, so that nobody who writes a text can tell which other one has its hash. */
let seed: u64 = 0;

export function setSeed(drawn: u64): void {
  seed = drawn;
}

/** Where a hash of 64 bits begins that only this process uses. */
export function wideStart(): u64 {
  return seed;
}

export function wideStep(hash: u64, value: u64): u64 {
  const x = (hash ^ value) * 0x9e3779b97f4a7c15;
  return x ^ (x >> 32);
}
