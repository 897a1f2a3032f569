/** Australian business, company, tax file and Medicare numbers, each with its own weighted check. */
import { digitsOf, isOneDigit, weightedSum } from '../../checksums.js';
import { CodeRecognizer } from '../../codes.js';

const END = '(?!\\w)(?![-.]\\d)';
/** What parts the groups, if anything: the same between all of them. */
const MARK = '([ ._/-]?)';

/** Australian Business Register, "Format of the ABN": one is taken from the first digit, modulus 89. */
function abnHolds(code: string): boolean {
  const digits = digitsOf(code);
  const weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
  return digits[0] !== '0' && (weightedSum(digits, weights) - 10) % 89 === 0;
}

/** Australian Securities and Investments Commission, "Australian Company Number digit check": modulus 10. */
function acnHolds(code: string): boolean {
  const digits = digitsOf(code);
  const sum = weightedSum(digits, [8, 7, 6, 5, 4, 3, 2, 1]);
  return (10 - (sum % 10)) % 10 === Number(digits[8]) && !isOneDigit(digits);
}

/** Australian Taxation Office, tax file number of nine digits: modulus 11. */
function tfnHolds(code: string): boolean {
  const digits = digitsOf(code);
  return weightedSum(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0 && !isOneDigit(digits);
}

/** Services Australia, Medicare card: first digit 2 to 6, ninth digit a check over the first eight, then the issue. */
function medicareHolds(code: string): boolean {
  const digits = digitsOf(code);
  return weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(digits[8]);
}

export const auAbn = new CodeRecognizer({
  entityType: 'AU_ABN',
  fewestDigits: 11,
  patterns: [
    {
      name: 'two, three, three, three',
      regex: new RegExp(`\\d{2}( )\\d{3}\\1\\d{3}\\1\\d{3}${END}`, 'y'),
      score: 0.1,
      runs: { 2: ' ' },
    },
    {
      name: 'eleven digits',
      regex: new RegExp(`\\d{2}${MARK}\\d{3}\\1\\d{3}\\1\\d{3}${END}`, 'y'),
      score: 0.1,
      needsWord: true,
      runs: { 2: '', 11: '' },
    },
  ],
  validate: abnHolds,
  isChance: true,
  context: ['abn', 'australian business number', 'business number'],
});

export const auAcn = new CodeRecognizer({
  entityType: 'AU_ACN',
  fewestDigits: 9,
  patterns: [
    {
      name: 'three, three, three',
      regex: new RegExp(`\\d{3}${MARK}\\d{3}\\1\\d{3}${END}`, 'y'),
      score: 0.1,
      needsWord: true,
      runs: { 3: '', 9: '' },
    },
  ],
  validate: acnHolds,
  isChance: true,
  context: ['acn', 'australian company number', 'company number'],
});

export const auTfn = new CodeRecognizer({
  entityType: 'AU_TFN',
  fewestDigits: 9,
  patterns: [
    {
      name: 'three, three, three',
      regex: new RegExp(`\\d{3}${MARK}\\d{3}\\1\\d{3}${END}`, 'y'),
      score: 0.1,
      needsWord: true,
      runs: { 3: '', 9: '' },
    },
  ],
  validate: tfnHolds,
  isChance: true,
  context: ['tfn', 'tax file number', 'tax file', 'tax file no'],
});

export const auMedicare = new CodeRecognizer({
  entityType: 'AU_MEDICARE',
  fewestDigits: 10,
  patterns: [
    {
      name: 'four, five, one',
      regex: new RegExp(`[2-6]\\d{3}${MARK}\\d{5}\\1\\d${END}`, 'y'),
      score: 0.1,
      needsWord: true,
      runs: { 4: '', 10: '' },
    },
  ],
  validate: medicareHolds,
  isChance: true,
  context: ['medicare', 'medicare card', 'medicare number'],
});
