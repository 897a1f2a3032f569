import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXAMPLE, mistakesOf, parse, withEndpoint } from '../../test/support/parse-config.js';

describe('a text that is not plain YAML', () => {
  it.each([
    ['a syntax error', 'a: [1,\n'],
    ['a tab', 'engine:\n\tworkers: 1\n'],
    ['two documents', 'engine: {}\n---\nengine: {}\n'],
    ['an alias to nothing', 'engine: *missing\n'],
    ['an alias within its anchor', 'engine: &loop { workers: *loop }\n'],
    ['a key that is a list', '? [engine]\n: 1\n'],
    ['a binary', withEndpoint('plugins: [{ plugin: p, config: { a: !!binary aGk= } }]')],
  ])('is a mistake: %s', (_name, text) => {
    expect(mistakesOf(text)).not.toEqual([]);
  });

  it('is refused where its aliases expand beyond all memory', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const item = level === 0 ? '1' : `*l${level - 1}`;
      return `  l${level}: &l${level} [${Array(10).fill(item).join(', ')}]`;
    });
    expect(mistakesOf(`engine:\n${levels.join('\n')}\n`).join('\n')).toMatch(/has more than 200000 values/);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      '\n',
      '- ',
      ': ',
      '{',
      '}',
      '[',
      ']',
      '"',
      '#',
      '&a ',
      '*a',
      '!!map ',
      '? ',
      '~',
      '-1',
    ),
    fc.string({ maxLength: 6 }),
  );

  it('gives a configuration, or mistakes with places inside the text, however it was changed', () => {
    const edit = fc.record({ at: fc.nat(EXAMPLE.length), length: fc.nat(40), text: piece });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        const text = edits.reduce(
          (current, { at, length, text: inserted }) =>
            current.slice(0, at) + inserted + current.slice(at + length),
          EXAMPLE,
        );
        const result = parse(text);
        if ('config' in result) return;
        expect(result.mistakes.length).toBeGreaterThan(0);
        const lines = text.split(/\r\n|\r|\n/);
        for (const { line, column } of result.mistakes) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeGreaterThanOrEqual(1);
        }
      }),
      { numRuns: 200 },
    );
  }, 30_000);
});
