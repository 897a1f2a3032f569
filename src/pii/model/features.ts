/**
 * The features of one token: hashes of what it is and of what stands around it. Training and reading run this
 * same function. A feature's number is part of its hash; changing a number or a formula needs a new training.
 */
import { mix } from './hash.js';
import { PAD, type Sentence } from './sentence.js';

export const FEATURE_COUNT = 54;

/** Features up to this position name the very word; training leaves them out at random to learn the context. */
export const IDENTITY_FEATURES = 13;

const NAME_LISTS = 0x7fff;

/** Writes the features of token `i` to `out`; gives how many. */
export function featuresOf(sentence: Sentence, i: number, out: Int32Array): number {
  const { word, shape, lists, place, before, after, chain, affix } = sentence;
  const at = i + PAD;
  const w = word[at]!;
  const w1 = word[at - 1]!;
  const w2 = word[at - 2]!;
  const n1 = word[at + 1]!;
  const n2 = word[at + 2]!;
  const s = shape[at]!;
  const s1 = shape[at - 1]!;
  const sn = shape[at + 1]!;
  const g = (lists[at]! & NAME_LISTS) | (place[at]! << 16);
  const g1 = (lists[at - 1]! & NAME_LISTS) | (place[at - 1]! << 16);
  const gn = (lists[at + 1]! & NAME_LISTS) | (place[at + 1]! << 16);
  const mode = sentence.caseMode;
  const layout = sentence.layout;
  const b = before[at]!;
  const a = after[at]!;
  const c = chain[at]!;
  const x = i * 8;
  const ending3 = affix[x + 5]!;
  const sg = mix(s, g);
  let k = 0;
  out[k++] = mix(w, 1);
  out[k++] = mix(mix(w, w1), 2);
  out[k++] = mix(mix(w, n1), 3);
  out[k++] = mix(mix(w, mode), 4);
  out[k++] = mix(affix[x + 3]!, 5);
  out[k++] = mix(affix[x + 2]!, 6);
  out[k++] = mix(affix[x + 1]!, 7);
  out[k++] = mix(affix[x + 7]!, 8);
  out[k++] = mix(affix[x + 6]!, 9);
  out[k++] = mix(ending3, 10);
  out[k++] = mix(mix(ending3, s), 11);
  out[k++] = mix(mix(affix[x + 6]!, c), 12);
  out[k++] = mix(mix(ending3, b), 13);
  out[k++] = mix(0, 14);
  out[k++] = mix(w1, 15);
  out[k++] = mix(w2, 16);
  out[k++] = mix(n1, 17);
  out[k++] = mix(n2, 18);
  out[k++] = mix(mix(w1, n1), 19);
  out[k++] = mix(mix(w1, w2), 20);
  out[k++] = mix(mix(n1, n2), 21);
  out[k++] = mix(mix(w1, s), 22);
  out[k++] = mix(mix(n1, s), 23);
  out[k++] = mix(s, 24);
  out[k++] = mix(mix(s, s1), 25);
  out[k++] = mix(mix(s, sn), 26);
  out[k++] = mix(mix(mix(s1, s), sn), 27);
  out[k++] = mix(mix(s, mode), 28);
  out[k++] = mix(g, 29);
  out[k++] = mix(mix(g, g1), 30);
  out[k++] = mix(mix(g, gn), 31);
  out[k++] = mix(sg, 32);
  out[k++] = mix(mix(g, mode), 33);
  out[k++] = mix(mix(mix(g, gn), mix(g1, s)), 34);
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
  out[k++] = mix(mix(sentence.language, s), 45);
  out[k++] = mix(mix(sentence.language, ending3), 46);
  out[k++] = mix(mix(w2, mix(w1, s)), 47);
  out[k++] = mix(mix(n2, mix(n1, s)), 48);
  out[k++] = mix(mix(word[at - 3]!, s), 49);
  out[k++] = mix(mix(shape[at - 2]!, mix(s1, s)), 50);
  out[k++] = mix(mix(shape[at + 2]!, mix(sn, s)), 51);
  out[k++] = mix(mix(layout, mix(w1, s)), 52);
  out[k++] = mix(mix(layout, mix(w, sn)), 53);
  out[k++] = mix(mix(layout, sg), 54);
  return k;
}
