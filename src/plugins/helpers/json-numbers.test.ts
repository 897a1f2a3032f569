import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskSpans } from './mask.js';

function mask(text: string, found: string): string {
  const start = text.indexOf(found);
  return maskSpans(text, [{ start, end: start + found.length, type: 'X' }]);
}

describe('a mask in place of a number in JSON', () => {
  it.each([
    ['{"iat": 1764194497}', '1764194497', '{"iat": "<X>"}'],
    ['{"iat": 1764194497, "b": 1}', '64194', '{"iat": "<X>", "b": 1}'],
    ['{"a": [1, 4111111111111111, 2]}', '4111111111111111', '{"a": [1, "<X>", 2]}'],
    ['[4111111111111111]', '4111111111111111', '["<X>"]'],
    ['See {"n":-12.5e3} there', '12.5', 'See {"n":"<X>"} there'],
  ])('is put in quotes: %s', (text, found, masked) => {
    expect(mask(text, found)).toBe(masked);
  });

  it.each([
    ['Call 1764194497, please', '1764194497', 'Call <X>, please'],
    ['{"a": "1764194497"}', '1764194497', '{"a": "<X>"}'],
    ['Numbers: 1, 1764194497, 3', '1764194497', 'Numbers: 1, <X>, 3'],
    ['[1764194497] is a reference', '1764194497', '[<X>] is a reference'],
  ])('is not put in quotes elsewhere: %s', (text, found, masked) => {
    expect(mask(text, found)).toBe(masked);
  });

  it('leaves JSON valid, wherever it is', () => {
    const number = fc.integer({ min: 1_000_000, max: 2_000_000_000 });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        number,
        fc.string(),
        fc.array(tie('value')),
        fc.dictionary(fc.string(), tie('value')),
      ),
    }));
    fc.assert(
      fc.property(fc.oneof(fc.array(value), fc.dictionary(fc.string(), value)), number, (inside, planted) => {
        const text = JSON.stringify(Array.isArray(inside) ? [...inside, planted] : { ...inside, planted });
        const start = text.lastIndexOf(String(planted));
        const masked = maskSpans(text, [{ start, end: start + String(planted).length, type: 'X' }]);
        expect(() => JSON.parse(masked)).not.toThrow();
      }),
    );
  });
});
