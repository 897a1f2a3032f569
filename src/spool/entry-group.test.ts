import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EntryGroup } from './entry-group.js';
import { type EntryKind, encodeRecord } from './segment-record.js';

const kind = fc.constantFrom<EntryKind>('log', 'amendment');
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 50 }) },
  // Texts of which a few fill a group's memory, and that are longer in UTF-8 than in units, or as long.
  fc.tuple(fc.constantFrom('a', 'é', '中', '🎉'), fc.nat(40_000)).map(([one, times]) => one.repeat(times)),
);
const payload = fc.oneof(
  text,
  fc.array(fc.oneof(text, text.map(Buffer.from)), { minLength: 1, maxLength: 3 }),
);
const entries = fc.array(fc.tuple(kind, payload, fc.nat()), { maxLength: 12 });

describe('a group of entries', () => {
  it('is written as its entries one behind the other, also in memory that was used before', () => {
    const group = new EntryGroup();
    fc.assert(
      fc.property(entries, (added) => {
        const records = added.map((one) => encodeRecord(...one));
        const lengths = added.map((one) => group.add(...one));
        expect(lengths).toEqual(records.map(({ length }) => length));
        expect(Buffer.concat(group.buffers).equals(Buffer.concat(records))).toBe(true);
        expect(group).toMatchObject({
          entries: added.length,
          logs: added.filter(([one]) => one === 'log').length,
          bytes: Buffer.concat(records).length,
          longest: Math.max(0, ...lengths),
          appendedAt: added[0]?.[2] ?? 0,
        });
        group.clear();
        expect(group.buffers).toEqual([]);
      }),
    );
  });

  it('has a promise of its own each time it is used', async () => {
    const group = new EntryGroup();
    const first = group.written;
    group.resolve();
    await first;
    group.clear();
    group.reject(new Error('full'));
    await expect(group.written).rejects.toThrow('full');
  });
});
