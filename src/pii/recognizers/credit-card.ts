/**
 * Payment cards: issuer ranges as the networks publish them (Visa, Mastercard, American Express, Discover,
 * Diners, JCB, UnionPay, Maestro, UATP), length by issuer, and the Luhn check of ISO/IEC 7812-1.
 */
import { digitsOf, isOneDigit, luhn } from '../checksums.js';
import { CodeRecognizer } from '../codes.js';

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

const END = '(?!\\w)(?![-./]\\d)';

export const creditCard = new CodeRecognizer({
  entityType: 'CREDIT_CARD',
  fewestDigits: 12,
  patterns: [
    { name: 'digits', regex: new RegExp(`\\d{12,19}${END}`, 'y'), score: 0.3, runs: { '12-19': '' } },
    {
      name: 'fours',
      regex: /\d{4}([ .-])\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?(?!\w)/y,
      score: 0.3,
      runs: { 4: ' .-' },
    },
    { name: 'amex', regex: /\d{4}([ .-])\d{6}\1\d{4,5}(?!\w)/y, score: 0.3, runs: { 4: ' .-' } },
    {
      name: 'any groups',
      regex: /\d{2,6}(?:[ .-]{1,2}\d{2,6}){2,8}(?!\w)/y,
      score: 0.3,
      runs: { '2-6': ' .-' },
    },
  ],
  validate: isCard,
  context: [
    'credit card',
    'debit card',
    'card',
    'cc',
    'visa',
    'mastercard',
    'amex',
    'tarjeta',
    'karte',
    'carte',
    'carta',
  ],
});
