/**
 * The features of a token together with what stands around it: each is a hash of two values and of its own number.
 * Changing a pair or a number needs a new training.
 */
import { mix, mixFour } from './hash';
import { language, layout, listsAt } from './sentence';
import { tokenAt } from './tokens';

export const PAIRS = 44;
const PLACE_BYTES: usize = 4;
const ALL_BYTES: usize = PAIRS * PLACE_BYTES;

/** The numbers of the pairs, in order. Four are mixed at once. */
const NUMBERS: usize = memory.data<i32>([
  2, 3, 12, 13, 19, 20, 21, 22, 23, 25, 26, 27, 30, 31, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 47, 48, 49,
  50, 51, 52, 53, 80, 81, 82, 83, 87, 88, 89, 91, 92, 93, 94, 99,
]);
const LEFT: usize = memory.data(176, 16);
const RIGHT: usize = memory.data(176, 16);

function put(place: usize, left: i32, right: i32): void {
  store<i32>(LEFT + place * PLACE_BYTES, left);
  store<i32>(RIGHT + place * PLACE_BYTES, right);
}

/** Writes the features of all pairs of token `i` to `out`. */
export function writePairs(i: i32, out: usize): void {
  putPairs(i);
  for (let at: usize = 0; at < ALL_BYTES; at += 16) {
    const both = mixFour(v128.load(LEFT + at), v128.load(RIGHT + at));
    v128.store(out + at, mixFour(both, v128.load(NUMBERS + at)));
  }
}

function putPairs(i: i32): void {
  const token = tokenAt(i);
  const one = tokenAt(i - 1);
  const two = tokenAt(i - 2);
  const next = tokenAt(i + 1);
  const afterNext = tokenAt(i + 2);
  const word = token.word;
  const shape = token.shape;
  const lists = listsAt(token);
  const listsNext = listsAt(next);
  const listsOne = listsAt(one);
  const run = token.run;
  const placeInRun = run === 0 ? 3 : (run - 1) % 3;
  const shapeLists = mix(shape, lists);
  const oneShape = mix(one.word, shape);
  const nextShape = mix(next.word, shape);
  const shapeBefore = mix(one.shape, shape);
  put(0, word, one.word);
  put(1, word, next.word);
  put(2, token.ending4, run);
  put(3, token.ending3, token.before);
  put(4, one.word, next.word);
  put(5, one.word, two.word);
  put(6, next.word, afterNext.word);
  put(7, one.word, shape);
  put(8, next.word, shape);
  put(9, shape, one.shape);
  put(10, shape, next.shape);
  put(11, shapeBefore, next.shape);
  put(12, lists, listsOne);
  put(13, lists, listsNext);
  put(14, mix(lists, listsNext), mix(listsOne, shape));
  put(15, shapeLists, one.word);
  put(16, shapeLists, next.word);
  put(17, token.before, shape);
  put(18, token.after, shape);
  put(19, token.before, run);
  put(20, token.after, run);
  put(21, token.before, shapeLists);
  put(22, token.after, shapeLists);
  put(23, token.before, token.after);
  put(24, run, lists);
  put(25, two.word, oneShape);
  put(26, afterNext.word, nextShape);
  put(27, tokenAt(i - 3).word, shape);
  put(28, two.shape, shapeBefore);
  put(29, afterNext.shape, mix(next.shape, shape));
  put(30, layout, oneShape);
  put(31, layout, mix(word, next.shape));
  put(32, token.cluster, one.cluster);
  put(33, token.cluster, next.cluster);
  put(34, one.cluster, shapeLists);
  put(35, next.cluster, shapeLists);
  put(36, token.beforeCluster, shapeLists);
  put(37, token.afterCluster, shapeLists);
  put(38, token.beforeCluster, token.afterCluster);
  put(39, token.last, placeInRun);
  put(40, token.first, placeInRun);
  put(41, token.lastCluster, shapeLists);
  put(42, token.firstCluster, shapeLists);
  put(43, mix(language, one.word), shapeLists);
}
