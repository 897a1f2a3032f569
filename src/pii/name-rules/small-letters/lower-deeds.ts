/**
 * Somebody in small letters who says or does something, in languages with and without articles: `a jucélia falou`,
 * `grzesiek mówi że`, `ruben zou`, `tobi cant`. A list must have the first name, or its form must tell it.
 */
import { lean } from '../../lean.js';
import {
  type Gazetteer,
  LIST_CALENDAR,
  LIST_COMMON,
  LIST_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_PRODUCT,
  LIST_REGION,
  wordKey,
} from '../../model/gazetteer.js';
import { lowerSigns, NOBODY, type ToldWord } from './lower-contexts.js';
import { isBrazilianForm, isPolishForm } from './name-forms.js';

export const PORTUGUESE =
  'falou|disse|avisou|perguntou|respondeu|ligou|telefonou|pediu|contou|reclamou|esqueceu|mandou|faltou|chegou|mora|trabalha|quer|vem|vai|foi|tá|está|saiu|voltou|comprou|trouxe|deixou|pagou|viajou|sabe|acha|tem|precisa|passou|fica|veio';
export const POLISH =
  'pisze|pisał|pisała|mówi|mówił|mówiła|powiedział|powiedziała|napisał|napisała|pyta|pytał|pytała|dzwonił|dzwoniła|odbiera|odpisał|odpisała|odpisuje|płacze|prosi|prosił|prosiła|przyjdzie|przyjedzie|przyjechał|przyjechała|przyszedł|przyszła|chce|chciał|chciała|twierdzi|zapomniał|zapomniała|wie|wróci|wrócił|wróciła|kupił|kupiła|wysłał|wysłała|mieszka|pracuje|zachorował|zachorowała|zaprasza|ma';
export const DUTCH =
  'zou|zei|zegt|heeft|kan|komt|kwam|gaat|wil|wilde|moet|belt|belde|vraagt|vroeg|had|weet|vindt|woont|werkt';
const ENGLISH = 'cant|cannot|wont|didnt|doesnt|isnt|wasnt|hasnt|wouldnt|forgot|thinks|wants';
const OTHERS =
  'sagt|sagte|meint|meinte|fragt|fragte|hat|kommt|will|kann|dit|veut|vient|demande|arrive|dice|dijo|quiere|viene|pregunta|vuole|chiede|arriva|llega|llegó|vive|trabaja|necesita';
const NAME = '\\p{Ll}[\\p{Ll}\\p{M}]{2,}';
/** Where a clause begins, in these languages. */
const CLAUSE =
  '(?:^|[\\n.,;:!?…|] ?|(?<!\\p{L})(?:and|but|so|cause|because|cuz|if|that|btw|when|ok|hey|und|aber|weil|dass|wenn|et|mais|que|si|y|pero|e|ma|che|se|mas|maar|dat|dus|omdat|als|a|i|że|czy|bo|ale|jak|kiedy|gdy|hej|no|więc) )';
const NOT = '(?:(?:não|nao|n|já|ja|só|so|me|te|nos|tb|também|ainda|nunca|nie|też|już|mi|nam|ci) )?';
const WAYS: readonly [string, string][] = [
  ['pt', `(?=(?:${PORTUGUESE})(?!\\p{L}))(?<=(?<!\\p{L})[oa] NAME (?:d[aeo]s? [\\p{Ll}\\p{M}]{2,} )?${NOT})`],
  ['pl', `(?=(?:${POLISH})(?!\\p{L}))(?<=${CLAUSE}NAME ${NOT})`],
  ['listed', `(?=(?:${DUTCH}|${ENGLISH}|${OTHERS})(?!\\p{L}))(?<=${CLAUSE}(?:(?:die|der|la|el|il) )?NAME )`],
  ['greeted', `(?:oi|olá|ola|opa|hej|cześć|czesc|siema),? NAME(?![\\p{L}\\p{M}\\p{N}_@/'’-])`],
  [
    'phone',
    `met NAME(?= (?:van|uit|hier|de|het|ik)(?!\\p{L})|[,.!]|$)(?<=(?<!\\p{L})(?:hoi|hallo|hey|dag|goedemorgen|goedemiddag|goedenavond|spreekt(?: u)?|spreek je),? met ${NAME})`,
  ],
];
const DEED = lean(
  WAYS.map(([way, pattern]) => pattern.replace('NAME', `(?<${way}>${NAME})`)).join('|'),
  'duy',
);
const HAS_DEED = lowerSigns.add(
  `${PORTUGUESE}|${POLISH}|${DUTCH}|${ENGLISH}|${OTHERS}|oi|olá|opa|hej|cześć|siema|met`,
);
const OTHER_THINGS = LIST_COMMON | LIST_CALENDAR | LIST_REGION | LIST_PRODUCT;

/** The names of [from, to) that such words tell. `signs`: what `lowerSigns` has there, which it was asked for last. */
export function toldByDeeds(
  text: string,
  from: number,
  to: number,
  lists: Gazetteer,
  signs: number,
): ToldWord[] {
  if ((signs & HAS_DEED) === 0) return [];
  const piece = text.slice(from, to);
  const found: ToldWord[] = [];
  for (const place of lowerSigns.placesOf(HAS_DEED)) {
    DEED.lastIndex = place - from;
    const groups = DEED.exec(piece)?.indices?.groups ?? {};
    for (const [way, group] of Object.entries(groups)) {
      if (group === undefined || !mayDo(way, piece.slice(...group), lists)) continue;
      found.push({ start: from + group[0], end: from + group[1] });
    }
  }
  return found;
}

function mayDo(way: string, word: string, lists: Gazetteer): boolean {
  if (NOBODY.has(word)) return false;
  const flags = lists.find(wordKey(word, 0, word.length));
  if (flags === 0)
    return (
      (way !== 'listed' && way !== 'phone' && way !== 'pl' && isBrazilianForm(word)) ||
      ((way === 'pl' || way === 'greeted') && isPolishForm(word))
    );
  // Who tells on the telephone who is calling may be called like a word.
  if (way === 'phone') return (flags & LIST_FIRST_NAME) !== 0;
  return (flags & LIST_FIRST_NAME) !== 0 && (flags & (OTHER_THINGS | LIST_LARGE_CITY)) === 0;
}

const DEED_BEHIND = lean(`^(?: d[aeo]s? [\\p{Ll}\\p{M}]{2,24})? ${NOT}(?:${PORTUGUESE})(?!\\p{L})`, 'u');
const BEHIND_UNITS = 56;

/** Whether a Portuguese deed follows a name that ends at `end`. */
export function isDeedBehind(text: string, end: number): boolean {
  return DEED_BEHIND.test(text.slice(end, end + BEHIND_UNITS));
}
