/**
 * Telephone numbers. The candidates come from patterns: a `+`, a bracket or a group of digits, then groups with
 * single separators. The metadata of libphonenumber decides whether a candidate can be a number of its country.
 */
import type { CountryCode } from 'libphonenumber-js/max';
import { matchAt } from '../patterns/matches-of.js';
import { isDigitUnit } from '../patterns/units.js';
import { type Block, type Candidate, candidate, type Recognizer, type Run } from '../recognizer.js';
import { isBehindLetters } from '../runs.js';
import { readData } from '../words/words.js';
import { internationalNumber, type Knowledge, nationalNumber } from './phone-plans.js';
import { PHONE_WORDS } from './phone-words.js';

const EXTENSION = '(?: ?(?:x|ext\\.?|extension|#) ?\\d{1,6})?';
/**
 * What must not follow a telephone number: the rest of a part number (`212-555-7788-B`) or of a time (`03-17 16:13`).
 */
const END = '(?!\\w)(?![-./:]\\d|-[A-Z](?!\\w))';
const INTERNATIONAL = new RegExp(
  `(?:\\+ ?|00)[1-9]\\d{0,3}(?:[ .-]{0,2}\\(?\\d{1,5}\\)?){2,6}${EXTENSION}${END}`,
  'y',
);
/** North American numbers in the usual printed forms. The area code and the exchange begin with 2 to 9. */
const AMERICAN = new RegExp(
  `(?:1[ .-])?(?:\\([2-9]\\d{2}\\) ?[2-9]\\d{2}[ .-]\\d{4}|[2-9]\\d{2}([-.])[2-9]\\d{2}\\1\\d{4}|[2-9]\\d{2} [2-9]\\d{2} \\d{4})${EXTENSION}${END}`,
  'y',
);
const NATIONAL = new RegExp(
  `(?:\\(0? ?\\d{1,4}\\)[ -]?)?\\d{1,13}(?:[ .-]\\d{2,8}){0,5}${EXTENSION}${END}(?! \\d{2}(?![\\w:/.,-]))`,
  'y',
);
/** French numbers, which are written in pairs: `06 39 98 41 27`. */
const FRENCH = /0[1-9](?:([ .])\d{2})(?:\1\d{2}){3}(?!\w)(?![-./]\d| \d{2}(?![\d:/.,]))/y;
const PAIRS = /^\d{2}(?:[ .]\d{2})+$/;
const NEXT_PAIR = /^[ .]\d{2}(?![\w:/.,-])/;
const PAIR_BEFORE = /[\da-f]{2}[ .-]$/i;
/** National forms that no other kind of number has. */
const FORMS = readData<{ forms: readonly { name: string; first: string; pattern: string }[] }>(
  'phone-forms',
).forms.map(({ name, first, pattern }) => ({ name, first, regex: new RegExp(pattern, 'y') }));
/**
 * Numbers of Germany, Austria, Belgium and Switzerland with a slash after the area code. Digits before `:WARNING` in
 * a log are a time.
 */
const STROKE = /\(?0[1-9]\d{1,4}\)? ?\/ ?\d{2,9}(?:[ .-]\d{1,5}){0,4}(?!\w)(?![-./]\d|:\w)/y;
const STROKE_COUNTRIES: readonly CountryCode[] = ['DE', 'AT', 'BE', 'CH'];
const IS_DATE = /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}([.-])\d{1,2}\1\d{2,4})$/;
/** Two years, such as `1998-2004`. */
const YEARS = /^(?:19|20)\d{2}[- ](?:19|20)\d{2}$/;
/** A time range such as `0900-1000`. */
const HOURS = /^(?:[01]\d|2[0-3])[0-5]\d ?- ?(?:[01]\d|2[0-3])[0-5]\d$/;
/**
 * Thousands and millions, such as `100.000` and `20 000 000`. One that is longer than MIN_THOUSANDS ends in three
 * zeros.
 */
