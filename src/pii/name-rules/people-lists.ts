/**
 * People that the model does not know, or not surely: in a list after a word that announces them (`Founders: Gerste,
 * Johnson`, also line by line) or beside others, and behind a word that calls somebody.
 */

import { lean } from '../lean.js';
import { matchAt } from '../matches-of.js';
import {
  type Gazetteer,
  LIST_CALENDAR,
  LIST_CITY,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_LAST_NAME,
  LIST_NRP,
  LIST_ORGANIZATION,
  LIST_PRODUCT,
  LIST_REGION,
  wordKey,
} from '../model/gazetteer.js';
import type { NameSpan } from '../name-span.js';
import { nameSigns } from './name-signs.js';
import { OFFICES, PARTIES, PEOPLE, PERHAPS, VOTES } from './people-heads.js';
import { CAPITAL, NAME } from './told-rules.js';
import { withNames } from './with-names.js';

const LISTED = 0.6;
const SURE = 0.5;
const MAX_LISTED = 40;
const COMMA = 0x2c;
const BLANK = 0x20;
const HAS_HEAD = nameSigns.add(`${PEOPLE}|${OFFICES}|${PERHAPS}|${PARTIES}|${VOTES}`);
/** An item of a list in the next line. */
const ITEM_BELOW = '\\n[ \\t]{0,4}(?:[-*•]|\\d{1,2}[.)])[ \\t]{1,4}';
const HEAD = lean(
  `(?:(?:${PEOPLE})|(?<perhaps>${PERHAPS}|${OFFICES})|(?<known>${PARTIES}|(?<vote>${VOTES})))(?: \\([^)\\n]{1,20}\\))?(?:\\s?(?::|=>|->)[ \\t]*|(?<heading>)(?: (?:are|were|include|included) (?=\\p{Lu})|(?=${ITEM_BELOW})))`,
  'iuy',
);
const SURNAME = lean(
  /(?:(?:van|von|vom|zu|de|den|der|del|della|da|das|di|dos|du|la|le|ten|ter|te|af|av|al|el|bin|bint|ibn) ){0,2}\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2}/uy,
);
/** The first name behind a surname that an item has to itself: `- Nakamura, Yuki`. */
const FIRST_BEHIND = lean(/, \p{Lu}[\p{L}'’-]+(?: \p{Lu}\.| \p{Lu}[\p{L}'’-]+)?(?=[ \t]*(?:\n|$))/uy);
/** What a list says of one of its people: a share, a minute, a role. */
const REMARK = "(?: \\([^()\\n]{1,24}\\)| \\d{1,3}(?:\\+\\d{1,2})?['’%]?)?";
const SEPARATOR = lean(
  `${REMARK}(?:\\s?(?:,|;|&|/|\\|)\\s?(?:(?:and|or|und|oder|et|ou|y|o|e|en|of|i|lub) )?|\\s(?:and|or|und|oder|et|ou|y|o|e|en|of|i|lub)\\s)`,
  'y',
);
/** The sign that a list has between its items. */
const SIGN = /[,;&/|](?=[^,;&/|]*$)/u;
const TITLE = /(?:Capt|Dr|Prof|Mr|Mrs|Ms|Mme|Sgt|Lt|Rev|Ing|Dott|Sra|Sr|Mag)\.? (?=\p{Lu})/uy;
/** The next line of a list, with what the line before says of its person. */
const ITEM = /(?:[ ,(–-][^\n]{0,60})?\n[ \t]{0,4}(?:[-*•]|\d{1,2}[.)])[ \t]{1,4}/uy;
const FIRST_ITEM = lean(ITEM_BELOW, 'y');

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
const THINGS = LIST_COMMON | LIST_CALENDAR | LIST_NRP | LIST_ORGANIZATION | LIST_PRODUCT | LIST_REGION;

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
    if (span.score >= SURE) addBeside(text, from, to, span, lists, beside);
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

