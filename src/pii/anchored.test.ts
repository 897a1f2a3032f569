import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anchored } from './anchored.js';

/** Patterns, each with texts that it matches. */
const PATTERNS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:joy|hope|ivy)$/, ['joy', 'hope', 'ivy']],
  [/^ (?:is|was)(?!\p{L})/u, [' is', ' was here']],
  [/^,? (?:Inc|S\.A\.|and [a-c]\d{2,3})/, [' Inc', ', S.A.', ' and a12']],
  [/(?<!\p{L})(?:of|in the) $/u, ['of ', 'two in the ']],
  [/(?:^|[.!?] )\p{Lu}+$/u, ['A', 'No. YES', '𝐀𝐁', 'ÄÖ']],
  [/^(?=.{4})\p{Lu}\p{Ll}*(?:ung|ité)s?$/u, ['Achtung', 'Égalités', '𝐀xxxung']],
  [/^(?:this|kilo)$/iu, ['THIS', 'thi\u017f', '\u212ailo']],
  [/^(?<sign>[*_])\w\k<sign>$/, ['*a*', '_b_']],
  [/^a?b*$/, ['', 'a', 'bbbbb', 'abbbbb']],
  [/^[^a-y\d\]]|^\u00e9$/, ['z', 'Z', ']a'.slice(1), 'é', '\n']],
];

describe('an anchored pattern', () => {
  it.each(PATTERNS)('%s matches what it matched before', (pattern, texts) => {
    const told = anchored(pattern);
    for (const text of texts) {
      expect(told.test(text)).toBe(pattern.test(text));
      expect(told.exec(text)).toEqual(pattern.exec(text));
    }
  });

  it('matches nothing else than before, whatever the text', () => {
    const all = PATTERNS.map(([pattern]) => [pattern, anchored(pattern)] as const);
    const parts = fc.constantFrom(...PATTERNS.flatMap(([, texts]) => texts), ' ', '.', '');
    const texts = fc.array(fc.oneof(parts, fc.string({ maxLength: 3 })), { maxLength: 4 });
    fc.assert(
      fc.property(texts, (some) => {
        const text = some.join('');
        for (const [pattern, told] of all) expect(told.test(text)).toBe(pattern.test(text));
      }),
    );
  });

  it('is bound to the beginning or the end of a text', () => {
    expect(() => anchored(/a/)).toThrow('not anchored');
    expect(() => anchored(/^a|b/)).toThrow('not anchored');
    expect(() => anchored(/^a/m)).toThrow('not anchored');
    expect(() => anchored(/^a/g)).toThrow('not anchored');
  });
});
