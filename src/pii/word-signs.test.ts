import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginningsOf, WordSigns } from './word-signs.js';

const SHORT = 'Dr|lê';
const LONG = 'mon(?:day)?s?|[Tt]he|März|Sub-S|gro(?:ß|ss)e';
const WORDS = ['Dr', 'lê', 'mon', 'monday', 'mons', 'The', 'März', 'MÄRZ', 'Sub-S', 'große', 'grosse'];

describe('the first letters of what a pattern matches', () => {
  it('are found through groups, classes and optional parts', () => {
    expect(beginningsOf('gr(?:a|ey)?b|[xy]z').sort()).toEqual(['grab', 'grb', 'greyb', 'xz', 'yz']);
  });

  it.each(['a*', '\\d', 'x{2}', '(a)', '[a-z]'])('are unknown for %s', (pattern) => {
    expect(() => beginningsOf(pattern)).toThrow('cannot read the words');
  });
});

describe('the signs of words', () => {
  const signs = new WordSigns();
  const [isShort, isLong] = [signs.add(SHORT), signs.add(LONG)];

  it('show which lists of words a text may contain a word of', () => {
    expect(signs.in('see dr Adams', 0, 12)).toBe(isShort);
    expect(signs.in('a MONDAY', 0, 8)).toBe(isLong);
    expect(signs.in('a monarch', 0, 9)).toBe(0);
    expect(signs.in('LÊ', 0, 2)).toBe(isShort);
    expect(signs.in('nothing of it', 0, 13)).toBe(0);
    expect(signs.in('salmon', 0, 6)).toBe(0);
    expect(signs.in('я говорю в понедельник', 0, 22)).toBe(0);
    expect(signs.in('a monday', 0, 2)).toBe(0);
  });

  it('of capitalized words match capitalized words only', () => {
    const places = new WordSigns();
    const isPlace = places.add('North|Gulf');
    expect(places.in('go North', 0, 8)).toBe(isPlace);
    expect(places.in('go north', 0, 8)).toBe(0);
  });

  it('show where words of some lists are', () => {
    expect(signs.in('see dr Adams the Monday', 0, 23)).toBe(isShort | isLong);
    expect(signs.placesOf(isLong)).toEqual([13, 17]);
    expect(signs.placesOf(isShort)).toEqual([4]);
  });

  it('fit into the bits of a number', () => {
    const many = new WordSigns();
    const bits = Array.from({ length: 32 }, () => many.bit());
    expect(new Set(bits).size).toBe(32);
    expect(() => many.bit()).toThrow('more than 32 lists of words');
  });

  it('are found at each place where a pattern matches a whole word, whatever is around it', () => {
    const pattern = new RegExp(`(?<!\\p{L})(?:${SHORT}|${LONG})(?!\\p{L})`, 'giu');
    const texts = fc.array(
      fc.oneof(fc.constantFrom(...WORDS, ' ', '_', '1', 'ſ', '\u212a', '-'), fc.string()),
    );
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('');
        for (const { index } of text.matchAll(pattern)) {
          expect(signs.in(text, index, index + 1)).not.toBe(0);
        }
      }),
    );
  });
});
