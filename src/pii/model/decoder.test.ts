import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LIST_COMMON, LIST_FIRST_NAME, wordKey } from './gazetteer.js';
import { hashText } from './hash.js';
import { isAllowed, LABEL_COUNT, O } from './labels.js';
import { BUCKET_SLOTS, HEADER_BYTES, loadWeights, TRANSITION_COUNT } from './weights.js';

/*
 * The kernel keeps what it knows of words and tokens, and leaves out the search for labels where it can tell its end.
 * Here each label is worked out the long way, from the model's file.
 */

const { kernel, gazetteer } = loadWeights();
const { exports } = kernel;
const TOKEN_NUMBERS = 32;
const PAD = 3;
const [STEP, IS_READABLE, LABEL] = [3, 20, 21];

const file = readFileSync(new URL('./names.bin', import.meta.url));
const header = new DataView(file.buffer, file.byteOffset, HEADER_BYTES);
const [buckets, listSlots, clusterSlots, paths] = [8, 12, 20, 24].map((at) => header.getUint32(at, true)) as [
  number,
  number,
  number,
  number,
];
const scale = header.getFloat32(16, true);
const checksAt = HEADER_BYTES + 4 * TRANSITION_COUNT;
const valuesAt = checksAt + 2 * buckets * BUCKET_SLOTS + 4 * listSlots + 6 * clusterSlots + 4 * paths;

function transition(step: number, from: number, to: number): number {
  const at = HEADER_BYTES + 4 * ((step * LABEL_COUNT + from) * LABEL_COUNT + to);
  return isAllowed(from, to) ? file.readFloatLE(at) : Number.NEGATIVE_INFINITY;
}

/** What all features of token `i` say of each label. */
function scoresOf(i: number): number[] {
  exports.writeAll(i);
  const count = exports.FEATURE_COUNT.value;
  const features = new Uint32Array(kernel.bytes.buffer, exports.ALL_FEATURES.value, count);
  const sums = new Array<number>(LABEL_COUNT).fill(0);
  for (const feature of features) {
    const check = feature & 0xffff || 1;
    const bucket = Math.floor(((feature >>> 12) * buckets) / 2 ** 20);
    for (let slot = bucket * BUCKET_SLOTS; slot < (bucket + 1) * BUCKET_SLOTS; slot++) {
      if (file.readUInt16LE(checksAt + 2 * slot) !== check) continue;
      for (let label = 0; label < LABEL_COUNT; label++)
        sums[label]! += file.readInt8(valuesAt + slot * LABEL_COUNT + label);
      break;
    }
  }
  return sums.map((sum) => sum * scale);
}

/** The labels of the best way through the tokens from `from` to `to`. */
function bestWay(from: number, to: number): number[] {
  let best = [...Array(LABEL_COUNT).keys()].map((label) => ({
    score: transition(numberOf(from, STEP), O, label),
    way: [label],
  }));
  for (let i = from; i < to; i++) {
    const scores = scoresOf(i);
    if (i > from) {
      best = [...Array(LABEL_COUNT).keys()].map((label) => {
        const ways = best.map(({ score, way }) => ({
          score: score + transition(numberOf(i, STEP), way.at(-1)!, label),
          way: [...way, label],
        }));
        return ways.reduce((top, one) => (one.score > top.score ? one : top));
      });
    }
    best = best.map(({ score, way }) => ({ score: score + scores[way.at(-1)!]!, way }));
  }
  return best.reduce((top, one) => (one.score > top.score ? one : top)).way;
}

function numberOf(token: number, member: number): number {
  const place = exports.TOKENS.value / 4 + (token + PAD) * TOKEN_NUMBERS + member;
  return new Int32Array(kernel.bytes.buffer)[place]!;
}

/** Words that the model raises for no reason of their own (`rare-names.ts`): capitals in a list, and others with a cluster. */
const WORDS =
  'Peter Miller Laura Stevenson London Paris Leeds German Bank March May Will New York Street the a of in on and for with from is was call calls met will may march report board team costs office street week plain words please ask who lives works at'
    .split(' ')
    .filter(isNeverRaised);

function isNeverRaised(word: string): boolean {
  const lists = gazetteer.find(wordKey(word, 0, word.length));
  kernel.copy(word, 0, word.length, 0);
  exports.takeStretch(word.length);
  kernel.describe('en');
  return (lists & (LIST_COMMON | LIST_FIRST_NAME)) !== 0 && kernel.token(0).cluster !== 0;
}

it('the label of each token is that of the best way through its stretch', () => {
  expect(WORDS.length).toBeGreaterThan(30);
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
    fc.constantFrom('2024', '20', '.', ',', '\n', '-', ':', '(', "'"),
  );
  const pieces = fc.array(piece, { maxLength: 40, size: 'max' });
  let named = 0;
  fc.assert(
    fc.property(fc.constantFrom(...WORDS), pieces, (first, more) => {
      // Without a word the kernel reads nothing.
      const text = [first, ...more].join(' ');
      kernel.copy(text, 0, text.length, 0);
      exports.takeStretch(text.length);
      kernel.readNames('en');
      const count = exports.tokenCount();
      const labels = Array.from({ length: count }, (_, i) => numberOf(i, LABEL));
      const expected = new Array<number>(count).fill(O);
      for (let from = 0; from < count; from++) {
        if (numberOf(from, IS_READABLE) === 0) continue;
        let to = from + 1;
        while (to < count && numberOf(to, IS_READABLE) === 1) to++;
        expected.splice(from, to - from, ...bestWay(from, to));
        from = to;
      }
      if (labels.some((label) => label !== O)) named++;
      expect(labels).toEqual(expected);
    }),
    { numRuns: 300 },
  );
  expect(named).toBeGreaterThan(50);
});

it('a word is described by its own letters, whichever were described before', () => {
  const letters = fc.constantFrom('a', 'B', 'é', 's', '聤', 'd\u0301');
  const word = fc.array(letters, { minLength: 1, maxLength: 20, size: 'max' }).map((some) => some.join(''));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 60, size: 'max' }), (words) => {
      // Twice, so that each word has been described before.
      const text = [...words, ...words].join(' ');
      kernel.copy(text, 0, text.length, 0);
      exports.takeStretch(text.length);
      kernel.describe('en');
      const hashes = Array.from({ length: exports.tokenCount() }, (_, i) => kernel.token(i).word);
      expect(hashes).toEqual([...words, ...words].map((one) => hashText(one.toLowerCase())));
    }),
  );
});
