/**
 * Payment cards: how the numbers of each issuer begin, how long they are, and whether one is part of a longer row of
 * digits.
 */
import { digitsOf, isOneDigit, luhn } from '../../../checksums.js';
import { matchAt } from '../../../patterns/matches-of.js';
import { readWords } from '../../../words/words.js';

const ISSUERS = Object.entries(readWords<'issuers'>('cards').issuers).map(([beginning, lengths]) => ({
  prefix: new RegExp(`^${beginning}`),
  lengths: lengths.split('|').map(Number),
}));

export function isCard(code: string): boolean {
  const digits = digitsOf(code);
  const isIssued = ISSUERS.some(
    ({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits),
  );
  return isIssued && luhn(digits) && !isOneDigit(digits);
}

/** Groups of four digits that stand beside a card in the same row. */
const ROW_BEHIND = /(?:[^\p{L}\p{N}]{1,3}\d{4}(?!\d)){1,12}/uy;
const ROW_BEFORE = /(?<!\d)(?:\d{4}[^\p{L}\p{N}]{1,3}){1,12}$/u;
const ROW_UNITS = 84;
const GROUPS_OF_CARD = 4;

/**
 * Whether the number is part of a longer row: two or more groups of four digits stand on one side, and they are not
 * cards themselves.
 */
export function isInRow(text: string, start: number, end: number): boolean {
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
