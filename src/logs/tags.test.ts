import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../core/json.js';
import { tagsLeftOut, tagsOf } from './tags.js';

describe('tags of metadata', () => {
  it.each<[string, string, string[]]>([
    ['a string', '{"task":"faq"}', ['task:faq']],
    ['an empty string', '{"task":""}', ['task:']],
    ['null', '{"vip":null}', ['vip']],
    ['numbers', '{"a":1,"b":-0.5,"c":1e21,"d":0}', ['a:1', 'b:-0.5', 'c:1e+21', 'd:0']],
    ['booleans', '{"a":true,"b":false}', ['a:true', 'b:false']],
    ['objects and lists', '{"a":{"b":1},"c":["d"],"e":{},"f":[]}', []],
    ['an empty key', '{"":"x","a":1}', ['a:1']],
    ['an order', '{"b":1,"a":1,"c":null}', ['b:1', 'a:1', 'c']],
    ['an order of keys that are numbers', '{"b":1, "10":1, "2":null, "b":2}', ['b:2', '10:1', '2']],
    ['two that are one tag', '{"a:b":null,"a":"b"}', ['a:b']],
    [
      'keys that objects have of their own',
      '{"__proto__":"x","constructor":null}',
      ['__proto__:x', 'constructor'],
    ],
    ['dots, dollars and emoji', '{"a.b":"$c","$d":"👋"}', ['a.b:$c', '$d:👋']],
    ['nothing', '{}', []],
  ])('are taken from %s', (_case, metadata, tags) => {
    expect(tagsOf(JSON.parse(metadata) as JsonObject, () => metadata)).toEqual(tags);
  });

  it('are 256 at most, the first ones, with the number of those left out', () => {
    const metadata = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, at]));
    expect(tagsOf(metadata)).toEqual(Array.from({ length: 256 }, (_, at) => `k${at}:${at}`));
    expect([tagsLeftOut(metadata), tagsLeftOut({ a: 1 })]).toEqual([44, 0]);
  });

  it('are distinct, with at most one for each key with a plain value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (metadata) => {
        const tags = tagsOf(metadata as JsonObject, () => JSON.stringify(metadata));
        expect(new Set(tags).size).toBe(tags.length);
        const plain = Object.entries(metadata).filter(
          ([key, value]) => key !== '' && (value === null || typeof value !== 'object'),
        );
        expect(tags.length).toBeLessThanOrEqual(plain.length);
        for (const [key] of plain) expect(tags.some((tag) => tag.startsWith(key))).toBe(true);
      }),
    );
  });
});
