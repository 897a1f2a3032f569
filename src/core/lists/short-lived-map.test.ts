import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ShortLivedMap } from './short-lived-map.js';

const key = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.string({ minLength: 1, maxLength: 2 }));

describe('a map for entries that come and go', () => {
  it('answers like a built-in Map after any calls', () => {
    const calls = fc.array(fc.tuple(fc.constantFrom('set', 'delete', 'get'), key, fc.integer()), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(calls, (list) => {
        const map = new ShortLivedMap<number | string, number>();
        const builtIn = new Map<number | string, number>();
        for (const [call, name, value] of list) {
          if (call === 'set') {
            map.set(name, value);
            builtIn.set(name, value);
          } else if (call === 'delete') expect(map.delete(name)).toBe(builtIn.delete(name));
          else expect(map.get(name)).toBe(builtIn.get(name));
          expect(map.size).toBe(builtIn.size);
        }
        const ascending = (one: number, other: number) => one - other;
        expect(map.values().sort(ascending)).toEqual([...builtIn.values()].sort(ascending));
      }),
    );
  });

  it('lets entries be deleted while its values are walked', () => {
    const map = new ShortLivedMap<number, number>();
    for (let id = 1; id < 500; id += 2) map.set(id, id);
    for (const id of map.values()) map.delete(id);
    expect(map.size).toBe(0);
  });
});
