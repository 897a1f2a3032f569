/** Dates in figures, in the orders that people write them, also with the month of another script, and years alone. */
import { lean } from '../patterns/lean.js';
import { matchAt } from '../patterns/matches-of.js';
import { isDigitUnit } from '../patterns/units.js';
import type { Block, Candidate, Run } from '../recognizer.js';
import { CLOCK, DAY, dateCandidate, MONTH_NUMBER, YEAR } from './date-parts.js';
import { MONTHS_OF_OTHER_SCRIPTS } from './date-words.js';
import { BEFORE_DOTTED_DAY, isDayOfMonth, SHORT_WEEKDAY } from './day-and-month.js';
import { yearAt } from './years.js';

const END = '(?![\\w])(?![-/.:]\\d)';
const CUE_UNITS = 20;

interface DatePattern {
  name: string;
  regex: RegExp;
  score: number;
}

interface MarkedPattern extends DatePattern {
  /** Marks that may follow its first number. */
  marks: string;
}

/** Dates that begin with a year. */
const YEAR_FIRST: readonly MarkedPattern[] = [
  // `2024.1.3`: nobody writes days of one figure so, but in a few languages; a word that names a date raises it.
  {
    name: 'year, month, day, as versions are',
    regex: lean(`${YEAR}\\.(?:[1-9]\\.(?:[1-9]|[12]\\d|3[01])|1[0-2]\\.[1-9])${END}`, 'y'),
    score: 0.3,
    marks: '.',
  },
  {
    name: 'year, month, day',
    regex: lean(`${YEAR}([-/.])${MONTH_NUMBER}\\1${DAY}${CLOCK}${END}`, 'y'),
    score: 0.8,
    marks: '-/.',
  },
  { name: 'year, month', regex: lean(`${YEAR}-(?:0[1-9]|1[0-2])${END}`, 'y'), score: 0.2, marks: '-' },
];
/** Those that begin with a day or a month. */
const DAY_FIRST: readonly MarkedPattern[] = [
  {
    name: 'day, month, year',
    regex: lean(`${DAY}([-/.])${MONTH_NUMBER}\\1(?:${YEAR})${CLOCK}${END}`, 'y'),
    score: 0.8,
    marks: '-/.',
  },
  {
    name: 'month, day, year',
    regex: lean(`${MONTH_NUMBER}([-/.])${DAY}\\1(?:${YEAR})${CLOCK}${END}`, 'y'),
    score: 0.8,
    marks: '-/.',
  },
  {
    name: 'day, month, short year',
    regex: lean(`${DAY}([/-])${MONTH_NUMBER}\\1\\d{2}${CLOCK}${END}`, 'y'),
    score: 0.6,
    marks: '-/',
  },
  {
    name: 'month, day, short year',
    regex: lean(`${MONTH_NUMBER}([/-])${DAY}\\1\\d{2}${CLOCK}${END}`, 'y'),
    score: 0.6,
    marks: '-/',
  },
  // Version numbers have this form too.
  {
    name: 'dotted, short year',
    regex: lean(`${DAY}\\.${MONTH_NUMBER}\\.\\d{2}${CLOCK}${END}`, 'y'),
    score: 0.3,
    marks: '.',
  },
  { name: 'month, year', regex: lean(`${MONTH_NUMBER}/${YEAR}${END}`, 'y'), score: 0.25, marks: '/' },
  {
    name: 'month, day',
    regex: lean(`(?:${MONTH_NUMBER}/${DAY}|${DAY}/${MONTH_NUMBER})${END}`, 'y'),
    score: 0.15,
    marks: '/',
  },
  // `14.02.` is also how chapters and versions are numbered.
  {
    name: 'day, month, dotted',
    regex: lean(`${DAY}\\.${MONTH_NUMBER}\\.(?![\\w])`, 'y'),
    score: 0.1,
    marks: '.',
  },
];
const WITHOUT_MARKS: readonly DatePattern[] = [
  {
    name: 'year, month, day without marks',
    regex: /(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\w)(?![-/.:]\d)/y,
    score: 0.25,
  },
];
const BASIC_ISO: readonly DatePattern[] = [
  {
    name: 'basic ISO',
    regex: /(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])T\d{4,6}(?:[.,]\d{1,9})?Z?(?!\w)/y,
    score: 0.6,
  },
];
const NONE: readonly DatePattern[] = [];
/** Sorted by code unit. */
const MARKS = '-./';
const byMark = (all: readonly MarkedPattern[]): readonly (readonly DatePattern[])[] =>
  [...MARKS].map((mark) => all.filter(({ marks }) => marks.includes(mark)));
