/**
 * The checks of the VAT numbers of each country, as its tax office or the European Commission (VIES, TIN portal)
 * describes them. Each takes the number without the country code and returns false where the check does not hold. A
 * country without an entry has no check.
 */
import { luhn, mod97, weightedSum } from '../../../checksums.js';
import { downFrom, from, type NamedCheck } from './signs.js';

function austria(body: string): boolean {
  const digits = body.slice(1);
  let sum = 4;
  for (let i = 0; i < 7; i++) {
    const value = Number(digits[i]) * (i % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return (10 - (sum % 10)) % 10 === Number(digits[7]);
}

/** Companies have nine digits; people, foreigners and others have ten. */
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

/** Every second digit, from the first on, is replaced by a table. The sum gives the letter. */
function cyprus(body: string): boolean {
  const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];
  let sum = 0;
  for (let i = 0; i < 8; i++) sum += i % 2 === 0 ? ODD[Number(body[i])]! : Number(body[i]);
  return String.fromCharCode(65 + (sum % 26)) === body[8];
}

/**
 * Eight digits for a company, nine that begin with 6, or a birth number. A birth number of nine digits has no check.
 */
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

/** People have a letter (modulus 23), companies a digit or a letter (Orden EHA/451/2008). */
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

/**
 * The two check digits are twelve plus three times the SIREN number, modulus 97. Check characters with letters are
 * not computed.
 */
function france(body: string): boolean | undefined {
  if (!luhn(body.slice(2)) && body.slice(2, 5) !== '000') return false;
  if (!/^\d\d/.test(body)) return undefined;
  return (12 + 3 * (Number(body.slice(2)) % 97)) % 97 === Number(body.slice(0, 2));
}

/**
 * The letter depends on a sum with the weights 8 to 2, modulus 23. A second letter is counted nine times. Before 2013
 * the second character could be a letter.
 */
function ireland(body: string): boolean {
  const LETTERS = 'WABCDEFGHIJKLMNOPQRSTUV';
  const digits = /^\d{7}/.test(body) ? body : `0${body.slice(2, 7)}${body[0]}${body.slice(7)}`;
  const second = LETTERS.indexOf(digits[8] ?? 'W');
  return LETTERS[(weightedSum(digits, downFrom(8, 7)) + 9 * second) % 23] === digits[7];
}

/** Nine or twelve digits, of which the last but one is a 1. */
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

/**
 * Numbers of companies begin with 4 or more, those of people with the day of birth. People's newer numbers, which
 * begin with 32, have no check.
 */
function latvia(body: string): boolean | undefined {
  if (body > '4') return weightedSum(body, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3;
  if (body.startsWith('32')) return undefined;
  return ((1 + weightedSum(body, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10 === Number(body[10]);
}

/**
 * Numbers of companies have a check over the first nine digits. Since 2020 those of sole traders have one over the
 * whole number, modulus 97.
 */
function netherlands(body: string): boolean {
  const isCompany = (weightedSum(body, downFrom(9, 8)) - Number(body[8])) % 11 === 0;
  return isCompany || mod97(`NL${body}`);
}

/** Modulus 11 over the first nine of ten digits. Shorter numbers are filled up with zeros in front. */
function romania(body: string): boolean {
  const digits = body.padStart(10, '0');
  return ((weightedSum(digits, [7, 5, 3, 2, 1, 7, 5, 3, 2]) * 10) % 11) % 10 === Number(digits[9]);
}

export const VAT_CHECKS: Readonly<Record<string, NamedCheck>> = {
  'at-vat': austria,
  'be-vat': (body) => 97 - (Number(body.slice(0, 8)) % 97) === Number(body.slice(8)),
  'bg-vat': bulgaria,
  'cy-vat': cyprus,
  'cz-vat': czechia,
  'es-vat': spain,
  'fr-vat': france,
  'ie-vat': ireland,
  'lt-vat': lithuania,
  'lu-vat': (body) => Number(body.slice(0, 6)) % 89 === Number(body.slice(6)),
  'lv-vat': latvia,
  'nl-vat': netherlands,
  'ro-vat': romania,
  'se-vat': (body) => luhn(body.slice(0, 10)),
};
