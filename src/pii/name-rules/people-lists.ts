/**
 * People that the model does not know, or not surely: those whom a word announces (`announced-people.ts`), those who stand
 * beside others, and those behind a word that calls somebody.
 */

import {
  type Gazetteer,
  LIST_CITY,
  LIST_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_LAST_NAME,
  wordKey,
} from '../model/gazetteer.js';
import type { NameSpan } from '../name-span.js';
import { lean } from '../patterns/lean.js';
import { add, addAnnounced, HAS_HEAD, isSeveral, isThing, SURE, THINGS } from './announced-people.js';
import { CAPITAL, NAME } from './told/told-rules.js';
import { withNames } from './with-names.js';

const COMMA = 0x2c;
const BLANK = 0x20;
const FULL = `${NAME}(?: (?:\\p{Lu}\\.|${NAME})){1,2}`;
const AND = '(?:, |,? (?:and|&|or|und|et|y|e|en|i) )';
/** A name of two words and more behind the one that stands before it in a list, and before the one behind it. */
const BEHIND = lean(`${AND}(?<name>${FULL})(?! ?\\p{Lu}|\\p{L}| &)`, 'uy');
const BEFORE = lean(
  `${CAPITAL}(?<![\\p{L}\\p{M}\\p{N}]|\\p{Lu}[\\p{L}\\p{M}]+ )(?<name>${FULL})${AND}$`,
  'u',
);
/** One first name behind somebody: `Nkechi, or maybe Bartholomew`. */
const ONE_BEHIND = lean(
  /,? (?:and|or|&|und|oder|et|ou|y|o|e|en|of|i) (?:(?:maybe|perhaps|possibly|even|also|then|vielleicht|quizás|peut-être|forse|talvez|misschien|może) )?(?<name>\p{Lu}\p{Ll}{2,})(?! ?\p{Lu}|[\p{L}'’-]| &)/uy,
);
const LISTED_AFTER = /(?:,| (?:and|&|or|und|et|y|e|en|i)) $/;
const LONGEST = 60;
/** Words with a person behind them. */
const CALLS = lean(
  /(?<!\p{L})(?:contact|ask|e-?mail|call|meet|tell|invite|dear|hi|hello|hey|(?:written|reported|reviewed|approved|signed|prepared|submitted|seen|authored) by|assigned to|my name is|(?:speak|talk|talked|spoke) (?:to|with)|thanks(?: to)?,?|liebe[rn]?|mein name ist|me llamo|mi chiamo|je m['’]appelle|nazywam się|mijn naam is|meu nome é|chamo-me) $/iu,
);
const CALLS_UNITS = 20;
/** Before anybody, and before things: the surname must be in a list. */
const BEFORE_SURNAME = lean(
  /(?<!\p{L})(?:from|by|with|for|to|and|of|von|mit|für|an|de|con|para|por|avec|pour|par|et|da|per|e|com|y|und|van|met|voor|en|od|z|dla|i) $/iu,
);
/** `spans` with the people of lists in [from, to); both in order. `signs`: what `nameSigns` has there. */
export function addPeopleLists(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  signs: number,
): readonly NameSpan[] {
  const told: NameSpan[] = [];
  const beside: NameSpan[] = [];
  if ((signs & HAS_HEAD) !== 0) addAnnounced(text, from, to, spans, lists, told);
  for (const span of spans) {
    if (span.type !== 'PERSON') continue;
    if (span.score >= SURE) addContextTexts(text, from, to, span, lists, beside);
    else if (isCalled(text, span, lists)) add(told, span.start, span.end);
  }
  // Of what stands beside somebody the model knows better where a name begins that it is sure of.
  for (const { start, end } of beside) {
    if (!spans.some((span) => span.score >= SURE && span.start < end && span.end > start))
      add(told, start, end);
  }
  const fresh = told.filter((one) => {
    const there = spans.filter((span) => span.start < one.end && span.end > one.start);
    const isWhole = text.slice(one.start, one.end).includes(',');
    return there.every((span) => isPart(span, one, isWhole) || isSeveral(text, span, told, lists));
  });
  return withNames(spans, fresh);
}

/** A piece of the name, a place that is called like it, or what is no finding. `isWhole`: surname and first name of an item. */
function isPart(span: NameSpan, one: NameSpan, isWhole: boolean): boolean {
  if (span.score < SURE) return true;
  const isInside = span.start >= one.start && span.end <= one.end;
  if (isWhole) return isInside;
  if (span.type === 'LOCATION') return span.start === one.start && span.end === one.end;
  const isLess = span.score < one.score || span.end - span.start < one.end - one.start;
  return span.type === 'PERSON' && isInside && isLess;
}

/** Behind a word that calls somebody, a name of which the model is not sure. */
function isCalled(text: string, { start, end }: NameSpan, lists: Gazetteer): boolean {
  const name = text.slice(start, end);
  const before = text.slice(Math.max(0, start - CALLS_UNITS), start);
  return (
    name.includes(' ') &&
    (CALLS.test(before) || (BEFORE_SURNAME.test(before) && hasSurname(name, lists))) &&
    !isThing(name, lists)
  );
}

/** In the list of first names, and in none of places and things. */
function isFirstName(name: string, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(name, 0, name.length));
  return (flags & LIST_FIRST_NAME) !== 0 && (flags & (THINGS | LIST_CITY | LIST_LARGE_CITY)) === 0;
}

function hasSurname(name: string, lists: Gazetteer): boolean {
  const last = name.slice(name.lastIndexOf(' ') + 1);
  return (lists.find(wordKey(last, 0, last.length)) & LIST_LAST_NAME) !== 0;
}

/** `Ewa Lis, Bola Adeyemi and Chen Wei`: what stands beside somebody in a list is somebody too. */
function addContextTexts(
  text: string,
  from: number,
  to: number,
  { start, end }: NameSpan,
  lists: Gazetteer,
  told: NameSpan[],
): void {
  const next = text.charCodeAt(end);
  BEHIND.lastIndex = end;
  const behind = next === COMMA || next === BLANK ? BEHIND.exec(text) : null;
  if (behind !== null) {
    const name = behind.groups!.name!;
    const nameEnd = end + behind[0].length;
    if (nameEnd <= to && !isThing(name, lists)) add(told, nameEnd - name.length, nameEnd);
  }
  ONE_BEHIND.lastIndex = end;
  const one = next === COMMA || next === BLANK ? ONE_BEHIND.exec(text) : null;
  if (one !== null && end + one[0].length <= to && isFirstName(one.groups!.name!, lists)) {
    const oneEnd = end + one[0].length;
    add(told, oneEnd - one.groups!.name!.length, oneEnd);
  }
  const first = Math.max(from, start - LONGEST);
  const before =
    text[start - 1] === ' ' && LISTED_AFTER.test(text.slice(Math.max(0, start - 5), start))
      ? BEFORE.exec(text.slice(first, start))
      : null;
  if (before !== null) {
    const name = before.groups!.name!;
    const nameStart = first + before.index;
    if (!isThing(name, lists)) add(told, nameStart, nameStart + name.length);
  }
}
