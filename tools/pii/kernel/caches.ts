/**
 * Sums of weights of words and tokens that were seen lately. What a word gives by itself, or to its neighbours, is the
 * same wherever it stands, and a stream shows each token several times. A new key takes the place of the one in its slot.
 */

/** log2 of slots, and bytes of one: a key of 64 bits and as many unused ones, then the sums. */
const WORD_SLOTS: i32 = 13;
const WORD_BYTES: i32 = 32;
const BESIDE_SLOTS: i32 = 12;
const BESIDE_BYTES: i32 = 80;
const TOKEN_SLOTS: i32 = 14;
const TOKEN_BYTES: i32 = 32;
/** Where the sums stand in a slot. */
const SUMS_AT: usize = 16;

const WORDS: usize = memory.data(WORD_BYTES << WORD_SLOTS, 16);
const BESIDE: usize = memory.data(BESIDE_BYTES << BESIDE_SLOTS, 16);
const TOKENS: usize = memory.data(TOKEN_BYTES << TOKEN_SLOTS, 16);

/** What the last look-up asked for: where its sums stand. */
let place: usize = 0;

function isKnown(table: usize, bits: i32, bytes: i32, key: u64): bool {
  place = table + <usize>(key >> (64 - bits)) * <usize>bytes;
  return load<u64>(place) === key;
}

export function isWordKnown(key: u64): bool {
  return isKnown(WORDS, WORD_SLOTS, WORD_BYTES, key);
}

export function isBesideKnown(key: u64): bool {
  return isKnown(BESIDE, BESIDE_SLOTS, BESIDE_BYTES, key);
}

export function isTokenKnown(key: u64): bool {
  return isKnown(TOKENS, TOKEN_SLOTS, TOKEN_BYTES, key);
}

/** Sums number `index` of what was asked for last. */
export function knownSums(index: i32): v128 {
  return v128.load(place + SUMS_AT + (<usize>index << 4));
}

export function keepSums(key: u64, index: i32, sums: v128): void {
  store<u64>(place, key);
  v128.store(place + SUMS_AT + (<usize>index << 4), sums);
}
