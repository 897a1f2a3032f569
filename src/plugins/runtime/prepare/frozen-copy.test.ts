import { expect, it } from 'vitest';
import { frozenCopy, showTo } from './frozen-copy.js';
import type { PreparedPlugin } from './prepared-plugin.js';

it('has the same content, including odd keys and dates', () => {
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

it('has null in place of what is nested too deep', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  expect(JSON.stringify(frozenCopy(deep))).toBe(`${'['.repeat(100)}null${']'.repeat(100)}`);
});

const plugin = (readsOnly?: true) => ({ plugin: { readsOnly } }) as unknown as PreparedPlugin;

it('is not made where all plugins only read', async () => {
  const value = { a: [1] };
  expect(await showTo([plugin(true), plugin(true)])(value)).toBe(value);
  const copied = await showTo([plugin(true), plugin()])(value);
  expect(copied).toEqual(value);
  expect(copied.a).not.toBe(value.a);
});

it('lets other work run while a large value is copied', async () => {
  const large = Array.from({ length: 300_000 }, (_, at) => ({ [`k${at % 1000}`]: at }));
  let others = 0;
  const other = setInterval(() => others++, 0);
  expect(await showTo([plugin()])(large)).toEqual(large);
  clearInterval(other);
  expect(others).toBeGreaterThan(1);
});
