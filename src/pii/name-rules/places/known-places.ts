/**
 * Places that the model did not take for one: parts of countries, large regions of the world, streets with a number,
 * and what a verb of living tells. And what it took for one too much of.
 */

import { CLASS_UPPER, charClass, isLetterUnit } from '../../model/characters.js';
import { type Gazetteer, LIST_COMMON, LIST_REGION, wordKey } from '../../model/gazetteer.js';
import { endingAt, type NameSpan } from '../../name-span.js';
import { inSmall } from '../../patterns/in-small.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';
import { MONTHS, MONTHS_OF_OTHER_SCRIPTS } from '../../recognizers/date-words.js';
import { MARK_DIGIT } from '../marks.js';
import { matchesAtWords, nameSigns } from '../name-signs.js';
import { withNames } from '../with-names.js';
import { firstWords, isSmallAt, wordsOf } from '../words-beside.js';

const KNOWN = 0.6;
/** `Southern California`: a part of a country or state that the lists know. */
const PART = lean(
  /(?<![\p{L}\p{M}\p{N}@#_/&-]|\p{Lu}[\p{L}\p{M}.]* )(?:(?:North|South)(?:ern|east(?:ern)?|west(?:ern)?)?|East(?:ern)?|West(?:ern)?|Central|Upper|Lower|Greater|Great|Gulf of|Sub-Saharan) (?<region>\p{Lu}[\p{L}\p{M}]{2,})(?![\p{L}\p{M}\p{N}_/@&-]| \p{Lu}|\.\p{L})/uy,
);
/** Regions of the world that belong to no one country. */
const REGION = lean(
  /(?<![\p{L}\p{M}\p{N}@#_/&-]|\p{Lu}[\p{L}\p{M}.]* )(?:West Bank|Gaza Strip|Middle East|Far East|Near East|Horn of Africa|Latin America|(?:Central|South|North) America|(?:South|Southeast|East|Central|West) Asia|(?:East|West) Africa|Gulf Coast|(?:East|West) Coast|Great Lakes|Balkans|Maghreb|Scandinavia)(?![\p{L}\p{M}\p{N}_/@&-]| \p{Lu}|\.\p{L})/uy,
);
/** Countries that are written as letters, in text that is not. */
const LETTERS = lean(
  /(?<![\p{L}\p{M}\p{N}@#_/&.$-]|\p{Lu}{2,} )(?:US|U\.S\.|USA|UK|U\.K\.|UAE|NYC)(?![\p{L}\p{M}\p{N}_/@&$-]|\.\p{L}| \p{Lu}| dollars?| ?\$| (?:passports?|visas?|keyboard|edition|layout|spelling|letter size)(?!\p{L}))/uy,
);
const PARTS =
  '(?:North|South)(?:ern|east(?:ern)?|west(?:ern)?)?|East(?:ern)?|West(?:ern)?|Southeast|Central|Upper|Lower|Great(?:er)?|Gulf|Sub|Gaza|Middle|Far|Near|Horn|Latin|Balkans|Maghreb|Scandinavia';
/** Where somebody lives, in eight languages. */
const LIVES = lean(
  /(?<![\p{L}\p{M}])(?:liv(?:e[sd]?|ing) in|resid(?:e[sd]?|ing) in|wohn(?:t|e|en|haft) in|leb(?:t|e|en) in|habit(?:e|es|ent|ons) à|viv(?:e|o|en|imos) (?:en|em|a)|abit(?:o|a|ano) (?:a|ad|in)|mor(?:o|a|am) em|woon(?:t|de)? in|wonen in|mieszka(?:m|sz|ją|my)? we?) (?<name>\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+){0,2})/iuy,
);
const LIVING =
  'live[sd]?|living|reside[sd]?|residing|wohn(?:t|e|en|haft)|leb(?:t|e|en)|habit(?:e|es|ent|ons)|viv(?:e|o|en|imos)|abit(?:o|a|ano)|mor(?:o|a|am)|woon(?:t|de)?|wonen|mieszka(?:m|sz|ją|my)?';

/** `Prinsengracht 412`: a word that ends as streets do, with a house number. */
const STREET = lean(
  /(?=\p{Lu})(?<![\p{L}\p{M}\p{N}@#_/&-])\p{Lu}[\p{L}\p{M}]{2,24}(?:gracht|straat|laan|plein|kade|singel|dijk|weg|straße|strasse|gasse|allee|damm) \d{1,4}(?: ?[a-zA-Z](?!\p{L}))?(?![\p{L}\p{N}]|[.:,]\d)/gu,
);
const STREET_SIGN =
  /\d(?<=(?:gracht|straat|laan|plein|kade|singel|dijk|weg|straße|strasse|gasse|allee|damm) \d)/;
/** `3 place de la Liberté`: the number stands before. */
const FRENCH_STREET = lean(
  /(?=\d)(?<![\p{L}\p{N}@#_/&.,-])\d{1,4}(?: bis| ter)?,? (?:rue|avenue|place|boulevard|chemin|allée|quai|impasse|cours) (?:(?:de la|de l['’]|des|du|de|d['’]) ?)?\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+){0,2}/gu,
);
const FRENCH_STREET_SIGN =
  /\d(?: bis| ter)?,? (?:rue|avenue|place|boulevard|chemin|allée|quai|impasse|cours) /;
/** `via Po 16`, `calle del Pez 14`: the word for a street stands before its name. */
const ROMANCE_STREET = lean(
  /(?<![\p{L}\p{N}@#_/&.-])(?:via|viale|piazza|corso|vicolo|largo|calle|avenida|avda\.?|plaza|paseo|rua|travessa|praça|ulica|ul\.) (?:(?:de la|de las|de los|del|de|do|da|dos|das|dei|della|delle|degli|di) )?\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+){0,3},? (?:n[º°o.]\.? ?)?\d{1,4}(?:\/?[a-zA-Z])?(?![\p{L}\p{N}]|[.:]\d)/iuy,
);
/** Words for streets that stand before their names. */
const STREETS =
  'via|viale|piazza|corso|vicolo|largo|calle|avenida|avda|plaza|paseo|rua|travessa|praça|ulica|ul|rue|avenue|place|boulevard|chemin|allée|quai|impasse|cours';
/** `915 N Juniper Ave`: the number stands before, and a word for streets behind. */
export const AMERICAN_STREETS =
  'St|Street|Ave|Avenue|Rd|Road|Blvd|Boulevard|Ln|Lane|Dr|Drive|Ct|Court|Pkwy|Parkway|Hwy|Highway|Terrace|Circle|Crescent';
const AMERICAN_STREET = lean(
  `(?=\\d)(?<![\\p{L}\\p{N}@#_/&.,-])\\d{1,5} (?:(?:[NSEW]|[NS][EW]|North|South|East|West)\\.? )?(?:\\p{Lu}[\\p{L}'’-]+ ){1,3}(?:${AMERICAN_STREETS})(?:\\.(?=,| \\p{Lu}\\p{Ll}+, \\p{Lu}{2}))?(?!\\p{L})`,
  'gu',
);
/** This is told sooner, and most text has none. */
const NUMBER_SIGN = / \d/;

const HAS_PART = nameSigns.add(PARTS);
const HAS_LETTERS = nameSigns.add('U|US|USA|UK|UAE|NYC');
const HAS_LIVING = nameSigns.add(LIVING);
const HAS_STREET = nameSigns.add(STREETS);
const HAS_AMERICAN = nameSigns.add(AMERICAN_STREETS);

/** `spans` with the known places of [from, to) that none of them covers; both in order. `signs`: what `nameSigns` has there. */
export function addKnownPlaces(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  signs: number,
  marks: number,
): readonly NameSpan[] {
  const piece = text.slice(from, to);
  const added: NameSpan[] = [];
  const add = (start: number, end: number) => {
    const isTaken = (one: NameSpan) => one.start < end && one.end > start;
    if (!spans.some(isTaken) && !added.some(isTaken))
      added.push({ type: 'LOCATION', start, end, score: KNOWN });
  };
  const addAll = (matches: Iterable<RegExpExecArray>) => {
    for (const { index, 0: found } of matches) add(from + index, from + index + found.length);
  };
  if ((signs & HAS_PART) !== 0) {
    for (const { index, 0: found, groups } of matchesAtWords(PART, HAS_PART, piece, from)) {
      const end = from + index + found.length;
      const flags = lists.find(wordKey(text, end - groups!.region!.length, end));
      if ((flags & LIST_REGION) !== 0) add(from + index, end);
    }
    addAll(matchesAtWords(REGION, HAS_PART, piece, from));
  }
  if ((signs & HAS_LETTERS) !== 0) addAll(matchesAtWords(LETTERS, HAS_LETTERS, piece, from));
  const hasNumber = (marks & MARK_DIGIT) !== 0 && NUMBER_SIGN.test(piece);
  if (hasNumber && STREET_SIGN.test(piece)) addAll(matchesOf(piece, STREET));
  if (hasNumber && (signs & HAS_AMERICAN) !== 0) addAll(matchesOf(piece, AMERICAN_STREET));
  if ((signs & HAS_STREET) !== 0) {
    if (hasNumber) addAll(matchesAtWords(ROMANCE_STREET, HAS_STREET, piece, from));
    if (FRENCH_STREET_SIGN.test(piece)) addAll(matchesOf(piece, FRENCH_STREET));
  }
  if ((signs & HAS_LIVING) !== 0) {
    for (const { index, 0: found, groups } of matchesAtWords(LIVES, HAS_LIVING, piece, from)) {
      const end = from + index + found.length;
      const start = end - groups!.name!.length;
      // The pattern takes any case for its verbs; a name has a capital.
      if (/^\p{Lu}/u.test(groups!.name!)) add(start, end);
    }
  }
  return withNames(spans, added);
}

/** Of a place and people: the place ends before them. */
const PEOPLE =
  / (?:citizens?|soldiers?|troops|officials?|residents?|forces|police|voters?|students?|people|government|president|media|army)$/;
/** `URLSearchParams`. `DeKalb` is a town. */
const CAMEL_CASE = lean(/\p{Ll}\p{Lu}\p{L}*\p{Ll}\p{Lu}|\p{Lu}{3,}\p{Ll}|\p{Ll}\p{Lu}\p{L}*s$/u);
/** What a place is, or lies, without its name. */
const KIND =
  /^(?:casa|hospital|vendre|louer|town|city|village|downtown|country|county|(?:North|South|East|West)ern)$/;
const HAS_KIND = firstWords.add(wordsOf(KIND));
/** A letter, or the names of two languages of programs. */
const LETTER = /^\p{Lu}(?:\/\p{Lu}\+{0,2}|[<+]+)?$/u;

/** The end of a letter, in the line below an address. */
const THANKS_BELOW =
  /\n(?:Grazie|Thanks|Thank|Danke|Merci|Gracias|Obrigad[oa]|Bedankt|Dziękuję|Regards|Kind|Best|Cordiali|Saluti|Distinti|Viele|Mit|Cordialement|Atentamente|Groet|Met|Pozdrawiam)(?:[ ,.!].*)?$/su;
/** What people, times and days behind a place begin with. */
const BEHIND = / [\p{Ll}\d]/u;
/** What goes on behind a place, up to a time or a number: `Enna fino al 31`. */
const TIME_BEHIND =
  /,? (?:fino al?|fino|hasta(?: el)?|until|till|bis(?: zum)?|jusqu['’]au|jusqu['’]à|até|tot|dal?|desde|depuis|seit|since|from|sinds|od|do) (?:\d.*|\p{Ll}+)$/u;

/** A day behind a place: `Рязани 5 июля`. */
const DAY_BEHIND = lean(`,? \\d{1,2}\\.? (?:${MONTHS}|${MONTHS_OF_OTHER_SCRIPTS})(?!\\p{L}).*$`, 'u');
/** `BUSAN AAAAA`: a cry. */
const CRY = lean(/ (\p{L})\1{3,}$/u);

/** Whether a capital stands behind another letter. */
function hasCapitalInside(found: string): boolean {
  for (let at = 1; at < found.length; at++) {
    if (charClass[found.charCodeAt(at)] === CLASS_UPPER && isLetterUnit(found.charCodeAt(at - 1)))
      return true;
  }
  return false;
}

/** `U.S. citizens` without the citizens; undefined for an ordinary word such as `town`. */
export function trimPlace(text: string, span: NameSpan, lists: Gazetteer): NameSpan | undefined {
  if (span.type !== 'LOCATION') return span;
  const found = text.slice(span.start, span.end);
  const hasBlank = found.includes(' ');
  const cry = hasBlank ? (CRY.exec(found)?.[0].length ?? 0) : 0;
  if (cry > 0) return endingAt(span, span.end - cry);
  const thanks = found.indexOf('\n') > 0 ? THANKS_BELOW.exec(found) : null;
  if (thanks !== null) return trimPlace(text, endingAt(span, span.start + thanks.index), lists);
  if (found.length < 5 && LETTER.test(found)) return undefined;
  if ((firstWords.at(text, span.start) & HAS_KIND) !== 0 && KIND.test(found)) return undefined;
  if (hasCapitalInside(found) && CAMEL_CASE.test(found)) return undefined;
  if (isSmallAt(text, span.start) && /^\p{Ll}+$/u.test(found)) {
    return (lists.find(wordKey(text, span.start, span.end)) & LIST_COMMON) === 0 ? span : undefined;
  }
  if (!hasBlank || !BEHIND.test(found)) return span;
  const people =
    PEOPLE.exec(found) ??
    TIME_BEHIND.exec(found) ??
    (/\d/.test(found) ? DAY_BEHIND.exec(inSmall(found)) : null);
  return people === null ? span : endingAt(span, span.start + people.index);
}
