/**
 * Trains the name model from what prepare.py made.
 *
 * usage: train.mjs BUILD OUT [epochs]
 *
 * Reads BUILD/train.jsonl, BUILD/gazetteer.tsv and BUILD/clusters.tsv, writes the model to OUT. The same input gives the same bytes.
 */
import { readFileSync } from 'node:fs';
import { compile } from '../../bench/pii/compile.mjs';
import { Field, randomNumbers } from './crf.mjs';
import { packClusters } from './clusters.mjs';
import { packLists } from './lists.mjs';
import { chooseFeatures, emptyModel, packModel, strengths } from './pack.mjs';

const SEED = 11;
const LIST_SLOTS = 1 << 19;
const CLUSTER_SLOTS = 1 << 19;
const MIN_COUNT = 3;
/** After the first round the weakest features go: the file has room for a third of these. */
const MOST_FEATURES = 3_000_000;
const RATE = 0.12;
/** Rounds after the features that the file has no room for are left out. */
const MORE_EPOCHS = 2;
/** In these rounds the weights after every so many stretches count: the file has their mean. */
const MEAN_EVERY = 2000;
/** Text that people annotated in English, German and Portuguese, and lines as they come in chats and programs, count twice at first: made sentences are more. */
const COUNTS_TWICE = /^(?:btc|crossner|wnut|wikigold|uner-ewt|germeval|smartdata|bosque|dev|chat|lines)/;
const [, , build, out, epochsGiven] = process.argv;
const EPOCHS = Number(epochsGiven ?? 4);

const load = compile('model/names.ts');
const [labels, lists, hash, kernels, weights] = await Promise.all(
  ['labels', 'gazetteer', 'hash', 'kernel', 'weights'].map((name) => load(`model/${name}.js`)),
);
/** Tokens of a stretch at most, and units of text that are enough to take one. */
const MAX_TOKENS = 256;
const LOOKED_AT = 4162;
/** The numbers that the features are mixed with, in the order in which the kernel writes them (`kernel/features.ts`). */
const NUMBERS = [
  ...[1, 4, 5, 6, 7, 8, 9, 10, 11, 14, 24, 28, 29, 32, 33, 45, 46, 54, 60, 61, 62, 63, 64, 65, 66, 67, 68, 78],
  ...[16, 70, 74, 95, 15, 71, 75, 96, 17, 72, 76, 97, 18, 73, 77, 98],
  ...[2, 3, 12, 13, 19, 20, 21, 22, 23, 25, 26, 27, 30, 31, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 47, 48, 49],
  ...[50, 51, 52, 53, 80, 81, 82, 83, 87, 88, 89, 91, 92, 93, 94, 99],
];
/** The places of the features in the order of their numbers. What is drawn at random and summed up follows it. */
const ORDER = NUMBERS.map((_, place) => place).sort((a, b) => NUMBERS[a] - NUMBERS[b]);
/** Those that name the very word; training leaves them out at random to learn the context. */
const NAMES_WORD = new Set([...NUMBERS.slice(0, 9), 2, 3, 12, 13, 78]);
const ALL_LABELS = (1 << labels.LABEL_COUNT) - 1;
const started = Date.now();
const log = (...words) => console.log(`${((Date.now() - started) / 1000).toFixed(0)} s`, ...words);

