/** Checks of identifiers in Europe. Those of companies are in `vat.ts`. */
import { digitsOf, luhn, weightedSum } from '../../../checksums.js';
import { crossSum, isDay, mod1110, type NamedCheck, plainOf, sumOver, valueOfSign } from './signs.js';
import { VAT_CHECKS } from './vat.js';

/** ICAO Doc 9303, part 3: weights 7, 3, 1 over digits and letters. */
function icao(found: string): boolean {
  const sum = sumOver(found.slice(0, -1), (char, i) => valueOfSign(char) * [7, 3, 1][i % 3]!);
  return sum % 10 === Number(found.at(-1));
}

/** ISO 7064 MOD 11,10. Exactly one of the first ten digits occurs twice or three times. */
function germanTax(found: string): boolean {
  const digits = digitsOf(found);
  const counts = new Map<string, number>();
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const repeated = [...counts.values()].filter((count) => count > 1);
  return repeated.length === 1 && repeated[0]! <= 3 && mod1110(digits);
}

/** The letter counts by its position in the alphabet. Of each product the digits are added. */
function germanSocialSecurity(found: string): boolean {
  const plain = plainOf(found);
  const letter = String(valueOfSign(plain[8]!) - 9).padStart(2, '0');
  const digits = plain.slice(0, 8) + letter + plain.slice(9, 11);
  const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
  return sumOver(digits, (digit, i) => crossSum(Number(digit) * weights[i]!)) % 10 === Number(plain[11]);
}

function germanHealthInsurance(found: string): boolean {
  const digits = String(valueOfSign(found[0]!) - 9).padStart(2, '0') + found.slice(1, 9);
  return sumOver(digits, (digit, i) => crossSum(Number(digit) * (1 + (i % 2)))) % 10 === Number(found[9]);
}

/**
 * The last two digits are 97 minus the remainder of the number divided by 97. Corsica's 2A and 2B count as 19 and 18.
 */
function frenchNir(found: string): boolean {
  const plain = plainOf(found);
  const digits = plain.replace('2A', '19').replace('2B', '18');
  return 97 - (Number(digits.slice(0, 13)) % 97) === Number(digits.slice(13));
}

/**
 * The control letter depends on the remainder of the number divided by 23. Numbers of foreigners begin with X, Y or Z
 * in place of 0, 1 or 2.
 */
function spanishNif(found: string): boolean {
  const plain = plainOf(found);
  const digits = plain.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number.parseInt(digits, 10) % 23] === plain.at(-1);
}

const ODD_VALUES = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

/** Characters in odd places count by a table, those in even places by their value. */
export function italianFiscalCode(found: string): boolean {
  const code = found.toUpperCase();
  const sum = sumOver(code.slice(0, 15), (char, i) => {
    const value = char >= 'A' ? valueOfSign(char) - 10 : Number(char);
    return i % 2 === 0 ? ODD_VALUES[value]! : value;
  });
  return code.charCodeAt(15) - 65 === sum % 26;
}

/** Weights 9 to 1 over letters and figures, modulus 11. A number that begins with two letters has no check. */
function germanDrivingLicence(found: string): boolean | undefined {
  const plain = plainOf(found);
  if (!/^[A-Z]\d\d/.test(plain)) return undefined;
  const sum = sumOver(plain.slice(0, 9), (sign, i) => valueOfSign(sign) * (9 - i));
  return '0123456789X'[sum % 11] === plain[9];
}

const PPS = 'WABCDEFGHIJKLMNOPQRSTUV';

function irishPps(found: string): boolean {
  const second =
    found[8] === undefined || /w/i.test(found[8]) ? 0 : found[8].toUpperCase().charCodeAt(0) - 64;
  const sum = weightedSum(found.slice(0, 7), [8, 7, 6, 5, 4, 3, 2]) + second * 9;
  return PPS[sum % 23] === found[7]!.toUpperCase();
}

const HETU = '0123456789ABCDEFHJKLMNPRSTUVWXY';

function finnish(found: string): boolean {
  return HETU[Number(found.slice(0, 6) + found.slice(7, 10)) % 31] === found[10]!.toUpperCase();
}

/** The last ten digits begin with a date of birth and pass Luhn's check. */
function swedish(found: string): boolean {
  const digits = digitsOf(found).slice(-10);
  return isDay(digits.slice(2, 4), digits.slice(4, 6)) && luhn(digits);
}

/**
 * The last two digits are 97 minus the remainder of the number divided by 97. For people born since 2000, a 2 is put
 * before the number first.
 */
function belgian(found: string): boolean {
  const digits = digitsOf(found);
  const first = digits.slice(0, 9);
  return [first, `2${first}`].some((one) => 97 - (Number(one) % 97) === Number(digits.slice(9)));
}

/** Where the first row of weights gives 10, a second row is used. */
function baltic(found: string): boolean {
  const first = weightedSum(found, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
  const second = weightedSum(found, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11;
  return (first < 10 ? first : second % 10) === Number(found[10]);
}

export const EUROPEAN_CHECKS: Readonly<Record<string, NamedCheck>> = {
  icao,
  baltic,
  'mod-11-10': (found) => mod1110(digitsOf(found)),
  'de-tax-id': germanTax,
  'de-social-security': germanSocialSecurity,
  'de-health-insurance': germanHealthInsurance,
  'de-driving-licence': germanDrivingLicence,
  'fr-nir': frenchNir,
  'es-nif': spanishNif,
  'it-fiscal-code': italianFiscalCode,
  'ie-pps': irishPps,
  'fi-hetu': finnish,
  'se-personnummer': swedish,
  /** For people who stay only for some time, 40 is added to the day. */
  'no-birthday': (found) => isDay(digitsOf(found).slice(2, 4), String(Number(found.slice(0, 2)) % 40)),
  'be-national-number': belgian,
  ...VAT_CHECKS,
};
