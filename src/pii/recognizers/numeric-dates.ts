/** Dates in digits in the usual orders, also with a month in Greek or Cyrillic, and years alone. */
import { lean } from '../patterns/lean.js';
import { matchAt } from '../patterns/matches-of.js';
import { isDigitUnit } from '../patterns/units.js';
import type { Block, Candidate, Run } from '../recognizer.js';
import { readData } from '../words/words.js';
import { CLOCK, DAY, dateCandidate, MONTH_NUMBER, YEAR } from './date-parts.js';
import { MONTHS_OF_OTHER_SCRIPTS } from './date-words.js';
import { BEFORE_DOTTED_DAY, isDayOfMonth, SHORT_WEEKDAY } from './day-and-month.js';
import { yearAt } from './years.js';

const END = '(?![\\w])(?![-/.:]\\d)';
const CUE_UNITS = 20;

interface DateForm {
  name: string;
  first: 'year' | 'day' | 'whole' | 'time';
  pattern: string;
  score: number;
  marks: string;
}

const PARTS: Readonly<Record<string, string>> = { YEAR, MONTH: MONTH_NUMBER, DAY, CLOCK, END };
const FORMS = readData<{ forms: readonly DateForm[] }>('date-forms').forms.map(({ pattern, ...form }) => ({
  ...form,
  regex: lean(
    pattern.replace(/\{([A-Z]+)\}/g, (_, part: string) => PARTS[part]!),
    'y',
  ),
}));
const formsOf = (first: DateForm['first'], mark = '') =>
  FORMS.filter((form) => form.first === first && form.marks.includes(mark));
const NONE: typeof FORMS = [];
const WITHOUT_MARKS = formsOf('whole');
const BASIC_ISO = formsOf('time');
/** In the order of their code units. */
const MARKS = '-./';
const YEAR_FIRST_BY_MARK = [...MARKS].map((mark) => formsOf('year', mark));
const DAY_FIRST_BY_MARK = [...MARKS].map((mark) => formsOf('day', mark));

/**
 * Dates such as `12 мая 2025 г.`. They are found from their day, because the search for names of months covers only
 * the Latin script.
 */
const OTHER_SCRIPT = lean(
  `${DAY}(?:-?(?:го|е|ого|η))? (?:${MONTHS_OF_OTHER_SCRIPTS})(?![\\p{L}\\p{M}])(?:,? ${YEAR}(?!\\w))?${CLOCK}`,
  'iuy',
);
/** The most units between the digits of the day and the blank. */
const DAY_ENDING = 4;
const CLOCK_BEHIND = lean(CLOCK, 'y');
/** The patterns of dates that can begin with this run, by its length and the separator after it. */
function patternsFor(text: string, { start, end }: Run): typeof FORMS {
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

/** Whether a Greek or Cyrillic word can follow the day that ends here, also after an ending as in `12-го мая`. */
function isBeforeOtherScript(text: string, end: number): boolean {
  for (let at = end; at <= end + DAY_ENDING; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20) continue;
    const first = text.charCodeAt(at + 1);
    return first >= 0x370 && first < 0x530;
  }
  return false;
}

/** The length of the time after a day and a month: `28/01 at 10:15`. */
function clockBehind(text: string, end: number): number {
  return text[end] === ' ' || text[end] === ',' ? (matchAt(CLOCK_BEHIND, text, end)?.length ?? 0) : 0;
}

/** The date or year that begins with this run. `last` is the date before it. */
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
