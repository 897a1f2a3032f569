/** United Kingdom NHS number: ten digits, the last one a modulus 11 check (NHS Data Dictionary, "NHS Number"). */
import { digitsOf, isOneDigit, weightedSum } from '../../checksums.js';
import { CodeRecognizer } from '../../codes.js';

const WEIGHTS = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];

function holds(code: string): boolean {
  const digits = digitsOf(code);
  return weightedSum(digits, WEIGHTS) % 11 === 0 && !isOneDigit(digits);
}

export const ukNhs = new CodeRecognizer({
  entityType: 'UK_NHS',
  fewestDigits: 10,
  patterns: [
    {
      name: 'three, three, four',
      regex: /\d{3}([ ._/-]?)\d{3}\1\d{4}(?!\w)(?![-.]\d)/y,
      score: 0.5,
      needsWord: true,
      runs: { 3: '', 10: '' },
    },
  ],
  validate: holds,
  isChance: true,
  context: ['nhs', 'nhs number', 'national health', 'national health service', 'health services authority'],
});
