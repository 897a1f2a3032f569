/**
 * International bank account numbers, in the format of each country (SWIFT IBAN Registry, release 99) and with the
 * check of ISO 7064 MOD 97-10. They may be in groups of four with blanks or hyphens, or in one piece.
 */

import { mod97 } from '../checksums.js';
import { ContextWords } from '../context-words.js';
import { isDigitUnit } from '../patterns/units.js';
import { type Candidate, candidate, type Recognizer } from '../recognizer.js';
import { readWords, wordsNear } from '../words/words.js';

const { formats: FORMATS } = readWords<'formats'>('ibans');
const CLASS: Record<string, string> = { n: '\\d', a: '[A-Z]', c: '[A-Z0-9]' };
const compiled = new Map<string, RegExp>();

function formatOf(country: string): RegExp | undefined {
  const format = FORMATS[country];
  if (format === undefined) return undefined;
  let found = compiled.get(country);
  if (found === undefined) {
    const body = format.replace(
      /(\d+)([nac])/g,
      (_, count: string, kind: string) => `${CLASS[kind]}{${count}}`,
    );
    found = new RegExp(`^[A-Z]{2}\\d{2}${body}`);
    compiled.set(country, found);
  }
  return found;
}

const LENGTHS = new Map(
  Object.entries(FORMATS).map(([country, format]) => [
    country,
    4 + [...format.matchAll(/\d+/g)].reduce((sum, [count]) => sum + Number(count), 0),
  ]),
);

/** The length in UTF-16 units of the longest number with three separators between all of its characters. */
const LONGEST = 136;
const MARK = /[^\p{L}\p{N}]/u;
const MOST_MARKS = 3;
/** The most letters that may be attached before the country code, as in `ibanDE89`. */
const MOST_GLUED = 12;
const CONTEXT = new ContextWords(wordsNear('IBAN_CODE'));

/** Whether the code of a country and two digits stand at `start`. */
function mayBegin(text: string, start: number): boolean {
  const mark = text[start + 2];
  const digits = mark === ' ' || mark === '-' ? start + 3 : start + 2;
  if (!isDigitUnit(text.charCodeAt(digits)) || !isDigitUnit(text.charCodeAt(digits + 1))) return false;
  return LENGTHS.has(text.slice(start, start + 2).toUpperCase());
}

/**
 * The length in UTF-16 units of the IBAN at the start of `text`; 0 where there is none. Any marks may separate its
 * groups, because the check decides.
 */
function measure(text: string): number {
  const country = text.slice(0, 2).toUpperCase();
  const length = LENGTHS.get(country);
  if (length === undefined) return 0;
  let plain = '';
  let at = 0;
  for (let marks = 0; at < text.length && plain.length < length; at++) {
    const char = text[at]!;
    marks = MARK.test(char) ? marks + 1 : 0;
    if (marks > MOST_MARKS) return 0;
    if (marks === 0) plain += char;
  }
  if (plain.length < length || /[A-Za-z0-9]/.test(text[at] ?? '')) return 0;
  const isLower = plain === plain.toLowerCase();
  const code = isLower ? plain.toUpperCase() : plain;
  return formatOf(country)!.test(code) && mod97(code.slice(4) + code.slice(0, 4)) ? at : 0;
}

export const ibanCode: Recognizer = {
  name: 'iban-code',
  entityType: 'IBAN_CODE',
  fewestDigits: 2,
  find(block, report) {
    for (const run of block.runs) {
      const start = run.start + Math.max(0, run.letters - 2);
      if (run.letters < 2 || run.letters > MOST_GLUED || !mayBegin(block.text, start)) continue;
      const length = measure(block.text.slice(start, start + LONGEST));
      if (length > 0) report(found(start, length));
    }
  },
};

function found(start: number, length: number): Candidate {
  return candidate({
    entityType: 'IBAN_CODE',
    start,
    end: start + length,
    score: 1,
    baseScore: 0.5,
    recognizer: 'iban-code',
    pattern: 'country format',
    validation: 'passed',
    context: CONTEXT,
  });
}
