/**
 * Dates, with the time when one follows: ISO 8601, numbers in the orders people write them, and month names in
 * English, Spanish, German, French, Italian, Dutch, Portuguese and Polish. A time of day alone is nobody's data. A year alone counts where
 * a word before it says that it is one.
 */
import type { Block, Candidate, Recognizer, Run } from '../recognizer.js';
import { ContextWords } from '../recognizer.js';
import { WordSigns } from '../word-signs.js';
import {
  DAY_WORDS,
  LONE_SPELLED_YEARS,
  MONTHS,
  MONTHS_OF_OTHER_SCRIPTS,
  ORDINALS,
  SPELLED_YEARS,
} from './date-words.js';
import { WEEKDAYS, weekdaysAt } from './weekdays.js';
import { shortYearAt, yearAt } from './years.js';

const MONTH = new RegExp(`(?<![\\p{L}\\p{M}])(?:${MONTHS})(?![\\p{L}\\p{M}])`, 'iuy');
const CLOCK =
  '(?:(?:[T ,]{1,2}|(?<=\\d{4}):)(?:at |um |à |a las |alle )?\\d{1,2}[:h]\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AaPp]\\.?[Mm]\\.?(?!\\w))?(?: ?(?:Z|UTC|GMT|[+-]\\d{2}:?\\d{2}))?)?';
const END = '(?![\\w])(?![-/.:]\\d)';
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const MONTH_NUMBER = '(?:0?[1-9]|1[0-2])';
const YEAR = '(?:1[5-9]|20|21)\\d{2}';

const CUE_UNITS = 20;
/** `20250714T032219Z` is one run. */
const LONGEST_RUN = 16;

interface DatePattern {
  name: string;
  regex: RegExp;
  score: number;
}

