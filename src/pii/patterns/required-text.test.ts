import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { requiredText } from './required-text.js';

describe('the text that every match of a pattern holds', () => {
  it.each([
    ['project-falcon', false, /project-falcon/u],
    ['(?i)project\\s+falcon', false, /project/iu],
    ['PRJ-\\d{4}', false, /PRJ-/u],
    ['\\b[A-Z]{3}-\\d{4}\\b', false, /-/u],
    ['colou?r scheme', false, /r scheme/u],
    ['(?:alpha|beta gamma)!', true, /alpha|beta gamma/iu],
    ['ab+cd', false, /ab/u],
    ['https?://intranet\\.example', false, /:\/\/intranet\.example/u],
  ])('is found for %s', (pattern, ignoresCase, expected) => {
    expect(requiredText(pattern, ignoresCase)).toEqual(expected);
  });

  it.each(['\\d+', '[a-z]*', 'a?b*', '(?:abc)?', 'abc|\\d', '\\Qa+b\\E', '(abc|)', '', 'x{0,3}'])(
    'does not exist for %j',
    (pattern) => {
      expect(requiredText(pattern, false)).toBeUndefined();
    },
  );

  const letter = fc.constantFrom(
    'a',
    'b',
    'K',
    's',
    'ß',
    '-',
    '\\.',
    '\\d',
    '.',
    '[ab]',
    '[^]a]',
    '\\b',
    '^',
  );
  const pattern = fc.letrec<{ way: string; unit: string }>((tie) => ({
    unit: fc.oneof(
      { maxDepth: 4 },
      letter,
      fc
        .tuple(
          fc.constantFrom('(', '(?:', '(?i:', '(?P<n>'),
          fc.array(tie('way'), { minLength: 1, maxLength: 3 }),
        )
        .map(([head, ways]) => `${head}${ways.join('|')})`),
    ),
    way: fc
      .array(fc.tuple(tie('unit'), fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{0,2}', '+?')), {
        maxLength: 4,
      })
      .map((units) =>
        units.map(([unit, repeat]) => (/^[\\^]b?$/.test(unit) ? unit : unit + repeat)).join(''),
      ),
  })).way;
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'A', 'k', 'K', '\u212a', 's', 'ſ', 'ß', '-', '.', '7', '\n'),
  });

  it('is in every text that the pattern matches', () => {
    let matched = 0;
    fc.assert(
      fc.property(pattern, fc.boolean(), fc.array(text, { maxLength: 8 }), (given, ignoresCase, texts) => {
        const required = requiredText(given, ignoresCase);
        let compiled: RE2JS;
        try {
          compiled = RE2JS.compile(given, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
        } catch {
          return;
        }
        for (const one of texts) {
          if (required === undefined || !compiled.matcher(one).find()) continue;
          matched++;
          expect(required.test(one), `${given} in ${JSON.stringify(one)}`).toBe(true);
        }
      }),
      { numRuns: 3_000, verbose: true },
    );
    expect(matched).toBeGreaterThan(200);
  });
});
