import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Found } from '../found.js';
import { RecentFindings } from './recent-findings.js';

/** What one entry without a finding takes. */
const ENTRY = 256;
const NOTHING: readonly Found[] = [];
const finding = { type: 'PERSON', start: 0, end: 3, score: 0.9 };

describe('recent findings', () => {
  it('are kept as long as they are asked for, and unused ones are dropped', () => {
    const recent = new RecentFindings(20 * ENTRY);
    recent.set('asked', [finding]);
    recent.set('forgotten', [finding]);
    for (let index = 0; index < 100; index++) {
      recent.set(`${index}`, NOTHING);
      expect(recent.get('asked')).toEqual([finding]);
    }
    expect(recent.get('forgotten')).toBeUndefined();
    expect(recent.get('99')).toBe(NOTHING);
  });

  it('use no more than their room, and are not dropped while there is room', () => {
    const key = fc.integer({ min: 0, max: 40 }).map(String);
    fc.assert(
      fc.property(
        fc.array(fc.record({ key, isSet: fc.boolean() }), { maxLength: 200, size: 'max' }),
        (uses) => {
          const recent = new RecentFindings(20 * ENTRY);
          const lastUses: string[] = [];
          for (const use of uses) {
            if (use.isSet) recent.set(use.key, NOTHING);
            else if (recent.get(use.key) === undefined) continue;
            lastUses.push(use.key);
          }
          const keys = [...new Set(lastUses.reverse())];
          // Half of the room is for the last uses alone.
          for (const key of keys.slice(0, 9)) expect(recent.get(key)).toBe(NOTHING);
          const kept = keys.filter((key) => recent.get(key) !== undefined);
          expect(kept.length).toBeLessThanOrEqual(21);
        },
      ),
    );
  });

  it('of a text with too many are not kept, and displace nothing', () => {
    const recent = new RecentFindings(20 * ENTRY);
    recent.set('small', NOTHING);
    recent.set(
      'large',
      Array.from({ length: 100 }, () => finding),
    );
    expect(recent.get('large')).toBeUndefined();
    expect(recent.get('small')).toBe(NOTHING);
  });
});
