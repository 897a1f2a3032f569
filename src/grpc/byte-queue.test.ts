import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteQueue } from './byte-queue.js';

describe('bytes that wait', () => {
  it('are taken in the order in which they came, whatever the pieces', () => {
    const piece = fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes));
    const long = fc.integer({ min: 900, max: 5_000 }).map((length) => Buffer.alloc(length, 'l'));
    const step = fc.oneof(
      { weight: 6, arbitrary: piece },
      long,
      fc.nat(6_000).map((take) => ({ take })),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
        const queue = new ByteQueue();
        let expected = Buffer.alloc(0);
        for (const one of steps) {
          if (Buffer.isBuffer(one)) {
            queue.push(one);
            expected = Buffer.concat([expected, one]);
          } else {
            const count = Math.min(one.take, expected.length);
            if (expected.length >= 5) expect(queue.numberAt(1)).toBe(expected.readUInt32BE(1));
            expect(queue.take(count).equals(expected.subarray(0, count))).toBe(true);
            expected = expected.subarray(count);
          }
          expect(queue.length).toBe(expected.length);
        }
      }),
    );
  });

  it('are taken in a time that grows with their number, from the front of many pieces', () => {
    const queue = new ByteQueue();
    const count = 300_000;
    const piece = Buffer.alloc(1_024);
    for (let at = 0; at < count; at++) queue.push(piece);
    let taken = 0;
    // A queue that moves all that is left with each piece would take minutes.
    for (; queue.length > 0; taken++) queue.take(1_024);
    expect(taken).toBe(count);
  });
});
