/** United States passport: nine digits, or since 2021 a letter and eight digits (Department of State). No check digit. */
import { CodeRecognizer } from '../../codes.js';

export const usPassport = new CodeRecognizer({
  entityType: 'US_PASSPORT',
  fewestDigits: 8,
  patterns: [
    { name: 'letter and digits', regex: /[A-Za-z]\d{8}(?!\w)/y, score: 0.2, letters: 1, runs: { 9: '' } },
    { name: 'digits', regex: /\d{9}(?!\w)(?![-./]\d)/y, score: 0.15, runs: { 9: '' } },
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
