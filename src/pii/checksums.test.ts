import { describe, expect, it } from 'vitest';
import { base58Check, bech32, isOneDigit, luhn, mod97, verhoeff, weightedSum } from './checksums.js';

describe('check digits', () => {
  it.each([
    ['luhn', luhn, '4111111111111111', '4111111111111112'],
    ['luhn of an odd length', luhn, '378282246310005', '378282246310006'],
    ['mod 97', mod97, 'WEST12345698765432GB82', 'WEST12345698765432GB83'],
    ['verhoeff', verhoeff, '2363', '2364'],
    ['base58', base58Check, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3'],
    [
      'bech32',
      bech32,
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    ],
    [
      'bech32m',
      bech32,
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj1',
    ],
  ])('%s holds for the right code and not for one with a wrong digit', (_, holds, right, wrong) => {
    expect(holds(right)).toBe(true);
    expect(holds(wrong)).toBe(false);
  });

  it('base58 refuses letters outside its alphabet, and numbers too large for an address', () => {
    expect(base58Check('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN0')).toBe(false);
    expect(base58Check('z'.repeat(40))).toBe(false);
  });

  it('recognizes numbers of a single repeated digit', () => {
    expect(isOneDigit('1111')).toBe(true);
    expect(isOneDigit('1112')).toBe(false);
  });

  it('weighs digit by digit', () => {
    expect(weightedSum('123', [1, 10, 100])).toBe(321);
  });
});
