/** Checks of identifiers in Asia and Australia. */
import { digitsOf, verhoeff, weightedSum } from '../../../checksums.js';
import { isDay, type NamedCheck, sumOver, valueOfSign } from './signs.js';

/** Before the weighted sum, 1 is subtracted from the first digit. */
function australianBusiness(found: string): boolean {
  const digits = digitsOf(found);
  const weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
  return digits[0] !== '0' && (weightedSum(digits, weights) - 10) % 89 === 0;
}

function aadhaar(found: string): boolean {
  const digits = digitsOf(found);
  return verhoeff(digits) && digits !== [...digits].reverse().join('');
}

/** A Luhn check in base 36. */
function gstin(found: string): boolean {
  const sum = sumOver(found.slice(0, 14), (char, i) => {
    const product = valueOfSign(char) * (1 + (i % 2));
    return Math.floor(product / 36) + (product % 36);
  });
  return (36 - (sum % 36)) % 36 === valueOfSign(found[14]!);
}

const SINGAPORE: Readonly<Record<string, readonly [letters: string, offset: number]>> = {
  S: ['JZIHGFEDCBA', 0],
  T: ['JZIHGFEDCBA', 4],
  F: ['XWUTRQPNMLK', 0],
  G: ['XWUTRQPNMLK', 4],
  M: ['KLJNPQRTUWX', 3],
};

function singapore(found: string): boolean {
  const code = found.toUpperCase();
  const [letters, offset] = SINGAPORE[code[0]!]!;
  const position = (weightedSum(code.slice(1, 8), [2, 7, 6, 5, 4, 3, 2]) + offset) % 11;
  return letters[code[0] === 'M' ? 10 - position : position] === code[8];
}

/** Numbers issued since October 2020 have no check digit. */
function koreanResident(found: string): boolean | undefined {
  const digits = digitsOf(found);
  if (!isDay(digits.slice(2, 4), digits.slice(4, 6))) return false;
  const sum = weightedSum(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]);
  if ((11 - (sum % 11)) % 10 === Number(digits[12])) return true;
  const isRecent = '3478'.includes(digits[6]!) && digits.slice(0, 4) >= '2010';
  return isRecent ? undefined : false;
}

/** The weights repeat 1, 3, 7. The tens of the last product are added as well. */
function koreanBusiness(found: string): boolean {
  const digits = digitsOf(found);
  const sum = weightedSum(digits, [1, 3, 7, 1, 3, 7, 1, 3, 5]) + Math.floor((Number(digits[8]) * 5) / 10);
  return (10 - (sum % 10)) % 10 === Number(digits[9]);
}

const TAIWAN = 'ABCDEFGHJKLMNPQRSTUVXYWZIO';

/** The letter counts as two digits, from 10 on. */
function taiwanese(found: string): boolean {
  const letter = TAIWAN.indexOf(found[0]!.toUpperCase()) + 10;
  const first = Math.floor(letter / 10) + (letter % 10) * 9;
  return (first + weightedSum(found.slice(1), [8, 7, 6, 5, 4, 3, 2, 1, 1])) % 10 === 0;
}

/** Letters count from 10 on. Where there is only one letter, the missing one counts as 36. */
function hongKong(found: string): boolean {
  const plain = found.replace(/[()]/g, '').toUpperCase().padStart(9, ' ');
  const sum = sumOver(plain.slice(0, 8), (char, i) => (char === ' ' ? 36 : valueOfSign(char)) * (9 - i));
  return (11 - (sum % 11)) % 11 === valueOfSign(plain[8]!);
}

export const ASIAN_CHECKS: Readonly<Record<string, NamedCheck>> = {
  'au-abn': australianBusiness,
  'in-aadhaar': aadhaar,
  'in-gstin': gstin,
  'sg-nric': singapore,
  'kr-rrn': koreanResident,
  'kr-brn': koreanBusiness,
  'tw-national-id': taiwanese,
  'hk-id-card': hongKong,
};
