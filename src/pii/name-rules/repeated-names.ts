/** Names that stand in a stretch again, where the model does not see them: who is named once is somebody each time. */
import { lean } from '../lean.js';
import { CLASS_UPPER, charClass, isLetterUnit } from '../model/characters.js';
import { type Gazetteer, LIST_FIRST_NAME, LIST_LAST_NAME, wordKey } from '../model/gazetteer.js';
import type { NameSpan } from '../model/names.js';
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
const OTHER_BEHIND = /^(?: \p{Lu}| \d|\d| (?:the|an?) )/u;
const NEAR_UNITS = 24;

/** `spans` with the words of their people in [from, to) that none of them covers; both in order. */
export function addRepeatedNames(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
): readonly NameSpan[] {
  const added: NameSpan[] = [];
  const seen = new Set<string>();
  const piece = text.slice(from, to);
  for (const { type, start, end, score } of spans.slice(0, MOST_NAMES)) {
    if (type !== 'PERSON' || score < SURE || charClass[text.charCodeAt(start)] !== CLASS_UPPER) continue;
    for (const word of text.slice(start, end).split(/[ ,]+/)) {
      if (word.length < SHORTEST || seen.has(word)) continue;
      seen.add(word);
      for (const at of placesOf(text, from, piece, word)) {
        const isTaken = (one: NameSpan) =>
          one.start < at + word.length && one.end > at && (one.type !== 'PERSON' || one.score >= WEAK);
        if (!spans.some(isTaken) && isOfPeople(word, lists))
          added.push({ type: 'PERSON', start: at, end: at + word.length, score: TOLD });
      }
    }
  }
  return withNames(spans, added);
}

/** Where it stands by itself in `piece`, which begins at `from` and which alone is searched. */
function placesOf(text: string, from: number, piece: string, word: string): number[] {
  const places: number[] = [];
  for (let at = piece.indexOf(word); at >= 0; at = piece.indexOf(word, at + word.length)) {
    if (isAlone(text, from + at, from + at + word.length)) places.push(from + at);
  }
  return places;
}

function isAlone(text: string, start: number, end: number): boolean {
  if (isLetterUnit(text.charCodeAt(start - 1)) || isLetterUnit(text.charCodeAt(end))) return false;
  if (GLUED.has(text[start - 1]!) || (GLUED.has(text[end]!) && !isEndOfSentence(text, end))) return false;
  return (
    !OTHER_BEHIND.test(text.slice(end, end + 5)) &&
    !CAPITAL_BEFORE.test(text.slice(Math.max(0, start - NEAR_UNITS), start))
  );
}

function isEndOfSentence(text: string, at: number): boolean {
  return (
    (text[at] === '.' && !isLetterUnit(text.charCodeAt(at + 1))) ||
    /^['’]s(?![a-z])/.test(text.slice(at, at + 3))
  );
}

/** A word of a list of names, or of none. */
function isOfPeople(word: string, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(word, 0, word.length));
  return (flags === 0 || (flags & (LIST_FIRST_NAME | LIST_LAST_NAME)) !== 0) && isNoThing(word, lists);
}
