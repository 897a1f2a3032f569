/**
 * What was found out of words that were seen lately: a text repeats its words, and so does the next one. A word is
 * known only where all its units are the same, so nobody can write another word that is taken for it.
 */
import { Token, UNITS } from './tokens';

/** Of longer words nothing is kept. */
const LONGEST: i32 = 16;
/** log2 of slots, and bytes of one. A new word takes the place of the one in its slot. */
const SLOT_BITS: i32 = 12;
const SLOT_BYTES: i32 = 64;
const SLOTS: usize = memory.data(SLOT_BYTES << SLOT_BITS, 16);
/** Sixteen bytes of ones, and as many of zeros. */
const MASKS: usize = memory.data<u64>([0xffffffffffffffff, 0xffffffffffffffff, 0, 0]);

@unmanaged
class Slot {
  low0: u64;
  low1: u64;
  high0: u64;
  high1: u64;
  language: i32;
  word: i32;
  shape: i32;
  lists: i32;
  cluster: i32;
  ending3: i32;
  ending4: i32;
  unused: i32;
}

/** Where the word asked for last stands or would stand, and its units; 0 where it is too long. */
let place: usize = 0;
let low: v128 = i64x2.splat(0);
let high: v128 = i64x2.splat(0);

/** The first `count` units at `at`, at most eight, and zeros behind them. */
function unitsAt(at: usize, count: i32): v128 {
  return v128.and(v128.load(at), v128.load(MASKS + 16 - (<usize>count << 1)));
}

/** Where the slot of the word of `low` and `high` is. */
function slotOf(language: i32): usize {
  const first = i64x2.mul(low, i64x2.splat(0x9e3779b97f4a7c15));
  const both = i64x2.add(first, i64x2.mul(high, i64x2.splat(0xc2b2ae3d27d4eb4f)));
  const mixed = i64x2.extract_lane(both, 0) ^ (i64x2.extract_lane(both, 1) * 0x165667b19e3779f9) ^ <i64>language;
  return SLOTS + <usize>(<u64>(mixed * 0x9e3779b97f4a7c15) >> (64 - SLOT_BITS)) * <usize>SLOT_BYTES;
}

/** Describes a word as it was described before, with the clusters of the same language; false where it is not known. */
export function recallWord(token: Token, language: i32): bool {
  const length = token.end - token.start;
  place = 0;
  if (length > LONGEST) return false;
  const at = UNITS + (<usize>token.start << 1);
  low = unitsAt(at, min(length, 8));
  high = length > 8 ? unitsAt(at + 16, length - 8) : i64x2.splat(0);
  place = slotOf(language);
  const different = v128.or(v128.xor(v128.load(place), low), v128.xor(v128.load(place, 16), high));
  const slot = changetype<Slot>(place);
  if (v128.any_true(different) || slot.language !== language) return false;
  token.word = slot.word;
  token.shape = slot.shape;
  token.lists = slot.lists;
  token.cluster = slot.cluster;
  token.ending3 = slot.ending3;
  token.ending4 = slot.ending4;
  return true;
}

/** Keeps the description of the word that was not known just now. */
export function keepWord(token: Token, language: i32): void {
  if (place === 0) return;
  v128.store(place, low);
  v128.store(place, high, 16);
  const slot = changetype<Slot>(place);
  slot.language = language;
  slot.word = token.word;
  slot.shape = token.shape;
  slot.lists = token.lists;
  slot.cluster = token.cluster;
  slot.ending3 = token.ending3;
  slot.ending4 = token.ending4;
}
