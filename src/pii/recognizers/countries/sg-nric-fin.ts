/**
 * Singapore NRIC and FIN: a letter for the series (S, T, F, G, M), seven digits, a check letter from one of three
 * tables (Immigration & Checkpoints Authority; the tables are those in common use).
 */
import { weightedSum } from '../../checksums.js';
import { CodeRecognizer } from '../../codes.js';

const WEIGHTS = [2, 7, 6, 5, 4, 3, 2];
const LETTERS: Record<string, string> = {
  S: 'JZIHGFEDCBA',
  T: 'JZIHGFEDCBA',
  F: 'XWUTRQPNMLK',
  G: 'XWUTRQPNMLK',
  M: 'KLJNPQRTUWX',
};
const OFFSET: Record<string, number> = { S: 0, T: 4, F: 0, G: 4, M: 3 };

function holds(given: string): boolean {
  const code = given.toUpperCase();
  const series = code[0]!;
  const position = (weightedSum(code.slice(1, 8), WEIGHTS) + OFFSET[series]!) % 11;
  const letter = series === 'M' ? LETTERS.M![10 - position] : LETTERS[series]![position];
  return letter === code[8];
}

export const sgNricFin = new CodeRecognizer({
  entityType: 'SG_NRIC_FIN',
  fewestDigits: 7,
  patterns: [
    {
      name: 'series, digits, letter',
      regex: /[STFGM]\d{7}[A-Z](?!\w)/iy,
      score: 0.5,
      letters: 1,
      runs: { '9 mixed': '' },
    },
  ],
  validate: holds,
  context: ['nric', 'fin', 'nric#', 'fin#', 'identification card', 'singapore'],
});
