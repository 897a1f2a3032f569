/**
 * Years without a day: a year after a word that shows that it is one, a year in brackets or in a list, and two years
 * with a dash between them.
 */
import { lean } from '../patterns/lean.js';
import { matchAt } from '../patterns/matches-of.js';

const CUE_UNITS = 20;
/** Two years with a dash or a word between them, as for a life or a job. */
const YEARS =
  /(?:1[89]|20)\d{2} ?(?:[-–]|to|until|till|bis|a|hasta|à|al) ?(?:1[89]|20)\d{2}(?!\w|-|[-/.:,]\d)/y;
/** The first characters of what can stand between two years. */
const BETWEEN_YEARS = '-–tubahà';
const LONE_YEAR = /(?:1[7-9]|20)\d{2}(?!\w)(?![-/.:,]\d)(?! ?[%€$£])/y;
/**
 * Words after which a number of four digits is a year. `from` and `to` are not among them, because counts follow them
 * too.
 */
const BEFORE_YEAR = lean(
  /(?:^|[^\p{L}])(?:in|since|by|until|till|between|back in|em|w|od|do|sinds|sedert|tot|during|before|after|of|circa|born|late|early|mid|summer|winter|spring|autumn|fall|christmas|en|desde|hasta|en el|desde el|hasta el|del|durante|entre|seit|bis|im|vor|nach|zwischen|depuis|l[’']an|avant|après|até|nel|dal|fra|tra|fino al|(?:début|fin)|(?:anfang|mitte|ende)|(?:początku|końcu|połowie)|begin|eind|с|в|до|от|из|από το|από|το|στο|μέχρι)\s$/iu,
);
/** `from` before a year: `Losses from 2017 and 2018`. */
const FROM = /(?<!\p{L})from $/iu;
/** Words after which a number is a year and never a count. */
const YEAR_WORDS = lean(
  /(?:^|[^\p{L}])(?:b\.|geb\.|gest\.|†|zm\.|ur\.|year|año|ano|jahre?s?|année|anno|jaar|rok|roku|class of|born in|dat(?:es?|ing|ed) (?:from|back to)|datos de|données de|cifras de|presupuestos? de|budget de|daten von|zahlen von|dati del|dados de|geboren|(?:principios|finales|mediados|comienzos) del?)\s$/iu,
);
/**
 * A clause about what a thing did, up to the year: `which later became Garmin in `. The history of a thing is not
 * personal data.
 */
const OF_A_THING = lean(
  /(?<!\p{L})which (?:(?:later|then|soon|since|once|first|itself|\p{Ll}+ly) )*(?:became|was|were|is|had|has|got|grew|\p{Ll}+ed)(?<rest> [^;.!?\n]*)(?<!,) \p{Ll}+ $/u,
);
const OF_SOMEBODY = lean(
  /(?<!\p{L})(?:I|me|my|you|your|he|him|his|she|her|we|us|our|they|their|them|who|whose)(?!\p{L})/u,
);
/** How many units of such a clause before its year are examined. */
const CLAUSE_UNITS = 100;
const FLOWS_ON =
  /^\s*(?:$|\*\/|[.,;:!?)\]"'’—–]|-\s|(?:and|or|but|when|while|as|at|by|from|for|with|to|the|he|she|it|they|we|i|y|e|et|und|o|ou|oder|als|when|who|which|was|were|had|has|is|after|before|because|until|in|on|a|an|my|your|our|his|her|its|their|this|there|then|if|so|also|are|has|have|did|would|could|under|through|into|during|onwards?|since|though|although|where|whose|que|cuando|quand|quando)\b)/i;
/**
 * What is counted or measured. A number before it is not a year. In most of the languages here, a plural ends in `s`.
 */
const COUNTED = lean(
  /^[ \u00a0]?(?:\p{Ll}+s|people|children|women|men|persone|persons?|(?:more|other|different|new)|personen|leute|mensch\p{Ll}*|kindern?|fällen?|stücke?n?|teilen?|zeilen|osób|sztuk|(?:k|m|g)?(?:b|w|wh|hz|g|l|m|bit|byte)|[cm]m|rpm|px|pt|p|ppm|fps|ft|lbs|mph|MB|GB|KB|kB|TB|MHz|GHz|kWh|EUR|USD|GBP|CHF|PLN|BRL|JPY|CAD|AUD|SEK|DKK|NOK|euro|dollar|pesos?|reais|złotych)(?![\p{L}\p{N}])|^[ \u00a0]?[%€$£¥°×*/+=<>|\\]/u,
);
/** Words that end in `s` and are not plurals. */
const FLOWS_ON_TOO = lean(
  /^ (?:was|has|is|his|its|this|as|us|sus|nos|nous|les|des|ses|vous|sous|dans|sans|après|tras|más|es|[\p{Ll}]+mos)(?!\p{L})/u,
);
const AND = '(?:, ?| (?:and|y|e|et|und|or|o|ou|oder|en|i|to|a|à|bis|until) )';
const YEARS_AFTER_YEAR = lean(`^${AND}$`, 'u');
/** What follows the first of two years in brackets: ` and 2002)`. */
const YEAR_AND_BRACKET = lean(`^${AND}(?:1[89]|20)\\d{2}\\)`, 'u');
interface Year {
  start: number;
  end: number;
  pattern: 'year' | 'years';
  score: number;
}

/** The date before a year. */
interface PlacedYear {
  end: number;
  pattern: string;
  score: number;
}

/** Whether the number begins with 17 to 20. */
function isCentury(text: string, start: number): boolean {
  const second = text.charCodeAt(start + 1);
  return text[start] === '2' ? second === 0x30 : text[start] === '1' && second >= 0x37 && second <= 0x39;
}

/** Whether a dash, or the first letter of a word for "to", follows a year. */
function mayHaveSecond(text: string, end: number): boolean {
  return BETWEEN_YEARS.includes(text[text[end] === ' ' ? end + 1 : end] ?? '.');
}

/** The year or years at `start`, where a run of four digits begins. */
export function yearAt(text: string, start: number, before: PlacedYear | undefined): Year | undefined {
  if (!isCentury(text, start)) return undefined;
  const years = mayHaveSecond(text, start + 4) ? matchAt(YEARS, text, start) : undefined;
  if (years !== undefined && Number(years.slice(0, 4)) < Number(years.slice(-4))) {
    const isSpan = /(?:^|[^\p{L}])(?:from|between|de|von|du|dal|in|since|desde|entre)\s$|\($/iu.test(
      text.slice(Math.max(0, start - 10), start),
    );
    const end = start + years.length;
    const isTold = isSpan && !COUNTED.test(text.slice(end, end + CUE_UNITS));
    return { start, end, pattern: 'years', score: isTold ? 0.55 : 0.3 };
  }
  const isInRange = before?.pattern === 'years' && start < before.end && before.score >= 0.5;
  LONE_YEAR.lastIndex = start;
  if (isInRange || !LONE_YEAR.test(text)) return undefined;
  return { start, end: start + 4, pattern: 'year', score: isYear(text, start, before) ? 0.6 : 0.2 };
}

/** Whether the number at `start` is a year. `before` is the date before it. */
function isYear(text: string, start: number, before: PlacedYear | undefined): boolean {
  const end = start + 4;
  const left = text.slice(Math.max(0, start - CUE_UNITS), start);
  const right = text.slice(end, end + CUE_UNITS);
  if (left.endsWith('(') && (right.startsWith(')') || YEAR_AND_BRACKET.test(right))) return true;
  if (YEAR_WORDS.test(left)) return !isHistory(text, start);
  const isListed =
    before?.pattern === 'year' && before.score > 0.5 && YEARS_AFTER_YEAR.test(text.slice(before.end, start));
  if (isListed) return true;
  const isFrom = FROM.test(left) && isRecent(Number(text.slice(start, end))) && FLOWS_ON.test(right);
  return (isFrom || BEFORE_YEAR.test(left)) && isNoCount(text, start, right) && !isHistory(text, start);
}

function isRecent(number: number): boolean {
  return number >= 1900 && number < 2040;
}

/**
 * Whether the number is not a count. Round numbers usually are counts, unless the next word shows that the sentence
 * goes on after a year.
 */
function isNoCount(text: string, start: number, right: string): boolean {
  if (FLOWS_ON.test(right) || FLOWS_ON_TOO.test(right)) return true;
  const number = Number(text.slice(start, start + 4));
  return isRecent(number) && number % 50 !== 0 && !COUNTED.test(right);
}

/**
 * Whether the year belongs to the history of a thing: the clause before it is about a thing and has no pronoun for a
 * person.
 */
function isHistory(text: string, start: number): boolean {
  const clause = OF_A_THING.exec(text.slice(Math.max(0, start - CLAUSE_UNITS), start));
  return clause !== null && !OF_SOMEBODY.test(clause.groups!.rest!);
}
