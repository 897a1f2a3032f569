/**
 * Names in small letters, as people write in chats: first names that hardly any word is, where a word beside them says
 * that they are people, and countries, states and large cities that are called like nothing else.
 */
import { CLASS_LETTER, charClass, isLetterUnit } from './characters.js';
import {
  type Gazetteer,
  LIST_CITY,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_LAST_NAME,
  LIST_PLACE,
  LIST_PLACE_HEAD,
  LIST_REGION,
  wordKey,
} from './gazetteer.js';
import type { NameSpan } from './names.js';

const TOLD = 0.6;
const SHORTEST = 3;
/** Who begins with a small letter writes names with one. */
const IN_SMALL_LETTERS = /^[^\p{L}]*\p{Ll}/u;
const WORD = /(?<![\p{L}\p{M}\p{N}_@#./'’-])\p{Ll}[\p{Ll}\p{M}]{2,}(?![\p{L}\p{M}\p{N}_@/-]|\.\p{L})/uy;
const PERSON_FOLLOWS =
  /(?:^|[^\p{L}])(?:tell|told|ask|asked|call|called|text|texted|email|emailed|ping|pinged|remind|message|messaged|invite|invited|meet|met|thank|with|hi|hey|hello|hi there|thanks|dear|from|by|and|or|can|could|will|did|does|has|is|my name is|name's|i'm|im|its|it's|this is|am|says|said|love|miss|married|dating|boss|wife|husband|son|daughter|brother|sister|mom|dad|friend|colleague|coworker|roommate|neighbou?r|teacher|doctor),? $/iu;
/** Names that are words, too. */
const WORDS = new Set(
  (
    'may hope faith joy grace rose mark bill will young love lee long dean chance page art chase drew sue pat rob skip ray dawn summer autumn april june august ' +
    'crystal amber ruby pearl iris olive ivy holly heather daisy violet lily ginger brandy sherry candy angel star dusty rusty sandy rocky buddy jack harry frank ' +
    'miles norm cliff glen heath clay rich gene guy major king prince duke sterling precious charity patience prudence mercy destiny melody harmony cherry robin penny ' +
    'bunny fawn jade coral opal sage rosemary basil max josh nick dot peg hank don ken van sky ocean river jean jersey paris london florence vienna sofia china india ' +
    'asia kenya africa austin houston dallas jackson madison lincoln virginia georgia carolina dakota montana sierra savannah chelsea brooklyn jordan israel chad ' +
    'matt mat tad tab rod bud bob dick peter john johnny son sonny junior les hay ada jan mai mar sol con sal cam sam ali see man mercedes porsche lane reed ward wade ' +
    'grant lance stone brook forest hunter mason tanner taylor porter cooper carter tyler parker fisher baker archer gardener miller smith cook bishop pope'
  ).split(' '),
);
const BEFORE_UNITS = 16;
const PLACE_FOLLOWS =
  /(?:^|[^\p{L}])(?:in|to|from|near|around|at|through|via|visit|visiting|leaving|across|between|outside) $/iu;
/** Behind a name alone: what only people do. */
const PERSON_BEFORE =
  /^(?:['’]s (?:birthday|wife|husband|house|car|phone|mom|dad|brother|sister|email|number|account|refund|order)|,? (?:said|says|told|asked|wants|wanted|thinks|called|texted|emailed|lives|moved|married|loves|hates|and i|will|can|could|won't|can't|didn't|doesn't|is out|is off|are both|just|and [\p{Ll}]+ are))(?!\p{L})/u;

/** `spans` with the names in small letters of [from, to); both in order. */
export function addLowerNames(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
): readonly NameSpan[] {
  const piece = text.slice(from, to);
  if (!IN_SMALL_LETTERS.test(piece)) return spans;
  const added: NameSpan[] = [];
  const isTaken = (start: number, end: number) =>
    [...spans, ...added].some((one) => one.start < end && one.end > start);
  for (const { start, flags, ...found } of listedWords(text, from, to, lists)) {
    let { end } = found;
    if (isPlace(flags)) {
      if (!PLACE_FOLLOWS.test(text.slice(Math.max(0, start - BEFORE_UNITS), start))) continue;
      if (!isTaken(start, end)) added.push({ type: 'LOCATION', start, end, score: TOLD });
      continue;
    }
    if (WORDS.has(text.slice(start, end)) || isTaken(start, end)) continue;
    if (!isTold(text, start, end, flags)) continue;
    const surname = /^ (\p{Ll}[\p{Ll}\p{M}]{3,})(?![\p{L}\p{M}])/u.exec(
      text.slice(end, Math.min(to, end + 24)),
    )?.[1];
    if (surname !== undefined && isSurname(text, end + 1, end + 1 + surname.length, lists))
      end += 1 + surname.length;
    if (!isTaken(start, end)) added.push({ type: 'PERSON', start, end, score: TOLD });
  }
  return added.length === 0 ? spans : [...spans, ...added].sort((a, b) => a.start - b.start);
}

interface ListedWord {
  start: number;
  end: number;
  flags: number;
}

/** The words in small letters that are in one of the lists: these are few, and the pattern is asked for them alone. */
function listedWords(text: string, from: number, to: number, lists: Gazetteer): ListedWord[] {
  const found: ListedWord[] = [];
  const piece = text.slice(from, to);
  for (let at = from; at < to; at++) {
    const start = at;
    while (at < to && isLetterUnit(text.charCodeAt(at))) at++;
    if (at - start < SHORTEST || charClass[text.charCodeAt(start)] !== CLASS_LETTER) continue;
    const flags = lists.find(wordKey(text, start, at));
    if (!isPlace(flags) && !isFirstName(flags)) continue;
    WORD.lastIndex = start - from;
    if (WORD.test(piece)) found.push({ start, end: at, flags });
  }
  return found;
}

function isFirstName(flags: number): boolean {
  return (flags & LIST_FIRST_NAME) !== 0 && (flags & LIST_COMMON) === 0;
}

const PLACES = LIST_CITY | LIST_LARGE_CITY | LIST_REGION | LIST_PLACE | LIST_PLACE_HEAD;

/** In the lists of countries, states and large cities, and in none of other things; many surnames are countries. */
function isPlace(flags: number): boolean {
  const others = flags & ~PLACES;
  if ((flags & LIST_REGION) !== 0) return (others & ~LIST_LAST_NAME) === 0;
  return (flags & LIST_LARGE_CITY) !== 0 && others === 0;
}

function isTold(text: string, start: number, end: number, flags: number): boolean {
  if ((flags & LIST_FREQUENT_FIRST_NAME) === 0) return false;
  return (
    PERSON_FOLLOWS.test(text.slice(Math.max(0, start - BEFORE_UNITS), start)) ||
    PERSON_BEFORE.test(text.slice(end, end + 24))
  );
}

function isSurname(text: string, start: number, end: number, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(text, start, end));
  return (flags & LIST_LAST_NAME) !== 0 && (flags & LIST_COMMON) === 0;
}
