/**
 * Payment cards: issuer ranges as the networks publish them (Visa, Mastercard, American Express, Discover,
 * Diners, JCB, UnionPay, Maestro, UATP), length by issuer, and the Luhn check of ISO/IEC 7812-1.
 */
import { digitsOf, isOneDigit, luhn } from '../checksums.js';
import { CodeRecognizer } from '../codes.js';
import { matchAt } from '../patterns/matches-of.js';
import { readWords } from '../words/words.js';

const ISSUERS: readonly { prefix: RegExp; lengths: readonly number[] }[] = [
  { prefix: /^4/, lengths: [13, 16, 19] },
  { prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { prefix: /^3[47]/, lengths: [15] },
  { prefix: /^3(?:0[0-5]|095|[689])/, lengths: [14, 16, 19] },
  { prefix: /^35/, lengths: [16, 17, 18, 19] },
  { prefix: /^(?:2131|1800)/, lengths: [15] },
  { prefix: /^6(?:011|22|4[4-9]|5)/, lengths: [16, 17, 18, 19] },
  { prefix: /^62/, lengths: [16, 17, 18, 19] },
  { prefix: /^(?:5[0678]|6|0604)/, lengths: [12, 13, 14, 15, 16, 17, 18, 19] },
  { prefix: /^1[0-9]/, lengths: [15] },
];

function isCard(code: string): boolean {
  const digits = digitsOf(code);
  const isIssued = ISSUERS.some(
    ({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits),
  );
  return isIssued && luhn(digits) && !isOneDigit(digits);
}

/** Lengths and beginnings that are told apart from other numbers: those of the large networks. */
const WHOLE_LENGTHS =
  '(?:(?:4\\d|5[1-5]|2[2-7]|6[0245])\\d{14}|35\\d{14}|3[47]\\d{13}|3[068]\\d{12}|62\\d{17})';

const FIRST_FOUR = '(?:4\\d{3}|5[1-5]\\d{2}|2[2-7]\\d{2}|6[0245]\\d{2}|35\\d{2}|3[068]\\d{2})';

const CARD_WORDS = readWords<'near'>('cards').near.any!.split('|');
/** As the networks print them and people type them: 4-4-4-4, with three more for long ones, 4-6-5 and 4-6-4. */
const END = '(?!\\w|\\.\\d)';
/** One to three marks of any kind between two groups. Commas and columns part numbers of lists. */
const MARKS = '[^\\p{L}\\p{N}\\n\\t,;]{1,3}';

/** Groups of four digits that stand beside a card in the same row. */
const ROW_BEHIND = /(?:[^\p{L}\p{N}]{1,3}\d{4}(?!\d)){1,12}/uy;
const ROW_BEFORE = /(?<!\d)(?:\d{4}[^\p{L}\p{N}]{1,3}){1,12}$/u;
const ROW_UNITS = 84;
const GROUPS_OF_CARD = 4;

/** Whether it is some of the numbers of a row: on one side stand two and more of four digits, and they are no cards. */
function isInRow(text: string, start: number, end: number): boolean {
  const before = fours(ROW_BEFORE.exec(text.slice(Math.max(0, start - ROW_UNITS), start))?.[0]);
  const behind = fours(matchAt(ROW_BEHIND, text, end));
  const isRow = before.length > 1 || behind.length > 1;
  return isRow && !(areCards(before) && areCards(behind));
}

function fours(row = ''): string[] {
  return row.match(/\d{4}/g) ?? [];
}

function areCards(groups: readonly string[]): boolean {
  if (groups.length % GROUPS_OF_CARD !== 0) return false;
  for (let at = 0; at < groups.length; at += GROUPS_OF_CARD) {
    if (!isCard(groups.slice(at, at + GROUPS_OF_CARD).join(''))) return false;
  }
  return true;
}

export const creditCard = new CodeRecognizer({
  entityType: 'CREDIT_CARD',
  fewestDigits: 12,
  patterns: [
    {
      name: 'digits',
      regex: new RegExp(`${WHOLE_LENGTHS}${END}`, 'y'),
      score: 0.3,
      standsGlued: true,
      runs: { '14-16': '', 19: '' },
    },
    {
      name: 'fours',
      regex: new RegExp(`${FIRST_FOUR}(?:${MARKS}\\d{4}){3}(?:${MARKS}\\d{3})?${END}`, 'uy'),
      splits: [16, 19],
      isOther: isInRow,
      score: 0.3,
      standsGlued: true,
      runs: { 4: '' },
    },
    {
      name: 'amex',
      regex: new RegExp(`3\\d{3}${MARKS}\\d{6}${MARKS}\\d{4,5}${END}`, 'uy'),
      score: 0.3,
      standsGlued: true,
      runs: { 4: '' },
    },
    {
      name: 'digits of another length',
      regex: new RegExp(`\\d{12,19}${END}`, 'y'),
      score: 0.3,
      needsWord: true,
      runs: { '12-19': '' },
    },
    {
      name: 'any groups',
      regex: /\d{1,19}(?:[\s._/|:*,+~-]{1,3}\d{1,19}){1,18}(?!\w)/y,
      splits: [12, 19],
      score: 0.3,
      needsWord: true,
      runs: { '1-18': '' },
    },
  ],
  validate: isCard,
  context: CARD_WORDS,
});
