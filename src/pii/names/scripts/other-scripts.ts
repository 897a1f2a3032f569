/**
 * Names and towns in Greek and Cyrillic letters, which the name model does not know. They are found by lists of first
 * names and of stems of towns in `words/`, and surnames by their endings beside another capitalised word.
 */

import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';
import { isAscii } from '../../patterns/units.js';
import { anyOf, readWords } from '../../words/words.js';
import { eastAsianAddresses } from './east-asian-addresses.js';
import { eastAsianNames } from './east-asian-names.js';
import { scriptAddresses } from './street-scripts.js';

/** A quick test before the patterns below. Most texts have no such letter. */
const FOREIGN = /[\u0386-\ud7a3]/;
const SCRIPT = /[\u0386-\u03ce\u0401-\u0491\u4e00-\u9fff\uac00-\ud7a3]/;
const WORD = lean(/(?<![\p{L}])[\u0386-\u03ab\u0401-\u042f][\u0386-\u03ce\u0400-\u0491'’-]{2,30}/gu);
/** The word in lower case without accents, because capitals have no accents in Greek. */
function plain(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

const WORDS = readWords<'firstNames' | 'endings' | 'surnames' | 'towns'>('other-scripts');
const FIRST_NAME = lean(
  `^(?:${plain(WORDS.firstNames.Cyrillic!)})(?:${plain(WORDS.endings.Cyrillic!)})?$|^(?:${plain(WORDS.firstNames.Greek!)})$`,
  'u',
);
const SURNAME = lean(`(?:${plain(anyOf(WORDS.surnames))})$`, 'u');
const TOWN = lean(`^(?:санкт|${plain(anyOf(WORDS.towns))})`, 'u');
const SCORE = 0.65;
/** A first name that is also the name of a town, in any case form: `София`. */
const ALSO_TOWN = /^софи(?:я|и|ю|ей)$/u;
const BEFORE_TOWN = lean(
  /(?<!\p{L})(?:in|to|from|near|at|via|town|city|в|във|до|от|из|към|край|гр\.|град|towns|cities):? ?["'«„]?$|\p{Ll},? [\d ]{4,7}$/u,
);
const TOWN_UNITS = 16;
/** Words after which only a town can follow, even an unknown one: `место рождения Бугульма`. */
const NAMES_TOWN = lean(
  /(?<!\p{L})(?:место рождения|м\. р\.|город[еау]?|г\.|с\.|дер\.|пос\.|родил(?:ся|ась) во?(?: городе)?|(?:проживает|проживаю|живу|живёт|живет|живём|живут) во?|переехал[аи]? во?|родом из|место народження|місто|місті|народи(?:вся|лася) [ву]|(?:мешкаю|мешкає|живу|живе) [ву]|роден[а]? в|живея в|γεννήθηκ[εα] (?:στ(?:ον?|ην?|α|ις)|σε)|(?:μένω|μένει|κατοικεί|κατοικώ|ζω|ζει) (?:στ(?:ον?|ην?|α|ις)|σε)|τόπος γέννησης):? ?[«"„]?$/iu,
);
const NAMES_TOWN_UNITS = 32;

interface Word {
  start: number;
  end: number;
  plain: string;
}

/** Returns the names and towns in [from, to) of `text`. */
export function otherScripts(text: string, from: number, to: number): NameSpan[] {
  const piece = text.slice(from, to);
  if (isAscii(piece) || !FOREIGN.test(piece) || !SCRIPT.test(piece)) return [];
  const found = scriptAddresses(
    piece,
    from,
    (word) => TOWN.test(plain(word)),
    (word) => isFirstName(word.split(' ', 1)[0]!),
  );
  found.push(...eastAsianAddresses(piece, from));
  const isFree = (one: { start: number; end: number }) =>
    !found.some(({ start, end }) => one.start < end && one.end > start);
  const eastAsian: NameSpan[] = [];
  eastAsianNames(piece, from, eastAsian);
  found.push(...eastAsian.filter(isFree));
  const words: Word[] = [];
  for (const match of matchesOf(piece, WORD)) {
    const start = from + match.index;
    const word = { start, end: start + match[0].length, plain: plain(match[0]) };
    if (isFree(word)) words.push(word);
  }
  for (let i = 0; i < words.length; ) {
    let last = i;
    while (last + 1 < words.length && last - i < 2 && words[last + 1]!.start - words[last]!.end === 1) last++;
    const group = words.slice(i, last + 1);
    const [first] = group;
    const end = group.at(-1)!.end;
    if (isPerson(text, group)) found.push({ type: 'PERSON', start: first!.start, end, score: SCORE });
    else if (TOWN.test(first!.plain) || ALSO_TOWN.test(first!.plain) || isNamedTown(text, first!.start))
      found.push({ type: 'LOCATION', start: first!.start, end: first!.end, score: SCORE });
    i = last + 1;
  }
  return found.sort((a, b) => a.start - b.start);
}

function isNamedTown(text: string, start: number): boolean {
  return NAMES_TOWN.test(text.slice(Math.max(0, start - NAMES_TOWN_UNITS), start));
}

/** Whether a word is a first name. A Greek name loses its final `ς` in the accusative. */
function isGiven(word: string): boolean {
  return FIRST_NAME.test(word) || (/[οηα]$/.test(word) && FIRST_NAME.test(`${word}ς`));
}

function isFirstName(word: string): boolean {
  return isGiven(plain(word)) && !ALSO_TOWN.test(plain(word));
}

/** A title before a name: `ο κύριος Παπαδάκης`. */
const TITLE_BEFORE = lean(
  /(?<!\p{L})(?:[κΚ]\.|[κΚ]ύριος|[κΚ]υρία|[κΚ]υρίου|[κΚ]υρίας|[κΚ]ύριο|δρ\.?|господин|госпожа|господина|госпожи|г-н|г-жа|пан|пані|пана|гн|др\.?|доктор|профессор) $/iu,
);

function isPerson(text: string, group: readonly Word[]): boolean {
  const [first] = group;
  if (group.length > 1 && SURNAME.test(group.at(-1)!.plain)) return true;
  const title = text.slice(Math.max(0, first!.start - TOWN_UNITS), first!.start);
  if (SURNAME.test(first!.plain) && TITLE_BEFORE.test(title)) return true;
  if (!group.some((one) => isGiven(one.plain))) return false;
  if (group.length > 1 || !ALSO_TOWN.test(first!.plain)) return true;
  const before = text.slice(Math.max(0, first!.start - TOWN_UNITS), first!.start);
  return !BEFORE_TOWN.test(before);
}
