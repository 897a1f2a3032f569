/**
 * The features of one token: hashes of what it is and of what stands around it. Training and reading run this
 * same function. A feature's number is part of its hash; changing a number or a formula needs a new training.
 */
import { beginningOf } from './clusters.js';
import { mix } from './hash.js';
import type { Sentence } from './sentence.js';
import { PAD } from './tokenize.js';

/** Features of the word alone, of each word beside it alone, and of both together. */
export const WORD_FEATURES = 27;
/** Of one word beside it. */
export const BESIDE_EACH = 4;
const BESIDE_FEATURES = 4 * BESIDE_EACH;
export const PAIR_FEATURES = 43;
export const FEATURE_COUNT = WORD_FEATURES + BESIDE_FEATURES + PAIR_FEATURES;

/** Whether the feature at a position names the very word; training leaves them out at random to learn the context. */
export function isIdentity(position: number): boolean {
  const pair = position - WORD_FEATURES - BESIDE_FEATURES;
  return position < 9 || (pair >= 0 && pair < 4);
}

const NAME_LISTS = 0xffff;

/** What the lists say of the token at `at` (with PAD), and whether it stands in a place of several words. */
export function listsAt({ lists, place }: Sentence, at: number): number {
  return (lists[at]! & NAME_LISTS) | (place[at]! << 16);
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

/** Writes the features of token `i` together with what stands around it. */
export function pairFeatures(sentence: Sentence, i: number, out: Int32Array): void {
  const { word, shape, before, after, chain, affix, layout, cluster, beforeCluster, afterCluster } = sentence;
  const { first, last, firstCluster, lastCluster } = sentence;
  const at = i + PAD;
  const w = word[at]!;
  const w1 = word[at - 1]!;
  const w2 = word[at - 2]!;
  const n1 = word[at + 1]!;
  const n2 = word[at + 2]!;
  const s = shape[at]!;
  const s1 = shape[at - 1]!;
  const sn = shape[at + 1]!;
  const g = listsAt(sentence, at);
  const g1 = listsAt(sentence, at - 1);
  const gn = listsAt(sentence, at + 1);
  const b = before[at]!;
  const a = after[at]!;
  const c = chain[at]!;
  const x = i * 8;
  const ending3 = affix[x + 5]!;
  const sg = mix(s, g);
  const w1s = mix(w1, s);
  const n1s = mix(n1, s);
  const ss1 = mix(s, s1);
  const s1s = mix(s1, s);
  const ggn = mix(g, gn);
  let k = 0;
  out[k++] = mix(mix(w, w1), 2);
  out[k++] = mix(mix(w, n1), 3);
  out[k++] = mix(mix(affix[x + 6]!, c), 12);
  out[k++] = mix(mix(ending3, b), 13);
  out[k++] = mix(mix(w1, n1), 19);
  out[k++] = mix(mix(w1, w2), 20);
  out[k++] = mix(mix(n1, n2), 21);
  out[k++] = mix(w1s, 22);
  out[k++] = mix(n1s, 23);
  out[k++] = mix(ss1, 25);
  out[k++] = mix(mix(s, sn), 26);
  out[k++] = mix(mix(s1s, sn), 27);
  out[k++] = mix(mix(g, g1), 30);
  out[k++] = mix(ggn, 31);
  out[k++] = mix(mix(ggn, mix(g1, s)), 34);
  out[k++] = mix(mix(sg, w1), 35);
  out[k++] = mix(mix(sg, n1), 36);
  out[k++] = mix(mix(b, s), 37);
  out[k++] = mix(mix(a, s), 38);
  out[k++] = mix(mix(b, c), 39);
  out[k++] = mix(mix(a, c), 40);
  out[k++] = mix(mix(b, sg), 41);
  out[k++] = mix(mix(a, sg), 42);
  out[k++] = mix(mix(b, a), 43);
  out[k++] = mix(mix(c, g), 44);
  out[k++] = mix(mix(w2, w1s), 47);
  out[k++] = mix(mix(n2, n1s), 48);
  out[k++] = mix(mix(word[at - 3]!, s), 49);
  out[k++] = mix(mix(shape[at - 2]!, s1s), 50);
  out[k++] = mix(mix(shape[at + 2]!, mix(sn, s)), 51);
  out[k++] = mix(mix(layout, w1s), 52);
  out[k++] = mix(mix(layout, mix(w, sn)), 53);
  const own = cluster[at]!;
  const c1 = cluster[at - 1]!;
  const cn = cluster[at + 1]!;
  const bc = beforeCluster[at]!;
  const ac = afterCluster[at]!;
  out[k++] = mix(mix(own, c1), 80);
  out[k++] = mix(mix(own, cn), 81);
  out[k++] = mix(mix(c1, sg), 82);
  out[k++] = mix(mix(cn, sg), 83);
  out[k++] = mix(mix(bc, sg), 87);
  out[k++] = mix(mix(ac, sg), 88);
  out[k++] = mix(mix(bc, ac), 89);
  const placeInRun = c === 0 ? 3 : (c - 1) % 3;
  out[k++] = mix(mix(last[at]!, placeInRun), 91);
  out[k++] = mix(mix(first[at]!, placeInRun), 92);
  out[k++] = mix(mix(lastCluster[at]!, sg), 93);
  out[k++] = mix(mix(firstCluster[at]!, sg), 94);
}

/** Writes all features of token `i` to `out`. */
export function featuresOf(sentence: Sentence, i: number, out: Int32Array): void {
  wordFeatures(sentence, i, out);
  BESIDE_OFFSETS.forEach((offset, place) => {
    besideFeatures(sentence, i + PAD + offset, place, out, WORD_FEATURES + place * BESIDE_EACH);
  });
  pairFeatures(sentence, i, out.subarray(WORD_FEATURES + BESIDE_FEATURES));
}
