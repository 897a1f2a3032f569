/**
 * Names that nothing tells but what stands around them: a title, a word for a relative, what only people do, the
 * other names of a list. They are looked for in prose, where one of these words stands.
 */

import {
  type Gazetteer,
  LIST_CITY,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LAST_NAME,
  LIST_SMALL_TOWN,
  wordKey,
} from '../../model/gazetteer.js';
import type { NameSpan } from '../../name-span.js';
import { matchesOf } from '../../patterns/matches-of.js';
import { addListedNames, isNoThing, isWeak, mayBeName, TOLD } from '../listed-names.js';
import { MARK_LESS, MARK_SQUARE_BRACKET } from '../marks.js';
import { matchesAtWords } from '../name-signs.js';
import { CALLED_RULE } from './told-peoples.js';
import { ROLE_RULES, rolesIn } from './told-roles.js';
import {
  HAS_ADDRESS,
  HAS_CALL,
  HAS_LINK,
  HAS_SIGN_OFF,
  HAS_WORD,
  isCalledIn,
  isSignedIn,
  RULES,
  type Rule,
} from './told-rules.js';

const ALL_RULES: readonly Rule[] = [...RULES, CALLED_RULE];

/** `spans` with the names of [from, to) that what stands around tells; both in order. `words`: what `nameSigns` has there, `marks`: what marks. */
export function addToldNames(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  words: number,
  marks: number,
): readonly NameSpan[] {
  const piece = text.slice(from, to);
  const told: NameSpan[] = [];
  const signs =
    (words & HAS_WORD) |
    ((marks & MARK_LESS) !== 0 ? HAS_ADDRESS : 0) |
    ((marks & MARK_SQUARE_BRACKET) !== 0 && piece.includes('](http') ? HAS_LINK : 0) |
    (isCalledIn(text, words) ? HAS_CALL : 0) |
    (isSignedIn(text, piece, from, to, words, marks) ? HAS_SIGN_OFF : 0);
  for (const rule of signs === 0 ? [] : ALL_RULES) {
    if ((rule.sign & signs) !== 0 && rule.needs?.test(piece) !== false)
      addByRule(rule, text, piece, from, spans, lists, told);
  }
  const roles = rolesIn(words, marks, piece);
  for (const rule of roles === 0 ? [] : ROLE_RULES) {
    if ((rule.sign & roles) !== 0 && rule.needs?.test(piece) !== false)
      addByRule(rule, text, piece, from, spans, lists, told);
  }
  addListedNames(text, piece, from, spans, lists, told, marks);
  if (told.length === 0) return spans;
  const kept = spans.filter((span) => !told.some((one) => one.start < span.end && one.end > span.start));
  const fresh = told.filter(
    (one, at) => !told.slice(0, at).some((other) => other.start < one.end && other.end > one.start),
  );
  return [...kept, ...fresh].sort((a, b) => a.start - b.start);
}

/** So sure of somebody the model is where it names one without a doubt. */
const SURE = 0.6;
/** What the model takes for the first word of a name, in German, and for the first words of a place, in Portuguese. */
const ROLE_BEFORE =
  /^(?:(?:Kolleg|Nachbar|Freund|Partner|Mitarbeiter|Vermieter|Mieter|Kund|Patient|Schüler|Lehrer)(?:e|in|en|n)? |casa d[aoe] |(?:em )?nome d[aoei] |(?:Citofon|Suon|Interphone|Timbre|Campainha|Klingel|Sonne|Deurbel|Domofon)\p{Ll}*(?: (?:a|chez|bei|de|da|do|na))? )$/u;

function addByRule(
  {
    pattern,
    words,
    overPlace,
    overPieces,
    hasSurname,
    hasFirstName,
    hasLastName,
    isUnknown,
    besideSomebody,
  }: Rule,
  text: string,
  piece: string,
  from: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  told: NameSpan[],
): void {
  const matches =
    words === undefined ? matchesOf(piece, pattern) : matchesAtWords(pattern, words, piece, from);
  for (const match of matches) {
    const name = match.groups!.name!;
    // It may stand before what matches.
    const start = from + piece.lastIndexOf(name, match.index + match[0].length - name.length);
    const end = start + name.length;
    const there = spans.filter((span) => span.start < end && span.end > start);
    const isWhole = (span: NameSpan) => span.start === start && span.end === end;
    if (there.some((span) => span.type === 'PERSON' && isWhole(span) && span.score >= TOLD)) continue;
    const isPiece = (span: NameSpan) =>
      span.type !== 'NRP' &&
      (span.start >= start || ROLE_BEFORE.test(text.slice(span.start, start))) &&
      span.end <= end &&
      (overPlace || span.type === 'PERSON' || !isWhole(span));
    const isFree = there.every(
      (span) =>
        isWeak(span, start, end) ||
        (overPlace && isSame(text, span, start, end)) ||
        (overPieces && isPiece(span)),
    );
    const mayBe = isUnknown ? isNoThing(name, lists) : hasSurname || mayBeName(text, start, end, lists);
    if (besideSomebody && !(hasOther(spans, start, end) && isOfNoTown(name, lists))) continue;
    if (hasFirstName && !isFirstName(name, lists)) continue;
    if (hasLastName && !isLastName(name, lists)) continue;
    if (isFree && mayBe) told.push({ type: 'PERSON', start, end, score: TOLD });
  }
}

/** Somebody else, of whom the model is sure. */
function hasOther(spans: readonly NameSpan[], start: number, end: number): boolean {
  return spans.some(
    (one) => one.type === 'PERSON' && one.score >= SURE && (one.start >= end || one.end <= start),
  );
}

/** No town, or a surname as well. */
function isOfNoTown(name: string, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(name, 0, name.length));
  return (flags & (LIST_CITY | LIST_SMALL_TOWN)) === 0 || (flags & LIST_LAST_NAME) !== 0;
}

function isFirstName(name: string, lists: Gazetteer): boolean {
  const [first] = name.split(' ');
  return (lists.find(wordKey(first!, 0, first!.length)) & (LIST_FIRST_NAME | LIST_FREQUENT_FIRST_NAME)) !== 0;
}

function isLastName(name: string, lists: Gazetteer): boolean {
  const last = name.split(/[ -]/).at(-1)!;
  return (lists.find(wordKey(last, 0, last.length)) & LIST_LAST_NAME) !== 0;
}

/** A place that is this name, or this name with its title. */
function isSame(text: string, span: NameSpan, start: number, end: number): boolean {
  return (
    span.type === 'LOCATION' && span.end === end && /^(?:\p{L}+\.? )?$/u.test(text.slice(span.start, start))
  );
}
