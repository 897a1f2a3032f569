/**
 * What is known of each token before features are made of it: hashes of the word and its endings, its shape, its
 * lists and its cluster, and the places of several words.
 */
import {
  baseOf,
  CLASS_DIGIT,
  CLASS_MARK,
  CLASS_NEWLINE,
  CLASS_UPPER,
  classOf,
  isJoinUnit,
  lowerOf,
} from './characters';
import { finishHash, HASH_START, hashUnit, mix } from './hash';
import { keepWord, recallWord } from './known-words';
import { clusterOf, LIST_PLACE, LIST_PLACE_HEAD, listsOf } from './lexicon';
import { markRuns } from './runs';
import { count, isWord, PAD, Token, tokenAt, unitAt } from './tokens';

const MAX_PLACE_WORDS = 4;
/** So many words in lower case are a sentence. */
const PROSE_WORDS = 4;
/** Steps of a shape. */
const LONGEST_SHAPE = 7;
const NAME_LISTS = 0xffff;
const SMALL_S = 0x73;
const SHORTEST_OWNER = 3;

const STEP_UPPER = 0;
const STEP_LOWER = 1;
const STEP_NUMBER = 2;
const STEP_JOINER = 3;
const STEP_NEWLINE = 4;
const STEP_MARK = 5;

/** How the letters of a text stand: mixed, no capitals at all, mostly capitals. */
const MIXED_CASE = 0;
export const NO_CAPITALS = 1;
export const CAPITALS = 2;
/** What a text is: records (names, lines, fields), sentences, or without any capitals. */
export const RECORDS = 0;
export const SENTENCES = 1;
const LOWER_TEXT = 2;

export let caseMode: i32 = 0;
export let layout: i32 = 0;
export let language: i32 = 0;
/** What of the whole text the features of a word depend on. */
export let key: i32 = 0;

/** Hashes of the words for what stands before and behind a text. */
let begin: i32 = 0;
let finish: i32 = 0;

export function setEdges(beginHash: i32, finishedHash: i32): void {
  begin = beginHash;
  finish = finishedHash;
}

/** The key of the word read last in the lists: its letters without case and accents. */
let wordKey: i32 = 0;
/** The same and the hash of its word without an `s` at its end, or 0 where it has none: `Schröders` is Schröder's. */
let ownerKey: i32 = 0;
let owner: i32 = 0;

/**
 * Describes all tokens. `hash` is that of the language, `first`, `second` and `third` those of the languages in whose
 * clusters a word with a capital is looked up, one after the other: names are much the same in all. A word in small
 * letters is looked up in the clusters of its own language alone.
 */
export function describe(hash: i32, first: i32, second: i32, third: i32): void {
  let upperWords = 0;
  let words = 0;
  let allCapitals = 0;
  let longLower = 0;
  for (let i = 0; i < count; i++) {
    const token = tokenAt(i);
    const isUpper = token.kind === CLASS_UPPER;
    token.place = 0;
    if (!isWord(token.kind)) {
      describeMark(token);
      continue;
    }
    token.step = isUpper ? STEP_UPPER : STEP_LOWER;
    if (!recallWord(token, hash)) {
      describeWord(token, hash, first, second, third);
      keepWord(token, hash);
    }
    words++;
    const isLong = token.end - token.start > 1;
    if (isUpper) upperWords++;
    else if (isLong) longLower++;
    if (isLong && classOf(unitAt(token.end - 1)) === CLASS_UPPER) allCapitals++;
  }
  language = hash;
  caseMode = upperWords === 0 ? NO_CAPITALS : allCapitals * 2 > words ? CAPITALS : MIXED_CASE;
  layout = upperWords === 0 ? LOWER_TEXT : longLower >= PROSE_WORDS ? SENTENCES : RECORDS;
  key = mix(mix(caseMode, layout), hash);
  for (let k = 1; k <= PAD; k++) {
    describeEdge(tokenAt(-k), begin);
    describeEdge(tokenAt(count + k - 1), finish);
  }
  markPlaces();
  markRuns();
}

/** What a word is by itself. Its description depends on its letters and the language alone. */
function describeWord(token: Token, hash: i32, first: i32, second: i32, third: i32): void {
  readLetters(token);
  token.lists = listsOf(wordKey);
  token.cluster = 0;
  if (token.kind === CLASS_UPPER) {
    token.cluster = nameCluster(token.word, first, second, third);
    if (ownerKey !== 0 && token.lists === 0) token.lists = listsOf(ownerKey);
    if (owner !== 0 && token.cluster === 0) token.cluster = nameCluster(owner, first, second, third);
  } else if (first === hash) {
    token.cluster = clusterOf(token.word, first, false);
  }
  token.ending3 = endingOf(token, 3);
  token.ending4 = endingOf(token, 4);
}

