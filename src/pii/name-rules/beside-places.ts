/** Places that stand beside others, or before what stands in a place: `between Pokhara and Baglung`, `the Inverness depot`. */
import { matchesOf } from '../matches-of.js';
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
} from '../model/gazetteer.js';
import type { NameSpan } from '../model/names.js';
import { nameSigns } from './name-signs.js';

const TOLD = 0.6;
const SURE = 0.5;
const PLACE = "\\p{Lu}[\\p{L}\\p{M}’'-]{2,}(?: \\p{Lu}[\\p{L}\\p{M}’'-]{2,})?";
/** The two ends of a way. */
const BETWEEN = new RegExp(
  `(?<!\\p{L})(?:between (?<one>${PLACE}) and (?<two>${PLACE})|from (?<from>${PLACE}) to (?<to>${PLACE})|zwischen (?<eins>${PLACE}) und (?<zwei>${PLACE})|von (?<von>${PLACE}) nach (?<nach>${PLACE})|entre (?<un>${PLACE}) (?:y|e|et) (?<deux>${PLACE})|tussen (?<een>${PLACE}) en (?<twee>${PLACE})|między (?<jeden>${PLACE}) a (?<dwa>${PLACE})|(?:tra|fra) (?<uno>${PLACE}) e (?<due>${PLACE})|(?:van) (?<van>${PLACE}) naar (?<naar>${PLACE}))(?![\\p{L}'’-]| \\p{Lu})`,
  'gu',
);
const BETWEEN_SIGN = /(?<!\p{L})(?:between|from|zwischen|von|entre|tussen|między|tra|fra|van) \p{Lu}/u;
/** What a firm or a town has in several places, behind the name of one. */
const SITES =
  'depot|branch|office|site|plant|warehouse|clinic|store|factory|campus|terminal|showroom|headquarters|hub|mill|quarry|refinery|shipyard|marina|ferry|depots|branches|offices|contract|harbour|harbor|bypass|ring road|plant';
const SITE = new RegExp(
  `(?<!\\p{L})(?:the|our|your|their|its|a) (?<name>${PLACE}) (?:${SITES})(?!\\p{L})`,
  'gu',
);
const SITE_SIGN = new RegExp(` (?:${SITES})(?!\\p{L})`, 'u');
const LINKS = new RegExp(`(?<!\\p{L})(?:links|via) (?<name>${PLACE})(?![\\p{L}'’-])`, 'gu');
const LINKS_SIGN = /(?<!\p{L})(?:links|via) \p{Lu}/u;
const HAS_BETWEEN = nameSigns.add('between|from|zwischen|von|entre|tussen|między|tra|fra|van');
const HAS_SITE = nameSigns.add(SITES);
const HAS_LINK = nameSigns.add('links|via');
const THINGS = LIST_COMMON | LIST_NRP | LIST_ORGANIZATION | LIST_PRODUCT;

/** `spans` with the places of [from, to) that these words tell; both in order. `signs`: what `nameSigns` has there. */
export function addBesidePlaces(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  signs: number,
): readonly NameSpan[] {
  if ((signs & (HAS_BETWEEN | HAS_SITE | HAS_LINK)) === 0) return spans;
  const piece = text.slice(from, to);
  const added: NameSpan[] = [];
  const thereAt = (start: number, end: number) => spans.filter((one) => one.start < end && one.end > start);
  const add = (start: number, end: number) => {
    if (
      thereAt(start, end).every(({ score }) => score < SURE) &&
      !added.some((one) => one.start < end && one.end > start)
    )
      added.push({ type: 'LOCATION', start, end, score: TOLD });
  };
  const hasPlace = spans.some(({ type, score }) => type === 'LOCATION' && score >= SURE);
  if (hasPlace && (signs & HAS_BETWEEN) !== 0 && BETWEEN_SIGN.test(piece)) {
    for (const match of matchesOf(piece, BETWEEN)) {
      const [one, two] = Object.values(match.groups!).filter((name) => name !== undefined);
      const start = from + match.index + match[0].indexOf(one!);
      const second = from + match.index + match[0].length - two!.length;
      const isPlace = (at: number, name: string) =>
        thereAt(at, at + name.length).some(({ type, score }) => type === 'LOCATION' && score >= SURE);
      if (isPlace(start, one!) && isUnknown(two!, lists)) add(second, second + two!.length);
      else if (isPlace(second, two!) && isUnknown(one!, lists)) add(start, start + one!.length);
    }
  }
  for (const [sign, pattern, needs] of [
    [HAS_SITE, SITE, SITE_SIGN],
    [HAS_LINK, LINKS, LINKS_SIGN],
  ] as const) {
    if ((signs & sign) === 0 || !needs.test(piece)) continue;
    for (const { index, 0: found, groups } of matchesOf(piece, pattern)) {
      const name = groups!.name!;
      const start = from + index + found.indexOf(name, found.indexOf(' '));
      if (isTown(name, lists)) add(start, start + name.length);
    }
  }
  if (added.length === 0) return spans;
  const kept = spans.filter((span) => !added.some((one) => one.start < span.end && one.end > span.start));
  return [...kept, ...added].sort((a, b) => a.start - b.start);
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
