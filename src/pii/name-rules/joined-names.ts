/** Names that the model finds in pieces, companies that are called like people, and the words that are names and verbs. */

import {
  type Gazetteer,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LAST_NAME,
  wordKey,
} from '../model/gazetteer.js';
import { endingAt, type NameSpan, scored, startingAt } from '../name-span.js';
import { lean } from '../patterns/lean.js';
import { isCompany } from './no-names/called-like-people.js';
import { firstWords, wordsOf } from './words-beside.js';

const VERB =
  /^(?:Mark|Grant|Bill|Chase|Frank|Rob|Pat|Will|Rose|Drew|Sue|Jack|Hope|Dean|Chuck|Skip|Wade|Max|Josh|Peg|Nick|Gene|Ray|Art|Rich|Harry|Carol|Dot|Clay|Rusty|Sandy|Lance|Pierce|Dash|Chip|Flip|Tag|Tuck|Hunt|Page|Trace|Cash|Rip|Buck|Hank)$/i;
const HAS_VERB = firstWords.add(wordsOf(VERB));
const OBJECT = lean(
  /^\s(?:the|a|an|this|that|these|those|my|your|our|his|her|their|its|it|them|us|me|you|all|each|every|any|as|down|up|out|off|through|in|on|of|for|with|only|both(?! wrote| came| said| had| were| went| got| saw| \p{Ll}+ed(?!\p{L}))|neither|either|everyone|none|one|two|three|four|five|several|some|many|him|others|another|items|rows|cells|tasks|tickets|messages|mails|emails|orders|invoices|lines|issues|entries|files|pages|dates|students|length|number|size|value|and an?|again|later|nothing|anything|everything|twice|once|monthly|weekly|daily)(?![\p{L}'])/iu,
);
const MONTH_NAME = /^(?:april|may|june|august|january|july|mai|juni|abril|avril|aprile)$/i;
const HAS_MONTH = firstWords.add(wordsOf(MONTH_NAME));
const BEFORE_MONTH = lean(
  /(?:^|[^\p{L}])(?:in|by|until|till|since|from|of|or|and|to|next|last|every|early|late|mid|this|during|before|after|im|en|seit|bis)\s$/iu,
);
/** Months say nothing. */
const SAYS = lean(
  /^ (?:said|says|asked|asks|told|thinks?|thought|wants?|wanted|replied|answered|agreed|agrees|nodded|called|texted)(?!\p{L})/u,
);
const BEFORE_SUITE = lean(
  /^([\p{L}\p{M}'’-]{2,}) (?=(?:suite|apt\.?|apartment|unit|floor|room|box|p\.\s?o\.) )/iu,
);
/** What the place of a name tells of it. */
const TOLD = 0.6;
const PREFIX = lean(/(?:^|[^\p{L}])(?:O|D|L|Mc|Al|El|Ben)['’-]$/u);
const MARKS_OF_PREFIX = new Set("'’-");
const SURNAME_FIRST = "(?:[ODL]['’]|Mc|Mac)?\\p{Lu}[\\p{L}\\p{M}-]+, \\p{Lu}[\\p{L}\\p{M}]+";
const SURNAME_FIRST_NEXT = lean(`^,? and ${SURNAME_FIRST}(?![\\p{L},])`, 'u');
const SURNAME_FIRST_BEFORE = lean(`(?<![\\p{L}'’]|, )${SURNAME_FIRST},? and $`, 'u');
const INITIAL = /(?<= \p{Lu})\. /u;
const LETTERS = lean(/^[\p{L}\p{M} '’-]+$/u);

/** `Mark the box`, `in April`: a verb, or a month. */
function isWord(text: string, { start, end }: NameSpan): boolean {
  const found = text.slice(start, end);
  const first = firstWords.at(text, start);
  if ((first & (HAS_VERB | HAS_MONTH)) === 0) return false;
  if (VERB.test(found)) return OBJECT.test(text.slice(end, end + 12));
  if (SAYS.test(text.slice(end, end + 12))) return false;
  return MONTH_NAME.test(found) && BEFORE_MONTH.test(text.slice(Math.max(0, start - 10), start));
}

/** Two pieces with a blank between, one of them a single word: more would be two people. */
function arePieces(text: string, first: NameSpan, second: NameSpan): boolean {
  const between = text.slice(first.end, second.start);
  const isInitial = between === '. ' && / \p{Lu}$/u.test(text.slice(first.start, first.end));
  if (between !== ' ' && !isInitial) return false;
  const words = [first, second].map(({ start, end }) => text.slice(start, end).split(' ').length);
  return (
    Math.min(...words) === 1 &&
    words[0]! + words[1]! <= 3 &&
    LETTERS.test(text.slice(first.start, second.end).replace(INITIAL, ' '))
  );
}

/** `Founders: Gerste, Johnson` tells of two, since the second is called so by surname alone. */
const SEVERAL_BEFORE = lean(/(?:\p{L}{2}s|rota|roster|crew|team|shift|cover|panel|on call): ?$/iu);

function areTwo(text: string, first: NameSpan, second: NameSpan, lists: Gazetteer): boolean {
  if (text[first.start - 1] !== ':' && text[first.start - 2] !== ':') return false;
  if (!SEVERAL_BEFORE.test(text.slice(Math.max(0, first.start - 10), first.start))) return false;
  const known = lists.find(wordKey(text.slice(second.start, second.end), 0, second.end - second.start));
  return (known & LIST_LAST_NAME) !== 0 && (known & LIST_FREQUENT_FIRST_NAME) === 0;
}

/** Of a form: two given names may follow. */
const NAME_FIELD =
  /(?:^|\n)[^\n:]{0,16}(?:[Nn]ame|[Pp]atient|[Pp]assenger|[Nn]om|[Nn]ombre|[Nn]aam|[Cc]ognome e nome) ?: $/;
/** `Surname, Given` that fills a line, or a part between semicolons or list marks, or stands beside another one. */
function isListed(text: string, first: NameSpan, second: NameSpan, lists: Gazetteer): boolean {
  if (text.slice(first.end, second.start) !== ', ' || !LETTERS.test(text.slice(first.start, first.end)))
    return false;
  const before = text.slice(Math.max(0, first.start - 3), first.start);
  const after = text[second.end] ?? '\n';
  const given = text.slice(second.start, second.end);
  if (given.includes(' '))
    return after === '\n' && NAME_FIELD.test(text.slice(Math.max(0, first.start - 24), first.start));
  // Two surnames are two people.
  const flags = lists.find(wordKey(given, 0, given.length));
  if ((flags & LIST_LAST_NAME) !== 0 && (flags & LIST_FIRST_NAME) === 0) return false;
  if (/(?:^|\n|;|["“:•*-]) ?$/.test(before) && /[\n;."”]/.test(after)) return true;
  return (
    SURNAME_FIRST_NEXT.test(text.slice(second.end, second.end + 60)) ||
    SURNAME_FIRST_BEFORE.test(text.slice(Math.max(0, first.start - 60), first.start))
  );
}

/** What stands around a list of several. */
const LIST_BEFORE = lean(/(?:,|(?<!\p{L})(?:and|und|et|y|e|en|i)) $/u);
const LIST_BEHIND = /^,? (?:\p{Lu}|(?:and|und|et|y|e|en|i|or|&) )/u;

/** `van Houten, Pieter`: a word of the surnames alone, and one of the first names, and no longer list. */
function isSurnameAndGiven(text: string, first: NameSpan, second: NameSpan, lists: Gazetteer): boolean {
  if (text.slice(first.end, second.start) !== ', ' || isCompany(text, first)) return false;
  const given = text.slice(second.start, second.end);
  const surname = text.slice(first.start, first.end).split(/[ -]/).at(-1)!.replace(/['’]/u, '');
  if (/[^\p{L}\p{M}]/u.test(given) || !LETTERS.test(text.slice(first.start, first.end))) return false;
  if (LIST_BEFORE.test(text.slice(Math.max(0, first.start - 5), first.start))) return false;
  if (LIST_BEHIND.test(text.slice(second.end, second.end + 6))) return false;
  const isFirst = (word: string) => lists.find(wordKey(word, 0, word.length)) & LIST_FIRST_NAME;
  const isLast = lists.find(wordKey(surname, 0, surname.length)) & LIST_LAST_NAME;
  return isLast !== 0 && !isFirst(surname) && isFirst(given) !== 0;
}

/** Pieces of one name that stand side by side are one. */
function join(text: string, spans: readonly NameSpan[], lists: Gazetteer): NameSpan[] {
  const joined: NameSpan[] = [];
  for (const given of spans) {
    const last = joined.at(-1);
    let span = given;
    if (span.type === 'PERSON') {
      const prefix = MARKS_OF_PREFIX.has(text[span.start - 1]!)
        ? PREFIX.exec(text.slice(Math.max(0, span.start - 4), span.start))
        : null;
      if (prefix !== null) span = startingAt(span, span.start - prefix[0].replace(/^[^\p{L}]/u, '').length);
    }
    const isNext = last?.type === 'PERSON' && span.type === 'PERSON' && span.start >= last.end;
    const isPair =
      isNext &&
      !areTwo(text, last, span, lists) &&
      (isListed(text, last, span, lists) || isSurnameAndGiven(text, last, span, lists));
    if (isNext && (isPair || arePieces(text, last, span))) {
      const score = Math.max(isPair ? TOLD : 0, Math.min(last.score, span.score));
      joined[joined.length - 1] = scored(endingAt(last, span.end), score);
    } else joined.push(span);
  }
  return joined;
}

/** `Diana Usamov Suite 913`: the surname stands before the address, and is no part of it. */
export function splitAddresses(text: string, spans: readonly NameSpan[]): NameSpan[] {
  const split: NameSpan[] = [];
  for (const span of spans) {
    const last = split.at(-1);
    const surname =
      span.type === 'LOCATION' && last?.type === 'PERSON' && text.slice(last.end, span.start) === ' '
        ? BEFORE_SUITE.exec(text.slice(span.start, span.end))?.[1]
        : undefined;
    if (surname === undefined) {
      split.push(span);
      continue;
    }
    const end = span.start + surname.length;
    split[split.length - 1] = endingAt(last!, end);
    split.push(startingAt(span, end + 1));
  }
  return split;
}

/** The names that the model found, pieces joined, without verbs and companies. */
export function joinNames(text: string, spans: readonly NameSpan[], lists: Gazetteer): NameSpan[] {
  return join(text, spans, lists).filter(
    (span) => span.type !== 'PERSON' || !(isWord(text, span) || isCompany(text, span)),
  );
}
