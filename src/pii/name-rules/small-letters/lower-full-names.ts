/** First name and surname in small letters, behind what somebody is: `member tyrell okafor-banks`, `un certain kévin lemoigne`. */

import {
  type Gazetteer,
  LIST_CALENDAR,
  LIST_CITY,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_LAST_NAME,
  LIST_NRP,
  LIST_PRODUCT,
  LIST_REGION,
  wordKey,
} from '../../model/gazetteer.js';
import { lean } from '../../patterns/lean.js';
import { lowerSigns, type ToldWord } from './lower-contexts.js';

const SOMEBODY =
  'member|customer|client|patient|tenant|guest|employee|resident|passenger|pupil|student|caller|subscriber|claimant|applicant|policyholder|candidate|volunteer|kunde|kundin|patientin|mieter|mieterin|mitglied|schüler|schülerin|cliente|paciente|inquilin[oa]|emplead[oa]|locataire|patiente|adhérente?|élève|paziente|dipendente|certaine?|cert[oa]|tal';
/** In languages whose ordinary words no list has: one must have the surname. */
const SOMEBODY_TOO =
  'aluno|aluna|utente|sóci[oa]|klant|huurder|leerling|zekere|klient|klientka|klienta|klientki|pacjent|pacjentka|pacjenta|pacjentki|pasażer|lokator|uczeń|uczennica|pracownik|niejaki|niejaka';
const WORD = '\\p{Ll}[\\p{Ll}\\p{M}]{2,}';
const FULL = lean(
  `(?:(?:${SOMEBODY})|(?<too>${SOMEBODY_TOO})):? (?<first>${WORD}) (?<last>${WORD}(?:-${WORD})?)(?![\\p{L}\\p{M}\\p{N}_@/'’-])`,
  'duy',
);
const HAS_SOMEBODY = lowerSigns.add(`${SOMEBODY}|${SOMEBODY_TOO}`);
const THINGS = LIST_COMMON | LIST_CALENDAR | LIST_NRP | LIST_PRODUCT | LIST_REGION | LIST_LARGE_CITY;

/** Such names of [from, to). `signs`: what `lowerSigns` has there, which it was asked for last. */
export function fullNamesInSmall(
  text: string,
  from: number,
  to: number,
  lists: Gazetteer,
  signs: number,
): ToldWord[] {
  if ((signs & HAS_SOMEBODY) === 0) return [];
  const piece = text.slice(from, to);
  return lowerSigns.placesOf(HAS_SOMEBODY).flatMap((place) => {
    FULL.lastIndex = place - from;
    const { first, last, too } = FULL.exec(piece)?.indices?.groups ?? {};
    if (first === undefined || last === undefined) return [];
    const isWhole =
      isFirst(piece.slice(...first), lists) && isLast(piece.slice(...last), too !== undefined, lists);
    return isWhole ? [{ start: from + first[0], end: from + last[1] }] : [];
  });
}

function isFirst(word: string, lists: Gazetteer): boolean {
  const flags = lists.find(wordKey(word, 0, word.length));
  return (flags & LIST_FIRST_NAME) !== 0 && (flags & THINGS) === 0;
}

function isLast(name: string, mustBeListed: boolean, lists: Gazetteer): boolean {
  const flags = name.split('-').map((word) => lists.find(wordKey(word, 0, word.length)));
  const areSurnames = (one: number) => (one & LIST_LAST_NAME) !== 0;
  // One half of a surname with a hyphen may be a word: `okafor-banks`.
  if (flags.length > 1) return flags.some(areSurnames);
  if (flags.some((one) => (one & (areSurnames(one) ? THINGS : THINGS | LIST_CITY)) !== 0)) return false;
  return !mustBeListed || flags.every(areSurnames);
}
