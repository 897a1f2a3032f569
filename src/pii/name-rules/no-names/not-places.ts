/** What the model takes for places and is none: acronyms, ordinary words, items of lists, columns, and years of copyright. */

import { CLASS_DIGIT, CLASS_LETTER, charClass, isLetterUnit } from '../../model/characters.js';
import {
  type Gazetteer,
  LIST_CITY,
  LIST_COMMON,
  LIST_LARGE_CITY,
  LIST_PLACE,
  LIST_PLACE_HEAD,
  LIST_REGION,
  LIST_STREET,
  wordKey,
} from '../../model/gazetteer.js';
import { asType, endingAt, type NameSpan, partOf, scored } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { MONTHS } from '../../recognizers/date-words.js';
import { WEEKDAYS } from '../../recognizers/weekdays.js';
import { isSmallAt, listsBefore, wordsBefore } from '../words-beside.js';

const PLACES = LIST_CITY | LIST_LARGE_CITY | LIST_REGION | LIST_STREET | LIST_PLACE | LIST_PLACE_HEAD;
/** So sure of an ordinary word the model must be. */
const SURE = 0.95;
const CAPITALS = lean(/^\p{Lu}[\p{Lu}\p{M}\s,'’&-]*$/u);
/** Before a place, whatever it is called. */
const BEFORE_PLACE = lean(
  /(?:(?:^|\n)[^\p{L}\n]*|(?<!\p{L})(?:in|from|at|near|of|to|im|aus|nach|en|de|à|da|a|w|z|do|van|te|uit|город|ул)|[:,;]|\d) ?$/iu,
);
const ONE_WORD = /^\p{Lu}\p{Ll}+$/u;
/** The number of an item, and a word: `2. Goals`. */
const ITEM = /^\d{1,2}[.)] \p{Lu}/u;
/** The number of the next item, in its own line. */
const NEXT_ITEM = /\n\s*\d{1,3}$/;
/** The day of a file in a listing: `Mar 12  2023 cat`. */
const LISTED_DAY =
  /(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} {1,2}(?:\d{4}|\d{2}:\d{2})/;
/** Cells of two columns. */
const COLUMNS = /\S(?:\t+| {4,})\S/;
/** How somebody works, in German. */
const WORKS = /^(?:Vollzeit|Teilzeit|Homeoffice|Gleitzeit|Elternzeit|Probezeit|Festanstellung|Minijob),?$/u;
const HAS_DIGIT = /\d/;
const BANK = /^(?:Banco|Banca|Bank|Banque|Sparkasse) \p{Lu}|(?:bank|kasse)$/u;
const LONG_NUMBER = /^\d{7,}$/;
/** So many hours or pieces: `3 Std.` */
const AMOUNT =
  /^\d{1,5}(?:[.,]\d{1,3})? ?(?:Std|Stck|Stk|Min|Sek|Tge?|Wo|kg|hrs?|mins?|pcs?|uds?|szt|st|qty|EA|ea)\.?$/;
/** The rest of an identifier: `7d0e6c1` of `7d0e6c1a-52b4`. */
const GOES_ON = /^(?=[a-z\d-]{0,12}\d)[a-z\d][a-z\d-]{3,}/;
/** Things that are counted: `node1 node2`. */
const NUMBERED = /^\p{Ll}+\d+(?:[\s,]+\p{Ll}+\d+)*[\s,]*$/u;
/** `2009 Ewa Lis`, as copyright notices list them. */
const BEGINS_WITH_YEAR = /^(?:[©(\d]|\s)/;
const YEAR_AND_NAME =
  /^(?:(?:©|\([cC]\)) ?)?(?:19|20)\d{2}(?:[-–, ]+(?:19|20)\d{2})* +(?=\p{Lu}[^\d,]*(?:$|\n))/u;
const NAME = lean(
  /^\p{Lu}[\p{L}\p{M}'’.-]*(?: (?:\p{Lu}[\p{L}\p{M}'’.-]*|van|von|de|der|den|d['’]\p{L}+)){1,3}$/u,
);

/** Months and weekdays in small letters. */
const CALENDAR = lean(`^(?=\\p{Ll})(?:${MONTHS}|${WEEKDAYS})$`, 'u');

/** `US passport`: whose document it is, and no place. */
const LETTERS = new Set(['US', 'U.S.', 'USA', 'UK', 'U.K.', 'EU']);
const DOCUMENT = lean(/^ (?:passports?|visas?|keyboard|edition|layout|spelling|letter size)(?!\p{L})/u);

/** Before the name of a room of an office, which is called like a town or somebody. */
const ROOM = lean(
  /(?<!\p{L})(?:(?:(?:[Mm]eeting|[Cc]onference|[Bb]oard) ?)?[Rr]oom|Besprechungsraum|Konferenzraum|Meetingraum|Sitzungszimmer|[Ss]alle(?: de réunion)?|[Ss]ala(?: de reuniones| riunioni| de reuniões| konferencyjna)?|[Vv]ergaderzaal|[Vv]ergaderruimte) ["'“«]?$/u,
);
const HAS_ROOM = wordsBefore.add(
  'room|meetingroom|conferenceroom|boardroom|Besprechungsraum|Konferenzraum|Meetingraum|Sitzungszimmer|salle|réunion|sala|reuniones|riunioni|konferencyjna|vergaderzaal|vergaderruimte',
);

export function isOfCalendar(found: string): boolean {
  return CALENDAR.test(found);
}

/** Whether a word is the name of a room. */
export function isRoom(text: string, start: number, found: string): boolean {
  if ((listsBefore(text, start) & HAS_ROOM) === 0) return false;
  return ONE_WORD.test(found) && ROOM.test(text.slice(Math.max(0, start - 24), start));
}

/** `Churchill Suite`: a room of a hotel or hospital. */
const ENDS_AS_ROOM = [' Suite', ' Boardroom'];

export function isRoomOfHouse(found: string): boolean {
  return ENDS_AS_ROOM.some((end) => found.endsWith(end));
}

/** Codes of currencies (ISO 4217), of which the model thinks that they are countries. */
const CURRENCIES = new Set(
  'USD EUR GBP CHF JPY CNY AUD CAD NZD SEK NOK DKK PLN CZK HUF RON BGN TRY RUB UAH INR BRL MXN ZAR SGD HKD KRW THB IDR MYR PHP VND AED SAR ILS EGP NGN KES GHS MAD CLP COP PEN ARS ISK'.split(
    ' ',
  ),
);
/** Two capitals that are seldom a country outside of an address. */
const TWO_CAPITALS = /^[A-Z]{2}$/;
const OF_OFFICES = new Set('QA IT HR PM AM PR IP ID TV PC AI UI UX VP CV'.split(' '));
const IN_ADDRESS = /(?:, ?|\d ?|\n ?)$/;
/** `UK9`: a size. */
const SIZE = /^\d/;
/** `Cuesta 64,90 €`: a price. */
const PRICE = /^[.,]?\d{0,3}(?:[.,]\d{2})? ?(?:€|\$|£|EUR|USD|GBP|zł|kr)/;

/** The beginning of an identifier: `0b6f2c1e-5d7a-4e0b-`. */
const PART_OF_UUID = /-[\da-f]{4}-$/;

/** Letters, sizes and prices that are no place. */
function isCodeOrPrice(text: string, start: number, end: number, found: string): boolean {
  if (found.length === 3 && CURRENCIES.has(found)) return true;
  if (found.length === 2 && TWO_CAPITALS.test(found)) {
    if (SIZE.test(text.slice(end, end + 1))) return true;
    return (
      OF_OFFICES.has(found) &&
      !IN_ADDRESS.test(text.slice(Math.max(0, start - 2), start)) &&
      !/^ \d/.test(text.slice(end, end + 2))
    );
  }
  const isPrice = endsInNumber(found) && PRICE.test(text.slice(end, end + 12));
  return isPrice || (found.endsWith('-') && PART_OF_UUID.test(found)) || found.includes(',,');
}

/** Perhaps with a mark behind it. */
function endsInNumber(found: string): boolean {
  const last = found.charCodeAt(found.length - 1);
  const isMark = last === 0x2c || last === 0x2e;
  return charClass[isMark ? found.charCodeAt(found.length - 2) : last] === CLASS_DIGIT;
}

/** `abre a loja às 8`, `gli dai tu la teglia`: words in the middle of a sentence, of which none is known as a place. */
function isInSentence(text: string, start: number, found: string, lists: Gazetteer): boolean {
  if (text.charAt(start - 1) !== ' ' || !isLetterUnit(text.charCodeAt(start - 2))) return false;
  if (!SMALL_WORDS.test(found) || isKnown(found, lists)) return false;
  return !BEFORE_SMALL_PLACE.test(text.slice(Math.max(0, start - 8), start));
}

const SMALL_WORDS = lean(/^[\p{Ll}\p{M} ’'-]+(?: às \d{1,2})?$/u);
const BEFORE_SMALL_PLACE = lean(
  /(?<!\p{L})(?:in|from|near|at|to|nach|aus|bei|en|à|a|em|no|na|w|we|do|z|te|uit|naar|desde|hacia|vers|di|da|de|or|and|y|et|und|e|i) $/iu,
);

/** Cells of two columns have several blanks or a tab between, and a listed day has a digit. */
function hasRun(found: string): boolean {
  return found.includes('    ') || found.includes('\t') || (found.includes(' ') && HAS_DIGIT.test(found));
}

function mayBeBank(found: string): boolean {
  return (
    found.startsWith('Ban') || found.startsWith('Spa') || found.endsWith('bank') || found.endsWith('kasse')
  );
}

/** Whether a span that the model takes for a place is none. */
export function isNoPlace(text: string, { start, end, score }: NameSpan, lists: Gazetteer): boolean {
  const found = text.slice(start, end);
  const first = charClass[text.charCodeAt(start)];
  if (
    (first === CLASS_DIGIT && (LONG_NUMBER.test(found) || AMOUNT.test(found) || ITEM.test(found))) ||
    (isSmallAt(text, start) && (NUMBERED.test(found) || CALENDAR.test(found))) ||
    (hasRun(found) && (COLUMNS.test(found) || LISTED_DAY.test(found))) ||
    (mayBeBank(found) && BANK.test(found)) ||
    isCodeOrPrice(text, start, end, found) ||
    (isSmallAt(text, start) && isInSentence(text, start, found, lists)) ||
    isRoomOfHouse(found) ||
    ('VTHGEPFM'.includes(found.charAt(0)) && WORKS.test(found)) ||
    isRoom(text, start, found) ||
    (LETTERS.has(found) && DOCUMENT.test(text.slice(end, end + 16))) ||
    (charClass[text.charCodeAt(end - 1)] === CLASS_DIGIT && GOES_ON.test(text.slice(end, end + 16)))
  )
    return true;
  if (score >= SURE) return false;
  if (found.length > 2 && charClass[text.charCodeAt(start + 1)] !== CLASS_LETTER && CAPITALS.test(found)) {
    return !isKnown(found, lists) && !BEFORE_PLACE.test(text.slice(Math.max(0, start - 8), start));
  }
  if (!ONE_WORD.test(found)) return false;
  const flags = lists.find(wordKey(text, start, end));
  return (flags & LIST_COMMON) !== 0 && (flags & PLACES) === 0;
}

/** Whether a list of places has a word of it. */
function isKnown(found: string, lists: Gazetteer): boolean {
  return found
    .split(/[\s,-]+/)
    .some((word) => word !== '' && (lists.find(wordKey(word, 0, word.length)) & PLACES) !== 0);
}

/** A street with its number, perhaps a floor and a door, a postal code and a town. */
const ADDRESS =
  /\p{Ll} \d{1,4}[a-zA-Z]?(?:\/\d{1,4})?(?:, ?\d{1,2}[\w.ºª° ]{0,10})?,? (?:\d{4} ?[A-Z]{2}|\d{5}|\d{2}-\d{3}|\d{4}-\d{3}) \p{Lu}/u;
const FORM = 0.6;

/** The same; surer where the form of an address speaks for it. */
export function withForm(text: string, span: NameSpan): NameSpan {
  return span.type === 'LOCATION' && span.score < FORM && ADDRESS.test(text.slice(span.start, span.end))
    ? scored(span, FORM)
    : span;
}

/** A place without the number of the next item of a list. */
export function withoutNextItem(text: string, span: NameSpan): NameSpan {
  const unit = text[span.end];
  const item = unit === '.' || unit === ')' ? NEXT_ITEM.exec(text.slice(span.start, span.end)) : null;
  return item === null ? span : endingAt(span, span.start + item.index);
}

/** The people of `2009 Ewa Lis`, line by line; undefined where it is something else. */
export function peopleOfYears(text: string, span: NameSpan): NameSpan[] | undefined {
  if (isLetterUnit(text.charCodeAt(span.start)) || !BEGINS_WITH_YEAR.test(text[span.start]!))
    return undefined;
  const lines = text.slice(span.start, span.end).split('\n');
  if (!YEAR_AND_NAME.test(lines[0]!.trim())) return undefined;
  const people: NameSpan[] = [];
  let at = span.start;
  for (const line of lines) {
    const whole = line.trim();
    const name = whole.slice(YEAR_AND_NAME.exec(whole)?.[0].length ?? 0);
    const start = at + line.indexOf(name);
    if (NAME.test(name)) people.push(partOf(asType(span, 'PERSON'), start, start + name.length));
    at += line.length + 1;
  }
  return people;
}
