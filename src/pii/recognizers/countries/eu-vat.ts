/**
 * VAT numbers of the European Union (VIES): the form of each country, and its check where this has it. A form without
 * a check here is a weak finding that needs a word.
 */
import { luhn, weightedSum } from '../../checksums.js';
import { codeRecognizer } from '../../recognizer.js';
import { mod1110 } from './national.js';

const FORMS: Record<string, string> = {
  AT: 'U\\d{8}',
  BE: '[01]\\d{9}',
  BG: '\\d{9,10}',
  CY: '\\d{8}[A-Z]',
  CZ: '\\d{8,10}',
  DE: '[1-9]\\d{8}',
  DK: '\\d{8}',
  EE: '\\d{9}',
  EL: '\\d{9}',
  ES: '[A-Z0-9]\\d{7}[A-Z0-9]',
  FI: '\\d{8}',
  FR: '[A-HJ-NP-Z0-9]{2}\\d{9}',
  HR: '\\d{11}',
  HU: '\\d{8}',
  IE: '\\d{7}[A-W][A-IW]?',
  IT: '\\d{11}',
  LT: '(?:\\d{9}|\\d{12})',
  LU: '\\d{8}',
  LV: '\\d{11}',
  MT: '\\d{8}',
  NL: '\\d{9}B\\d{2}',
  PL: '\\d{10}',
  PT: '\\d{9}',
  RO: '\\d{4,10}',
  SE: '\\d{10}01',
  SI: '\\d{8}',
  SK: '\\d{10}',
};

/** Weights from the left, a modulus, and what the check digit is of the rest. */
function weighted(weights: readonly number[], modulus: number, checkOf: (rest: number) => number) {
  return (digits: string) =>
    checkOf(weightedSum(digits, weights) % modulus) === Number(digits[weights.length]);
}

const elevenLess = (rest: number) => (11 - rest) % 11;

function austria(body: string): boolean {
  const digits = body.slice(1);
  let sum = 4;
  for (let i = 0; i < 7; i++) {
    const value = Number(digits[i]) * (i % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return (10 - (sum % 10)) % 10 === Number(digits[7]);
}

/** The key of a French number of digits: twelve and three times the SIREN, modulus 97. Keys with letters: only the form. */
function france(body: string): boolean | undefined {
  if (!luhn(body.slice(2)) && body.slice(2, 5) !== '000') return false;
  if (!/^\d/.test(body) || !/^\d\d/.test(body)) return undefined;
  return (12 + 3 * (Number(body.slice(2)) % 97)) % 97 === Number(body.slice(0, 2));
}

const CHECKS: Record<string, (body: string) => boolean | undefined> = {
  AT: austria,
  BE: (body) => 97 - (Number(body.slice(0, 8)) % 97) === Number(body.slice(8)),
  DE: mod1110,
  DK: (body) => weightedSum(body, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  EE: weighted([3, 7, 1, 3, 7, 1, 3, 7], 10, (rest) => (10 - rest) % 10),
  EL: weighted([256, 128, 64, 32, 16, 8, 4, 2], 11, (rest) => rest % 10),
  FI: weighted([7, 9, 10, 5, 8, 4, 2], 11, elevenLess),
  FR: france,
  HR: mod1110,
  HU: weighted([9, 7, 3, 1, 9, 7, 3], 10, (rest) => (10 - rest) % 10),
  IT: (body) => luhn(body),
  LU: (body) => Number(body.slice(0, 6)) % 89 === Number(body.slice(6)),
  PL: weighted([6, 5, 7, 2, 3, 4, 5, 6, 7], 11, (rest) => rest),
  PT: weighted([9, 8, 7, 6, 5, 4, 3, 2], 11, (rest) => (rest < 2 ? 0 : 11 - rest)),
  SE: (body) => luhn(body.slice(0, 10)),
  SI: weighted([8, 7, 6, 5, 4, 3, 2], 11, (rest) => (rest === 1 ? 0 : 11 - rest)),
  SK: (body) => Number(body) % 11 === 0,
};

function holds(code: string): boolean | undefined {
  const plain = code.toUpperCase().replace(/[ .-]/g, '');
  const body = plain.slice(2);
  const form = FORMS[plain.slice(0, 2)];
  if (form === undefined || !new RegExp(`^${form}$`).test(body)) return false;
  return CHECKS[plain.slice(0, 2)]?.(body);
}

export const euVat = codeRecognizer({
  entityType: 'EU_VAT',
  first: 'letter',
  minRun: 2,
  patterns: [
    {
      name: 'country and number',
      regex: new RegExp(
        `(?:${Object.keys(FORMS).join('|')})(?:U|[ .-]?[A-Z0-9]{2}[ .-]?)?[ .-]?\\d{1,12}(?:[ .]\\d{2,6}){0,3}[A-Z]{0,2}\\d{0,2}(?!\\w)`,
        'y',
      ),
      score: 0.2,
    },
  ],
  validate: holds,
  context: ['vat', 'vat number', 'vat no', 'ust-idnr', 'ust-id', 'uid', 'tva', 'iva', 'btw', 'nip', 'moms'],
});
