/**
 * Weekdays. One is a date where it means a certain day, and not where it means every such day (`on Mondays`) or is
 * part of a name (`Friday Demo`).
 */
import { lean } from '../patterns/lean.js';
import { matchAt } from '../patterns/matches-of.js';
import type { Candidate } from '../recognizer.js';

export const WEEKDAYS =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|luned[ìi]|marted[ìi]|mercoled[ìi]|gioved[ìi]|venerd[ìi]|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|(?:segunda|terça|quarta|quinta|sexta)-feira|poniedziałek|poniedziałku|wtorek|wtorku|środ[aęy]|czwartek|czwartku|piątek|piątku|sobot[aęy]|niedziel[aęi]';
const WEEKDAY = lean(`(?<![\\p{L}\\p{M}])(?:${WEEKDAYS})(?![\\p{L}\\p{M}])`, 'iuy');
const ORDINAL = ',? (?:the )?(?:[12]?\\d|3[01])(?:st|nd|rd|th)(?!\\w)';
export const SHORT_WEEKDAYS = 'mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun';
/** A weekday with a day of the month: `Thurs 6th`, `Monday the 3rd`. */
const WITH_DAY = lean(
  `(?<![\\p{L}\\p{M}])(?:${SHORT_WEEKDAYS}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\\.?${ORDINAL}`,
  'iuy',
);
/**
 * Words before a weekday that show that a certain day is meant: `on Monday`, `next Friday`, `bis Montag`, `el lunes`.
 */
const BEFORE_WEEKDAY = lean(
  /(?:^|[^\p{L}])(?:on|(?<!the )(?:next|last)|this|by|until|till|since|before|after|from|coming|am|ab|bis|seit|nächsten|letzten|kommenden|diesen|vom|zum|el|este|próximo|pasado|hasta|desde|il|ce|dès|depuis|jusqu'à|prochain|scorso|prossimo|questo|fino a|da|op|vanaf|tot|na|no|até|w|we|w tę|w ten|do|od) (?:the |a )?$/iu,
);
/** What follows a weekday that means a certain day: a part of the day, or the end of a question. */
const AFTER_WEEKDAY =
  /^(?: (?:prochain|dernier|matin|soir|après-midi|morning|afternoon|evening|night|früh|abend|que viene|por la|prossimo|mattina|sera|wieczorem|rano|at \d|um \d|à \d|a las \d)|\?)/u;
/** Words for weekdays that mean nothing else, even in lower case. */
const ONLY_WEEKDAY =
  /^(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|luned[ìi]|marted[ìi]|mercoled[ìi]|gioved[ìi]|venerd[ìi]|sabato|dimanche|domingo|domenica|(?:maan|dins|woens|donder|vrij|zater|zon)dag|mi[ée]rcoles|jueves|lunes|martes|viernes|s[áa]bado|(?:segunda|terça|quarta|quinta|sexta)-feira)$/u;
const EVERY_WEEK = lean(/(?<!\p{L})(?:los|les|le|la|i|as|aos|nas) $/iu);
/**
 * A word for every week before a weekday, also before another weekday that precedes it: `every Monday and Thursday`.
 */
const EVERY = lean(
  `(?<!\\p{L})(?:los|every|each|jede[nrs]?|toda|todo|tutti i|chaque|cada|ogni|elke|iedere|każd(?:y|a|ą|ej|ego)) (?:(?:${WEEKDAYS})(?:,|,? (?:and|or|und|oder|et|ou|y|o|e|en|of|i|lub)) ){0,4}$`,
  'iu',
);
/** The most units of such words before a weekday. */
const EVERY_UNITS = 48;
const NO_DAY_BEHIND = /^(?: gras| saint|s)/u;
/** The score of a day and month directly after a weekday. */
const WITH_WEEKDAY = 0.7;
/** The patterns of dates that count only with a word nearby. */
export const DAY_AND_MONTH = new Set(['month, day', 'day, month, dotted']);
const DATE_BEHIND = /^,? ?(?:the |den |dem |der |el |le |il |o |a |dnia )?$/iu;
/** A weekday with a capital and in the singular, after which the sentence goes on in lower case or ends. */
const ONE_DAY =
  /^(?:(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)day|(?:[Mm]on|[Dd]iens|[Dd]onners|[Ff]rei|[Ss]ams|[Ss]onn)tag|[Mm]ittwoch|(?:Maan|Dins|Woens|Donder|Vrij|Zater|Zon)dag|Lundi|Mardi|Mercredi|Jeudi|Vendredi|Samedi|Lunes|Martes|Miércoles|Jueves|Viernes|Sábado|(?:Lune|Marte|Mercole|Giove|Vener)dì|Sabato)$/u;
const NO_ONE_DAY = lean(
  /(?<!\p{L})(?:the|an?|every|each|any|most|follow|the last|the first|black|cyber|good|easter|palm|ash|jeden|jeder|der|die|ein|einen) $/iu,
);
const GOES_ON = lean(
  /^(?:[,.;!)]|$|\n| \(| (?!\p{Ll}{3,}s(?<! works| suits| looks| sounds)(?!\p{L}))\p{Ll})/u,
);
const CUE_UNITS = 20;

function isNamed(text: string, start: number, end: number): boolean {
  const found = text.slice(start, end);
  const before = text.slice(Math.max(0, start - CUE_UNITS), start);
  const after = text.slice(end, end + CUE_UNITS + 8);
  if (/days$/iu.test(found) || EVERY.test(text.slice(Math.max(0, start - EVERY_UNITS), start))) return false;
  return (
    (ONLY_WEEKDAY.test(found) && !NO_DAY_BEHIND.test(after) && !EVERY_WEEK.test(before)) ||
    BEFORE_WEEKDAY.test(before) ||
    AFTER_WEEKDAY.test(after) ||
    (ONE_DAY.test(found) && !NO_ONE_DAY.test(before) && GOES_ON.test(after))
  );
}

interface Weekday {
  start: number;
  end: number;
  isNamed: boolean;
}

/**
 * The weekdays that begin at one of `signs`. One directly before a date is not a finding of its own, because the date
 * begins with it.
 */
export function weekdaysAt(text: string, signs: readonly number[], dates: readonly Candidate[]): Weekday[] {
  const found: Weekday[] = [];
  for (const start of signs) {
    const whole = matchAt(WITH_DAY, text, start);
    const weekday = whole ?? matchAt(WEEKDAY, text, start);
    if (weekday === undefined) continue;
    const end = start + weekday.length;
    const date = dates.find((one) => one.start >= end && one.start - end < 8);
    const isRepeated =
      /days$/i.test(weekday) || EVERY.test(text.slice(Math.max(0, start - EVERY_UNITS), start));
    if (date !== undefined && DATE_BEHIND.test(text.slice(end, date.start))) {
      date.start = start;
      // Two numbers after a weekday are its day and month: `Wednesday 18/06`.
      if (!isRepeated && DAY_AND_MONTH.has(date.pattern)) date.score = Math.max(date.score, WITH_WEEKDAY);
    } else if (!dates.some((one) => one.start <= start && one.end > start))
      found.push({
        start,
        end,
        isNamed: whole !== undefined || isNamed(text, start, end),
      });
  }
  return found;
}
