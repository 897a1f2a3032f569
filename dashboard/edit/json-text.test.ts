import { describe, expect, it } from 'vitest';
import { readJsonObject } from './json-text.ts';

describe('JSON that a person wrote', () => {
  it('is read', () => expect(readJsonObject('{"a": [1]}')).toEqual({ value: { a: [1] } }));

  it.each(['[]', 'null', '7', '"x"'])('must be an object: %s', (text) =>
    expect(readJsonObject(text)).toEqual({ error: expect.stringContaining('an object') }),
  );

  it('is told where it is wrong', () => {
    expect(readJsonObject('{\n  "a": 1,\n  b\n}')).toEqual({
      error: expect.stringMatching(/^Line 3, column 3: /),
    });
    expect(readJsonObject('{"a"')).toEqual({ error: expect.stringMatching(/^Line 1, column 5: /) });
  });
});
