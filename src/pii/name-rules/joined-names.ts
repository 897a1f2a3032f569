/**
 * Names that the model finds in pieces, and values of fields that the model does not know though the field says that
 * they are names. And the words that are names and verbs.
 */
import type { NameSpan } from '../model/names.js';

/** Companies that are called like people. */
const COMPANIES = new Set(
  (
    'Burger King|Taco Bell|Dairy Queen|Papa John|Morgan Stanley|JPMorgan Chase|JP Morgan|Goldman Sachs|Wells Fargo|Charles Schwab|Merrill Lynch|Harley Davidson|Harley-Davidson|' +
    'Ralph Lauren|Calvin Klein|Louis Vuitton|Mercedes Benz|Mercedes-Benz|Rolls Royce|Rolls-Royce|Hewlett Packard|Philip Morris|' +
    'Eli Lilly|Warner Bros|Edward Jones|Raymond James|Thomson Reuters|Booz Allen|Booz Allen Hamilton|Baker McKenzie|Estée Lauder|' +
    'Christian Dior|Hugo Boss|Mary Kay|John Deere|Eddie Bauer|Tommy Hilfiger|Jack Daniels|Fannie Mae|Freddie Mac|Bear Stearns|' +
    'Dow Jones|Albert Heijn|Standard Chartered|Credit Suisse|Deutsche Bank|Lehman Brothers'
  ).split('|'),
);
/** Companies of two names: each of them is found by itself. */
const TWO_NAMES =
  /(?:Johnson (?:&|and) Johnson|(?:Ernst|Young) (?:&|and) (?:Young|Rubicam)|Smith (?:&|and) Wesson|Marks (?:&|and) Spencers?|Ben (?:&|and) Jerry(?:['’]?s)?|Procter (?:&|and) Gamble|Black (?:&|and) Decker|Dolce (?:&|and) Gabbana|Abercrombie (?:&|and) Fitch|Barnes (?:&|and) Noble|Simon (?:&|and) Schuster|Pratt (?:&|and) Whitney|Briggs (?:&|and) Stratton|Bang (?:&|and) Olufsen|Fortnum (?:&|and) Mason|Sullivan (?:&|and) Cromwell|Baker (?:&|and) McKenzie|Holland (?:&|and) Barrett|Harper (?:&|and) Row)(?!\p{L})/gu;
const TWO_NAMES_UNITS = 24;
const VERB =
  /^(?:Mark|Grant|Bill|Chase|Frank|Rob|Pat|Will|Rose|Drew|Sue|Jack|Hope|Dean|Chuck|Skip|Wade|Max|Josh|Peg|Nick|Gene|Ray|Art|Rich|Harry|Carol|Dot|Clay|Rusty|Sandy)$/i;
const OBJECT =
  /^\s(?:the|a|an|this|that|these|those|my|your|our|his|her|their|its|it|them|us|me|you|all|each|every|any|as|down|up|out|off|in|on|of|for|with|only|length|number|size|value|and an?)(?![\p{L}'])/iu;
const MONTH_NAME = /^(?:april|may|june|august|january|july|mai|juni|abril|avril|aprile)$/i;
const BEFORE_MONTH =
  /(?:^|[^\p{L}])(?:in|by|until|till|since|from|of|or|and|to|next|last|every|early|late|mid|this|during|before|after|im|en|seit|bis)\s$/iu;
const BEFORE_SUITE = /^([\p{L}\p{M}'’-]{2,}) (?=(?:suite|apt\.?|apartment|unit|floor|room|box|p\.\s?o\.) )/iu;
/** What the place of a name tells of it. */
const TOLD = 0.6;
const PREFIX = /(?:^|[^\p{L}])(?:O|D|L|Mc|Al|El|Ben)['’-]$/u;
export const PERSON_KEY =
  /(?:first|last|full|given|family|sur|middle|maiden|user|customer|client|patient|contact|employee|owner|author|display|account|holder|recipient|sender)[_-]?names?$|^(?:sur|fore)name$|^(?:author|customer|patient|owner|assignee|employee|manager|recipient|contact|reviewer|maintainer)$/i;
export const PLACE_KEY =
  /^(?:\w*[_-])?(?:city|town|village|birth[_-]?place|hometown|country|street|address)$/i;
const SURNAME_FIRST = "(?:[ODL]['’]|Mc|Mac)?\\p{Lu}[\\p{L}\\p{M}-]+, \\p{Lu}[\\p{L}\\p{M}]+";
const SURNAME_FIRST_NEXT = new RegExp(`^,? and ${SURNAME_FIRST}(?![\\p{L},])`, 'u');
const SURNAME_FIRST_BEFORE = new RegExp(`(?<![\\p{L}'’]|, )${SURNAME_FIRST},? and $`, 'u');
const LONGEST_VALUE = 60;
const LETTERS = /^[\p{L}\p{M} '’-]+$/u;
export const VALUE =
  /^\p{Lu}[\p{L}'’.-]*\p{Ll}[\p{L}'’.-]*(?: (?:(?:de|da|di|van|von|der|den|la|el|al|bin) )?\p{Lu}[\p{L}'’.-]+){0,3}$/u;

/** A company that is called like somebody. */
export function isCompany(text: string, { start, end }: NameSpan): boolean {
  if (COMPANIES.has(text.slice(start, end))) return true;
  const from = Math.max(0, start - TWO_NAMES_UNITS);
  const around = text.slice(from, end + TWO_NAMES_UNITS);
  if (!/ (?:&|and) /.test(around)) return false;
  return [...around.matchAll(TWO_NAMES)].some(
    ({ index, 0: found }) => from + index <= start && from + index + found.length >= end,
  );
}

/** `Mark the box`, `in April`: a verb, or a month. */
function isWord(text: string, { start, end }: NameSpan): boolean {
  const found = text.slice(start, end);
  if (VERB.test(found)) return OBJECT.test(text.slice(end, end + 12));
  return MONTH_NAME.test(found) && BEFORE_MONTH.test(text.slice(Math.max(0, start - 10), start));
}

/** Two pieces with a blank between, one of them a single word: more would be two people. */
function arePieces(text: string, first: NameSpan, second: NameSpan): boolean {
  if (text.slice(first.end, second.start) !== ' ') return false;
  const words = [first, second].map(({ start, end }) => text.slice(start, end).split(' ').length);
  return (
    Math.min(...words) === 1 &&
    words[0]! + words[1]! <= 3 &&
    LETTERS.test(text.slice(first.start, second.end))
  );
}

/** `Surname, Given` that fills a line, or a part between semicolons or list marks, or stands beside another one. */
function isListed(text: string, first: NameSpan, second: NameSpan): boolean {
  if (text.slice(first.end, second.start) !== ', ' || !LETTERS.test(text.slice(first.start, first.end)))
    return false;
  const before = text.slice(Math.max(0, first.start - 3), first.start);
  const after = text[second.end] ?? '\n';
  if (text.slice(second.start, second.end).includes(' ')) return false;
  if (/(?:^|\n|;|["“:•*-]) ?$/.test(before) && /[\n;."”]/.test(after)) return true;
  return (
    SURNAME_FIRST_NEXT.test(text.slice(second.end, second.end + 60)) ||
    SURNAME_FIRST_BEFORE.test(text.slice(Math.max(0, first.start - 60), first.start))
  );
}

/** Pieces of one name that stand side by side are one. */
function join(text: string, spans: readonly NameSpan[]): NameSpan[] {
  const joined: NameSpan[] = [];
  for (const given of spans) {
    const last = joined.at(-1);
    let span = given;
    if (span.type === 'PERSON') {
      const prefix = PREFIX.exec(text.slice(Math.max(0, span.start - 4), span.start));
      if (prefix !== null) span = { ...span, start: span.start - prefix[0].replace(/^[^\p{L}]/u, '').length };
    }
    const isNext = last?.type === 'PERSON' && span.type === 'PERSON' && span.start >= last.end;
    const isPair = isNext && isListed(text, last, span);
    if (isNext && (isPair || arePieces(text, last, span))) {
      const score = Math.max(isPair ? TOLD : 0, Math.min(last.score, span.score));
      joined[joined.length - 1] = { ...last, end: span.end, score };
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
    split[split.length - 1] = { ...last!, end };
    split.push({ ...span, start: end + 1 });
  }
  return split;
}

/** The names that the model found, pieces joined, without verbs and companies. */
export function joinNames(text: string, spans: readonly NameSpan[]): NameSpan[] {
  return join(text, spans).filter(
    (span) => span.type !== 'PERSON' || !(isWord(text, span) || isCompany(text, span)),
  );
}

/** `OpenTelemetry Authors`, `Google LLC`. */
const OF_MANY =
  /(?:^| )(?:Inc|LLC|LLP|Ltd|Limited|Corp|Corporation|Company|GmbH|AG|Authors|Contributors|Maintainers|Developers|Team|Foundation|Project|Group|Labs|Software|Technologies|Systems|Community)\.?$/u;
/** One word with a capital inside, as accounts and companies have it: `LangChain`. `McCarthy` is a name. */
const CAMEL_CASE =
  /^(?!(?:Mac|Mc|De|Di|Le|La|Van|Fitz|O['’])\p{Lu})[^ ]*\p{Ll}\p{Lu}[^ ]*$|^\p{Lu}{2,}[^ ]*\p{Ll}/u;
/** Names of accounts are no names where they are one word. */
const ACCOUNT_KEY = /(?:git\w*|npm|login|account)[_-]?(?:user)?[_-]?name$/i;

function isNobody(key: string, value: string): boolean {
  return OF_MANY.test(value) || CAMEL_CASE.test(value) || (ACCOUNT_KEY.test(key) && !value.includes(' '));
}

/** The name that the value of a field is, where the field says so: `last_name: "Oduya"`. */
export function fieldName(text: string, keyStart: number, from: number, to: number): NameSpan | undefined {
  const key = /^[\w-]+/.exec(text.slice(keyStart, from))?.[0];
  const value = text.slice(from, Math.min(to, from + LONGEST_VALUE + 1));
  if (key === undefined || value.length > LONGEST_VALUE || !VALUE.test(value) || isNobody(key, value))
    return undefined;
  const type = PERSON_KEY.test(key) ? 'PERSON' : PLACE_KEY.test(key) ? 'LOCATION' : undefined;
  return type && { type, start: from, end: to, score: TOLD };
}
