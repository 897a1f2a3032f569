import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { livingBytes } from '../../test/support/living-bytes.js';
import { ByteQueue } from './byte-queue.js';

describe('a queue of bytes', () => {
  it('keep little more than themselves of the buffers that they came in', () => {
    const queue = new ByteQueue();
    const before = livingBytes();
    for (let count = 0; count < 300; count++) queue.push(Buffer.alloc(65_536).subarray(100, 7_100));
    // The buffers have 19 MB.
    expect(livingBytes() - before).toBeLessThan(4_000_000);
    expect(queue.length).toBe(2_100_000);
  });

  it('returns them in the order in which they came, whatever the pieces', () => {
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

  it.each([
    ['joins short ones up to a length', 5, 1_500],
    ['gives a longer one whole', 2_000, 2_000],
  ])('%s', (_what, first, expected) => {
    const queue = new ByteQueue();
    for (const length of [first, 1_200, 1_200]) queue.push(Buffer.alloc(length));
    expect(queue.takePiece(1_500)).toHaveLength(expected);
    expect(queue.length).toBe(first + 2_400 - expected);
  });

  it('takes time in proportion to their number, even at the front of many pieces', () => {
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
