/**
 * The features of a token together with what stands around it: each is a hash of two values and of its own number.
 * Changing a pair or a number needs a new training.
 */
import { mix } from './hash.js';
import { listsAt, type Sentence } from './sentence.js';
import { PAD } from './tokenize.js';

/** Where each value stands: of the token, the first and second before it (1, 2), the first and second behind it (N, N2). */
const [WORD, WORD1, WORD2, WORD3, WORD_N, WORD_N2] = [0, 1, 2, 3, 4, 5];
const [SHAPE, SHAPE1, SHAPE2, SHAPE_N, SHAPE_N2] = [6, 7, 8, 9, 10];
const [LISTS, LISTS1, LISTS_N] = [11, 12, 13];
const [CLUSTER, CLUSTER1, CLUSTER_N] = [14, 15, 16];
const [ENDING3, ENDING4, LAYOUT] = [17, 18, 19];
/** The run of capitals it stands in: its place there, the words around it, its first and its last. */
const [RUN, PLACE_IN_RUN, BEFORE, AFTER, FIRST, LAST] = [20, 21, 22, 23, 24, 25];
const [BEFORE_CLUSTER, AFTER_CLUSTER, FIRST_CLUSTER, LAST_CLUSTER] = [26, 27, 28, 29];
/** Values that are two already. */
const [SHAPE_LISTS, LISTS_LISTS_N, LISTS1_SHAPE, WORD_SHAPE_N] = [30, 31, 32, 33];
const [WORD1_SHAPE, WORD_N_SHAPE, SHAPE1_SHAPE, SHAPE_N_SHAPE] = [34, 35, 36, 37];
export const VALUE_COUNT = 38;

/** Where the two values of each feature stand, and its number. */
export const PAIRS: readonly (readonly [left: number, right: number, number: number])[] = [
  [WORD, WORD1, 2],
  [WORD, WORD_N, 3],
  [ENDING4, RUN, 12],
  [ENDING3, BEFORE, 13],
  [WORD1, WORD_N, 19],
  [WORD1, WORD2, 20],
  [WORD_N, WORD_N2, 21],
  [WORD1, SHAPE, 22],
  [WORD_N, SHAPE, 23],
  [SHAPE, SHAPE1, 25],
  [SHAPE, SHAPE_N, 26],
  [SHAPE1_SHAPE, SHAPE_N, 27],
  [LISTS, LISTS1, 30],
  [LISTS, LISTS_N, 31],
  [LISTS_LISTS_N, LISTS1_SHAPE, 34],
  [SHAPE_LISTS, WORD1, 35],
  [SHAPE_LISTS, WORD_N, 36],
  [BEFORE, SHAPE, 37],
  [AFTER, SHAPE, 38],
  [BEFORE, RUN, 39],
  [AFTER, RUN, 40],
  [BEFORE, SHAPE_LISTS, 41],
  [AFTER, SHAPE_LISTS, 42],
  [BEFORE, AFTER, 43],
  [RUN, LISTS, 44],
  [WORD2, WORD1_SHAPE, 47],
  [WORD_N2, WORD_N_SHAPE, 48],
  [WORD3, SHAPE, 49],
  [SHAPE2, SHAPE1_SHAPE, 50],
  [SHAPE_N2, SHAPE_N_SHAPE, 51],
  [LAYOUT, WORD1_SHAPE, 52],
  [LAYOUT, WORD_SHAPE_N, 53],
  [CLUSTER, CLUSTER1, 80],
  [CLUSTER, CLUSTER_N, 81],
  [CLUSTER1, SHAPE_LISTS, 82],
  [CLUSTER_N, SHAPE_LISTS, 83],
  [BEFORE_CLUSTER, SHAPE_LISTS, 87],
  [AFTER_CLUSTER, SHAPE_LISTS, 88],
  [BEFORE_CLUSTER, AFTER_CLUSTER, 89],
  [LAST, PLACE_IN_RUN, 91],
  [FIRST, PLACE_IN_RUN, 92],
  [LAST_CLUSTER, SHAPE_LISTS, 93],
  [FIRST_CLUSTER, SHAPE_LISTS, 94],
];

/** Writes the features made of `values`; `simd-sums.ts` has the same for a processor that mixes four at once. */
export function pairFeatures(values: Int32Array, out: Int32Array): void {
  for (let k = 0; k < PAIRS.length; k++) {
    const [left, right, number] = PAIRS[k]!;
    out[k] = mix(mix(values[left]!, values[right]!), number);
  }
}

/** Writes what stands around token `i`. */
export function writeValues(sentence: Sentence, i: number, values: Int32Array): void {
  const { word, shape, cluster, affix, chain } = sentence;
  const at = i + PAD;
  values[WORD] = word[at]!;
  values[WORD1] = word[at - 1]!;
  values[WORD2] = word[at - 2]!;
  values[WORD3] = word[at - 3]!;
  values[WORD_N] = word[at + 1]!;
  values[WORD_N2] = word[at + 2]!;
  values[SHAPE] = shape[at]!;
  values[SHAPE1] = shape[at - 1]!;
  values[SHAPE2] = shape[at - 2]!;
  values[SHAPE_N] = shape[at + 1]!;
  values[SHAPE_N2] = shape[at + 2]!;
  values[LISTS] = listsAt(sentence, at);
  values[LISTS1] = listsAt(sentence, at - 1);
  values[LISTS_N] = listsAt(sentence, at + 1);
  values[CLUSTER] = cluster[at]!;
  values[CLUSTER1] = cluster[at - 1]!;
  values[CLUSTER_N] = cluster[at + 1]!;
  values[ENDING3] = affix[i * 8 + 5]!;
  values[ENDING4] = affix[i * 8 + 6]!;
  values[LAYOUT] = sentence.layout;
  const run = chain[at]!;
  values[RUN] = run;
  values[PLACE_IN_RUN] = run === 0 ? 3 : (run - 1) % 3;
  writeRun(sentence, at, values);
  writeBoth(values);
}

function writeRun(sentence: Sentence, at: number, values: Int32Array): void {
  values[BEFORE] = sentence.before[at]!;
  values[AFTER] = sentence.after[at]!;
  values[FIRST] = sentence.first[at]!;
  values[LAST] = sentence.last[at]!;
  values[BEFORE_CLUSTER] = sentence.beforeCluster[at]!;
  values[AFTER_CLUSTER] = sentence.afterCluster[at]!;
  values[FIRST_CLUSTER] = sentence.firstCluster[at]!;
  values[LAST_CLUSTER] = sentence.lastCluster[at]!;
}

function writeBoth(values: Int32Array): void {
  const shape = values[SHAPE]!;
  values[SHAPE_LISTS] = mix(shape, values[LISTS]!);
  values[LISTS_LISTS_N] = mix(values[LISTS]!, values[LISTS_N]!);
  values[LISTS1_SHAPE] = mix(values[LISTS1]!, shape);
  values[WORD_SHAPE_N] = mix(values[WORD]!, values[SHAPE_N]!);
  values[WORD1_SHAPE] = mix(values[WORD1]!, shape);
  values[WORD_N_SHAPE] = mix(values[WORD_N]!, shape);
  values[SHAPE1_SHAPE] = mix(values[SHAPE1]!, shape);
  values[SHAPE_N_SHAPE] = mix(values[SHAPE_N]!, shape);
}
