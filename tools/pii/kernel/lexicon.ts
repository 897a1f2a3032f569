/**
 * What is known of words by the file of the model: the lists they stand in (`gazetteer.ts` has the same for the
 * rules), and which cluster they are of: words that stand among the same words share one (Brown et al. 1992,
 * "Class-based n-gram models of natural language"), so what was learnt of `Paris` holds for `Lyon`. Both are
 * open-addressing tables of 16-bit check values.
 */
import { mix } from './hash';

export const LIST_FIRST_NAME = 1;
export const LIST_LAST_NAME = 2;
export const LIST_CITY = 4;
export const LIST_REGION = 8;
export const LIST_NRP = 16;
export const LIST_STREET = 64;
export const LIST_ORGANIZATION = 128;
export const LIST_PRODUCT = 256;
export const LIST_COMMON = 1024;
export const LIST_PLACE_HEAD = 2048;
export const LIST_PLACE = 4096;
export const LIST_FREQUENT_FIRST_NAME = 8192;

const CHECK_SEED = 77;
/** What of a path is branches; above stands the number of the language, from 1. */
const PATH_BITS = 0xfffff;

let listChecks: usize = 0;
let listFlags: usize = 0;
let listMask: i32 = 0;
let clusterChecks: usize = 0;
let upperPaths: usize = 0;
let lowerPaths: usize = 0;
let paths: usize = 0;
let clusterMask: i32 = 0;

/** Where the parts of the file stand in memory; `slots` are powers of two. */
export function setLists(checks: usize, flags: usize, slots: i32): void {
  listChecks = checks;
  listFlags = flags;
  listMask = slots - 1;
}

/** `upper` and `lower` have a place in `pathsAt` for each slot: of the word with a capital and without. */
export function setClusters(checks: usize, upper: usize, lower: usize, slots: i32, pathsAt: usize): void {
  clusterChecks = checks;
  upperPaths = upper;
  lowerPaths = lower;
  clusterMask = slots - 1;
  paths = pathsAt;
}

/** The slot of a key in a table, or -1 where it has none. */
function slotOf(key: i32, checks: usize, mask: i32): i32 {
  const hashed = mix(key, CHECK_SEED) & 0xffff;
  const check = hashed === 0 ? 1 : hashed;
  let slot = (key >>> 13) & mask;
  let found = <i32>load<u16>(checks + (slot << 1));
  while (found !== check && found !== 0) {
    slot = (slot + 1) & mask;
    found = load<u16>(checks + (slot << 1));
  }
  return found === 0 ? -1 : slot;
}

/** The flags of a key, 0 when it is in no list. */
export function listsOf(key: i32): i32 {
  const slot = slotOf(key, listChecks, listMask);
  return slot < 0 ? 0 : load<u16>(listFlags + (slot << 1));
}

/** The path of a word, 0 where it is not known. `language` is the hash of one that has clusters. */
export function clusterOf(word: i32, language: i32, isUpper: bool): i32 {
  const slot = slotOf(mix(word, language), clusterChecks, clusterMask);
  if (slot < 0) return 0;
  const place = <usize>load<u16>((isUpper ? upperPaths : lowerPaths) + (slot << 1));
  return load<i32>(paths + (place << 2));
}

/** The first `bits` branches of a path; the number of its language stays. */
export function beginningOf(path: i32, bits: i32): i32 {
  return path & (((1 << bits) - 1) | ~PATH_BITS);
}
