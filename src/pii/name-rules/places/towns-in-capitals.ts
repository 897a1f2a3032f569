/** Towns in texts in capitals: `DULUTH AND FARGO`, `GDAŃSK - VILNIUS`, `DRIVER HEADING FOR HULL`. The model knows little of capitals. */

import {
  type Gazetteer,
  LIST_CITY,
  LIST_COMMON,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_NRP,
  LIST_ORGANIZATION,
  LIST_PRODUCT,
  LIST_REGION,
  LIST_SMALL_TOWN,
  wordKey,
} from '../../model/gazetteer.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';
import { withNames } from '../with-names.js';
import { isCapitalAt } from '../words-beside.js';

const TOLD = 0.6;
const SURE = 0.5;
const VERY_SURE = 0.9;
const TOWNS = LIST_CITY | LIST_LARGE_CITY | LIST_REGION | LIST_SMALL_TOWN;
const OTHERS = LIST_COMMON | LIST_NRP | LIST_ORGANIZATION | LIST_PRODUCT | LIST_FREQUENT_FIRST_NAME;
/** Before or behind another town. */
const TOWN = "(?<name>\\p{Lu}[\\p{Lu}\\p{M}'’-]{3,})";
const AND = '(?: (?:AND|TO|OR|UND|NACH|ET|Y|A|E|EN|I|-|–|—|→|->|/) |, )';
const TOWN_BEHIND = lean(`^${AND}${TOWN}(?![\\p{L}'’-])`, 'u');
const TOWN_BEFORE = lean(`(?<![\\p{L}'’-])${TOWN}${AND}$`, 'u');
const TOWN_UNITS = 32;
const WAY_UNITS = 48;
/** Behind a word for a way: a large town alone, as these words stand before others, too. */
const TOWN_OF_WAY = lean(
  /(?<=\p{Lu} )(?:TO|FROM|IN|NEAR|FOR|VIA|AT|NACH|AUS|À|VERS|EN|DESDE|HACIA) \p{Lu}{4,}(?![\p{L}'’-])/gu,
);
const WAY_SIGN = /[A-Z] (?:TO|FROM|IN|NEAR|FOR|VIA|AT|NACH|AUS|À|VERS|EN|DESDE|HACIA) [A-Z]/;
const BETWEEN = /(?:BETWEEN|FROM|ENTRE|ZWISCHEN|TUSSEN) (?:\p{Lu}+ (?:AND|TO|ET|Y|UND|EN) )?$/u;

/** `spans` with the towns of the lists in [from, to) that are in capitals and stand so; both in order. */
export function withTownsInCapitals(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
): readonly NameSpan[] {
  const added: NameSpan[] = [];
  for (const span of spans) {
    if (span.type !== 'LOCATION' || !isCapitalAt(text, span.start + 1) || !isCapitalAt(text, span.end - 1))
      continue;
    const isBeside = addContextTexts(text, from, to, span, spans, lists, added);
    if (isBeside && span.score < SURE) added.push(town(span.start, span.end));
  }
  // Such a text begins with two capitals.
  if (isCapitalAt(text, from) && isCapitalAt(text, from + 1)) addOfWays(text, from, to, spans, lists, added);
  return withNames(spans, added);
}

function town(start: number, end: number): NameSpan {
  return { type: 'LOCATION', start, end, score: TOLD };
}

/** Adds the towns before and behind another one; whether there are any. */
function addContextTexts(
  text: string,
  from: number,
  to: number,
  { start, end }: NameSpan,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  added: NameSpan[],
): boolean {
  const behind = TOWN_BEHIND.exec(text.slice(end, Math.min(to, end + TOWN_UNITS)));
  const before = TOWN_BEFORE.exec(text.slice(Math.max(from, start - TOWN_UNITS), start));
  const add = (at: number, name: string) => addTown(text, at, name, spans, lists, added);
  const isBehind =
    behind !== null && add(end + behind[0].length - behind.groups!.name!.length, behind.groups!.name!);
  const isBefore = before !== null && add(start - before[0].length, before.groups!.name!);
  return isBehind || isBefore;
}

/** Whether the word at `start` is a town; it is added where it is not known as one. */
function addTown(
  text: string,
  start: number,
  name: string,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  added: NameSpan[],
): boolean {
  const end = start + name.length;
  const isWeak = (one: NameSpan) => one.score < SURE || (one.type === 'PERSON' && one.score < VERY_SURE);
  const there = spans.filter((one) => one.start < end && one.end > start);
  const isTown = there.some((one) => one.type === 'LOCATION');
  if (!there.every(isWeak)) return isTown;
  // No list need have the other end of a way: `BETWEEN ABERYSTWYTH AND MACHYNLLETH`.
  const isOfWay = BETWEEN.test(text.slice(Math.max(0, start - WAY_UNITS), start));
  if (!isTown && !isOfWay && !isListed(name, lists)) return false;
  added.push(town(start, end));
  return true;
}

function addOfWays(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  added: NameSpan[],
): void {
  const piece = text.slice(from, to);
  if (!WAY_SIGN.test(piece)) return;
  for (const { index, 0: found } of matchesOf(piece, TOWN_OF_WAY)) {
    const end = from + index + found.length;
    const start = from + index + found.lastIndexOf(' ') + 1;
    const isFree = [...spans, ...added].every(
      (one) => one.start >= end || one.end <= start || one.score < SURE,
    );
    const name = text.slice(start, end);
    const isLarge = (lists.find(wordKey(name, 0, name.length)) & LIST_LARGE_CITY) !== 0;
    if (isFree && isLarge && isListed(name, lists)) added.push(town(start, end));
  }
}

/** In any list of towns, and no ordinary word. */
function isListed(name: string, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(name, 0, name.length));
  return (flags & TOWNS) !== 0 && (flags & OTHERS) === 0;
}
