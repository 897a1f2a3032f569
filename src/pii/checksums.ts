/** Check digits. Every function takes the code without separators and says whether its check holds. */
import { createHash } from 'node:crypto';

const ZERO = 48;

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** Whether all digits are the same. Such a number passes many checks but belongs to nobody. */
export function isOneDigit(digits: string): boolean {
  return /^(\d)\1*$/.test(digits);
}

/** Sum of digits times weights, position by position. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (digits.charCodeAt(i) - ZERO) * weights[i]!;
  return sum;
}

/** ISO/IEC 7812-1 annex B: every second digit from the right is doubled. */
export function luhn(digits: string): boolean {
  let sum = 0;
  let isSecond = false;
  for (let i = digits.length - 1; i >= 0; i--) {
    const digit = digits.charCodeAt(i) - ZERO;
    sum += isSecond ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
    isSecond = !isSecond;
  }
  return sum % 10 === 0;
}

/** ISO/IEC 7064 MOD 97-10 as ISO 13616 uses it for IBANs: letters count as 10 to 35, and the remainder must be 1. */
export function mod97(code: string): boolean {
  let remainder = 0;
  for (const char of code) {
    const value = Number.parseInt(char, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** The product of two elements of the dihedral group of order ten: 0 to 4 turn a pentagon, 5 to 9 mirror it. */
function product(one: number, other: number): number {
  const turn = one < 5 ? one + other : one - other;
  const isMirrored = one < 5 !== other < 5;
  return (((turn % 5) + 5) % 5) + (isMirrored ? 5 : 0);
}

const PERMUTATION = '1576283094';

/** Verhoeff's check over the dihedral group of order ten. */
export function verhoeff(digits: string): boolean {
  let check = 0;
  for (let i = 0; i < digits.length; i++) {
    let moved = digits.charCodeAt(digits.length - 1 - i) - ZERO;
    for (let times = i % 8; times > 0; times--) moved = PERMUTATION.charCodeAt(moved) - ZERO;
    check = product(check, moved);
  }
  return check === 0;
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const ADDRESS_BYTES = 25;

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

/** Base58Check: the last four bytes must be the first four of the double SHA-256 of the others. */
export function base58Check(address: string): boolean {
  const bytes = new Uint8Array(ADDRESS_BYTES);
  for (const char of address) {
    let carry = BASE58.indexOf(char);
    if (carry < 0) return false;
    for (let i = ADDRESS_BYTES - 1; i >= 0; i--) {
      carry += bytes[i]! * 58;
      bytes[i] = carry & 0xff;
      carry >>= 8;
    }
    if (carry !== 0) return false;
  }
  const sum = sha256(sha256(bytes.subarray(0, ADDRESS_BYTES - 4)));
  return [0, 1, 2, 3].every((i) => sum[i] === bytes[ADDRESS_BYTES - 4 + i]);
}

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const BECH32_GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const BECH32M = 0x2bc830a3;

/** BIP 173 and BIP 350: version 0 uses bech32, the later ones bech32m. */
export function bech32(address: string): boolean {
  const separator = address.lastIndexOf('1');
  const prefix = address.slice(0, separator);
  const values = [...address.slice(separator + 1)].map((char) => BECH32.indexOf(char));
  if (values.includes(-1) || values.length < 7) return false;
  const high = [...prefix].map((char) => char.charCodeAt(0) >> 5);
  const low = [...prefix].map((char) => char.charCodeAt(0) & 31);
  let check = 1;
  for (const value of [...high, 0, ...low, ...values]) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (let i = 0; i < 5; i++) if ((top >> i) & 1) check ^= BECH32_GENERATOR[i]!;
  }
  return check === (values[0] === 0 ? 1 : BECH32M);
}
