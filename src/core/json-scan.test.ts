import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from './json.js';
import { lostNumber, MAX_JSON_DEPTH, scanBounds } from './json-scan.js';

function countValues(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + countValues(member), 1);
}

describe('scanBounds', () => {
  it('counts each value of a JSON text once, whatever its spacing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const count = countValues(value as JsonValue);
        expect(scanBounds(text, count)).toBeUndefined();
        expect(scanBounds(text, count - 1)).toBe('values');
      }),
    );
  });

  it('finds no levels and no values in strings', () => {
    const text = JSON.stringify(`"${'[,{'.repeat(2 * MAX_JSON_DEPTH)}\\"`);
    expect(scanBounds(text, 1)).toBeUndefined();
  });

  it.each([
    [MAX_JSON_DEPTH, undefined],
    [MAX_JSON_DEPTH + 1, 'depth'],
  ])('takes %i levels as %s', (levels, bound) => {
    expect(scanBounds('['.repeat(levels) + ']'.repeat(levels), 10_000)).toBe(bound);
  });

  it('takes text that is no JSON', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', ',', '\\', ' ', 'a') }),
        (text) => {
          scanBounds(text, 5);
        },
      ),
    );
  });
});

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