const MIN_THOUSANDS = 8;
const THOUSANDS = /^(?:\d{3}\.\d{3}|\d{1,3}([ .])000(?:\1(?:000))*)$/;
/** The length of the longest date, and of the longest pair of years or hours. */
const DATE_UNITS = 10;
/** A date or time of six digits with another number after it, as in logs: `081111 014431`. */
const TIMES = /^\d{2}(?:[0-5]\d){2}[ .-]\d{2}(?:[0-5]\d){2}(?!\d)/;
/** A time and the number of a process, `091205 18178`. A telephone number of this form needs a word. */
const TIME_AND_PROCESS = /^(?:[01]\d|2[0-3])(?:[0-5]\d){2} \d{1,5}(?!\d)/;
/** Seconds with microseconds. */
const MICROSECONDS = /^\d{4,}\.\d{6}$/;
/** A time at the beginning of a line of a log. Numbers after it are those of processes. */
const CLOCK_BEFORE = /\d:\d{2}:\d{2}(?:[.,]\d{1,6})?\s{1,3}$/;
const CLOCK_UNITS = 20;
/** A postal code of the United States with the four further digits (ZIP+4). */
const ZIP = /^\d{5}-\d{4}$/;
const SEPARATORS = ' .-';
/** The scores of a number that is assigned, that is possible, and that only has the form of one. */
const ASSIGNED = 0.7;
const POSSIBLE_PHONE = 0.6;
const FORM_ONLY = 0.4;
const ASSIGNED_NATIONAL = 0.5;
/** The length of the longest number in UTF-16 units. */
const MOST_UNITS = 48;
/** The end of a longer match may be another number. */
const MOST_UNITS_OF_ONE = 13;
const MIN_DIGITS = 6;
/** The most digits of a number with its country code (ITU-T E.164, section 6). */
const MAX_DIGITS = 15;
/** The most candidates of a block that are looked up in the numbering plans. The others are judged by their form. */
const MAX_CHECKS = 32;

function phoneCandidate(start: number, length: number, pattern: string, score: number): Candidate {
  return candidate({
    entityType: 'PHONE_NUMBER',
    start,
    end: start + length,
    score,
    recognizer: 'phone-number',
    pattern,
    context: PHONE_WORDS,
    isChance: true,
  });
}

