/**
 * What is known of each token before features are made of it: hashes of the word, its endings and beginnings,
 * its shape, its lists, and the run of capitals it stands in: the words around it, its first, and
 * its last, which tells what it is (`Kamerun Campaign`). Buffers are made once and used again for each stretch of text, so that a
 * message costs no allocation.
 */

import { isJoinUnit, markChains } from './chains.js';
import {
  baseUnit,
  CLASS_DIGIT,
  CLASS_LETTER,
  CLASS_NEWLINE,
  CLASS_UPPER,
  charClass,
  lowerUnit,
} from './characters.js';
import type { WordClusters } from './clusters.js';
import { addToKey, type Gazetteer, LIST_PLACE, LIST_PLACE_HEAD } from './gazetteer.js';
import { finishHash, HASH_START, hashText, hashUnit, mix } from './hash.js';
import { makeTokens, PAD, type Tokens } from './tokenize.js';
import { WordHashes } from './word-hashes.js';

/** Tokens decoded together. Longer text is cut at a sentence or line end before this. */
export const MAX_TOKENS = 256;
const AFFIXES = 4;
const MAX_PLACE_WORDS = 4;
/** So many words in lower case are a sentence. */
const PROSE_WORDS = 4;

/** How the next token relates to this one, for the transitions between labels. */
export const STEP_UPPER = 0;
export const STEP_LOWER = 1;
export const STEP_NUMBER = 2;
export const STEP_JOINER = 3;
export const STEP_NEWLINE = 4;
export const STEP_MARK = 5;
export const STEP_COUNT = 6;

const BEGIN = hashText('<begin>');
const FINISH = hashText('<finish>');

/** What is known of words. */
export interface Lexicon {
  readonly gazetteer: Gazetteer;
  readonly clusters: WordClusters;
}

function cells(): Int32Array {
  return new Int32Array(MAX_TOKENS + 2 * PAD);
}

/** All arrays but `tokens`, `step` and `affix` are shifted by PAD. */
export class Sentence {
  readonly #hashes = new WordHashes();
  readonly tokens: Tokens = makeTokens(MAX_TOKENS);
  readonly word = cells();
  readonly shape = cells();
  readonly lists = cells();
  readonly place = cells();
  readonly cluster = cells();
  readonly before = cells();
  readonly after = cells();
  readonly beforeCluster = cells();
  readonly afterCluster = cells();
  readonly first = cells();
  readonly last = cells();
  readonly firstCluster = cells();
  readonly lastCluster = cells();
  readonly chain = cells();
  readonly step = new Uint8Array(MAX_TOKENS);
  /** Beginnings of 2 to 4 (and the first unit), then endings of 2 to 5 letters, for each token. */
  readonly affix = new Int32Array(MAX_TOKENS * 2 * AFFIXES);
  /** 0 mixed case, 1 no capitals at all, 2 mostly capitals. */
  caseMode = 0;
  language = 0;
  /** 1 when lower-case words make sentences of it, 0 for records (names, lines, fields), 2 without any capitals. */
  layout = 0;
  /** What of the whole text the features of a word depend on. */
  key = 0;

  describe(text: string, { gazetteer, clusters }: Lexicon, language: number): void {
    const { tokens } = this;
    this.language = language;
    let upperWords = 0;
    let words = 0;
    let allCapitals = 0;
    let longLower = 0;
    for (let i = 0; i < tokens.count; i++) {
      const start = tokens.start[i]!;
      const end = tokens.end[i]!;
      const kind = tokens.kind[i]!;
      this.#describeToken(text, i, start, end, kind);
      const isWord = kind === CLASS_LETTER || kind === CLASS_UPPER;
      this.lists[i + PAD] = isWord ? gazetteer.find(this.#hashes.key) : 0;
      this.cluster[i + PAD] = isWord ? clusters.find(this.word[i + PAD]!, language, kind === CLASS_UPPER) : 0;
      this.place[i + PAD] = 0;
      if (!isWord) continue;
      words++;
      if (kind === CLASS_UPPER) upperWords++;
      else if (end - start > 1) longLower++;
      if (end - start > 1 && charClass[text.charCodeAt(end - 1)] === CLASS_UPPER) allCapitals++;
    }
    this.caseMode = upperWords === 0 ? 1 : allCapitals * 2 > words ? 2 : 0;
    this.layout = upperWords === 0 ? 2 : longLower >= PROSE_WORDS ? 1 : 0;
    this.key = mix(mix(this.caseMode, this.layout), language);
    this.#pad(tokens.count);
    this.#markPlaces(text, gazetteer);
    markChains(this, text);
  }

  #describeToken(text: string, i: number, start: number, end: number, kind: number): void {
    const at = i + PAD;
    if (kind === CLASS_DIGIT) {
      const length = end - start;
      const isYear = length === 4 && (text.charCodeAt(start) === 0x31 || text.charCodeAt(start) === 0x32);
      this.word[at] = mix(length, isYear ? 41 : 40);
      this.shape[at] = mix(length > 5 ? 6 : length, 42);
      this.step[i] = STEP_NUMBER;
      return;
    }
    if (kind !== CLASS_LETTER && kind !== CLASS_UPPER) {
      const unit = kind === CLASS_NEWLINE ? 10 + Math.min(end - start, 2) : text.charCodeAt(start);
      this.word[at] = markHash(unit);
      this.shape[at] = this.word[at]!;
      const isJoiner = unit === 0x2d || unit === 0x27 || unit === 0x2019 || unit === 0x2e || unit === 0x2c;
      this.step[i] = kind === CLASS_NEWLINE ? STEP_NEWLINE : isJoiner ? STEP_JOINER : STEP_MARK;
      return;
    }
    this.step[i] = kind === CLASS_UPPER ? STEP_UPPER : STEP_LOWER;
    this.#hashes.read(text, start, end);
    this.word[at] = this.#hashes.word;
    this.shape[at] = this.#hashes.shape;
  }

