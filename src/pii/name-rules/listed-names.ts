/** Lists of names: where most of the items are people, all are. */

import {
  type Gazetteer,
  LIST_CALENDAR,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_NRP,
  LIST_ORGANIZATION,
  LIST_PRODUCT,
  LIST_REGION,
  wordKey,
} from '../model/gazetteer.js';
import type { NameSpan } from '../name-span.js';
import { lean } from '../patterns/lean.js';
import { matchesOf } from '../patterns/matches-of.js';
import { MARK_COLON, MARK_COMMA, MARK_LINE } from './marks.js';
import { CAPITAL, NAME, START } from './told/told-rules.js';

export const TOLD = 0.65;
/** The threshold that most have. */
const SURE = 0.5;
const LIST = lean(
  `${CAPITAL}${START}${NAME}(?:(?:, ${NAME}){2,}(?:,? (?:and|&|or|und|et|y|e) ${NAME})?|, ${NAME},? (?:and|&|or|und|et|y|e) ${NAME})(?! ?\\p{Lu})`,
  'gu',
);
const LIST_SIGN = /\p{Ll}, \p{Lu}[^,.\n]{1,24}(?:,| and| &| or| und| et| y| e) \p{Lu}/u;
const ITEM = lean(NAME, 'gu');
/** `Surname, Given; Surname, Given` that begins a line or a sentence, or what stands behind a colon. */
const PAIR = `(?:(?:Ó|Ní|Nic|Mac|de|da|do|van|von|der|den|di|del|la|le|el|al|St\\.|Ste\\.) ){0,2}(?:[ODLNM]['’])?${NAME}(?:[ -]${NAME})?, ${NAME}(?: \\p{Lu}\\.?)?`;
/** `(appointed 1 July 2021)`, in a register. */
const NOTE = '(?: \\([^()\\n]{1,40}\\))?';
const BETWEEN_PAIRS = '(?:;| /|,? (?:and|und|et|y|e|en|i)) ';
const PAIRS = lean(
  `(?<=^|[\\n:] ?|[.!?] )${PAIR}${NOTE}(?:${BETWEEN_PAIRS}${PAIR}${NOTE})+(?=[;.]? ?(?:\\n|$)|\\. \\p{Lu}| \\p{Ll})`,
  'gu',
);
const PAIRS_SIGN = /\p{Ll}, \p{Lu}[^,;/\n]{1,60}(?:;| \/| (?:and|und|et|y|e|en|i)) \p{L}/u;
const PAIR_IN_LIST = lean(PAIR, 'gu');
/** `Mutasa, Tendai - absent`: a line of a register, also with a time or a number before it, or in columns. */
const PAIR_LINE = lean(
  `(?<=(?:^|\\n)[ \\t]{0,4}(?:(?:\\d{1,4}[.)]?|\\d{1,2}[:.h]\\d{2})[ \\t]{1,4})?)${PAIR}(?= ?(?:\\n|$|[-–—:(|\\t]|  ))`,
  'gu',
);
const PAIR_LINE_SIGN = /\n[^\n,]{2,40}, \p{Lu}/u;
const NO_NAME = LIST_COMMON | LIST_CALENDAR | LIST_NRP | LIST_ORGANIZATION | LIST_LARGE_CITY;

/** An item that fills its line, or has a comma, a bracket or a dash behind it. */
const LINE_ITEM = lean(
  `(?<=^|\\n)[ \\t]{0,4}(?:[-*•]|\\d{1,2}[.)])[ \\t]{1,4}(?<name>${NAME}(?: ${NAME}){0,2})(?= ?(?:\\n|$|[,(–-])| aka )`,
  'gu',
);
const LINES_SIGN = /\n[ \t]{0,4}(?:[-*•]|\d{1,2}[.)])[ \t]/;

