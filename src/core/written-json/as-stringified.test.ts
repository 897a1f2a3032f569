import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.js';
import { isAsStringified } from './as-stringified.js';

const check = (text: string) => isAsStringified({ text, value: JSON.parse(text) as JsonObject });

describe('a text that JSON.stringify would write', () => {
  it('is recognized', () => {
    const value = {
      messages: [{ role: 'user', content: 'a "quoted" \\ line\n\tand \u0000 \u001f é € 😀 ' }],
      tools: [{ a: {}, b: [], c: [1, -2, 0, 0.5, 1e21, 1e-7, 123456789012345680000] }, true, false, null],
      '': 'x',
      a9: 9,
    };
    expect(check(JSON.stringify(value))).toBe(true);
  });

  it.each([
    ['{"a": 1}'],
    ['{"a":1 }'],
    [' {"a":1}'],
    ['{"a":1}\n'],
    ['{"a":[1,\t2]}'],
    ['{"a":1.0}'],
    ['{"a":1E5}'],
    ['{"a":-0}'],
    ['{"a":1e400}'],
    ['{"a":12345678901234567890}'],
    ['{"a":"\\u00e9"}'],
    ['{"a":"\\/"}'],
    ['{"a":"\\u000A"}'],
    ['{"a":"\\u001F"}'],
    ['{"a":"\\\\\\u0041"}'],
    ['{"a":1,"a":1}'],
    ['{"a":{"b":1,"b":[{"c":1}]}}'],
    ['{"b":1,"2":2}'],
    ['{"b":1,"\\u0032":2}'],
  ])('is not recognized in %s', (text) => {
    expect(JSON.stringify(JSON.parse(text))).not.toBe(text);
    expect(check(text)).toBe(false);
  });

  it('is never recognized in any other text', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        if (check(text)) expect(JSON.stringify(JSON.parse(text))).toBe(text);
      }),
    ));

  it('is never recognized in a text that was changed in one place', () =>
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.jsonValue(), { minKeys: 1 }),
        fc.nat(),
        fc.constantFrom(' ', '\n', '0', '.0', 'e1', '-', '\\', '\\/', '\\u0041', '"a":1,', '"'),
        (value, place, what) => {
          const written = JSON.stringify(value);
          const at = place % written.length;
          const text = written.slice(0, at) + what + written.slice(at);
          let read: unknown;
          try {
            read = JSON.parse(text);
          } catch {
            return;
          }
          if (isAsStringified({ text, value: read as JsonObject })) expect(JSON.stringify(read)).toBe(text);
        },
      ),
      { numRuns: 1000 },
    ));
});
