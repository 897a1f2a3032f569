import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonValue } from '../../core/json.js';
import { isSameJson } from './same-json.js';

const name = fc.constantFrom('a', 'b', '__proto__', 'toString', '0');
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(null, true, 0, 1, '', 'a', '0') },
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }).map((members) => {
      const written = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
      return JSON.parse(`{${written.join(',')}}`) as unknown;
    }),
  ),
}));

it('two values are the same JSON exactly where they are strictly equal in depth', () => {
  const copy = (value: unknown) => JSON.parse(JSON.stringify(value)) as JsonValue;
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(isSameJson(copy(one), copy(other))).toBe(isDeepStrictEqual(copy(one), copy(other)));
      expect(isSameJson(copy(one), copy(one))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ['{"__proto__":{},"a":1}', '{"b":2,"a":1}'],
  ['{"toString":"a"}', '{"a":"a"}'],
  ['["a"]', '{"0":"a"}'],
  ['{"a":1}', '{"a":1,"b":2}'],
])('%s is not %s', (one, other) => {
  expect(isSameJson(JSON.parse(one), JSON.parse(other))).toBe(false);
  expect(isSameJson(JSON.parse(other), JSON.parse(one))).toBe(false);
});

it('members may be in any order', () => {
  expect(isSameJson({ a: 1, b: ['x'] }, { b: ['x'], a: 1 })).toBe(true);
});
