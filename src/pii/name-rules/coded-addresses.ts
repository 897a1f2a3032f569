/**
 * A street of any language with its house, a postal code and a town: `Vodičkova 30, 110 00 Praha`. The form tells it,
 * where the model knows no word of the street.
 */
import { matchesOf } from '../matches-of.js';
import {
  type Gazetteer,
  LIST_CITY,
  LIST_COMMON,
  LIST_LARGE_CITY,
  LIST_PLACE_HEAD,
  LIST_SMALL_TOWN,
  wordKey,
} from '../model/gazetteer.js';
import type { NameSpan } from '../model/names.js';
import { MARK_COMMA, MARK_DIGIT } from './marks.js';

const TOLD = 0.7;
/** `45, 602 00 B`: of a text, most has none. */
const SIGN = /\d[a-zA-Z]?,[ \n](?:[A-Z]{1,2}-)?\d[\d-]{2,5} [\d\p{Lu}]/u;
/** Codes that nothing else looks like, and plain ones, which only a known town stands behind. */
const CODE = '(?:(?<sure>\\d{3} \\d{2}|\\d{2}-\\d{3}|\\d{4}-\\d{3}|[A-Z]{1,2}-\\d{4,5})|\\d{4,6})';
const HOUSE_AND_TOWN = new RegExp(
  `(?<= )\\d{1,4}[a-zA-Z]?(?:\\/\\d{1,4}[a-zA-Z]?)?,[ \\n]${CODE} (?<town>\\p{Lu}[\\p{L}\\p{M}'’-]+)(?: \\p{Lu}[\\p{L}\\p{M}-]+)?`,
  'gu',
);
/** Up to three words, of which the first has a capital: `Karl Johans gate`, `Andrássy út`. */
const STREET =
  /(?<![\p{L}\p{M}\d.'’-])\p{Lu}[\p{L}\p{M}'’-]+\.?(?: (?:(?!(?:at|to|in|is|of|from|and|for|the|a|on|near)(?!\p{L}))\p{L}[\p{L}\p{M}'’-]*\.?)){0,3} $/u;
const STREET_UNITS = 48;
const TOWNS = LIST_CITY | LIST_LARGE_CITY | LIST_SMALL_TOWN | LIST_PLACE_HEAD;

/** `spans` with the addresses of this form in [from, to); both in order. */
export function addCodedAddresses(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  marks: number,
): readonly NameSpan[] {
  if ((marks & (MARK_COMMA | MARK_DIGIT)) !== (MARK_COMMA | MARK_DIGIT)) return spans;
  const piece = text.slice(from, to);
  if (!SIGN.test(piece)) return spans;
  let all = spans;
  for (const { index, 0: found, groups } of matchesOf(piece, HOUSE_AND_TOWN)) {
    if (groups!.sure === undefined && !isTown(groups!.town!, lists)) continue;
    const street = STREET.exec(piece.slice(Math.max(0, index - STREET_UNITS), index))?.[0];
    if (street === undefined) continue;
    all = withAddress(all, from + index - street.length, from + index + found.length);
  }
  return all;
}

/** Where a name reaches over its border, that one is believed. */
function withAddress(spans: readonly NameSpan[], start: number, end: number): readonly NameSpan[] {
  const isThere = (one: NameSpan) => one.start < end && one.end > start;
  if (spans.some((one) => isThere(one) && (one.start < start || one.end > end))) return spans;
  const address: NameSpan = { type: 'LOCATION', start, end, score: TOLD };
  return [...spans.filter((one) => !isThere(one)), address].sort((a, b) => a.start - b.start);
}

function isTown(word: string, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(word, 0, word.length));
  return (flags & TOWNS) !== 0 && (flags & LIST_COMMON) === 0;
}
