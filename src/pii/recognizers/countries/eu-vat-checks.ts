/**
 * The check of each country's VAT number, as its tax office or the European Commission (VIES, TIN portal) describes it.
 * Each takes the number without its country: false where the check does not hold, absent where there is none.
 */
import { luhn, mod97, weightedSum } from '../../checksums.js';
import { mod1110 } from './national.js';

type Check = (body: string) => boolean | undefined;

/** Weights from the left, a modulus, and what the check digit is of the rest. */
function weighted(weights: readonly number[], modulus: number, checkOf: (rest: number) => number): Check {
  return (digits) => checkOf(weightedSum(digits, weights) % modulus) === Number(digits[weights.length]);
}

const elevenLess = (rest: number) => (11 - rest) % 11;
const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
const downFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => first - i);

function austria(body: string): boolean {
  const digits = body.slice(1);
  let sum = 4;
  for (let i = 0; i < 7; i++) {
    const value = Number(digits[i]) * (i % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return (10 - (sum % 10)) % 10 === Number(digits[7]);
}

/** Nine digits of a company; ten of a person, a foreigner, or another. */
function bulgaria(body: string): boolean {
  if (body.length === 9) {
    const rest = weightedSum(body, from(1, 8)) % 11;
    return (rest < 10 ? rest : (weightedSum(body, from(3, 8)) % 11) % 10) === Number(body[8]);
  }
  return [
    (weightedSum(body, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10,
    weightedSum(body, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10,
    (11 - (weightedSum(body, [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11,
  ].includes(Number(body[9]));
}

/** Every second digit from the first is translated; the sum gives the letter. */
function cyprus(body: string): boolean {
  const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];
  let sum = 0;
  for (let i = 0; i < 8; i++) sum += i % 2 === 0 ? ODD[Number(body[i])]! : Number(body[i]);
  return String.fromCharCode(65 + (sum % 26)) === body[8];
}

/** Eight digits of a company, nine that begin with 6, or the number of a birth, which of nine digits has no check. */
function czechia(body: string): boolean | undefined {
  if (body.length === 8) {
    return ((11 - (weightedSum(body, downFrom(8, 7)) % 11)) % 11 || 1) % 10 === Number(body[7]);
  }
  if (body.length === 10) {
    return Number(body) % 11 === 0 || (Number(body.slice(0, 9)) % 11 === 10 && body[9] === '0');
  }
  if (!body.startsWith('6')) return undefined;
  const rest = weightedSum(body.slice(1), downFrom(8, 7)) % 11;
  return 8 - ((10 - rest + 11) % 11) === Number(body[8]);
}

/** The number of a person by its letter (modulus 23), of a company by a digit or a letter (Orden EHA/451/2008). */
function spain(body: string): boolean {
  const digits = body.slice(1, 8);
  const last = body[8]!;
  if (/^[\dXYZKLM]/.test(body)) {
    const number = body.slice(0, 8).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
    return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(number.replace(/^[KLM]/, '')) % 23] === last;
  }
  const check = from(0, 10).find((digit) => luhn(`${digits}${digit}`))!;
  return last === String(check) || last === 'JABCDEFGHI'[check];
}

/** The key of a French number of digits: twelve and three times the SIREN, modulus 97. Keys with letters: only the form. */
function france(body: string): boolean | undefined {
  if (!luhn(body.slice(2)) && body.slice(2, 5) !== '000') return false;
  if (!/^\d\d/.test(body)) return undefined;
  return (12 + 3 * (Number(body.slice(2)) % 97)) % 97 === Number(body.slice(0, 2));
}

/** A letter by weights 8 to 2, modulus 23; a second letter counts nine times. Before 2013 the second place could be a letter. */
function ireland(body: string): boolean {
  const LETTERS = 'WABCDEFGHIJKLMNOPQRSTUV';
  const digits = /^\d{7}/.test(body) ? body : `0${body.slice(2, 7)}${body[0]}${body.slice(7)}`;
  const second = LETTERS.indexOf(digits[8] ?? 'W');
  return LETTERS[(weightedSum(digits, downFrom(8, 7)) + 9 * second) % 23] === digits[7];
}

/** Nine or twelve digits, the last but one a 1. */
function lithuania(body: string): boolean {
  const count = body.length - 1;
  if (body[count - 1] !== '1') return false;
  const sumFrom = (first: number) =>
    weightedSum(
      body,
      from(first, count).map((at) => 1 + (at % 9)),
    ) % 11;
  return (sumFrom(0) < 10 ? sumFrom(0) : sumFrom(2) % 10) === Number(body[count]);
}

/** Companies begin with 4 or more, people with their day of birth; people's newer numbers (32…) have no check. */
function latvia(body: string): boolean | undefined {
  if (body > '4') return weightedSum(body, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3;
  if (body.startsWith('32')) return undefined;
  return ((1 + weightedSum(body, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10 === Number(body[10]);
}

/** A company's number by its first nine digits; a sole trader's, since 2020, whole and modulus 97. */
function netherlands(body: string): boolean {
  const isCompany = (weightedSum(body, downFrom(9, 8)) - Number(body[8])) % 11 === 0;
  return isCompany || mod97(`NL${body}`);
}

export const VAT_CHECKS: Record<string, Check> = {
  AT: austria,
  BE: (body) => 97 - (Number(body.slice(0, 8)) % 97) === Number(body.slice(8)),
  BG: bulgaria,
  CY: cyprus,
  CZ: czechia,
  DE: mod1110,
  DK: (body) => weightedSum(body, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  EE: weighted([3, 7, 1, 3, 7, 1, 3, 7], 10, (rest) => (10 - rest) % 10),
  EL: weighted([256, 128, 64, 32, 16, 8, 4, 2], 11, (rest) => rest % 10),
  ES: spain,
  FI: weighted([7, 9, 10, 5, 8, 4, 2], 11, elevenLess),
  FR: france,
  HR: mod1110,
  HU: weighted([9, 7, 3, 1, 9, 7, 3], 10, (rest) => (10 - rest) % 10),
  IE: ireland,
  IT: (body) => luhn(body),
  LT: lithuania,
  LU: (body) => Number(body.slice(0, 6)) % 89 === Number(body.slice(6)),
  LV: latvia,
  MT: (body) => weightedSum(body, [3, 4, 6, 7, 8, 9, 10, 1]) % 37 === 0,
  NL: netherlands,
  PL: weighted([6, 5, 7, 2, 3, 4, 5, 6, 7], 11, (rest) => rest),
  PT: weighted([9, 8, 7, 6, 5, 4, 3, 2], 11, (rest) => (rest < 2 ? 0 : 11 - rest)),
  RO: (body) =>
    weighted([7, 5, 3, 2, 1, 7, 5, 3, 2], 11, (rest) => ((rest * 10) % 11) % 10)(body.padStart(10, '0')),
  SE: (body) => luhn(body.slice(0, 10)),
  SI: weighted([8, 7, 6, 5, 4, 3, 2], 11, (rest) => (rest === 1 ? 0 : 11 - rest)),
  SK: (body) => Number(body) % 11 === 0,
};