const YEAR_FIRST_BY_MARK = byMark(YEAR_FIRST);
const DAY_FIRST_BY_MARK = byMark(DAY_FIRST);

/** `12 мая 2025 г.`: the words that begin dates are looked for in Latin script alone. */
const OTHER_SCRIPT = lean(
  `${DAY}(?:-?(?:го|е|ого|η))? (?:${MONTHS_OF_OTHER_SCRIPTS})(?![\\p{L}\\p{M}])(?:,? ${YEAR}(?!\\w))?${CLOCK}`,
  'iuy',
);
/** The most units between the figures of its day and the blank. */
const DAY_ENDING = 4;
const CLOCK_BEHIND = lean(CLOCK, 'y');
/** The patterns of dates that can begin with this run: by its length, and the mark that joins their parts. */
function patternsFor(text: string, { start, end }: Run): readonly DatePattern[] {
  const width = end - start;
  if (width > 4) {
    if (text.charAt(start) !== '1' && text.charAt(start) !== '2') return NONE;
    if (width === 8) return WITHOUT_MARKS;
    return text[start + 8] === 'T' ? BASIC_ISO : NONE;
  }
  if (width === 3 || !isDigitUnit(text.charCodeAt(end + 1))) return NONE;
  return (
    (width === 4 ? YEAR_FIRST_BY_MARK : DAY_FIRST_BY_MARK)[text.charCodeAt(end) - MARKS.charCodeAt(0)] ?? NONE
  );
}

/** Whether a word in Greek or Cyrillic can follow the day that ends here, or ends so: `12-го мая`. */
function isBeforeOtherScript(text: string, end: number): boolean {
  for (let at = end; at <= end + DAY_ENDING; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20) continue;
    const first = text.charCodeAt(at + 1);
    return first >= 0x370 && first < 0x530;
  }
  return false;
}

/** Units of the time behind a day and a month: `28/01 at 10:15`. */
function clockBehind(text: string, end: number): number {
  return text[end] === ' ' || text[end] === ',' ? (matchAt(CLOCK_BEHIND, text, end)?.length ?? 0) : 0;
}

/** The date or year that begins with this run; `last` is the date before it. */
export function numericDateAt(block: Block, run: Run, last: Candidate | undefined): Candidate | undefined {
  for (const { name, regex, score } of patternsFor(block.text, run)) {
    const found = matchAt(regex, block.text, run.start);
    if (found === undefined) continue;
    const before = block.text.slice(Math.max(0, run.start - CUE_UNITS), run.start);
    const behind = block.text.slice(run.start + found.length, run.start + found.length + CUE_UNITS);
    const isNamed =
      (score === 0.1 && BEFORE_DOTTED_DAY.test(before)) ||
      (score === 0.15 && isDayOfMonth(found, before, behind));
    const weekday = score === 0.15 ? (SHORT_WEEKDAY.exec(before)?.[0].length ?? 0) : 0;
    const end =
      run.start +
      found.length +
      (isNamed && score === 0.15 ? clockBehind(block.text, run.start + found.length) : 0);
    return dateCandidate(run.start - weekday, end, name, isNamed ? 0.55 : score);
  }
  const width = run.end - run.start;
  if (width < 3 && isBeforeOtherScript(block.text, run.end)) {
    const found = matchAt(OTHER_SCRIPT, block.text, run.start);
    if (found !== undefined)
      return dateCandidate(run.start, run.start + found.length, 'day, month name', 0.85);
  }
  const year = width === 4 ? yearAt(block.text, run.start, last) : undefined;
  return year && dateCandidate(year.start, year.end, year.pattern, year.score);
}