/** Two at the end of a line with a label: `Catering: Yevgenia / Ffion`. */
const LABELLED = lean(
  `(?<=: )${NAME}(?: ${NAME})?(?: ?/ ?| & |, | and )${NAME}(?: ${NAME})?(?=\\.?(?:\\n|$))`,
  'gu',
);
const LABEL_SIGN = /: \p{Lu}[^:\n]{1,60}(?:\/|&|,| and) ?\p{Lu}/u;
const FULL_ITEM = lean(`${NAME}(?: ${NAME})?`, 'gu');

/** The names of lists in [from, to), whose text is `piece` and has these marks. */
export function addListedNames(
  text: string,
  piece: string,
  from: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  told: NameSpan[],
  marks: number,
): void {
  const hasComma = (marks & MARK_COMMA) !== 0;
  if (hasComma && PAIRS_SIGN.test(piece)) addPairs(piece, from, spans, told);
  if (hasComma && (marks & MARK_LINE) !== 0 && PAIR_LINE_SIGN.test(piece))
    addPairLines(piece, from, spans, told);
  if (hasComma && LIST_SIGN.test(piece)) {
    for (const match of matchesOf(piece, LIST)) {
      const items = [...matchesOf(match[0], ITEM)].map(({ index, 0: word }) => {
        const start = from + match.index + index;
        return { start, end: start + word.length };
      });
      addOthers(text, items, spans, lists, told);
    }
  }
  const mayBeLabelled = (marks & MARK_COLON) !== 0 && piece.includes(': ');
  for (const match of mayBeLabelled && LABEL_SIGN.test(piece) ? matchesOf(piece, LABELLED) : []) {
    const items = [...matchesOf(match[0], FULL_ITEM)].map(({ index, 0: name }) => {
      const start = from + match.index + index;
      return { start, end: start + name.length };
    });
    addOther(text, items, spans, lists, told);
  }
  if ((marks & MARK_LINE) !== 0 && LINES_SIGN.test(piece)) {
    const items = [...matchesOf(piece, LINE_ITEM)].map(({ index, 0: item, groups }) => {
      const end = from + index + item.length;
      return { start: end - groups!.name!.length, end };
    });
    addOthers(text, items, spans, lists, told);
  }
}

interface Item {
  start: number;
  end: number;
}

/** `Gaetane, Hannah, Anthony and Derek`: most are people, so all are. */
function addOthers(
  text: string,
  items: readonly Item[],
  spans: readonly NameSpan[],
  lists: Gazetteer,
  told: NameSpan[],
): void {
  const isPerson = ({ start, end }: Item) =>
    spans.some(
      (span) => span.type === 'PERSON' && span.score >= SURE && span.start === start && span.end === end,
    );
  const others = items.filter((item) => !isPerson(item));
  if (2 * others.length >= items.length) return;
  for (const { start, end } of others) {
    const there = spans.filter((span) => span.start < end && span.end > start);
    const isFree = there.every(
      (span) =>
        isWeak(span, start, end) || (span.type === 'LOCATION' && span.start === start && span.end === end),
    );
    if (isFree && mayBeName(text, start, end, lists)) told.push({ type: 'PERSON', start, end, score: TOLD });
  }
}

/** One of two is somebody, and no list has the other for a thing. */
function addOther(
  text: string,
  items: readonly Item[],
  spans: readonly NameSpan[],
  lists: Gazetteer,
  told: NameSpan[],
): void {
  const isThere = ({ start, end }: Item) => spans.some((span) => span.start < end && span.end > start);
  const isPerson = ({ start, end }: Item) =>
    spans.some(
      (span) => span.type === 'PERSON' && span.score >= SURE && span.start === start && span.end === end,
    );
  if (items.length !== 2 || !items.some(isPerson)) return;
  for (const item of items) {
    if (!isThere(item) && isNoThing(text.slice(item.start, item.end), lists))
      told.push({ type: 'PERSON', ...item, score: TOLD });
  }
}

