import { describe, expect, it } from 'vitest';
import { CheckBudget, unlimitedBudget } from '../pattern/budget.js';
import { createJsonEqual } from './json-equal.js';

const equal = createJsonEqual(unlimitedBudget);

describe('equality of JSON values', () => {
  it.each([
    ['1', '1.0', true],
    ['0', '-0', true],
    ['1', '"1"', false],
    ['null', '{}', false],
    ['[]', '{}', false],
    ['[1,[2]]', '[1,[2]]', true],
    ['[1,2]', '[1,2,3]', false],
    ['{"a":1,"b":{"c":[]}}', '{"b":{"c":[]},"a":1}', true],
    ['{"a":1}', '{"b":1}', false],
    ['{"constructor":1}', '{"constructor":1}', true],
    ['{"valueOf":1}', '{"valueOf":2}', false],
    ['{"toString":null}', '{"a":null}', false],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}', true],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}', false],
  ])('%s equals %s: %s', (left, right, expected) => {
    expect(equal(JSON.parse(left), JSON.parse(right))).toBe(expected);
  });

  it('costs of the budget what it compares', () => {
    const budget = new CheckBudget(0.1);
    const list = Array.from({ length: 20 }, () => 1);
    expect(() => createJsonEqual(budget)(list, [...list])).toThrow('budget');
  });
});