/** Two of a list that the model took for a surname and a first name. */
function isSeveral(text: string, span: NameSpan, told: readonly NameSpan[], lists: Gazetteer): boolean {
  const comma = text.indexOf(', ', span.start);
  if (span.type !== 'PERSON' || comma < 0 || comma >= span.end) return false;
  const second = comma + 2;
  return (
    told.some(({ start, end }) => start === span.start && end === comma) &&
    told.some(({ start, end }) => start === second && end === span.end) &&
    (lists.find(wordKey(text, second, span.end)) & LIST_FIRST_NAME) === 0
  );
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

/** A large town that nobody is called like: `Caller: Bremerhaven`. */
function isTown(name: string, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(name, 0, name.length));
  return (flags & LIST_LARGE_CITY) !== 0 && (flags & (LIST_FIRST_NAME | LIST_LAST_NAME)) === 0;
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

/** Somebody stands before `at`, in the same minutes. */
function isNearSomebody(at: number, spans: readonly NameSpan[]): boolean {
  return spans.some(
    ({ type, score, end }) => type === 'PERSON' && score >= SURE && end <= at && at - end < LONGEST,
  );
}

/** Its last word is somebody's name. */
function hasName(name: string, lists: Gazetteer): boolean {
  const last = name.slice(1 + Math.max(name.lastIndexOf(' '), name.lastIndexOf('-')));
  return (lists.find(wordKey(last, 0, last.length)) & (LIST_FIRST_NAME | LIST_LAST_NAME)) !== 0;
}

function add(told: NameSpan[], start: number, end: number): void {
  if (!told.some((one) => one.start < end && one.end > start))
    told.push({ type: 'PERSON', start, end, score: LISTED });
}

function addAnnounced(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  told: NameSpan[],
): void {
  const piece = text.slice(from, to);
  let done = 0;
  for (const place of nameSigns.placesOf(HAS_HEAD)) {
    HEAD.lastIndex = place - from;
    const match = place - from < done ? null : HEAD.exec(piece);
    if (match === null) continue;
    done = match.index + match[0].length;
    let at = done;
    const first = matchAt(FIRST_ITEM, piece, at);
    const between = first === undefined ? SEPARATOR : ITEM;
    at += first?.length ?? 0;
    let sign: string | undefined;
    let hasFirstNames = false;
    for (let count = 0; count < MAX_LISTED; count++) {
      at += matchAt(TITLE, piece, at)?.length ?? 0;
      const surname = matchAt(SURNAME, piece, at);
      if (surname === undefined) break;
      if (isTown(surname, lists)) break;
      const behind: string =
        between === ITEM ? firstNameBehind(piece, at + surname.length, hasFirstNames, lists) : '';
      hasFirstNames ||= behind !== '';
      const name = surname + behind;
      const { perhaps, heading, known, vote } = match.groups!;
      const isSurelyOfPeople = perhaps === undefined && heading === undefined && known === undefined;
      const isKnown =
        known === undefined ||
        hasName(name, lists) ||
        (vote !== undefined && isNearSomebody(from + match.index, [...spans, ...told]));
      if (isSurelyOfPeople || (isKnown && !isThing(name, lists)))
        add(told, from + at, from + at + name.length);
      const separator = matchAt(between, piece, at + name.length);
      // Behind another sign stands another thing: `Witnesses: Lund, Oduya; scene: Rostock`.
      const next = separator === undefined ? undefined : SIGN.exec(separator)?.[0];
      if (separator === undefined || (sign !== undefined && next !== undefined && next !== sign)) break;
      sign ??= next;
      at += name.length + separator.length;
    }
  }
}

/** `, Yuki` behind the surname of an item; empty where it is a role or a town. `hasFirstNames`: an item before has one. */
function firstNameBehind(piece: string, at: number, hasFirstNames: boolean, lists: Gazetteer): string {
  const behind = matchAt(FIRST_BEHIND, piece, at) ?? '';
  const [first] = behind.slice(2).split(' ') as [string];
  const flags = lists.find(wordKey(first, 0, first.length));
  if (hasFirstNames && flags === 0) return behind;
  // Villages are called like people, large towns are known as such.
  return (flags & LIST_FIRST_NAME) !== 0 && (flags & LIST_LARGE_CITY) === 0 ? behind : '';
}

/** Whether a word of `name` is in a list of other things. */
function isThing(name: string, lists: Gazetteer): boolean {
  return name.split(/[ -]/).some((word) => {
    const flags = lists.find(wordKey(word, 0, word.length));
    return (flags & THINGS) !== 0 && (flags & LIST_FREQUENT_FIRST_NAME) === 0;
  });
}

/** `Ewa Lis, Bola Adeyemi and Chen Wei`: what stands beside somebody in a list is somebody too. */
function addBeside(
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
  const before = LISTED_AFTER.test(text.slice(Math.max(0, start - 5), start))
    ? BEFORE.exec(text.slice(first, start))
    : null;
  if (before !== null) {
    const name = before.groups!.name!;
    const nameStart = first + before.index;
    if (!isThing(name, lists)) add(told, nameStart, nameStart + name.length);
  }
}
