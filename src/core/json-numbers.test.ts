import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lostNumber } from './json-numbers.js';

describe('a number that would be lost', () => {
  it.each([
    ['{"id":9007199254740993}', '9007199254740993'],
    ['[1,[-1234567890123456789]]', '-1234567890123456789'],
    ['{"twoToThe60":1152921504606846976}', '1152921504606846976'],
    ['{"a":1e400}', '1e400'],
    [' -1E+999 ', '-1E+999'],
    [`[${'9'.repeat(400)}]`, '9'.repeat(400)],
    ['{"a":"9007199254740993","\\"":9007199254740995}', '9007199254740995'],
  ])('is found in %s', (text, written) => expect(lostNumber(text)).toBe(written));

  it.each([
    '{"id":9007199254740992,"big":100000000000000000000,"least":-9007199254740991}',
    '[0.1000000000000000055, 1.7976931348623157e308, 1e-999, 12345678901234567.5, 1e23]',
    '{"9007199254740993":"1e400 9007199254740993"}',
    '"\\\\"',
    'null',
  ])('is not in %s', (text) => expect(lostNumber(text)).toBeUndefined());

  it('is in no text that was made of numbers', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(lostNumber(text)).toBeUndefined();
      }),
    );
  });
});
