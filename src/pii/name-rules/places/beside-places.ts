/** Places that stand beside others, or before what stands in a place: `between Pokhara and Baglung`, `the Inverness depot`. */

import {
  type Gazetteer,
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
} from '../../model/gazetteer.js';
import { asType, type NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { matchesAtWords, nameSigns } from '../name-signs.js';
import { withNames } from '../with-names.js';
import { withTownsInCapitals } from './towns-in-capitals.js';

const TOLD = 0.6;
const SURE = 0.5;
const PLACE = "\\p{Lu}[\\p{L}\\p{M}’'-]{2,}(?: \\p{Lu}[\\p{L}\\p{M}’'-]{2,})?";
/** What stands between the two ends of a way, by the word before them. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  between: ['and'],
  from: ['to'],
  zwischen: ['und'],
  von: ['nach'],
  entre: ['y', 'e', 'et'],
  tussen: ['en'],
  między: ['a'],
  tra: ['e'],
  fra: ['e'],
  van: ['naar'],
};
const BEFORE_WAY = Object.keys(WAYS).join('|');
const LINKS = [...new Set(Object.values(WAYS).flat())].join('|');
const WAY = lean(
  `(?<!\\p{L})(?<before>${BEFORE_WAY}) (?<one>${PLACE}) (?<link>${LINKS}) (?<two>${PLACE})(?![\\p{L}'’-]| \\p{Lu})`,
  'uy',
);
/** What a firm or a town has in several places, behind the name of one. */
const SITES =
  'depot|branch|office|site|plant|warehouse|clinic|store|factory|campus|terminal|showroom|headquarters|hub|mill|quarry|refinery|shipyard|marina|ferry|depots|branches|offices|contract|harbour|harbor|bypass|ring road';
const SITE = lean(
  `(?<=(?<!\\p{L})(?:the|our|your|their|its|a) (?<name>${PLACE}) )(?:${SITES})(?!\\p{L})`,
  'uy',
);
const VIA = lean(`(?<!\\p{L})(?:links|via) (?<name>${PLACE})(?![\\p{L}'’-])`, 'uy');
const HAS_WAY = nameSigns.add(BEFORE_WAY);
const HAS_SITE = nameSigns.add(`${SITES}|links|via`);
const LINK = new Set([' to ', ' → ', ' -> ']);
const THINGS = LIST_COMMON | LIST_NRP | LIST_ORGANIZATION | LIST_PRODUCT;

/** `given` with the places of [from, to) that these words tell; both in order. `signs`: what `nameSigns` has there. */
export function addBesidePlaces(
  text: string,
  from: number,
  to: number,
  given: readonly NameSpan[],
  lists: Gazetteer,
  signs: number,
): readonly NameSpan[] {
  const spans = withTownsInCapitals(text, from, to, asEndsOfWays(text, given, lists), lists);
  if ((signs & (HAS_WAY | HAS_SITE)) === 0) return spans;
  const piece = text.slice(from, to);
  const added: NameSpan[] = [];
  const thereAt = (start: number, end: number) => spans.filter((one) => one.start < end && one.end > start);
  /** What the model takes for somebody where no list has the word is as well a place. */
  const add = (start: number, end: number, overPerson = false) => {
    const isWeak = (one: NameSpan) =>
      one.score < SURE || (overPerson && one.type === 'PERSON' && one.start === start && one.end === end);
    if (thereAt(start, end).every(isWeak) && !added.some((one) => one.start < end && one.end > start))
      added.push({ type: 'LOCATION', start, end, score: TOLD });
  };
  const hasPlace = spans.some(({ type, score }) => type === 'LOCATION' && score >= SURE);
  if (hasPlace && (signs & HAS_WAY) !== 0) {
    for (const match of matchesAtWords(WAY, HAS_WAY, piece, from)) {
      const { before, one, link, two } = match.groups!;
      if (!WAYS[before!]!.includes(link!)) continue;
      const start = from + match.index + before!.length + 1;
      const second = from + match.index + match[0].length - two!.length;
      const isPlace = (at: number, name: string) =>
        thereAt(at, at + name.length).some(({ type, score }) => type === 'LOCATION' && score >= SURE);
      if (isPlace(start, one!) && isUnknown(two!, lists)) add(second, second + two!.length, true);
      else if (isPlace(second, two!) && isUnknown(one!, lists)) add(start, start + one!.length, true);
    }
  }
  const addTown = (start: number, name: string) => {
    if (isTown(name, lists)) add(start, start + name.length);
  };
  for (const { index, groups } of (signs & HAS_SITE) === 0 ? [] : matchesAtWords(SITE, HAS_SITE, piece, from))
    addTown(from + index - 1 - groups!.name!.length, groups!.name!);
  for (const { index, 0: found, groups } of (signs & HAS_SITE) === 0
    ? []
    : matchesAtWords(VIA, HAS_SITE, piece, from))
    addTown(from + index + found.length - groups!.name!.length, groups!.name!);
  return withNames(spans, added);
}

/** `Doha to Nairobi`: a large town that is also a first name is a town before and behind another. */
function asEndsOfWays(text: string, spans: readonly NameSpan[], lists: Gazetteer): readonly NameSpan[] {
  let places = spans;
  for (let i = 1; i < spans.length; i++) {
    const [first, second] = [spans[i - 1]!, spans[i]!];
    if (first.type === second.type || !LINK.has(text.slice(first.end, Math.min(second.start, first.end + 5))))
      continue;
    const person = first.type === 'PERSON' ? first : second;
    const other = person === first ? second : first;
    const flags = lists.find(wordKey(text, person.start, person.end));
    if (person.type === 'PERSON' && other.type === 'LOCATION' && (flags & LIST_LARGE_CITY) !== 0)
      places = places.map((one) => (one === person ? asType(one, 'LOCATION') : one));
  }
  return places;
}

function isUnknown(name: string, lists: Gazetteer): boolean {
  return name
    .split(' ')
    .every(
      (word) =>
        (lists.find(wordKey(word, 0, word.length)) & (THINGS | LIST_FREQUENT_FIRST_NAME | LIST_LAST_NAME)) ===
        0,
    );
}

/** In a list of towns, and in none of first names or things. */
function isTown(name: string, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(name, 0, name.length));
  return (
    (flags & (LIST_CITY | LIST_LARGE_CITY | LIST_REGION)) !== 0 && (flags & (THINGS | LIST_FIRST_NAME)) === 0
  );
}
