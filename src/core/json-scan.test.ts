import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from './json.js';
import { MAX_JSON_DEPTH, scanBounds } from './json-scan.js';

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

  it('counts no levels and no values inside strings', () => {
    const text = JSON.stringify(`"${'[,{'.repeat(2 * MAX_JSON_DEPTH)}\\"`);
    expect(scanBounds(text, 1)).toBeUndefined();
  });

  it.each([
    [MAX_JSON_DEPTH, undefined],
    [MAX_JSON_DEPTH + 1, 'depth'],
  ])('reports for %i levels: %s', (levels, bound) => {
    expect(scanBounds('['.repeat(levels) + ']'.repeat(levels), 10_000)).toBe(bound);
  });

  it('accepts text that is not JSON', () => {
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