  /** The hashes of the first and the last letters of token `i`, for its features. */
  describeAffixes(text: string, i: number): void {
    const { affix, tokens } = this;
    const base = i * 2 * AFFIXES;
    const kind = tokens.kind[i]!;
    if (kind !== CLASS_LETTER && kind !== CLASS_UPPER) {
      affix.fill(0, base, base + 2 * AFFIXES);
      return;
    }
    const start = tokens.start[i]!;
    const end = tokens.end[i]!;
    let hash = HASH_START;
    for (let length = 1; length <= AFFIXES; length++) {
      const at = start + length - 1;
      if (at < end) hash = hashUnit(hash, lowerUnit[text.charCodeAt(at)]!);
      affix[base + length - 1] = at < end ? finishHash(hash) : 0;
    }
    let ending = HASH_START;
    for (let length = 1; length <= AFFIXES + 1; length++) {
      const at = end - length;
      if (at >= start) ending = hashUnit(ending, baseUnit[text.charCodeAt(at)]!);
      if (length >= 2) affix[base + AFFIXES + length - 2] = at >= start ? mix(ending, length) : 0;
    }
  }

  #pad(count: number): void {
    for (let k = 0; k < PAD; k++) {
      for (const at of [k, count + PAD + k]) {
        const edge = at < PAD ? BEGIN : FINISH;
        this.word[at] = edge;
        this.shape[at] = edge;
        this.lists[at] = 0;
        this.cluster[at] = 0;
        this.place[at] = 0;
        this.chain[at] = 0;
      }
    }
  }

  /** Marks places of several words: 1 on the first token, 2 on the others. */
  #markPlaces(text: string, gazetteer: Gazetteer): void {
    const { tokens, lists, place } = this;
    for (let i = 0; i < tokens.count; i++) {
      if ((lists[i + PAD]! & LIST_PLACE_HEAD) === 0 || place[i + PAD] !== 0) continue;
      let key = addToKey(HASH_START, text, tokens.start[i]!, tokens.end[i]!);
      let words = 1;
      let last = i;
      for (let j = i + 1; j < tokens.count && words < MAX_PLACE_WORDS; j++) {
        const kind = tokens.kind[j]!;
        if (isJoinUnit(text, tokens.start[j]!)) continue;
        if (kind !== CLASS_LETTER && kind !== CLASS_UPPER) break;
        key = addToKey(hashUnit(key, 0x20), text, tokens.start[j]!, tokens.end[j]!);
        words++;
        if ((gazetteer.find(finishHash(key)) & LIST_PLACE) !== 0) last = j;
      }
      if (last === i) continue;
      place[i + PAD] = 1;
      for (let j = i + 1; j <= last; j++) place[j + PAD] = 2;
    }
  }
}

const NAME_LISTS = 0xffff;

/** What the lists say of the token at `at` (with PAD), and whether it stands in a place of several words. */
export function listsAt({ lists, place }: Sentence, at: number): number {
  return (lists[at]! & NAME_LISTS) | (place[at]! << 16);
}

export const ALL_CAPITALS = shapeOf('AA');

function shapeOf(word: string): number {
  const hashes = new WordHashes();
  hashes.read(word, 0, word.length);
  return hashes.shape;
}

function markHash(unit: number): number {
  return mix(unit, 43);
}

/** What `word` has for the marks that end a sentence. */
export const SENTENCE_ENDS: ReadonlySet<number> = new Set(
  [...'.?!'].map((mark) => markHash(mark.charCodeAt(0))),
);
