import { expect, it } from 'vitest';
import { invalidPieces } from './invalid-pieces.ts';

const shown = (output: string, pointer: string) =>
  invalidPieces(output, pointer)
    .map(({ text, wrong }) => (wrong ? `[${text}]` : text))
    .join('');

it.each([
  [
    '{"a":1,"b":{"c":[1,"x"]}}',
    '/b/c/1',
    '{\n  "a": 1,\n  "b": {\n    "c": [\n      1,\n      ["x"]\n    ]\n  }\n}',
  ],
  ['{"a/b":{"~":null}}', '/a~1b/~0', '{\n  "a/b": {\n    "~": [null]\n  }\n}'],
  ['{"here":"here"}', '/here', '{\n  "here": ["here"]\n}'],
  ['[{"a":{"b":1}}]', '/0/a', '[\n  {\n    "a": [{\n      "b": 1\n    }]\n  }\n]'],
  ['{"__proto__":1}', '/__proto__', '{\n  "__proto__": [1]\n}'],
])('marks the value that violates the schema: %s at %s', (output, pointer, expected) => {
  expect(shown(output, pointer)).toBe(expected);
});

it.each([
  ['no JSON {', '/a'],
  ['"whole"', ''],
  ['{}', '/missing'],
  ['[]', '/length'],
])('marks nothing where that value is not there: %s at %s', (output, pointer) => {
  expect(invalidPieces(output, pointer)).toEqual([{ text: output, wrong: false }]);
});