/** The cluster of a word with a capital in the first of three languages that has one. */
function nameCluster(word: i32, first: i32, second: i32, third: i32): i32 {
  const found = clusterOf(word, first, true);
  if (found !== 0) return found;
  const other = clusterOf(word, second, true);
  return other !== 0 ? other : clusterOf(word, third, true);
}

/** A number, a line break or a mark. */
function describeMark(token: Token): void {
  const length = token.end - token.start;
  token.lists = 0;
  token.cluster = 0;
  token.ending3 = 0;
  token.ending4 = 0;
  if (token.kind === CLASS_DIGIT) {
    const first = unitAt(token.start);
    const isYear = length === 4 && (first === 0x31 || first === 0x32);
    token.word = mix(length, isYear ? 41 : 40);
    token.shape = mix(min(length, 6), 42);
    token.step = STEP_NUMBER;
    return;
  }
  const isNewline = token.kind === CLASS_NEWLINE;
  const unit = isNewline ? 10 + min(length, 2) : unitAt(token.start);
  token.word = markHash(unit);
  token.shape = token.word;
  token.step = isNewline
    ? STEP_NEWLINE
    : isJoinUnit(unit) || unit === 0x2e || unit === 0x2c
      ? STEP_JOINER
      : STEP_MARK;
}

/** What `word` has for a mark. */
export function markHash(unit: i32): i32 {
  return mix(unit, 43);
}

/** Reads the letters of a word once: its hash without case, its key in the lists, its shape (`McDonald` is XxXx). */
function readLetters(token: Token): void {
  let word = HASH_START;
  let base = HASH_START;
  let shape = HASH_START;
  let previous = -1;
  let run = 0;
  let steps = 0;
  const last = token.end - 1;
  owner = 0;
  ownerKey = 0;
  for (let at = token.start; at < token.end; at++) {
    const unit = unitAt(at);
    const kind = classOf(unit);
    if (at === last && unit === SMALL_S && last - token.start >= SHORTEST_OWNER) {
      owner = finishHash(word);
      ownerKey = finishHash(base);
    }
    word = hashUnit(word, lowerOf(unit));
    if (kind === CLASS_MARK) continue;
    base = hashUnit(base, baseOf(unit));
    run = kind === previous ? run + 1 : 1;
    previous = kind;
    if (run > 2 || steps === LONGEST_SHAPE) continue;
    shape = hashUnit(shape, kind + 1);
    steps++;
  }
  token.word = finishHash(word);
  token.shape = finishHash(shape);
  wordKey = finishHash(base);
}

function describeEdge(token: Token, hash: i32): void {
  token.word = hash;
  token.shape = hash;
  token.lists = 0;
  token.cluster = 0;
  token.place = 0;
  token.run = 0;
}

/** Hash of the `length` last letters of a word, 0 where it has not so many or is none. */
export function endingOf(token: Token, length: i32): i32 {
  if (!isWord(token.kind) || token.end - token.start < length) return 0;
  let hash = HASH_START;
  for (let k = 1; k <= length; k++) hash = hashUnit(hash, baseOf(unitAt(token.end - k)));
  return mix(hash, length);
}

/** Hash of the `length` first letters of a word, 0 where it has not so many or is none. */
export function startOf(token: Token, length: i32): i32 {
  if (!isWord(token.kind) || token.end - token.start < length) return 0;
  let hash = HASH_START;
  for (let k = 0; k < length; k++) hash = hashUnit(hash, lowerOf(unitAt(token.start + k)));
  return finishHash(hash);
}

/** What the lists say of a token, and whether it stands in a place of several words. */
export function listsAt(token: Token): i32 {
  return (token.lists & NAME_LISTS) | (token.place << 16);
}

/** The key of a word, or of words before it and this one. */
function addToKey(hash: i32, token: Token): i32 {
  let result = hash;
  for (let at = token.start; at < token.end; at++) {
    const unit = unitAt(at);
    if (classOf(unit) !== CLASS_MARK) result = hashUnit(result, baseOf(unit));
  }
  return result;
}

/** Marks places of several words. */
function markPlaces(): void {
  for (let i = 0; i < count; i++) {
    const head = tokenAt(i);
    if ((head.lists & LIST_PLACE_HEAD) === 0 || head.place !== 0) continue;
    let keyOfPlace = addToKey(HASH_START, head);
    let words = 1;
    let last = i;
    for (let j = i + 1; j < count && words < MAX_PLACE_WORDS; j++) {
      const token = tokenAt(j);
      if (isJoinUnit(unitAt(token.start))) continue;
      if (!isWord(token.kind)) break;
      keyOfPlace = addToKey(hashUnit(keyOfPlace, 0x20), token);
      words++;
      if ((listsOf(finishHash(keyOfPlace)) & LIST_PLACE) !== 0) last = j;
    }
    if (last === i) continue;
    head.place = 1;
    for (let j = i + 1; j <= last; j++) tokenAt(j).place = 2;
  }
}
