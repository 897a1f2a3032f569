/**
 * A street of any language with its house, a postal code and a town: `Vodičkova 30, 110 00 Praha`. The form tells it,
 * where the model knows no word of the street.
 */

import {
  type Gazetteer,
  LIST_CITY,
  LIST_COMMON,
  LIST_LARGE_CITY,
  LIST_PLACE_HEAD,
  LIST_SMALL_TOWN,
  wordKey,
} from '../../model/gazetteer.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';
import { MARK_COMMA, MARK_DIGIT } from '../marks.js';
import { withNames } from '../with-names.js';
import { AMERICAN_STREETS } from './known-places.js';

const TOLD = 0.7;
/** `van Oudezijds Voorburgwal`, of which the model is not sure that it is somebody. */
const WEAK = 0.5;
/** A floor and a door, as in Denmark. */
const DOOR = ',? (?:st|kl|\\d{1,2})\\.? ?(?:tv|th|mf|sal)\\.?';
/** `45, 602 00 B`: of a text, most has none. */
const SIGN = /(?:\d[a-zA-Z]?,|(?:tv|th|mf|sal)\.?,?)[ \n](?:[A-Z]{1,2}-)?\d[\d-]{2,5} [\d\p{Lu}]/u;
/** Codes that nothing else looks like, and plain ones, which only a known town stands behind. */
const CODE =
  '(?:(?<sure>\\d{3} \\d{2}|\\d{2}-\\d{3}|\\d{4}-\\d{3}|\\d{4} [A-Z]{2}|[A-Z]{1,2}-\\d{4,5})|\\d{4,6})';
const HOUSE_AND_TOWN = lean(
  `(?<= )\\d{1,4}[a-zA-Z]?(?:\\/\\d{1,4}[a-zA-Z]?)?(?:${DOOR},?|,)[ \\n]${CODE} (?<town>\\p{Lu}[\\p{L}\\p{M}'’-]*[\\p{L}\\p{M}])(?: \\p{Lu}[\\p{L}\\p{M}-]+)?`,
  'gu',
);
/** Up to three words, of which the first has a capital: `Karl Johans gate`, `Andrássy út`. */
const STREET = lean(
  /(?<![\p{L}\p{M}\d.'’-])\p{Lu}[\p{L}\p{M}'’-]+\.?(?: (?:(?!(?:at|to|in|is|of|from|and|for|the|a|on|near|voor|naar|aan|bij|op|przy)(?!\p{L}))\p{L}[\p{L}\p{M}'’-]*\.?)){0,3} $/u,
);
const STREET_UNITS = 48;
const TOWNS = LIST_CITY | LIST_LARGE_CITY | LIST_SMALL_TOWN | LIST_PLACE_HEAD;

/** `, OH 45429`: the state and the code of an American address. */
const STATE_SIGN = / (?:[A-Z]{2}|[A-Z][a-z]{3,12}) \d{5}(?!\d)/;
const STATES =
  '[A-Z]{2}|Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming';
const AMERICAN = lean(
  `(?<![\\p{L}\\p{N}@#_/&.,-])\\d{1,5}[A-Z]? (?:(?:[NSEW]|[NS][EW]|North|South|East|West)\\.? )?(?:\\p{Lu}[\\p{L}'’-]+ ){1,3}(?:${AMERICAN_STREETS}|Pl|Place|Way|Sq|Square|Trail|Trl|Loop|Run)\\.?(?:,? (?:(?:Apt|Unit|Suite|Ste|Fl|Floor|Lot)\\.? ?#?|# ?)\\w{1,5})?,?[ \\n](?:\\p{Lu}[\\p{L}.'’-]+ ?){1,3},? (?:${STATES}) \\d{5}(?:-\\d{4})?(?!\\d)`,
  'gu',
);

/** `Carrera 43A #7-50, Medellín`: streets of Colombia have numbers. */
const NUMBERED_SIGN = / ?# ?\d{1,3}/;
const NUMBERED = lean(
  /(?<![\p{L}\p{N}])(?:Carrera|Calle|Cra|Kra|Cr|Cll|Cl|Transversal|Diagonal|Avenida|Av|Tv|Dg)\.? \d{1,3} ?[A-Z]?(?: ?(?:Bis|Sur|Norte|Este|Oeste))? ?(?:#|No\.?|N°) ?\d{1,3} ?[A-Z]? ?[-–] ?\d{1,3}(?:,? (?:Apto|Ap|Apartamento|Torre|Int|Casa|Of|Oficina)\.? ?\w{1,5}){0,2}(?:, \p{Lu}[\p{L}\p{M}]+(?: \p{Lu}[\p{L}\p{M}]+)?)?/gu,
);

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
  let all = spans;
  if (STATE_SIGN.test(piece)) {
    for (const { index, 0: found } of matchesOf(piece, AMERICAN))
      all = withAddress(all, from + index, from + index + found.length);
  }
  if (NUMBERED_SIGN.test(piece)) {
    for (const { index, 0: found } of matchesOf(piece, NUMBERED))
      all = withAddress(all, from + index, from + index + found.length);
  }
  if (!SIGN.test(piece)) return all;
  for (const { index, 0: found, groups } of matchesOf(piece, HOUSE_AND_TOWN)) {
    if (groups!.sure === undefined && !isTown(groups!.town!, lists)) continue;
    const street = STREET.exec(piece.slice(Math.max(0, index - STREET_UNITS), index))?.[0];
    if (street === undefined) continue;
    all = withAddress(all, from + index - street.length, from + index + found.length);
  }
  return all;
}

/** It ends where a place in it ends; a name that reaches over another border is believed. */
function withAddress(spans: readonly NameSpan[], start: number, end: number): readonly NameSpan[] {
  const isWeak = (one: NameSpan) => one.type === 'PERSON' && one.score < WEAK && one.end <= end;
  const there = spans.filter((one) => one.start < end && one.end > start && !isWeak(one));
  if (there.some((one) => one.start < start || (one.end > end && one.type !== 'LOCATION'))) return spans;
  const places = there.filter((one) => one.type === 'LOCATION');
  const last = Math.max(end, ...places.map((one) => one.end));
  const score = Math.max(TOLD, ...places.map((one) => one.score));
  return withNames(spans, [{ type: 'LOCATION', start, end: last, score }]);
}

function isTown(word: string, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(word, 0, word.length));
  return (flags & TOWNS) !== 0 && (flags & LIST_COMMON) === 0;
}
