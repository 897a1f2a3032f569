import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalize, normalizeSteps, originalSpan } from './normalize.js';

describe('normalisation', () => {
  it('does not change plain text', () => {
    expect(normalize('Grüße, 12 – naïve')).not.toHaveProperty('offsets', undefined);
    expect(normalize('Grüße, 12 naïve 😀')).toEqual({ text: 'Grüße, 12 naïve 😀' });
  });

  it.each([
    ['１２３', '123'],
    ['१२३', '123'],
    ['𝟙𝟚𝟛', '123'],
    ['1\u200b2\ufeff3', '123'],
    ['1\u00a02\u20093', '1 2 3'],
    ['1–2−3', '1-2-3'],
    ['ａ＠ｂ．ｃｏ', 'a@b.co'],
  ])('%j becomes %j', (text, expected) => {
    expect(normalize(text).text).toBe(expected);
  });

  it.each([
    ['Jos\\u00e9 Mu\\u00f1oz', 'José Muñoz'],
    ['a\\u0040b.org', 'a@b.org'],
    ['\\ud83d\\ude00', '😀'],
    ['a\\u200bb', 'ab'],
    ['Best,\\n\\r\\nAnn\\t4', 'Best,   Ann 4'],
    ['4111\\f1111\\b11', '4111 111111'],
    ['\\bword C:\\files /\\b\\d/', '\\bword C:\\files /\\b\\d/'],
    // A backslash of its own, a command, a folder, and what is no number.
    ['\\\\u0040', '\\\\u0040'],
    ['\\newcommand C:\\temp', '\\newcommand C:\\temp'],
    ['\\u00g0 \\', '\\u00g0 \\'],
  ])('decodes the escapes of JSON: %s', (text, read) => {
    expect(normalize(text).text).toBe(read);
  });

  it.each([
    ['x: Jos\\u00e9, y', 'José', 'Jos\\u00e9'],
    ['x:\\nAnn Lee\\ny', 'Ann Lee', 'Ann Lee'],
    ['x:\\nann@b.org', 'nann@b.org', 'ann@b.org'],
    ['é:\\u00e9\\tann@b.org', 'tann@b.org', 'ann@b.org'],
  ])('separates values where escapes end: %s', (text, found, original) => {
    const normalized = normalize(text);
    const start = normalized.text.indexOf(found);
    expect(text.slice(...originalSpan(normalized, start, start + found.length, text))).toBe(original);
  });

  it('is done in steps, with the same result for a long text as for its pieces', () => {
    const piece = 'Jose\u0301 – １２ 😀 𝟙 plain words. ';
    const text = piece.repeat(8_000);
    let steps = 0;
    const running = normalizeSteps(text);
    while (!running.next().done) steps++;
    expect(steps).toBeGreaterThan(2);
    expect(normalize(text).text).toBe(normalize(piece).text.repeat(8_000));
  });

  it('maps offsets back to the original, whatever the text', () => {
    const units = fc.array(fc.constantFrom('a', '１', '\u200b', '😀', '𝟙', 'é', ' ', '–', '⑩', '㋉', 'ﷺ'), {
      maxLength: 40,
      size: 'max',
    });
    fc.assert(
      fc.property(units, (parts) => {
        const text = parts.join('');
        const normalized = normalize(text);
        for (let at = 0; at < normalized.text.length; at++) {
          const [start, end] = originalSpan(normalized, at, at + 1, text);
          expect(normalize(text.slice(start, end)).text).toContain(normalized.text[at]!);
        }
      }),
      { verbose: true },
    );
  });
});

it('has an offset for each unit of a text that becomes longer', () => {
  const text = `${'⑩'.repeat(50)} 4111`;
  const normalized = normalize(text);
  expect(normalized.text).toBe(`${'10'.repeat(50)} 4111`);
  expect(originalSpan(normalized, 101, 105, text)).toEqual([51, 55]);
});

describe('letters with combining accents', () => {
  it('become one letter, and offsets refer to the original', () => {
    const text = 'Jose\u0301 and Zoe\u0308';
    const normalized = normalize(text);
    expect(normalized.text).toBe('José and Zoë');
    expect(text.slice(...originalSpan(normalized, 0, 4, text))).toBe('Jose\u0301');
    expect(text.slice(...originalSpan(normalized, 9, 12, text))).toBe('Zoe\u0308');
  });
});
