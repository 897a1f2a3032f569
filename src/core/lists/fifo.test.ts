import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fifo } from './fifo.js';

describe('a queue', () => {
  it('keeps its items in order, whatever is taken, added and replaced', () => {
    const step = fc.oneof(
      fc.record({ push: fc.nat(3_000) }),
      fc.record({ shift: fc.nat(3_000) }),
      fc.record({ replace: fc.nat(5), at: fc.nat(50) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const queue = new Fifo<object>();
        let expected: object[] = [];
        for (const one of steps) {
          if ('push' in one) {
            for (let at = 0; at < one.push; at++) {
              const item = {};
              queue.push(item);
              expected.push(item);
            }
          } else if ('shift' in one) {
            for (let at = 0; at < one.shift; at++) expect(queue.shift()).toBe(expected[at]);
            expected = expected.slice(one.shift);
          } else if (expected.length > 0) {
            const at = one.at % expected.length;
            const items = Array.from({ length: one.replace }, () => ({}));
            if (at === 0) queue.replaceFirst(items);
            else queue.replace(expected[at]!, items);
            expected.splice(at, 1, ...items);
          }
          expect([queue.length, queue.first]).toEqual([expected.length, expected[0]]);
          if (expected.length > 0) expect(queue.fromEnd(1)).toBe(expected.at(-1));
          if (expected.length > 0) expect(queue.fromEnd(expected.length)).toBe(expected[0]);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('returns a million items in a time in proportion to their number', () => {
    const queue = new Fifo<number>();
    for (let item = 0; item < 1_000_000; item++) queue.push(item);
    let sum = 0;
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) sum += item;
    expect(sum).toBe((1_000_000 * 999_999) / 2);
  });
});
