/**
 * Labels the tokens of the stretch: sums up what the features of each token say. Tokens that can be part of a name are
 * decoded in stretches of their own: around them there are no names.
 */
import {
  isBesideKnown,
  isTokenKnown,
  isWordKnown,
  keepSums,
  knownSums,
} from './caches';
import {
  BESIDE_EACH,
  BESIDE_PLACES,
  besideOffset,
  FEATURES,
  WORD_FEATURES,
  writeBeside,
  writeWord,
} from './features';
import { wideStart, wideStep } from './hash';
import { O } from './labels';
import { decode, emit, isClearlyO } from './lattice';
import { PAIRS, writePairs } from './pairs';
import { rarenessOf } from './rare-names';
import { markReadable } from './readable';
import { key, listsAt } from './sentence';
import { count, MAX_TOKENS, PAD, Token, tokenAt } from './tokens';
import { scale, sumOf } from './weights';

/** What the words beside a token that is not known add to its sums. */
const SUMS: usize = memory.data(MAX_TOKENS << 4, 16);
const IS_KNOWN: usize = memory.data(MAX_TOKENS, 16);

function pack(low: i32, high: i32): u64 {
  return (<u64>low & 0xffffffff) | (<u64>high << 32);
}

/** Labels all tokens; gives whether any label is not O. */
export function labelTokens(): bool {
  for (let i = 0; i < count; i++) tokenAt(i).label = O;
  if (!markReadable()) return false;
  let found = false;
  for (let from = 0; from < count; from++) {
    if (tokenAt(from).isReadable === 0) continue;
    let to = from + 1;
    while (to < count && tokenAt(to).isReadable === 1) to++;
    if (decodeStretch(from, to)) found = true;
    from = to;
  }
  return found;
}

function decodeStretch(from: i32, to: i32): bool {
  findKnown(from, to);
  for (let k = from - 2; k < to + 2; k++) addBeside(k, from, to);
  let isClear = true;
  for (let i = from; i < to; i++) {
    if (load<u8>(IS_KNOWN + i) === 0) completeSums(i);
    if (isClear && !isClearlyO(i, sumsAt(i), scale, rarenessOf(i))) isClear = false;
  }
  if (isClear) return false;
  for (let i = from; i < to; i++) emit(i, sumsAt(i), scale, rarenessOf(i));
  return decode(from, to);
}

/** Adds to the sums of a token that is not known what its word and its pairs say. */
function completeSums(i: i32): void {
  const token = tokenAt(i);
  const sums = i16x8.add(i16x8.add(sumsAt(i), wordSums(token)), pairSums(i));
  isTokenKnown(token.context);
  keepSums(token.context, 0, sums);
  setSums(i, sums);
}

function sumsAt(i: i32): v128 {
  return v128.load(SUMS + (<usize>i << 4));
}

function setSums(i: i32, sums: v128): void {
  v128.store(SUMS + (<usize>i << 4), sums);
}

/** Takes the sums of the tokens that were read before with the same around them. */
function findKnown(from: i32, to: i32): void {
  for (let i = from - PAD; i < to + PAD; i++) {
    const token = tokenAt(i);
    token.seen = wideStep(wideStep(wideStart(), pack(token.word, token.shape)), <u64>listsAt(token));
  }
  for (let i = from; i < to; i++) {
    const token = tokenAt(i);
    token.context = contextOf(i, token);
    const isKnown = isTokenKnown(token.context);
    store<u8>(IS_KNOWN + i, <u8>isKnown);
    setSums(i, isKnown ? knownSums(0) : i16x8.splat(0));
  }
}

/**
 * A hash of all that the features of a token depend on: itself, three tokens before it, two behind it, its run of
 * capitals (the words around it, its first and its last).
 */
function contextOf(i: i32, token: Token): u64 {
  let hash = wideStep(wideStart(), <u64>key);
  for (let k = i - PAD; k < i + PAD; k++) hash = wideStep(hash, tokenAt(k).seen);
  hash = wideStep(hash, pack(token.before, token.after));
  hash = wideStep(hash, pack(token.first, token.last));
  return wideStep(wideStep(hash, pack(token.ending3, token.ending4)), <u64>token.run);
}

/** What the word of a token says by itself. */
function wordSums(token: Token): v128 {
  const known = wideStep(wideStep(token.seen, <u64>key), pack(token.ending3, token.ending4));
  if (isWordKnown(known)) return knownSums(0);
  writeWord(token);
  const sums = sumOf(WORD_FEATURES);
  keepSums(known, 0, sums);
  return sums;
}

function pairSums(i: i32): v128 {
  writePairs(i, FEATURES);
  return sumOf(PAIRS);
}

/** Adds what the word of token `k` says of the tokens beside it that are not known, from `from` to `to`. */
function addBeside(k: i32, from: i32, to: i32): void {
  let isAsked = false;
  for (let place = 0; place < BESIDE_PLACES; place++) {
    const i = k - besideOffset(place);
    if (i < from || i >= to || load<u8>(IS_KNOWN + i) === 1) continue;
    if (!isAsked) askBeside(tokenAt(k));
    isAsked = true;
    setSums(i, i16x8.add(sumsAt(i), knownSums(place)));
  }
}

/** Has the sums of the word of a token, for the tokens beside it, as those that are known. */
function askBeside(token: Token): void {
  const known = wideStep(wideStart(), pack(token.word, token.cluster));
  if (isBesideKnown(known)) return;
  for (let place = 0; place < BESIDE_PLACES; place++) {
    writeBeside(token, place);
    keepSums(known, place, sumOf(BESIDE_EACH));
  }
}
