/** The hash functions of the name model. Training and use of the model must compute exactly the same values. */

export const [FIRST_TERM, FIRST_FACTOR] = [0x9e3779b9, 0x85ebca6b];
export const [SECOND_TERM, SECOND_FACTOR] = [0x7f4a7c15, 0xc2b2ae35];
export const THIRD_FACTOR = 0x7feb352d;

/** Mixes a value with the number of its feature, or two values with each other. */
export function mix(a: number, b: number): number {
  let x = Math.imul(a ^ FIRST_TERM, FIRST_FACTOR) ^ Math.imul((b + SECOND_TERM) | 0, SECOND_FACTOR);
  x ^= x >>> 16;
  x = Math.imul(x, THIRD_FACTOR);
  x ^= x >>> 15;
  return x | 0;
}

export const HASH_START = 0x811c9dc5 | 0;

/** One step of FNV-1a over a UTF-16 unit. */
export function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** Spreads the last steps of FNV-1a, whose low bits are weak for short words. */
export function finishHash(hash: number): number {
  let x = hash ^ (hash >>> 15);
  x = Math.imul(x, 0x2c1b3c6d);
  return (x ^ (x >>> 12)) | 0;
}

export function hashText(text: string): number {
  let hash = HASH_START;
  for (let at = 0; at < text.length; at++) hash = hashUnit(hash, text.charCodeAt(at));
  return finishHash(hash);
}
