import { expect, it } from 'vitest';
import { frozenCopy } from './frozen-copy.js';

it('copies a value as it is, odd keys and dates included', () => {
  const value = JSON.parse('{"__proto__":{"a":1},"list":[1,{"b":null}],"text":"x"}');
  value.date = new Date(5);
  const copied = frozenCopy(value);
  expect(copied).toEqual(value);
  expect(Object.keys(copied)).toContain('__proto__');
  expect(copied.list[1]).not.toBe(value.list[1]);
});

it('cannot be changed anywhere', () => {
  const copied = frozenCopy({ list: [{ a: 1 }] });
  expect(() => copied.list.push({ a: 2 })).toThrow(TypeError);
  expect(() => Object.assign(copied.list[0]!, { a: 2 })).toThrow(TypeError);
});

it('shows null in place of what lies too deep', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  expect(JSON.stringify(frozenCopy(deep))).toBe(`${'['.repeat(100)}null${']'.repeat(100)}`);
});
