/**
 * Registration number of the United States Drug Enforcement Administration: registrant letter, letter or 9, six
 * digits and a check digit (sum of odd places plus twice the even places).
 */
import { CodeRecognizer } from '../codes.js';

function holds(code: string): boolean {
  const digit = (i: number) => code.charCodeAt(i + 2) - 48;
  return (digit(0) + digit(2) + digit(4) + 2 * (digit(1) + digit(3) + digit(5))) % 10 === digit(6);
}

export const medicalLicense = new CodeRecognizer({
  entityType: 'MEDICAL_LICENSE',
  fewestDigits: 7,
  patterns: [
    {
      name: 'registration',
      regex: /[A-HJ-NPR-UX][A-Z9]\d{7}(?!\w)/iy,
      score: 0.4,
      needsWord: true,
      letters: [1, 2],
      runs: { 9: '' },
    },
  ],
  validate: holds,
  isChance: true,
  context: [
    'medical',
    'certificate',
    'dea',
    'dea#',
    'dea number',
    'prescriber',
    'license',
    'licence',
    'physician',
  ],
});
