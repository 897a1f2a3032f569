/** United States passport: nine digits, or since 2021 a letter and eight digits (Department of State). No check digit. */
import { codeRecognizer } from '../../recognizer.js';

export const usPassport = codeRecognizer({
  entityType: 'US_PASSPORT',
  first: 'any',
  minRun: 9,
  fewestDigits: 8,
  mostLetters: 1,
  patterns: [
    { name: 'letter and digits', regex: /[A-Za-z]\d{8}(?!\w)/y, score: 0.2 },
    { name: 'digits', regex: /\d{9}(?!\w)(?![-./]\d)/y, score: 0.15 },
  ],
  context: [
    'us',
    'united states',
    'passport',
    'passports',
    'passport#',
    'passport number',
    'travel document',
  ],
});
