/**
 * People that the form of data tells: tags and arguments for the two parts of a name, lists under a key for people, rows
 * of a table of people, and a name beside an e-mail address that is made of it.
 */

import {
  type Gazetteer,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_PRODUCT,
  wordKey,
} from '../../model/gazetteer.js';
import { lean } from '../../patterns/lean.js';
import { allOf, stretchesOf } from '../../patterns/stretches.js';
import { MARK_APOSTROPHE, MARK_AT, MARK_BRACKET, MARK_LESS, MARK_QUOTE } from '../marks.js';
import { FIRST, type FieldName, isNobody, kindOfField, LAST } from './field-names.js';
import { isNameValue, isNoThing } from './values.js';

const LISTED = 0.8;
const QUOTED = '["\'](?<one>\\p{Lu}[^"\'\\n]{1,40})["\']';
const QUOTED_TOO = '["\'](?<two>\\p{Lu}[^"\'\\n]{1,40})["\']';
const IS = '["\']?\\s?(?:=>|[:=])\\s?';
/** `first: "Ada", last: "Lind"`, in either order. */
const HALVES = lean(
  `(?<![\\w-])["']?(?:(?:${FIRST})${IS}${QUOTED},\\s{0,8}["']?(?:${LAST})|(?:${LAST})${IS}${QUOTED.replace('one', 'last')},\\s{0,8}["']?(?:${FIRST}))${IS}${QUOTED_TOO}`,
  'giu',
);
/** A quick test before the patterns below: a quoted capital letter after a sign that assigns it. */
const QUOTED_SIGN = /[:=>] ?["']\p{Lu}/u;
const HALVES_SIGN = lean(`(?<![\\w-])(?:${LAST})${IS}["']\\p{Lu}`, 'iu');
/** `<given>Ada</given>`, `<family value="Lind"/>`. */
const TAG =
  /<(?:\w{1,12}:)?(?<key>[A-Za-z][\w-]{2,30})(?:(?: [^<>]{0,80})?>| value=")(?<value>\p{Lu}[^<>"\n]{1,60})(?:<\/|"\s?\/>)/gu;
const TAG_SIGN =
  /<(?:\w{1,12}:)?(?:given|family|first|last|full|sur|middle|maiden|fore|vorname|nachname|pr[ée]nom|nom|apellido|nombre|cognome|nome|sobrenome|voornaam|achternaam|imi[ęe]|nazwisko|\w{3,20}name)/i;
const TAG_END = /<\/|\/>/;
const HALF_TAG = lean(`^(?:${FIRST}|${LAST})$`, 'i');
const OTHER_TAG = lean(`<(?:\\w{1,12}:)?(?:${FIRST}|${LAST})[ >]`, 'i');
/** `surnames <- c("Lind", …)`, `patients := []string{"Ada Lind"}`. */
const VECTOR =
  /(?<![\w])(?<key>[A-Za-z_]{3,40})["'\]]{0,2}\s{0,4}(?::=|=>|<-|[:=])\s{0,4}(?:[\w.:<>!]{1,24}|\[\]\w{3,8})?\s?[([{]\s{0,8}(?=["']\p{Lu})/gu;
const VECTOR_SIGN = /[([{]\s{0,8}["']\p{Lu}\p{Ll}/u;
const MANY =
  /^(?:(?:co[_-]?)?founders|panell?ists|speakers|directors|trustees|winners|organi[sz]ers|invitees|gründer|fondateurs|fundador[ea]s|fondatori|oprichters|noms|apellidos|cognomi|sobrenomes|imiona|nazwiska|voornamen|achternamen|vornamen|nachnamen|pr[ée]noms|nombres)$/i;
const STRING = /(["'])(?<value>[^"'\n]{1,60})\1\s{0,4},?\s{0,16}/y;
/** `Le Floch`. */
const PARTICLES = /^(?:(?:Le|La|De|Di|Da|Du|Van|Von|Den|Ten|Ter|El|Al|St) )+/;
const MOST_STRINGS = 1_000;
/** `INSERT INTO staff VALUES (`: a table of people, whose columns nobody names. */
const ROWS =
  /(?:insert|replace)\s{1,4}into\s{1,4}["`]?(?:\w{1,40}\.)?(?:\w{1,40}_)?(?:staff|people|persons?|users?|employees?|customers?|clients?|patients?|members?|contacts?|guests?|tenants?|students?|pupils?|teachers?|drivers?|authors?|doctors?|nurses?|players?|volunteers?|residents?|kunden|mitarbeiter|patienten|clientes?|empleados|pacientes|clienti|dipendenti|pazienti|klanten|medewerkers|klienci|pracownicy|pacjenci|usuarios|utilisateurs)["`]?\s{1,4}values\s{0,4}/gi;
const ROWS_SIGN = /values\s{0,4}\(/i;
const TUPLE = /\s{0,4},?\s{0,4}\((?<row>[^()]{0,1000})\)/y;
const FULL_NAME = /(["'])(?<name>\p{Lu}[^"'\n,]{1,30} [^"'\n,]{1,30})\1/u;
/** `TODO(ada)`. */
const NOTE_SIGN = /\((?<=[A-Z]\()/;
const NOTE = /(?<!\w)(?:TODO|FIXME|XXX|HACK|BUG|NOTE|OPTIMIZE)\((?<name>\p{Ll}{3,20})(?=[),:/ -])/gu;
/** The name before or after an e-mail address. */
const NAME =
  "\\p{Lu}[\\p{L}\\p{M}'’-]*[\\p{L}\\p{M}](?: (?:\\p{Lu}\\.|\\p{Lu}[\\p{L}\\p{M}'’-]*[\\p{L}\\p{M}]|de|da|van|von|der|el|al|bin)){1,3}";
const BEFORE_ADDRESS = lean(
  `(?<![\\p{L}\\p{M}\\d])(?<name>${NAME})["']?\\s{0,2}(?:[,;|\\t/:=<(–-]\\s{0,2}){1,3}["'<(]?$`,
  'u',
);
const BEHIND_ADDRESS = lean(
  `^["'>)]?\\s{0,2}[,;|\\t/]\\s{0,2}["']?(?<name>${NAME})(?=["']|\\s{0,2}[,;|\\t)\\n]|$)`,
  'u',
);
/** A quick test before the pattern for addresses below. */
const SEPARATED = /[,;|\t/:=<(–-]["'<( ]{0,3}$/;
const LOCAL = /[\w.+-]{3,40}$/;
/** A second, quicker test for the same. */
const LOCAL_END = /^[\w.+-]{3}$/;
const DOMAIN = /^[\w-]{1,40}(?:\.[\w-]{1,24}){1,4}/;
const NEAR_UNITS = 80;
const MOST_ADDRESSES = 10_000;
const ROWS_AT_ONCE = 64;

const QUOTES = MARK_QUOTE | MARK_APOSTROPHE;
/** A text without any of these marks has no records of people. */
export const MARKS_OF_RECORDS = QUOTES | MARK_LESS | MARK_BRACKET | MARK_AT;

/** Returns the names in order of their position; `marks` are those that the text has. */
export function* recordNames(text: string, lists: Gazetteer, marks: number): Generator<void, FieldName[]> {
  const hasQuotes = (marks & QUOTES) !== 0;
  const hasBracket = (marks & MARK_BRACKET) !== 0;
  const found: FieldName[] = [];
  const mayBe = (value: string, key = '') => isNameValue(value) && !isNobody(key, value);
  const push = (start: number, value: string) =>
    void found.push({ type: 'PERSON', start, end: start + value.length, score: LISTED });
  const add = (start: number, value: string, key = '') => {
    if (mayBe(value, key) && isNoThing(value.replace(PARTICLES, ''), lists)) push(start, value);
  };
  let count = 0;
  for (const { start, end, groups } of hasQuotes
    ? yield* allOf(HALVES, text, QUOTED_SIGN, HALVES_SIGN)
    : []) {
    if (++count % ROWS_AT_ONCE === 0) yield;
    const first = groups.one ?? groups.last!;
    const last = groups.two!;
    if (![first, last].every((value) => mayBe(value) && isNoThing(value, lists))) continue;
    push(text.indexOf(first, start + 4), first);
    push(end - 1 - last.length, last);
  }
  for (const { start, end, groups } of (marks & MARK_LESS) !== 0
    ? yield* allOf(TAG, text, TAG_END, TAG_SIGN)
    : []) {
    if (++count % ROWS_AT_ONCE === 0) yield;
    const { key, value } = groups;
    const isPerson =
      kindOfField(key!) === 'PERSON' || (HALF_TAG.test(key!) && isBesideHalf(text, start, end));
    if (isPerson && mayBe(value!, key)) push(text.indexOf(value!, start + key!.length + 2), value!);
  }
  for (const { end, groups } of hasQuotes ? yield* allOf(VECTOR, text, VECTOR_SIGN) : []) {
    if (++count % ROWS_AT_ONCE === 0) yield;
    const key = groups.key!;
    const isOfPeople =
      MANY.test(key) || kindOfField(key) === 'PERSON' || kindOfField(key.replace(/s$/, '')) === 'PERSON';
    if (isOfPeople) yield* addStrings(text, end, (start, value) => add(start, value, key));
  }
  for (const { end } of hasBracket ? yield* allOf(ROWS, text, ROWS_SIGN) : []) {
    if (++count % ROWS_AT_ONCE === 0) yield;
    yield* addRows(text, end, add);
  }
  for (const { end, groups } of hasBracket ? yield* allOf(NOTE, text, NOTE_SIGN) : []) {
    if (++count % ROWS_AT_ONCE === 0) yield;
    const flags = lists.find(wordKey(groups.name!, 0, groups.name!.length));
    if ((flags & LIST_FIRST_NAME) !== 0 && (flags & (LIST_COMMON | LIST_PRODUCT)) === 0)
      found.push({ type: 'PERSON', start: end - groups.name!.length, end, score: LISTED });
  }
  if ((marks & MARK_AT) !== 0) yield* addBesideAddresses(text, add);
  return found.sort((a, b) => a.start - b.start);
}

/** A tag for the other part of the name stands near. */
function isBesideHalf(text: string, start: number, end: number): boolean {
  const near = text.slice(Math.max(0, start - NEAR_UNITS), start) + text.slice(end, end + NEAR_UNITS);
  return OTHER_TAG.test(near);
}

function* addStrings(
  text: string,
  from: number,
  add: (start: number, value: string) => void,
): Generator<void> {
  let at = from;
  for (let count = 0; count < MOST_STRINGS; count++) {
    STRING.lastIndex = at;
    const string = STRING.exec(text);
    if (string === null) return;
    add(at + 1, string.groups!.value!);
    at += string[0].length;
    if (count % ROWS_AT_ONCE === 0) yield;
  }
}

function* addRows(text: string, from: number, add: (start: number, value: string) => void): Generator<void> {
  let at = from;
  for (let row = 1; row < MOST_ADDRESSES; row++) {
    TUPLE.lastIndex = at;
    const tuple = TUPLE.exec(text);
    if (tuple === null) return;
    const name = FULL_NAME.exec(tuple[0]);
    if (name !== null) add(at + name.index + 1, name.groups!.name!);
    at += tuple[0].length;
    if (row % ROWS_AT_ONCE === 0) yield;
  }
}

function* addressMarks(text: string): Generator<void, number[]> {
  const found: number[] = [];
  for (const { piece, start } of stretchesOf(text)) {
    for (let at = piece.indexOf('@'); at >= 0; at = piece.indexOf('@', at + 1)) {
      if (found.length === MOST_ADDRESSES) return found;
      found.push(start + at);
    }
    yield;
  }
  return found;
}

/** `Ada Lind, ada.lind@…`: a word of the name is in the address. */
function* addBesideAddresses(text: string, add: (start: number, value: string) => void): Generator<void> {
  let count = 0;
  for (const at of yield* addressMarks(text)) {
    if (++count % ROWS_AT_ONCE === 0) yield;
    if (!LOCAL_END.test(text.slice(Math.max(0, at - 3), at))) continue;
    const local = LOCAL.exec(text.slice(Math.max(0, at - 40), at))?.[0];
    const domain = DOMAIN.exec(text.slice(at + 1, at + NEAR_UNITS))?.[0];
    if (local === undefined || domain === undefined) continue;
    const from = at - local.length;
    const before = SEPARATED.test(text.slice(Math.max(0, from - 4), from))
      ? BEFORE_ADDRESS.exec(text.slice(Math.max(0, from - NEAR_UNITS), from))
      : null;
    if (before !== null && isMadeOf(local, before.groups!.name!))
      add(Math.max(0, from - NEAR_UNITS) + before.index, before.groups!.name!);
    const end = at + 1 + domain.length;
    const behind = BEHIND_ADDRESS.exec(text.slice(end, end + NEAR_UNITS));
    if (behind !== null && isMadeOf(local, behind.groups!.name!))
      add(end + behind[0].length - behind.groups!.name!.length, behind.groups!.name!);
  }
}

function isMadeOf(local: string, name: string): boolean {
  const plain = (word: string) =>
    word
      .normalize('NFD')
      .replace(/[^\p{L}]/gu, '')
      .toLowerCase();
  const letters = plain(local);
  return name.split(' ').some((word) => plain(word).length > 2 && letters.includes(plain(word)));
}