const rows = readFileSync(`${build}/train.jsonl`, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
const [listChecks, listFlags] = packLists(`${build}/gazetteer.tsv`, rows, LIST_SLOTS, lists, hash);
const groups = packClusters(`${build}/clusters.tsv`, CLUSTER_SLOTS, lists, hash, kernels.CLUSTER_LANGUAGES);
const data = readData();
log(`${data.starts.length} stretches, ${data.count} tokens`);
const { dense, keys } = numberFeatures();
log(`${keys.length} features seen ${MIN_COUNT} times or more`);
let order = data.sources.flatMap((source, i) => (COUNTS_TWICE.test(source) ? [i, i] : [i]));
let random;
const field = learnField(SEED);
// The file has room for the strongest features alone: they learn to do without the others.
const chosen = chooseFeatures({ field, keys, weights });
const chosenRows = new Uint8Array(keys.length);
for (const row of chosen.rowOf) if (row >= 0) chosenRows[row] = 1;
leaveOut(chosenRows);
order = data.starts.map((_, i) => i);
field.startMean();
for (let epoch = 1; epoch <= MORE_EPOCHS; epoch++) learnOnce(field, EPOCHS + epoch, RATE / 2 / epoch);
field.takeMean();
packModel({ field, chosen, listChecks, listFlags, groups, weights, out });
log('written');

/** Offsets in code points, as the files have them, to UTF-16 units. */
function toUnits(text, spans) {
  if (!/[\u{10000}-\u{10ffff}]/u.test(text)) return spans;
  const units = [0];
  for (const point of text) units.push(units.at(-1) + point.length);
  return spans.map(([start, end, type]) => [units[start], units[end], type]);
}

/** The labels that a token of a span may have, as bits. A proper noun (NAME) is somebody's, some place's or another thing's; a THING is no name of either. */
function labelsOf(type, isFirst) {
  if (type === '_IGNORE') return ALL_LABELS;
  if (type === 'NRP') return 1 << labels.NRP;
  if (type === 'THING') return (1 << labels.O) | (1 << labels.B_OTHER) | (isFirst ? 0 : 1 << (labels.B_OTHER + 1));
  const begins = { PERSON: [labels.B_PERSON], LOCATION: [labels.B_LOCATION], OTHER: [labels.B_OTHER] }[type] ?? [
    labels.B_PERSON,
    labels.B_LOCATION,
    labels.B_OTHER,
  ];
  const mayBegin = isFirst || begins.length > 1;
  return begins.reduce((bits, begin) => bits | (mayBegin ? 1 << begin : 0) | (isFirst ? 0 : 1 << (begin + 1)), 0);
}

/** Feature hashes, gold labels and steps of all tokens in flat arrays. */
function readData() {
  const { kernel } = weights.readWeights(emptyModel({ listChecks, listFlags, groups, weights, labels: labels.LABEL_COUNT }));
  const { exports, bytes } = kernel;
  const width = exports.FEATURE_COUNT.value;
  if (NUMBERS.length !== width) throw new Error('NUMBERS and the features differ in their count');
  const one = new Int32Array(bytes.buffer, exports.ALL_FEATURES.value, width);
  const capacity = rows.reduce((sum, row) => sum + row.t.length, 0);
  const found = { sources: [], starts: [], counts: [], hashes: new Int32Array(Math.ceil(capacity * 0.4) * width), may: new Uint8Array(capacity).fill(1 << labels.O), step: new Uint8Array(capacity), count: 0, width };
  for (const row of rows) {
    const spans = toUnits(row.t, row.s);
    for (let from = 0; from < row.t.length; ) {
      const begin = from;
      const end = Math.min(row.t.length, from + LOOKED_AT);
      kernel.copy(row.t, from, end, 0);
      from += exports.takeStretch(end - from);
      const count = exports.tokenCount();
      if (count === 0) continue;
      kernel.describe(row.l);
      found.sources.push(row.o);
      found.starts.push(found.count);
      found.counts.push(count);
      const tokens = Array.from({ length: count }, (_, i) => kernel.token(i));
      tokens.forEach(({ step }, i) => {
        exports.writeAll(i);
        ORDER.forEach((place, k) => {
          found.hashes[(found.count + i) * width + k] = one[place];
        });
        found.step[found.count + i] = step;
      });
      for (const [start, end, type] of spans) {
        let isFirst = true;
        tokens.forEach((token, i) => {
          if (begin + token.start >= end || begin + token.end <= start) return;
          found.may[found.count + i] = labelsOf(type, isFirst);
          isFirst = false;
        });
      }
      found.count += count;
    }
  }
  return found;
}

/** Numbers the features that are seen often enough, in the order they come; the others become -1. */
function numberFeatures() {
  const size = 1 << 26;
  const slots = new Int32Array(size);
  const counts = new Uint8Array(size);
  const place = (key) => {
    let slot = Math.imul(key, 0x9e3779b1) >>> 6;
    while (counts[slot] !== 0 && slots[slot] !== key) slot = (slot + 1) & (size - 1);
    return slot;
  };
  const total = data.count * data.width;
  // In place: where each hash stood comes its slot, and then its number.
  const dense = data.hashes;
  for (let k = 0; k < total; k++) {
    const slot = place(dense[k]);
    slots[slot] = dense[k];
    if (counts[slot] < 255) counts[slot]++;
    dense[k] = slot;
  }
  const numbers = new Int32Array(size).fill(-1);
  const keys = [];
  for (let k = 0; k < total; k++) {
    const slot = dense[k];
    if (counts[slot] < MIN_COUNT) {
      dense[k] = -1;
      continue;
    }
    if (numbers[slot] < 0) {
      numbers[slot] = keys.length;
      keys.push(slots[slot]);
    }
    dense[k] = numbers[slot];
  }
  return { dense, keys: Int32Array.from(keys) };
}

function learnField(seed) {
  const one = makeField(seed);
  random = randomNumbers(seed + 1);
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    learnOnce(one, epoch, RATE * (1 - (epoch - 1) / (EPOCHS + 1)));
    if (epoch === 1) leaveOutWeakest(one);
  }
  return one;
}

function makeField(seed) {
  return new Field({
    labels: labels.LABEL_COUNT,
    steps: weights.STEP_COUNT,
    features: keys.length,
    isAllowed: labels.isAllowed,
    rate: RATE,
    drop: 0.3,
    dropIdentity: 0.3,
    isIdentity: (k) => NAMES_WORD.has(NUMBERS[ORDER[k]]),
    decay: 1e-5,
    maxTokens: MAX_TOKENS,
    width: NUMBERS.length,
    seed,
  });
}

function learnOnce(field, epoch, rate) {
  field.rate = rate;
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  let loss = 0;
  let learnt = 0;
  order.forEach((i, place) => {
    loss += field.learn(dense, data.starts[i], data.counts[i], data.width, data.may, data.step);
    learnt += data.counts[i];
    if (place % MEAN_EVERY === MEAN_EVERY - 1) field.addToMean();
  });
  log(`epoch ${epoch}: loss ${(loss / learnt).toFixed(5)}`);
}

/** Without the features whose rows are not kept. */
function leaveOut(isKept) {
  for (let k = 0; k < dense.length; k++) if (dense[k] >= 0 && isKept[dense[k]] === 0) dense[k] = -1;
}

/** The strongest features after one round: the others are not worth the time that they take. */
function leaveOutWeakest(one) {
  if (keys.length <= MOST_FEATURES) return;
  const strength = strengths(one, keys.length);
  const least = Float32Array.from(strength).sort()[keys.length - MOST_FEATURES];
  leaveOut(Uint8Array.from(strength, (value) => Number(value > least)));
}
