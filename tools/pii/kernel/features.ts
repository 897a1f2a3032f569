/**
 * The features of one token: hashes of what it is and of what stands around it (`pairs.ts`). A feature's number is part
 * of its hash; changing a number or a formula needs a new training, and `tools/pii/train.mjs` has their numbers in order.
 */
import { mix } from './hash';
import { beginningOf } from './lexicon';
import { PAIRS, writePairs } from './pairs';
import { caseMode, endingOf, language, layout, listsAt, startOf } from './sentence';
import { Token, tokenAt } from './tokens';

/** Features of the word alone. */
export const WORD_FEATURES = 28;
/** Of one word beside it, and how many words beside it have some. */
export const BESIDE_EACH = 4;
export const BESIDE_PLACES = 4;
const BESIDE_FEATURES = BESIDE_PLACES * BESIDE_EACH;
export const FEATURE_COUNT = WORD_FEATURES + BESIDE_FEATURES + PAIRS;
/** Features that can be summed up at once. */
export const MOST_FEATURES = 64;

/** The features to be summed up. */
export const FEATURES: usize = memory.data(4 * MOST_FEATURES, 16);
/** All features of one token. */
export const ALL_FEATURES: usize = memory.data(4 * FEATURE_COUNT, 16);

/** Where the words beside a token stand, from it. */
export function besideOffset(place: i32): i32 {
  return place < 2 ? place - 2 : place - 1;
}

function write(place: i32, feature: i32): void {
  store<i32>(FEATURES + (place << 2), feature);
}

/** Writes the features that depend on the word, shape and lists of a token, and on the layout of the text. */
export function writeWord(token: Token): void {
  const word = token.word;
  const shape = token.shape;
  const lists = listsAt(token);
  const ending3 = token.ending3;
  const shapeLists = mix(shape, lists);
  write(0, mix(word, 1));
  write(1, mix(mix(word, caseMode), 4));
  write(2, mix(startOf(token, 4), 5));
  write(3, mix(startOf(token, 3), 6));
  write(4, mix(startOf(token, 2), 7));
  write(5, mix(endingOf(token, 5), 8));
  write(6, mix(token.ending4, 9));
  write(7, mix(ending3, 10));
  write(8, mix(mix(ending3, shape), 11));
  write(9, mix(0, 14));
  write(10, mix(shape, 24));
  write(11, mix(mix(shape, caseMode), 28));
  write(12, mix(lists, 29));
  write(13, mix(shapeLists, 32));
  write(14, mix(mix(lists, caseMode), 33));
  write(15, mix(mix(language, shape), 45));
  write(16, mix(mix(language, ending3), 46));
  write(17, mix(mix(layout, shapeLists), 54));
  writeCluster(token.cluster, shape, lists);
  write(27, mix(mix(language, word), 78));
}

function writeCluster(cluster: i32, shape: i32, lists: i32): void {
  const six = beginningOf(cluster, 6);
  write(18, mix(cluster, 60));
  write(19, mix(mix(cluster, shape), 61));
  write(20, mix(mix(beginningOf(cluster, 4), shape), 62));
  write(21, mix(mix(six, shape), 63));
  write(22, mix(mix(beginningOf(cluster, 10), shape), 64));
  write(23, mix(mix(cluster, lists), 65));
  write(24, mix(mix(six, lists), 66));
  write(25, mix(mix(beginningOf(cluster, 8), shape), 67));
  write(26, mix(mix(beginningOf(cluster, 12), shape), 68));
}

/** Writes the features that a word two before (0), before (1), behind (2) or two behind (3) a token is by itself. */
export function writeBeside(token: Token, place: i32): void {
  const number = place === 0 ? 16 : place === 1 ? 15 : place === 2 ? 17 : 18;
  write(0, mix(token.word, number));
  write(1, mix(token.cluster, 70 + place));
  write(2, mix(beginningOf(token.cluster, 6), 74 + place));
  write(3, mix(beginningOf(token.cluster, 10), 95 + place));
}

/** Writes all features of token `i` to ALL_FEATURES: for training. */
export function writeAll(i: i32): void {
  const token = tokenAt(i);
  writeWord(token);
  memory.copy(ALL_FEATURES, FEATURES, 4 * WORD_FEATURES);
  for (let place = 0; place < BESIDE_PLACES; place++) {
    writeBeside(tokenAt(i + besideOffset(place)), place);
    memory.copy(ALL_FEATURES + 4 * (WORD_FEATURES + place * BESIDE_EACH), FEATURES, 4 * BESIDE_EACH);
  }
  writePairs(i, FEATURES);
  memory.copy(ALL_FEATURES + 4 * (WORD_FEATURES + BESIDE_FEATURES), FEATURES, 4 * PAIRS);
}
