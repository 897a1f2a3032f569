import { describe, expect, it } from 'vitest';
import { indentJson, indentPieces } from './indent-json.ts';

describe('a JSON text', () => {
  it.each([
    '{"a":[1,{"b":null}],"c":"x, {y}: \\"z\\" \\\\"}',
    '[]',
    '{"a":{},"b":[ ]}',
    '[[1],[2, 3]]',
    ' {"a" : 1}',
  ])('has a line for each member: %s', (text) => {
    expect(indentJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
  });

  it('keeps the digits of a number, the escapes of a text and repeated members', () => {
    expect(indentJson('{"id":12345678901234567890,"a":"\\u00e9","a":1.50}')).toBe(
      '{\n  "id": 12345678901234567890,\n  "a": "\\u00e9",\n  "a": 1.50\n}',
    );
  });

  it('keeps the marks of findings at their places', () => {
    expect(indentPieces([{ text: '{"name":"' }, { text: 'Jane, x', mark: 1 }, { text: '"}' }])).toEqual([
      { text: '{\n  "name": "' },
      { text: 'Jane, x', mark: 1 },
      { text: '"\n}' },
    ]);
  });

  it.each(['plain', '{"a":', '7', ''])('is not recognized in %s', (text) => {
    expect(indentJson(text)).toBeUndefined();
  });

  it('is indented up to a limit, however deep it is', () => {
    const deep = 20_000;
    const text = indentJson('['.repeat(deep) + ']'.repeat(deep))!;
    expect(text.length).toBeLessThan(deep * 200);
  });
});