const NUMERIC: readonly DatePattern[] = [
  {
    name: 'year, month, day',
    regex: new RegExp(`${YEAR}([-/.])${MONTH_NUMBER}\\1${DAY}${CLOCK}${END}`, 'y'),
    score: 0.8,
  },
  {
    name: 'day, month, year',
    regex: new RegExp(`${DAY}([-/.])${MONTH_NUMBER}\\1(?:${YEAR})${CLOCK}${END}`, 'y'),
    score: 0.8,
  },
  {
    name: 'month, day, year',
    regex: new RegExp(`${MONTH_NUMBER}([-/.])${DAY}\\1(?:${YEAR})${CLOCK}${END}`, 'y'),
    score: 0.8,
  },
  {
    name: 'day, month, short year',
    regex: new RegExp(`${DAY}([/-])${MONTH_NUMBER}\\1\\d{2}${CLOCK}${END}`, 'y'),
    score: 0.6,
  },
  {
    name: 'month, day, short year',
    regex: new RegExp(`${MONTH_NUMBER}([/-])${DAY}\\1\\d{2}${CLOCK}${END}`, 'y'),
    score: 0.6,
  },
  // Versions look like this too.
  {
    name: 'dotted, short year',
    regex: new RegExp(`${DAY}\\.${MONTH_NUMBER}\\.\\d{2}${CLOCK}${END}`, 'y'),
    score: 0.3,
  },
  {
    name: 'basic ISO',
    regex: /(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])T\d{4,6}(?:[.,]\d{1,9})?Z?(?!\w)/y,
    score: 0.6,
  },
  {
    name: 'year, month, day without marks',
    regex: /(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\w)(?![-/.:]\d)/y,
    score: 0.25,
  },
  { name: 'month, year', regex: new RegExp(`${MONTH_NUMBER}/${YEAR}${END}`, 'y'), score: 0.25 },
  {
    name: 'month, day',
    regex: new RegExp(`(?:${MONTH_NUMBER}/${DAY}|${DAY}/${MONTH_NUMBER})${END}`, 'y'),
    score: 0.15,
  },
  { name: 'year, month', regex: new RegExp(`${YEAR}-(?:0[1-9]|1[0-2])${END}`, 'y'), score: 0.2 },
];
/** `12 мая 2025 г.`: the words that begin dates are looked for in Latin script alone. */
const OTHER_SCRIPT = new RegExp(
  `${DAY}(?:-?(?:го|е|ого|η))? (?:${MONTHS_OF_OTHER_SCRIPTS})(?![\\p{L}\\p{M}])(?:,? ${YEAR}(?!\\w))?${CLOCK}`,
  'iuy',
);
const IS_OTHER_SCRIPT = /^\S{0,4} [\u0370-\u052f]/u;
/** `02/03` is no fraction: behind `from` and `to` it is a day. */
const PADDED = /^(?:0\d\/\d\d|\d\d\/0\d)$/;
const FROM_OR_TO = /(?<!\p{L})(?:from|to|between|and|von|auf|de|a|van|naar|z|na) $/iu;
/** What stands before a year and a month: the name of a field, or a word for a time. */
const BEFORE_YEAR_AND_MONTH =
  /(?<![\p{L}])(?:\w*_)?(?:since|from|until|till|to|through|started?|starts|ended|ends?|joined|hired|born|birth|expires?|expiry|valid|date|dated|updated|created|issued|month|period|in|by|before|after|desde|hasta|seit|bis|ab|depuis|dal|sinds|od|do)(?:_\w+)?(?:["']?\s?[:=>]\s?["']?| )$/iu;
/** Words right before two numbers that make them day and month: `on 14/02`. */
const BEFORE_DAY =
  /(?:^|[^\p{L}])(?:on|by|until|till|since|due|before|after|dated?|birthday|born|dob|am|vom|bis|zum|seit|el|del|le|du|il|dal|al|op|deadline|día|dia|fällig|échéance|scadenza|plazo|prazo|vence|frist|termin|dnia|fecha|datum|data|ends|starts|begins|expires|closes|opens|arrives|leaves)(?: is| on|:)? (?:the )?$/iu;
const DAY_BEFORE = new RegExp(
  `(?:^|[^\\p{L}\\p{N}./-])((?:the |el |le |il |den |am )?(?:${DAY}(?:st|nd|rd|th|er|º|°|\\.)?|${DAY_WORDS})(?: ?(?:of|de|d[’']|di|-|/|\\.) ?| ))$`,
  'iu',
);
const AFTER_MONTH = new RegExp(
  `(?:\\.? ?['’]\\d{2}|\\.? ?(?:(?:${DAY}|(?:the )?(?:${ORDINALS}))(?:st|nd|rd|th)?(?!\\w|:\\d)(?:,? {1,2}(?:${YEAR}|${SPELLED_YEARS}))?|(?:,? |\\.? ?(?:de |del |del año |de l[’']année |of |-|/)?)(?:${YEAR}|${SPELLED_YEARS})|-\\d{2}))(?![\\p{L}\\p{N}])`,
  'uy',
);
const YEAR_AFTER = new RegExp(
  `(?:\\.?,? ?(?:de |del |del año |of |-|/)?(?:${YEAR}|${SPELLED_YEARS})|\\.?,? ?['’]\\d{2}|-\\d{2})(?![\\p{L}\\p{N}])`,
  'uy',
);
/** The longest day in words, with an article and `of`. */
const DAY_UNITS = 36;
const CLOCK_AFTER = new RegExp(CLOCK, 'y');
/** What follows the month where the year comes last, as in the dates of C and Git: ` 4 14:02:19 2025 +0100`. */
const AFTER_MONTH_OF_C =
  / {1,2}\d{1,2} \d{2}:\d{2}:\d{2}(?: [A-Z]{3,4})? (?:19|20)\d{2}(?: [+-]\d{4})?(?!\w)/y;
const SHORT_WEEKDAY = /(?<![\p{L}\p{M}])(?:Mon|Tues?|Weds?|Thu(?:rs?)?|Fri|Sat|Sun)\.?,? $/u;
const BEFORE_MONTH =
  /(?:^|[^\p{L}])(?:in|since|by|until|till|before|after|from|through|during|last|next|early|late|mid|this|every|en|desde|hasta|im|seit|ab|bis|vor|nach|depuis|avant|après|fin|début|a|da|dal|nel|sinds|vanaf|tot|em|até|w|we|do|od|mes de|month of|mois de|mois d[’']|mese di|mês de|monat|miesiącu)\s?$/iu;
/** Spellings that are words of their own when nothing else says that they are months. */
const IS_WORD =
  /^(?:may|march|mar|mars|mai|sep|sept|dec|jan|gen|mag|ago|dic|ott|lug|giu|ene|abr|mär|nov|oct|okt|dez|mei|maio|maja|maj|marca|luty)$/i;
/** Behind them: `depuis mars 2019`. */
const ENDS_IN_YEAR = /(?<!\d)(?:19|20)\d{2}$/;

/** `till dec 28`. */
const A_DAY = /^ \d{1,2}(?:st|nd|rd|th)?$/;
const BEFORE_DAY_OF_MONTH =
  /(?<!\p{L})(?:till?|until|by|before|after|since|from|on|thru|through|starting|due|is|was|for) $/iu;

const CONTEXT = new ContextWords([
  'date',
  'am',
  'vom',
  'zum',
  'seit',
  'ab',
  'birthday',
  'born',
  'dob',
  'fecha',
  'nacimiento',
  'datum',
  'geburtsdatum',
  'geboren',
  'naissance',
  'data',
  'nascita',
]);

function candidate(start: number, end: number, pattern: string, score: number): Candidate {
  const context = score >= 0.25 && score < 0.5 ? CONTEXT : undefined;
  return {
    entityType: 'DATE_TIME',
    start,
    end,
    score,
    baseScore: score,
    recognizer: 'date-time',
    pattern,
    validation: 'none',
    context,
    isChance: true,
  };
}

/** Whether a date of figures can begin with this run: a mark that joins its parts follows, or it is a date without marks. */
function canBeginDate(text: string, { start, end }: Run): boolean {
  if (end - start > 4) return end - start === 8 || text[start + 8] === 'T';
  const unit = text.charCodeAt(end);
  return unit === 0x2d || unit === 0x2e || unit === 0x2f;
}

function numericAt(block: Block, run: Run, last: Candidate | undefined): Candidate | undefined {
  for (const { name, regex, score } of canBeginDate(block.text, run) ? NUMERIC : []) {
    regex.lastIndex = run.start;
    const found = regex.exec(block.text)?.[0];
    if (found === undefined) continue;
    const before = block.text.slice(Math.max(0, run.start - CUE_UNITS), run.start);
    const isNamed =
      (score === 0.15 && (BEFORE_DAY.test(before) || (PADDED.test(found) && FROM_OR_TO.test(before)))) ||
      (name === 'year, month' && BEFORE_YEAR_AND_MONTH.test(before));
    return candidate(run.start, run.start + found.length, name, isNamed ? 0.55 : score);
  }
  const width = run.end - run.start;
  if (width < 3 && IS_OTHER_SCRIPT.test(block.text.slice(run.end, run.end + 8))) {
    const found = exec(OTHER_SCRIPT, block.text, run.start);
    if (found !== '') return candidate(run.start, run.start + found.length, 'day, month name', 0.85);
  }
  const year =
    width === 4
      ? yearAt(block.text, run.start, last)
      : width === 2
        ? shortYearAt(block.text, run.start)
        : undefined;
  return year && candidate(year.start, year.end, year.pattern, year.score);
}

function exec(regex: RegExp, text: string, at: number): string {
  regex.lastIndex = at;
  return regex.exec(text)?.[0] ?? '';
}

/** Where the date at `start` begins when a short name of a weekday stands before it. */
function withWeekday(text: string, start: number): number {
  return start - (SHORT_WEEKDAY.exec(text.slice(Math.max(0, start - 9), start))?.[0].length ?? 0);
}

function withMonth(text: string, start: number, end: number): Candidate | undefined {
  const month = text.slice(start, end);
  const day = DAY_BEFORE.exec(text.slice(Math.max(0, start - DAY_UNITS), start))?.[1];
  if (day !== undefined) {
    const year = exec(YEAR_AFTER, text, end);
    const clock = exec(CLOCK_AFTER, text, end + year.length);
    const from = start - day.replace(/^(?:the|el|le|il|den|am) /i, '').length;
    return candidate(withWeekday(text, from), end + year.length + clock.length, 'day, month name', 0.85);
  }
  const rest = exec(AFTER_MONTH_OF_C, text, end);
  if (rest !== '') return candidate(withWeekday(text, start), end + rest.length, 'month name', 0.8);
  const after = exec(AFTER_MONTH, text, end);
  const isNamed = BEFORE_MONTH.test(text.slice(Math.max(0, start - 12), start));
  const isDay = A_DAY.test(after) && BEFORE_DAY_OF_MONTH.test(text.slice(Math.max(0, start - 12), start));
  const isTold = isDay || (isNamed && ENDS_IN_YEAR.test(after));
  const isName = !isTold && month[0] === month[0]!.toLowerCase() && IS_WORD.test(month);
  const isGlued = month.length < 5 && /^\d/.test(after);
  if (after !== '' && !isName && !isGlued) {
    const clock = exec(CLOCK_AFTER, text, end + after.length);
    return candidate(withWeekday(text, start), end + after.length + clock.length, 'month name', 0.7);
  }
  if (month.length < 4 && !/^may$/i.test(month)) return undefined;
  return candidate(start, end, 'month name alone', isNamed && !isName ? 0.55 : 0.1);
}

/** A date of figures is one for sure beside another date: `due on 3 May, not 15/10`. */
const BESIDE_UNITS = 32;
/** What else two small numbers are. */
const FRACTION = /^(?:[1-9]\/[2-9]|[1-9]\/10|24\/7)$/;

function raiseBesideDates(text: string, dates: readonly Candidate[]): void {
  for (const date of dates) {
    if (date.pattern !== 'month, day' || date.score >= 0.5) continue;
    const isFraction =
      FRACTION.test(text.slice(date.start, date.end)) || / of/.test(text.slice(date.end, date.end + 3));
    const isBeside = (other: Candidate) =>
      other.score >= 0.5 &&
      other.end <= date.start &&
      date.start - other.end <= BESIDE_UNITS &&
      !/[.!?\n]/.test(text.slice(other.end, date.start));
    if (!isFraction && dates.some(isBeside)) date.score = 0.55;
  }
}

const LONE_SPELLED_YEAR = new RegExp(`(?<![\\p{L}\\p{M}])(?:${LONE_SPELLED_YEARS})(?!\\p{L})`, 'iuy');
const SIGNS = new WordSigns();
SIGNS.add(MONTHS);
SIGNS.add(WEEKDAYS);
SIGNS.add('eighteen|nineteen|neunzehnhundert|mil|mille|millenovecento');

function dateInWordsAt(text: string, start: number): Candidate | undefined {
  const month = exec(MONTH, text, start);
  if (month !== '') return withMonth(text, start, start + month.length);
  const year = exec(LONE_SPELLED_YEAR, text, start);
  return year === '' ? undefined : candidate(start, start + year.length, 'year in words', 0.6);
}

/** Where a month or a weekday may begin in a block. */
function signsIn({ text, from, to }: Block): number[] {
  const found: number[] = [];
  for (let at = SIGNS.next(text, from, to); at < to; at = SIGNS.next(text, at + 1, to)) found.push(at);
  return found;
}

export const dateTime: Recognizer = {
  name: 'date-time',
  entityType: 'DATE_TIME',
  find(block, report) {
    const dates: Candidate[] = [];
    for (const run of block.runs) {
      if (!run.isDigit || run.isPiece || run.end - run.start > LONGEST_RUN) continue;
      const found = numericAt(block, run, dates.at(-1));
      if (found !== undefined) dates.push(found);
    }
    const { text } = block;
    const signs = signsIn(block);
    for (const start of signs) {
      const found = dateInWordsAt(text, start);
      if (found !== undefined) dates.push(found);
    }
    for (const { start, end, isNamed } of weekdaysAt(text, signs, dates))
      report(candidate(start, end, 'weekday', isNamed ? 0.55 : 0.2));
    raiseBesideDates(text, dates);
    for (const date of dates) report(date);
  },
};
