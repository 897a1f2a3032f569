/**
 * The features of one token: hashes of what it is and of what stands around it (`pairs.ts`). Training and reading run
 * the same functions. A feature's number is part of its hash; changing a number or a formula needs a new training.
 */
import { beginningOf } from './clusters.js';
import { mix } from './hash.js';
import { PAIRS, pairFeatures, VALUE_COUNT, writeValues } from './pairs.js';
import { listsAt, type Sentence } from './sentence.js';
import { PAD } from './tokenize.js';

/** Features of the word alone. */
export const WORD_FEATURES = 27;
/** Of one word beside it. */
export const BESIDE_EACH = 4;
const BESIDE_FEATURES = 4 * BESIDE_EACH;
export const FEATURE_COUNT = WORD_FEATURES + BESIDE_FEATURES + PAIRS.length;

/** Whether the feature at a position names the very word; training leaves them out at random to learn the context. */
export function isIdentity(position: number): boolean {
  const pair = position - WORD_FEATURES - BESIDE_FEATURES;
  return position < 9 || (pair >= 0 && pair < 4);
}

/** Writes the features of token `i` that depend on its word, shape and lists, and on the layout of the text. */
export function wordFeatures(sentence: Sentence, i: number, out: Int32Array): void {
  const { word, shape, affix, caseMode: mode, layout, language } = sentence;
  const at = i + PAD;
  const w = word[at]!;
  const s = shape[at]!;
  const g = listsAt(sentence, at);
  const x = i * 8;
  const ending3 = affix[x + 5]!;
  const sg = mix(s, g);
  let k = 0;
  out[k++] = mix(w, 1);
  out[k++] = mix(mix(w, mode), 4);
  out[k++] = mix(affix[x + 3]!, 5);
  out[k++] = mix(affix[x + 2]!, 6);
  out[k++] = mix(affix[x + 1]!, 7);
  out[k++] = mix(affix[x + 7]!, 8);
  out[k++] = mix(affix[x + 6]!, 9);
  out[k++] = mix(ending3, 10);
  out[k++] = mix(mix(ending3, s), 11);
  out[k++] = mix(0, 14);
  out[k++] = mix(s, 24);
  out[k++] = mix(mix(s, mode), 28);
  out[k++] = mix(g, 29);
  out[k++] = mix(sg, 32);
  out[k++] = mix(mix(g, mode), 33);
  out[k++] = mix(mix(language, s), 45);
  out[k++] = mix(mix(language, ending3), 46);
  out[k++] = mix(mix(layout, sg), 54);
  const c = sentence.cluster[at]!;
  const c6 = beginningOf(c, 6);
  out[k++] = mix(c, 60);
  out[k++] = mix(mix(c, s), 61);
  out[k++] = mix(mix(beginningOf(c, 4), s), 62);
  out[k++] = mix(mix(c6, s), 63);
  out[k++] = mix(mix(beginningOf(c, 10), s), 64);
  out[k++] = mix(mix(c, g), 65);
  out[k++] = mix(mix(c6, g), 66);
  out[k++] = mix(mix(beginningOf(c, 8), s), 67);
  out[k++] = mix(mix(beginningOf(c, 12), s), 68);
}

/** Writes the features that the word at `at` (with PAD), two before (0), before (1), behind (2) or two behind (3) a token, is by itself. */
export function besideFeatures(
  { word, cluster }: Sentence,
  at: number,
  place: number,
  out: Int32Array,
  from: number,
): void {
  out[from] = mix(word[at]!, BESIDE_NUMBERS[place]!);
  out[from + 1] = mix(cluster[at]!, 70 + place);
  out[from + 2] = mix(beginningOf(cluster[at]!, 6), 74 + place);
  out[from + 3] = mix(beginningOf(cluster[at]!, 10), 95 + place);
}

const BESIDE_NUMBERS = [16, 15, 17, 18];
/** Where the words of `besideFeature` stand, from the token. */
export const BESIDE_OFFSETS: readonly number[] = [-2, -1, 1, 2];

/** Writes all features of token `i` to `out`. */
export function featuresOf(sentence: Sentence, i: number, out: Int32Array): void {
  wordFeatures(sentence, i, out);
  BESIDE_OFFSETS.forEach((offset, place) => {
    besideFeatures(sentence, i + PAD + offset, place, out, WORD_FEATURES + place * BESIDE_EACH);
  });
  const values = new Int32Array(VALUE_COUNT);
  writeValues(sentence, i, values);
  pairFeatures(values, out.subarray(WORD_FEATURES + BESIDE_FEATURES));
}
