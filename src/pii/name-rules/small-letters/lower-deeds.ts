/**
 * Somebody in small letters who says or does something, in languages with and without articles: `a jucélia falou`,
 * `grzesiek mówi że`, `ruben zou`, `tobi cant`. A list must have the first name, or its form must tell it.
 */

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
import { lean } from '../../patterns/lean.js';
import { lowerSigns, NOBODY, type ToldWord } from './lower-contexts.js';
import { isBrazilianForm, isPolishForm } from './name-forms.js';

export const PORTUGUESE =
  'falou|disse|avisou|perguntou|respondeu|ligou|telefonou|pediu|contou|reclamou|esqueceu|mandou|faltou|chegou|mora|trabalha|quer|vem|vai|foi|tá|está|saiu|voltou|comprou|trouxe|deixou|pagou|viajou|sabe|acha|tem|precisa|passou|fica|veio';
export const POLISH =
  'pisze|pisał|pisała|mówi|mówił|mówiła|powiedział|powiedziała|napisał|napisała|pyta|pytał|pytała|dzwonił|dzwoniła|odbiera|odpisał|odpisała|odpisuje|płacze|prosi|prosił|prosiła|przyjdzie|przyjedzie|przyjechał|przyjechała|przyszedł|przyszła|chce|chciał|chciała|twierdzi|zapomniał|zapomniała|wie|wróci|wrócił|wróciła|kupił|kupiła|wysłał|wysłała|mieszka|pracuje|zachorował|zachorowała|zaprasza|ma';
export const DUTCH =
  'zou|zei|zegt|heeft|kan|komt|kwam|gaat|wil|wilde|moet|belt|belde|vraagt|vroeg|had|weet|vindt|woont|werkt';
const ENGLISH = 'owes|cant|cannot|wont|didnt|doesnt|isnt|wasnt|hasnt|wouldnt|forgot|thinks|wants';
const OTHERS =
  'sagt|sagte|meint|meinte|fragt|fragte|hats?|kommt|will|kann|dit|veut|vient|demande|arrive|dice|dijo|quiere|viene|pregunta|vuole|chiede|arriva|llega|llegó|vive|trabaja|necesita';
const NAME = '\\p{Ll}[\\p{Ll}\\p{M}]{2,}';
/** Where a clause begins, in these languages. */
const CLAUSE =
  '(?:^|[\\n.,;:!?…|] ?|(?<!\\p{L})(?:and|but|so|cause|because|cuz|if|that|btw|when|ok|hey|und|aber|weil|dass|wenn|et|mais|que|si|y|pero|e|ma|che|se|mas|maar|dat|dus|omdat|als|a|i|że|czy|bo|ale|jak|kiedy|gdy|hej|no|więc) )';
const NOT = '(?:(?:não|nao|n|já|ja|só|so|me|te|nos|tb|também|ainda|nunca|nie|też|już|mi|nam|ci) )?';

/** By the list of the words that its pattern begins with: whom each way tells. */
const WAYS = [
  {
    words: PORTUGUESE,
    pattern: `(?=(?:${PORTUGUESE})(?!\\p{L}))(?<=(?<!\\p{L})[oa] (?<name>${NAME}) (?:d[aeo]s? [\\p{Ll}\\p{M}]{2,} )?${NOT})`,
    isForm: isBrazilianForm,
  },
  {
    words: POLISH,
    pattern: `(?=(?:${POLISH})(?!\\p{L}))(?<=${CLAUSE}(?<name>${NAME}) ${NOT})`,
    isForm: isPolishForm,
  },
  {
    words: `${DUTCH}|${ENGLISH}|${OTHERS}`,
    pattern: `(?=(?:${DUTCH}|${ENGLISH}|${OTHERS})(?!\\p{L}))(?<=${CLAUSE}(?:(?:die|der|la|el|il) )?(?<name>${NAME}) )`,
    isForm: () => false,
  },
  {
    words: 'oi|olá|ola|opa|hej|cześć|czesc|siema',
    pattern: `(?:oi|olá|ola|opa|hej|cześć|czesc|siema),? (?<name>${NAME})(?![\\p{L}\\p{M}\\p{N}_@/'’-])`,
    isForm: (word: string) => isBrazilianForm(word) || isPolishForm(word),
  },
  {
    // Who tells on the telephone who is calling may be called like a word.
    words: 'met',
    pattern: `met (?<name>${NAME})(?= (?:van|uit|hier|de|het|ik)(?!\\p{L})|[,.!]|$)(?<=(?<!\\p{L})(?:hoi|hallo|hey|dag|goedemorgen|goedemiddag|goedenavond|spreekt(?: u)?|spreek je),? met ${NAME})`,
    isForm: () => false,
    mayBeWord: true,
  },
].map(({ words, pattern, ...way }) => ({
  ...way,
  sign: lowerSigns.add(words),
  pattern: lean(pattern, 'duy'),
}));
/** Names that are words, where somebody is late, ill or in debt: `hope can't make it`. */
const WORD_NAMES =
  'hope|rose|bill|mark|grant|will|may|april|june|dawn|joy|grace|faith|frank|jack|art|sue|pat|rob|rich|ray|dean|gene|drew|chase|max|ruby|amber|crystal|ivy|olive|daisy|iris|violet|hazel|robin|victor|carol|jade|pearl|penny|summer|autumn|lance|ward|clay|cliff|miles|josh|nick|don|ken|dan|ben|sam|tom|joe|lee|kim|guy';