/** `Oyelaran, Folake; Keller, Jonas`, also with strokes between: where most have somebody in them, each is one. Towns have a place in both halves. */
function addPairs(piece: string, from: number, spans: readonly NameSpan[], told: NameSpan[]): void {
  for (const match of matchesOf(piece, PAIRS))
    addAllPairs(itemsIn(match[0], PAIR_IN_LIST, from + match.index), spans, told);
}

/** The same where each has a line of its own, two at least. */
function addPairLines(piece: string, from: number, spans: readonly NameSpan[], told: NameSpan[]): void {
  const pairs = itemsIn(piece, PAIR_LINE, from);
  if (pairs.length > 1) addAllPairs(pairs, spans, told);
}

function itemsIn(piece: string, pattern: RegExp, from: number): Item[] {
  return [...matchesOf(piece, pattern)].map(({ index, 0: found }) => ({
    start: from + index,
    end: from + index + found.length,
  }));
}

function addAllPairs(pairs: readonly Item[], spans: readonly NameSpan[], told: NameSpan[]): void {
  const withPerson = pairs.filter(({ start, end }) =>
    spans.some(
      (span) => span.type === 'PERSON' && span.score >= SURE && span.start < end && span.end > start,
    ),
  );
  if (2 * withPerson.length < pairs.length) return;
  const isThere = (pair: Item) =>
    spans.some(({ type, start, end }) => type === 'PERSON' && start === pair.start && end === pair.end);
  for (const pair of pairs) if (!isThere(pair)) told.push({ type: 'PERSON', ...pair, score: TOLD });
}

const NO_VOCATIVE =
  /^(?:However|Also|Otherwise|Then|Now|Finally|First|Anyway|Thanks|Sorry|Hello|Hi|Hey|Okay|Yes|No|Well|So|Alternatively|Additionally|Furthermore|Meanwhile|Afterwards|Next|Lastly|Instead|Therefore|Please|Everyone|Guys|Team|Sir|Madam|Here|There|Still|Again|Later|Actually|Honestly|Basically|Unfortunately|Ideally)$/;

const THING = NO_NAME | LIST_PRODUCT | LIST_REGION;

/** Whether no word of `name` is in a list of other things. */
export function isNoThing(name: string, lists: Gazetteer): boolean {
  const flagsOf = (word: string) => lists.find(wordKey(word, 0, word.length));
  // Two first names with a hyphen are one.
  const isDouble = /^[^ -]+-[^ -]+$/.test(name);
  if (isDouble && name.split('-').every((word) => (flagsOf(word) & LIST_FIRST_NAME) !== 0)) return true;
  return name.split(/[ -]/).every((word) => {
    const flags = flagsOf(word);
    return (flags & THING) === 0 || (flags & LIST_FREQUENT_FIRST_NAME) !== 0;
  });
}

/** What surnames begin with that are words by themselves: `Ten Brinke`. */
const PARTICLE = /^(?:(?:Ten|Ter|Van|Von|De|Den|Der|Di|Da|Du|La|Le|El|Al|St) )+(?=\p{Lu})/u;
/** A first name, or a word of no list that speaks against it. */
export function mayBeName(text: string, start: number, end: number, lists: Gazetteer): boolean {
  const [first] = text.slice(start, end).replace(PARTICLE, '').split(' ');
  if (NO_VOCATIVE.test(first!)) return false;
  const flags = lists.find(wordKey(first!, 0, first!.length));
  return (
    (flags & (LIST_CALENDAR | LIST_NRP)) === 0 &&
    ((flags & LIST_FREQUENT_FIRST_NAME) !== 0 || (flags & NO_NAME) === 0)
  );
}

/** A person, or a part of one, of which the model is not sure. */
export function isWeak(span: NameSpan, start: number, end: number): boolean {
  return span.type === 'PERSON' && span.score < TOLD && span.start >= start && span.end <= end;
}
