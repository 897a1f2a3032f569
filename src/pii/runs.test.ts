import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRuns } from './runs.js';

const texts = (text: string, from = 0, to = text.length) =>
  findRuns(text, from, to).map((r) => text.slice(r.start, r.end));

describe('runs of letters and digits', () => {
  it('are those with a digit in them', () => {
    expect(texts('order 42 of ab12, c3po.')).toEqual(['42', 'ab12', 'c3po']);
  });

  it('are also a few letters followed by a digit', () => {
    expect(texts('KA 05 and KA-05, plate 05')).toEqual(['KA', '05', 'KA', '05', '05']);
  });

  it.each(['INV-42', 'x_42', 'é42', '3.42', '3/42', '3-42'])(
    'show that the last one of %s is part of something longer',
    (text) => {
      expect(findRuns(text, 0, text.length).at(-1)!.place).not.toBe('alone');
    },
  );

  it.each(['#42', 'a.42', 'a:42', 'a=42', ' 42', '- 42'])('show that the one of %s is separate', (text) => {
    expect(findRuns(text, 0, text.length).at(-1)!.place).toBe('alone');
  });

  it('are not codes where they are longer than any code', () => {
    expect(texts(`${'a1'.repeat(512)} b2`)).toEqual(['a1'.repeat(512), 'b2']);
    expect(texts(`${'a1'.repeat(513)} b2`)).toEqual(['b2']);
  });

  it('are the same whether a text is read at once or in blocks', () => {
    const units = fc.string({ unit: fc.constantFrom('a', '1', ' ', '-', 'é'), maxLength: 60, size: 'max' });
    fc.assert(
      fc.property(units, fc.integer({ min: 1, max: 9 }), (text, size) => {
        const inBlocks = [];
        for (let from = 0; from < text.length; from += size) {
          inBlocks.push(...findRuns(text, from, Math.min(text.length, from + size)));
        }
        expect(inBlocks).toEqual(findRuns(text, 0, text.length));
      }),
      { verbose: true },
    );
  });
});
