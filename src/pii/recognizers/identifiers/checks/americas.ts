/** Checks of identifiers in the Americas, and of Bitcoin addresses. */
import { base58Check, bech32, digitsOf, isOneDigit, luhn } from '../../../checksums.js';
import { type NamedCheck, plainOf, sumOver } from './signs.js';

const ADVERTISED = new Set(['078051120', '219099999', '123456789', '987654320']);
const CURP = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';

/**
 * Refuses social security numbers that are known not to belong to anybody. Nothing shows whether another one was
 * issued.
 */
function socialSecurity(found: string): false | undefined {
  const digits = digitsOf(found);
  return ADVERTISED.has(digits) || isOneDigit(digits) ? false : undefined;
}

/** The last digit is that of the sum of the 1st, 3rd and 5th digit and twice the 2nd, 4th and 6th. */
function registrant(found: string): boolean {
  return sumOver(found.slice(2, 8), (digit, i) => Number(digit) * (1 + (i % 2))) % 10 === Number(found[8]);
}

function curp(found: string): boolean {
  const sum = sumOver(found.slice(0, 17).toUpperCase(), (char, i) => CURP.indexOf(char) * (18 - i));
  return (10 - (sum % 10)) % 10 === Number(found[17]);
}

function rut(found: string): boolean {
  const plain = plainOf(found);
  const sum = sumOver(plain.slice(0, -1), (digit, i) => Number(digit) * (2 + ((plain.length - 2 - i) % 6)));
  return '0K987654321'[sum % 11] === plain.at(-1);
}

export const AMERICAN_CHECKS: Readonly<Record<string, NamedCheck>> = {
  bitcoin: (found) => (/^bc1/i.test(found) ? bech32(found.toLowerCase()) : base58Check(found)),
  'us-ssn': socialSecurity,
  'us-dea': registrant,
  'us-npi': (found) => luhn(`80840${digitsOf(found)}`),
  'mx-curp': curp,
  'cl-rut': rut,
};
