/** Names that stand in a stretch again, where the model does not see them: who is named once is somebody each time. */

import { CLASS_UPPER, charClass, isLetterUnit } from '../model/characters.js';
import { type Gazetteer, LIST_FIRST_NAME, LIST_LAST_NAME, wordKey } from '../model/gazetteer.js';
import type { NameSpan } from '../name-span.js';
import { lean } from '../patterns/lean.js';
import { isNoThing } from './listed-names.js';
import { withNames } from './with-names.js';

const SURE = 0.8;
const TOLD = 0.6;
/** Below it the model is not sure. */
const WEAK = 0.5;
const SHORTEST = 3;
/** More names than this are a list, which is read as one. */
const MOST_NAMES = 32;
/** A part of a longer word, an address or a name of something else. */
const GLUED = new Set("@/\\_-.'’#");
/** Another word with a capital beside it may make something else of both. */
const CAPITAL_BEFORE = lean(/(?<![.!?:;\n•*-] ?)(?<!^)(?<=^|[^\p{L}])\p{Lu}[\p{L}\p{M}'’.-]* $/u);
const OTHER_BEHIND = /^(?: \p{Lu}| \d|\d| (?:the|an?|this|that|it|its|my|your|our|all|them|every|each) )/u;
const NEAR_UNITS = 24;
const JOINING = new Set("-'’");
const OWNS = /['’]s$/;
/** `in April`, whoever is called so. */
const MONTH = /^(?:April|May|June|August|January|Avril|Abril|Mai|Juni|Juli|Marzo)$/;
const BEFORE_MONTH =
  /(?<!\p{L})(?:in|since|until|till|by|early|late|mid|last|next|during|en|im|seit|bis|depuis|nel|em|w|od|do) $/u;
const MONTH_UNITS = 8;
const LONGEST = 80;
const BETWEEN_WORDS = ' ,';

/** `spans` with the words of their people in [from, to) that none of them covers; both in order. */
export function addRepeatedNames(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
): readonly NameSpan[] {
  const known = spans.slice(0, MOST_NAMES).filter((span) => isSure(text, span));
  if (known.length === 0) return spans;
  const firstUnits = firstUnitsOf(text, known);
  let wanted: ReadonlySet<string> | undefined;
  const added: NameSpan[] = [];
  for (let at = from; at < to; at++) {
    if (charClass[text.charCodeAt(at)] !== CLASS_UPPER) continue;
    const start = at;
    at = wordEnd(text, start, to);
    if ((firstUnits & bitOf(text.charCodeAt(start))) === 0 || isTaken(spans, start, start + 1)) continue;
    wanted ??= wordsOf(text, known);
    const whole = text.slice(start, at);
    const word = OWNS.test(whole) && !wanted.has(whole) ? whole.slice(0, -2) : whole;
    const end = start + word.length;
    if (
      wanted.has(word) &&
      isAlone(text, start, end) &&
      !isTaken(spans, start, end) &&
      !isMonth(text, start, word) &&
      isOfPeople(word, lists)
    )
      added.push({ type: 'PERSON', start, end, score: TOLD });
  }
  return withNames(spans, added);
}

function isTaken(spans: readonly NameSpan[], start: number, end: number): boolean {
  return spans.some(
    (one) => one.start < end && one.end > start && (one.type !== 'PERSON' || one.score >= WEAK),
  );
}

/** Somebody of whom the model is sure, with a capital. */
function isSure(text: string, { type, start, end, score }: NameSpan): boolean {
  if (type !== 'PERSON' || score < SURE || end - start > LONGEST) return false;
  return charClass[text.charCodeAt(start)] === CLASS_UPPER;
}

/** What words begin with, a bit for each unit and others like it: this tells sooner that a word is none of theirs. */
function firstUnitsOf(text: string, known: readonly NameSpan[]): number {
  let units = 0;
  for (const { start, end } of known) {
    for (let at = start; at < end; at++)
      if (at === start || BETWEEN_WORDS.includes(text.charAt(at - 1))) units |= bitOf(text.charCodeAt(at));
  }
  return units;
}

function bitOf(unit: number): number {
  return 1 << (unit & 31);
}

function wordsOf(text: string, known: readonly NameSpan[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { start, end } of known)
    for (const word of text.slice(start, end).split(/[ ,]+/)) if (word.length >= SHORTEST) words.add(word);
  return words;
}

/** Where the word at `start` ends, with the hyphens and apostrophes inside of it. */
function wordEnd(text: string, start: number, to: number): number {
  let end = start + 1;
  while (end < to && (isLetterUnit(text.charCodeAt(end)) || isJoined(text, end))) end++;
  return end;
}

function isJoined(text: string, at: number): boolean {
  return JOINING.has(text.charAt(at)) && isLetterUnit(text.charCodeAt(at + 1));
}

function isAlone(text: string, start: number, end: number): boolean {
  if (isLetterUnit(text.charCodeAt(start - 1)) || isLetterUnit(text.charCodeAt(end))) return false;
  if (GLUED.has(text.charAt(start - 1)) || (GLUED.has(text.charAt(end)) && !isEndOfSentence(text, end)))
    return false;
  return (
    !OTHER_BEHIND.test(text.slice(end, end + 7)) &&
    !CAPITAL_BEFORE.test(text.slice(Math.max(0, start - NEAR_UNITS), start))
  );
}

function isMonth(text: string, start: number, word: string): boolean {
  return MONTH.test(word) && BEFORE_MONTH.test(text.slice(Math.max(0, start - MONTH_UNITS), start));
}

function isEndOfSentence(text: string, at: number): boolean {
  return (
    (text.charAt(at) === '.' && !isLetterUnit(text.charCodeAt(at + 1))) ||
    /^['’]s(?![a-z])/.test(text.slice(at, at + 3))
  );
}

/** A word of a list of names, or of none. */
function isOfPeople(word: string, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(word, 0, word.length));
  return (flags === 0 || (flags & (LIST_FIRST_NAME | LIST_LAST_NAME)) !== 0) && isNoThing(word, lists);
}
