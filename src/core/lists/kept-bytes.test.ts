import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { livingBytes } from '../../../test/support/living-bytes.js';
import { KeptBytes } from './kept-bytes.js';

describe('bytes that are kept', () => {
  it('keep little more than themselves of the buffers that they came in', () => {
    const kept = new KeptBytes();
    const before = livingBytes();
    for (let count = 0; count < 300; count++) kept.push(Buffer.alloc(65_536).subarray(100, 1_300));
    // The buffers have 19 MB.
    expect(livingBytes() - before).toBeLessThan(2_000_000);
    expect(kept.length).toBe(360_000);
  });

  it('are not copied where they came in one piece and nothing follows', () => {
    const kept = new KeptBytes();
    const bytes = Buffer.alloc(65_536).subarray(100, 400);
    kept.push(bytes, true);
    expect(kept.whole()).toBe(bytes);
  });

  it('are all there where the last piece is announced', () => {
    const kept = new KeptBytes();
    kept.push(Buffer.from('first, '));
    kept.push(Buffer.from('last'), true);
    expect(kept.whole().toString()).toBe('first, last');
  });

  it('are the same as came in, in whatever pieces', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.integer({ min: 0, max: 3_000 }).map((length) => new Uint8Array(length).fill(7)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200, size: 'max' }), fc.nat(5_000), (pieces, count) => {
        const kept = new KeptBytes();
        for (const one of pieces) kept.push(Buffer.from(one));
        const all = Buffer.concat(pieces);
        expect(kept.length).toBe(all.length);
        if (count > 0) expect(kept.last(count).equals(all.subarray(-count))).toBe(true);
        expect(kept.whole().equals(all)).toBe(true);
        kept.push(Buffer.from('more'));
        expect(kept.whole().toString('latin1')).toBe(`${all.toString('latin1')}more`);
      }),
    );
  });
});
