/** Weekdays: one is a date where it stands for a day, and not for every one of its kind (`on Mondays`, `Friday Demo`). */
import { lean } from '../patterns/lean.js';
import { matchAt } from '../patterns/matches-of.js';
import type { Candidate } from '../recognizer.js';

export const WEEKDAYS =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|luned[ìi]|marted[ìi]|mercoled[ìi]|gioved[ìi]|venerd[ìi]|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|(?:segunda|terça|quarta|quinta|sexta)-feira|poniedziałek|poniedziałku|wtorek|wtorku|środ[aęy]|czwartek|czwartku|piątek|piątku|sobot[aęy]|niedziel[aęi]';
const WEEKDAY = lean(`(?<![\\p{L}\\p{M}])(?:${WEEKDAYS})(?![\\p{L}\\p{M}])`, 'iuy');
const ORDINAL = ',? (?:the )?(?:[12]?\\d|3[01])(?:st|nd|rd|th)(?!\\w)';
export const SHORT_WEEKDAYS = 'mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun';
export const PORTUGUESE_WEEKDAYS = 'segunda|terça|quarta|quinta|sexta';
/** `na terça`: without `-feira`, and no second or third of something. */
const PORTUGUESE_DAY = lean(
  /(?<=(?<!\p{L})(?:na|nesta|até|desde|próxima|última|esta) )(?:terça(?![\p{L}-])(?! parte)|(?:segunda|quarta|quinta|sexta)(?=[.,;!?\n]|$| (?:que vem|passada|de manhã|à tarde|à noite|às \d)))/iuy,
);
/** `Thurs 6th`, `Monday the 3rd`. */
const WITH_DAY = lean(
  `(?<![\\p{L}\\p{M}])(?:${SHORT_WEEKDAYS}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\\.?${ORDINAL}`,
  'iuy',
);
/** A weekday is a date where a word says which one: `on Monday`, `next Friday`, `bis Montag`, `el lunes`. */
const BEFORE_WEEKDAY = lean(
  /(?:^|[^\p{L}])(?:on|(?<!the )(?:next|last)|this|by|until|till|since|before|after|from|coming|am|ab|bis|seit|nächsten|letzten|kommenden|diesen|vom|zum|el|este|próximo|pasado|hasta|desde|il|ce|dès|depuis|jusqu'à|prochain|scorso|prossimo|questo|fino a|da|op|vanaf|tot|na|no|até|w|we|w tę|w ten|do|od) (?:the |a )?$/iu,
);
/** To which day something is moved: `pushed back to thursday`. */
const MOVED = lean(
  /(?<!\p{L})(?:move[ds]?|moving|push(?:ed|ing)?|postponed?|reschedul\p{Ll}+|shift(?:ed)?|delay(?:ed)?|bump(?:ed)?|defer(?:red)?|slip(?:s|ped)?|change[ds]?|switch(?:ed)?|brought|bring|see (?:you|u|ya)|let['’]?s do|(?:can|could|shall) (?:we|you|u|i) do|how about|what about|verschoben|verlegt|verlegen|déplacée?|reportée?|avancée?|aplazad[oa]|movid[oa]|cambiad[oa]|pasad[oa]|rimandat[oa]|spostat[oa]|adiad[oa]|remarcad[oa]|mudad[oa]|verplaatst|verzet|przełoż\p{Ll}+|przesuni\p{Ll}+)(?: (?!every)\p{L}+){0,3} $/iu,
);
const MOVED_UNITS = 40;
/** Or a part of the day behind it, or the end of a question. */
const AFTER_WEEKDAY =
  /^(?: (?:prochain|dernier|matin|soir|après-midi|morning|afternoon|evening|night|früh|abend|que viene|por la|prossimo|mattina|sera|wieczorem|rano|at \d|um \d|à \d|a las \d)|\?)/u;
/** What is held, done or due on one day: `the Friday deploy`. */
const WORK_BEHIND = lean(
  /^ (?:(?:morning|afternoon|evening|night|early|late|team|status|project|client|staff|board|sales|planning|sprint|prod|production|night) )?(?:shifts?|meetings?|deploy(?:s|ment|ments)?|releases?|stand-?ups?|rota|roster|calls?|syncs?|reviews?|deliver(?:y|ies)|appointments?|class(?:es)?|sessions?|slots?|demo|retro|games?|match|flights?|trains?|lectures?|exams?|deadlines?|payroll|batch|run|closing|handover|briefings?|visits?|check-in|bookings?|rounds?|rehearsal|practice|training|interviews?|workshops?|webinars?|backups?|maintenance|outage|rollout|crew|cutover|order|pickup|drop-?off)(?!\p{L}|-)/u,
);
/** `Taco Tuesday`, `Sunday roast`: what is called by the day, and is of no day. */
const CALLED_BY_DAY = lean(
  /(?<!\p{L})(?:taco|casual|throwback|super|fat|shrove|bloody|meatless|manic|giving|maundy|holy|whit|spy|ruby|blue|mardi) $/iu,
);
const OF_ALL_DAYS = lean(
  /^ (?:roast|school|best|brunch|drivers?|blues|league|carvery|dinners?|lunch(?:es)?|Times|Mirror|Mail)(?!\p{L})/u,
);
/** Words for weekdays in small letters that mean nothing else, where they are not those of every week. */
const ONLY_WEEKDAY =
  /^(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|luned[ìi]|marted[ìi]|mercoled[ìi]|gioved[ìi]|venerd[ìi]|sabato|dimanche|domingo|domenica|(?:maan|dins|woens|donder|vrij|zater|zon)dag|mi[ée]rcoles|jueves|lunes|martes|viernes|s[áa]bado|(?:segunda|terça|quarta|quinta|sexta)-feira)$/u;
const EVERY_WEEK = lean(/(?<!\p{L})(?:los|les|le|la|i|as|aos|nas) $/iu);
/** Also of another day before it: `every Monday and Thursday`. */
const EVERY = lean(
  `(?<!\\p{L})(?:los|every|each|jede[nrs]?|toda|todo|tutti i|chaque|cada|ogni|elke|iedere|każd(?:y|a|ą|ej|ego)) (?:(?:${WEEKDAYS})(?:,|,? (?:and|or|und|oder|et|ou|y|o|e|en|of|i|lub)) ){0,4}$`,
  'iu',
);
/** `un lundi sur deux`: of every second week. */
const SOME_OF_THEM =
  /^ (?:sur (?:deux|trois|quatre)|de cada (?:dos|tres|mes)|al mese|du mois|del mes|do mês|im Monat|a month|of (?:the|each|every) month|w miesiącu|per maand)(?!\p{L})/u;
/** That many units it may have before a weekday. */
const EVERY_UNITS = 48;
const NO_DAY_BEHIND = /^(?: gras| saint|s)/u;
/** Patterns of dates that need a word. */
const WITH_WEEKDAY = 0.7;
export const DAY_AND_MONTH = new Set(['month, day', 'day, month, dotted']);
const DATE_BEHIND = /^,? ?(?:the |den |dem |der |el |le |il |o |a |dnia )?$/iu;
/** With a capital and in the singular, where the sentence goes on in small letters or stops. */
const ONE_DAY =
  /^(?:(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)day|(?:[Mm]on|[Dd]iens|[Dd]onners|[Ff]rei|[Ss]ams|[Ss]onn)tag|[Mm]ittwoch|(?:Maan|Dins|Woens|Donder|Vrij|Zater|Zon)dag|Lundi|Mardi|Mercredi|Jeudi|Vendredi|Samedi|Lunes|Martes|Miércoles|Jueves|Viernes|Sábado|(?:Lune|Marte|Mercole|Giove|Vener)dì|Sabato)$/u;
const NO_ONE_DAY = lean(
  /(?<!\p{L})(?:the|an?|every|each|any|most|follow|the last|the first|black|cyber|good|easter|palm|ash|jeden|jeder|der|die|ein|einen) $/iu,
);
/** `monday to friday`: those of every week. */
const RANGE_BEHIND = lean(
  `^(?: (?:to|through|thru|till|until|bis|a|à|tot|do) | ?[-–/] ?)(?:${WEEKDAYS})`,
  'iu',
);
const RANGE_BEFORE = lean(
  `(?:${WEEKDAYS})(?: (?:to|through|thru|till|until|bis|a|à|tot|do) | ?[-–/] ?)$`,
  'iu',
);
const GOES_ON = lean(
  /^(?:[,.;!)]|$|\n| \(| (?!\p{Ll}{3,}s(?<! works| suits| looks| sounds)(?!\p{L}))\p{Ll})/u,
);
const CUE_UNITS = 20;

/** In small letters alone: with capitals people write so of one week, too. */
function isOfRange(text: string, start: number, end: number, found: string): boolean {
  if (found[0] !== found[0]!.toLowerCase()) return false;
  return (
    RANGE_BEHIND.test(text.slice(end, end + CUE_UNITS)) ||
    RANGE_BEFORE.test(text.slice(Math.max(0, start - CUE_UNITS), start))
  );
}

function isNamed(text: string, start: number, end: number): boolean {
  const found = text.slice(start, end);
  const before = text.slice(Math.max(0, start - CUE_UNITS), start);
  const after = text.slice(end, end + CUE_UNITS + 8);
  if (
    /days$/iu.test(found) ||
    SOME_OF_THEM.test(after) ||
    EVERY.test(text.slice(Math.max(0, start - EVERY_UNITS), start))
  )
    return false;
  if (WORK_BEHIND.test(after)) return true;
  if (GOES_ON.test(after) && MOVED.test(text.slice(Math.max(0, start - MOVED_UNITS), start))) return true;
  return (
    (ONLY_WEEKDAY.test(found) && !NO_DAY_BEHIND.test(after) && !EVERY_WEEK.test(before)) ||
    BEFORE_WEEKDAY.test(before) ||
    AFTER_WEEKDAY.test(after) ||
    (ONE_DAY.test(found) &&
      !isOfRange(text, start, end, found) &&
      !NO_ONE_DAY.test(before) &&
      !CALLED_BY_DAY.test(before) &&
      !OF_ALL_DAYS.test(after) &&
      GOES_ON.test(after))
  );
}

/** The time behind a day: `Monday 08:00`, `Donnerstag um 9:00 Uhr`. */
const TIME =
  /(?: (?:at|um|à|a las|alle|às|om|o))? (?:[01]?\d|2[0-3])[:.][0-5]\d(?!\d|[.:]\d)(?: ?[ap]\.?m\.?(?!\w)| Uhr| uur)?/y;

interface Weekday {
  start: number;
  end: number;
  isNamed: boolean;
}

/** Weekdays that begin at one of `signs`. One right before a date is no finding of its own: the date begins with it. */
export function weekdaysAt(text: string, signs: readonly number[], dates: readonly Candidate[]): Weekday[] {
  const found: Weekday[] = [];
  for (const start of signs) {
    const whole = matchAt(WITH_DAY, text, start) ?? matchAt(PORTUGUESE_DAY, text, start);
    const weekday = whole ?? matchAt(WEEKDAY, text, start);
    if (weekday === undefined) continue;
    const end = start + weekday.length;
    const date = dates.find((one) => one.start >= end && one.start - end < 8);
    const isRepeated =
      /days$/i.test(weekday) || EVERY.test(text.slice(Math.max(0, start - EVERY_UNITS), start));
    const time = isRepeated ? undefined : matchAt(TIME, text, end);
    if (date !== undefined && DATE_BEHIND.test(text.slice(end, date.start))) {
      date.start = start;
      // Two numbers behind a weekday are its day and month: `Wednesday 18/06`.
      if (!isRepeated && DAY_AND_MONTH.has(date.pattern)) date.score = Math.max(date.score, WITH_WEEKDAY);
    } else if (!dates.some((one) => one.start <= start && one.end > start))
      found.push({
        start,
        end: end + (time?.length ?? 0),
        isNamed: whole !== undefined || time !== undefined || isNamed(text, start, end),
      });
  }
  return found;
}