function withoutExtension(text: string): string {
  return text.includes('x') || text.includes('#') ? text.replace(/ ?(?:x|ext|#).*$/, '') : text;
}

/** Looks up numbers of one block in the numbering plans, up to the limit. */
class Checks {
  #left = MAX_CHECKS;

  /** What is known of a number that is dialled within `country`, or that begins with the code of its country. */
  of(digits: string, country?: CountryCode): Knowledge {
    if (this.#left-- <= 0) return undefined;
    return country === undefined ? internationalNumber(digits) : nationalNumber(digits, country);
  }
}

/**
 * The international number at `start`. It takes as many groups as can be a number of the country, because another
 * number may follow.
 */
function international(text: string, start: number, checks: Checks): Candidate | undefined {
  let best: Candidate | undefined;
  for (const found of splitsAt(INTERNATIONAL, text, start)) {
    const one = internationalOf(found, start, checks);
    if (one !== undefined && one.score > (best?.score ?? 0)) best = one;
    if (best?.baseScore === ASSIGNED) break;
  }
  return best;
}

function internationalOf(found: string, start: number, checks: Checks): Candidate | undefined {
  const plain = withoutExtension(found);
  const number = plain.replace(/^00|\(0\)|\D/g, '');
  if (number.length < 8 || number.length > MAX_DIGITS) return undefined;
  const known = checks.of(number);
  // A plus sign with a blank after it may also mean an addition.
  const isMarked = /^\+\d/.test(found) || (/\D/.test(found.slice(2)) && !TIME_AND_PROCESS.test(found));
  const score = known === 'assigned' ? ASSIGNED : known === 'possible' ? POSSIBLE_PHONE : FORM_ONLY;
  return phoneCandidate(
    start,
    found.length,
    `international, ${known ?? 'form only'}`,
    isMarked ? score : score - 0.3,
  );
}

/** A plus sign, or the zero before an area code. */
const MAY_BE_SPLIT = /^(?:\+|\(?0)/;

/** Yields what the pattern matches, then what it matches without the last group, without the last two, and so on. */
function* splitsAt(pattern: RegExp, text: string, start: number): Generator<string> {
  const whole = matchAt(pattern, text, start);
  if (whole !== undefined) yield whole;
  // With fewer groups, numbers of other forms are too little evidence.
  if (!MAY_BE_SPLIT.test(text.slice(start, start + 3))) return;
  const piece = text.slice(start, start + MOST_UNITS);
  for (let end = piece.length - 1; end >= MIN_DIGITS; end--) {
    if (!isDigitUnit(piece.charCodeAt(end - 1)) || isDigitUnit(piece.charCodeAt(end))) continue;
    if (end >= (whole?.length ?? piece.length)) continue;
    const shorter = matchAt(pattern, piece.slice(0, end), 0);
    if (shorter?.length === end) yield shorter;
  }
}

/** The countries in which a number with a leading 0 and this many digits is looked up. */
function countriesOf(digits: number): readonly CountryCode[] {
  if (digits === 11) return ['GB', 'DE'];
  return digits === 10 ? ['FR', 'GB'] : ['DE', 'IT'];
}

/** A number in a national form without any mark of its own, with a score for what that form alone is worth. */
function national(text: string, start: number, checks: Checks): Candidate | undefined {
  let best: Candidate | undefined;
  for (const found of splitsAt(NATIONAL, text, start)) {
    if (isOfPairs(found, text, start)) continue;
    const one = nationalOf(found, text, start, checks);
    if (one !== undefined && one.score > (best?.score ?? 0)) best = one;
    if (best !== undefined && (best.score >= ASSIGNED_NATIONAL || isOneNumber(found))) break;
  }
  return best;
}

/** Whether the match is part of a longer row of pairs, such as bytes. */
function isOfPairs(found: string, text: string, start: number): boolean {
  return PAIRS.test(found) && NEXT_PAIR.test(text.slice(start + found.length, start + found.length + 4));
}

/** Whether the match is too short to contain another number. */
function isOneNumber(found: string): boolean {
  return found.length <= MOST_UNITS_OF_ONE;
}

/** Whether the number begins with the zero that is dialled before an area code, so that it can be looked up. */
function hasTrunk(found: string): boolean {
  return /^\(?0 ?[1-9]/.test(found);
}

function nationalOf(found: string, text: string, start: number, checks: Checks): Candidate | undefined {
  const plain = withoutExtension(found);
  const digits = plain.replace(/\D/g, '');
  const hasSeparator = digits.length < plain.length;
  if (digits.length < MIN_DIGITS || digits.length > 13 || (!hasSeparator && digits.length < 7))
    return undefined;
  if (plain.length <= DATE_UNITS && IS_DATE.test(plain)) return undefined;
  if (plain.length <= DATE_UNITS && (YEARS.test(plain) || HOURS.test(plain))) return undefined;
  if ((plain.length < MIN_THOUSANDS || plain.endsWith('000')) && THOUSANDS.test(plain)) return undefined;
  if (text.startsWith('..', start - 2)) return undefined;
  if (TIMES.test(plain) || MICROSECONDS.test(plain)) return undefined;
  if (
    digits.length >= 9 &&
    hasTrunk(plain) &&
    !ZIP.test(plain) &&
    countriesOf(digits.length).some((country) => checks.of(digits, country) === 'assigned')
  ) {
    const isTold = hasSeparator && !TIME_AND_PROCESS.test(plain);
    return phoneCandidate(start, found.length, 'national, assigned', isTold ? ASSIGNED_NATIONAL : 0.4);
  }
  if (CLOCK_BEFORE.test(text.slice(Math.max(0, start - CLOCK_UNITS), start))) return undefined;
  return phoneCandidate(start, found.length, 'national form', hasSeparator ? 0.25 : 0.15);
}

/** Whether the pairs count in equal steps, as in `06 12 18 24 30`. That is not a telephone number. */
function countsOn(pairs: string): boolean {
  const [first, ...rest] = pairs.split(/\D/).map(Number);
  const step = rest[0]! - first!;
  return rest.every((one, i) => one - (i === 0 ? first! : rest[i - 1]!) === step);
}

/** A number that its form alone identifies. */
function formed(text: string, start: number, checks: Checks): Candidate | undefined {
  const first = text.charAt(start);
  for (const form of FORMS) {
    const found = form.first.includes(first) ? matchAt(form.regex, text, start) : undefined;
    if (found !== undefined) return phoneCandidate(start, found.length, form.name, 0.55);
  }
  return first === '0' || first === '('
    ? (inPairs(text, start) ?? withStroke(text, start, checks))
    : undefined;
}

function inPairs(text: string, start: number): Candidate | undefined {
  const pairs = matchAt(FRENCH, text, start);
  if (pairs === undefined || PAIR_BEFORE.test(text.slice(Math.max(0, start - 3), start))) return undefined;
  return phoneCandidate(start, pairs.length, 'French form', countsOn(pairs) ? 0.2 : 0.55);
}

function withStroke(text: string, start: number, checks: Checks): Candidate | undefined {
  const found = matchAt(STROKE, text, start);
  const digits = found?.replace(/\D/g, '') ?? '';
  if (found === undefined || digits.length < 8 || digits.length > 13) return undefined;
  const isAssigned = STROKE_COUNTRIES.some((country) => checks.of(digits, country) === 'assigned');
  return phoneCandidate(start, found.length, 'with a stroke', isAssigned ? 0.5 : 0.25);
}

/**
 * Whether the run can begin a North American number: three digits or a 1 with a separator after it, or a bracket
 * before it.
 */
function mayBeAmerican(text: string, start: number, run: Run): boolean {
  if (start !== run.start) return true;
  const units = run.end - run.start;
  return (units === 3 || units === 1) && SEPARATORS.includes(text[run.end] ?? '\n');
}

/** Whether the run can begin a national number. A few digits must be followed by a separator and more digits. */
function mayBeNational(text: string, start: number, run: Run): boolean {
  if (start !== run.start || run.end - run.start >= MIN_DIGITS) return true;
  return SEPARATORS.includes(text[run.end] ?? '\n') && isDigitUnit(text.charCodeAt(run.end + 1));
}

/** The most units of an area code after its first digits, with the closing bracket. */
const CODE_UNITS = 6;

/**
 * Whether the brackets are around an area code, as in `(0 30) 123456`. Brackets around a whole number are not part of
 * it.
 */
function isCodeInBrackets(text: string, end: number): boolean {
  const close = text.slice(end, end + CODE_UNITS).indexOf(')');
  return (
    close >= 0 &&
    isDigitUnit(text.charCodeAt(text[end + close + 1] === ' ' ? end + close + 2 : end + close + 1))
  );
}

function phoneAt(block: Block, run: Run, checks: Checks): Candidate | undefined {
  const { text } = block;
  const start = startOf(text, run);
  const isGlued = run.place === 'glued' || (start !== run.start && /\w/.test(text[start - 1] ?? ''));
  // After a digit it is the rest of another number.
  if (isGlued && !isBehindLetters(text, start)) return undefined;
  if (text[start - 1] === ':' && isDigitUnit(text.charCodeAt(start - 2))) return undefined;
  const found = phoneFrom(text, start, run, checks);
  if (found !== undefined) found.isGlued = isGlued;
  return found;
}

/** The start of the number, which includes a plus sign or a bracket before its first digit. */
function startOf(text: string, run: Run): number {
  let start = run.start;
  if (text[start - 1] === '(' && isCodeInBrackets(text, run.end)) start--;
  if (text[start - 1] === ' ' && text[start - 2] === '+') start -= 2;
  if (text[start - 1] === '+') start--;
  return start;
}

function phoneFrom(text: string, start: number, run: Run, checks: Checks): Candidate | undefined {
  const isMarked = text[start] === '+' || text.startsWith('00', start);
  const marked = isMarked ? international(text, start, checks) : undefined;
  if (marked !== undefined) return marked;
  // The other forms begin with a digit or a bracket.
  const isDotted = text.charAt(run.end) === '.';
  if (text[start] === '+' || (isDotted && isAddress(text, start))) return undefined;
  const american = mayBeAmerican(text, start, run) ? matchAt(AMERICAN, text, start) : undefined;
  if (american !== undefined) return phoneCandidate(start, american.length, 'North American form', 0.55);
  return (
    formed(text, start, checks) ??
    (mayBeNational(text, start, run) ? national(text, start, checks) : undefined)
  );
}

const DOTTED = /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?!\d|\.\d)/y;

/**
 * Whether an IPv4 address stands here: four numbers below 256, at least one of which does not have two digits. Four
 * pairs may be a French number.
 */
function isAddress(text: string, start: number): boolean {
  DOTTED.lastIndex = start;
  const numbers = DOTTED.exec(text)?.slice(1) ?? [];
  return numbers.some((one) => one.length !== 2) && numbers.every((one) => Number(one) < 256);
}

export const phoneNumber: Recognizer = {
  name: 'phone-number',
  entityType: 'PHONE_NUMBER',
  fewestDigits: MIN_DIGITS,
  find(block, report) {
    const checks = new Checks();
    let done = 0;
    let weak = 0;
    for (const run of block.runs) {
      if (
        run.digits < MIN_DIGITS ||
        run.letters > 0 ||
        run.place === 'decimal' ||
        run.start < done ||
        run.end - run.start > MAX_DIGITS
      )
        continue;
      const found = phoneAt(block, run, checks);
      if (found === undefined) continue;
      const isCertain = found.score >= ASSIGNED_NATIONAL && !found.isGlued;
      // A weak candidate may have begun in front of a real number, so a certain one replaces it.
      if (run.start < weak && !isCertain) continue;
      report(found);
      if (isCertain) done = found.end;
      else weak = found.end;
    }
  },
};
