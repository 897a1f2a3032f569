import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonMistakeAt } from './json-mistake.ts';
import { readJsonObject } from './json-text.ts';

describe('JSON that a person wrote', () => {
  it('is parsed', () => expect(readJsonObject('{"a": [1]}')).toEqual({ value: { a: [1] } }));

  it.each(['[]', 'null', '7', '"x"'])('must be an object: %s', (text) =>
    expect(readJsonObject(text)).toEqual({ error: expect.stringContaining('a JSON object') }),
  );

  it('is refused with a number that JSON would turn into null', () => {
    expect(readJsonObject('{"a": [1e400]}')).toEqual({ error: expect.stringContaining('too large') });
  });

  it('is reported with the place of its mistake', () => {
    expect(readJsonObject('{\n  "a": 1,\n  b\n}')).toEqual({
      error: expect.stringMatching(/^Line 3, column 3: /),
    });
    expect(readJsonObject('{"a"')).toEqual({ error: expect.stringMatching(/^Line 1, column 5: /) });
  });

  it('is reported as invalid exactly where JSON.parse rejects it', () => {
    const parses = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-0.5e3',
      '01',
      'true',
      'nul',
      ' ',
      '\n',
      '"',
      '\\u00zz',
    ];
    const texts = fc.oneof(
      fc.json(),
      fc.array(fc.constantFrom(...pieces)).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => (jsonMistakeAt(text) === undefined) === parses(text)),
      { numRuns: 2000 },
    );
  });
});
