import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Beginnings, ContextWords } from './context-words.js';

const WORDS = ['tel', 'cc', 'dl#', 'p. iva', 'número fiscal', '주민번호', 'ß', '№ 7', '+x', '7up', 'é', 'öe'];

function mayHave(text: string, words: ContextWords): boolean {
  const beginnings = new Beginnings();
  beginnings.read(text);
  return words.mayBeIn(beginnings);
}

describe('the quick check for context words', () => {
  it('excludes no text that has one', () => {
    const marks = fc.constantFrom('', ' ', '.', 'x', '4', 'ü', '№', '번', '\u0301', '-');
    const pieces = fc.array(fc.oneof(marks, fc.constantFrom(...WORDS)), { maxLength: 8 });
    fc.assert(
      fc.property(pieces, fc.constantFrom(...WORDS), (parts, word) => {
        const text = parts.join('');
        const words = new ContextWords([word]);
        words.pattern.lastIndex = 0;
        if (words.pattern.test(text)) expect(mayHave(text, words), text).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('excludes a text in which none of them begins', () => {
    const words = new ContextWords(['bank account', 'iban']);
    expect(mayHave('please pay to ', words)).toBe(false);
    expect(mayHave('urban account ', words)).toBe(false);
    expect(mayHave('my bank ', words)).toBe(true);
  });
});