const PREDICATE =
  "(?:can['’]?t|cant|cannot|couldn['’]?t|won['’]?t) (?:make it|come|drive|join|find|log|stop|stand|remember|believe)|is (?:cross|late|sick|ill|off|coming|asleep|pregnant|driving|angry|upset|crying|bringing|cooking|asking|waiting|getting married|moving|my|our|her|his|on his way|on her way)|owes|paid (?:the|for|me|us|back)|(?:said|says) (?:he|she|they|yes|no|that|it|we|you)|told (?:me|us|him|her)|texted|wants (?:to|me|us|the)|forgot (?:his|her|to|the)|brought|bought|lent|rang|promised|has (?:the|my|his|her|a) (?:car|keys|tickets|number|cold|flu|key|password)";
const WORD_PEOPLE = lean(
  `(?=(?:${PREDICATE})(?!\\p{L}))(?<=(?:^|[.!?;\\n,] ?|(?<!\\p{L})(?:and|but|so|cause|because|cuz|if|that|then|ok|hey) )(?<name>${WORD_NAMES}) )`,
  'duy',
);
const HAS_PREDICATE = lowerSigns.add(
  'cant|can|cannot|couldn|couldnt|won|wont|is|owes|paid|said|says|told|texted|wants|forgot|brought|bought|lent|rang|promised|has',
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
  const found: ToldWord[] = [];
  for (const { sign, pattern, isForm, mayBeWord } of WAYS) {
    if ((signs & sign) === 0) continue;
    const piece = text.slice(from, to);
    for (const place of lowerSigns.placesOf(sign)) {
      pattern.lastIndex = place - from;
      const name = pattern.exec(piece)?.indices?.groups?.name;
      if (name !== undefined && mayDo(piece.slice(...name), lists, isForm, mayBeWord))
        found.push({ start: from + name[0], end: from + name[1] });
    }
  }
  return found;
}

function mayDo(
  word: string,
  lists: Gazetteer,
  isForm: (word: string) => boolean,
  mayBeWord = false,
): boolean {
  if (NOBODY.has(word)) return false;
  const flags = lists.find(wordKey(word, 0, word.length));
  if (flags === 0) return isForm(word);
  const isOther = !mayBeWord && (flags & (OTHER_THINGS | LIST_LARGE_CITY)) !== 0;
  return (flags & LIST_FIRST_NAME) !== 0 && !isOther;
}

/** Those whose names are words, by what is said of people alone. */
export function wordPeople(text: string, from: number, to: number, signs: number): ToldWord[] {
  if ((signs & HAS_PREDICATE) === 0) return [];
  const found: ToldWord[] = [];
  const piece = text.slice(from, to);
  for (const place of lowerSigns.placesOf(HAS_PREDICATE)) {
    WORD_PEOPLE.lastIndex = place - from;
    const name = WORD_PEOPLE.exec(piece)?.indices?.groups?.name;
    if (name !== undefined) found.push({ start: from + name[0], end: from + name[1] });
  }
  return found;
}

const DEED_BEHIND = lean(`^(?: d[aeo]s? [\\p{Ll}\\p{M}]{2,24})? ${NOT}(?:${PORTUGUESE})(?!\\p{L})`, 'u');
const BEHIND_UNITS = 56;

/** Whether a Portuguese deed follows a name that ends at `end`. */
export function isDeedBehind(text: string, end: number): boolean {
  return DEED_BEHIND.test(text.slice(end, end + BEHIND_UNITS));
}
