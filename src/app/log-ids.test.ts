import { describe, expect, it } from 'vitest';
import { isUuid, uuidV7Time } from '../core/ids.js';
import { newLogId } from './log-ids.js';

describe('log ids', () => {
  it('are UUIDs with the present time, each larger than the one before', () => {
    const before = Date.now();
    const ids = Array.from({ length: 5_000 }, () => newLogId());
    const after = Date.now();
    expect(ids).toEqual([...new Set(ids)].sort());
    for (const id of ids) {
      expect(isUuid(id)).toBe(true);
      expect(id[14]).toBe('7');
      expect('89ab').toContain(id[19]);
      expect(uuidV7Time(id)).toBeGreaterThanOrEqual(before);
      expect(uuidV7Time(id)).toBeLessThanOrEqual(after);
    }
  });

  it('do not repeat their random part', () => {
    const parts = Array.from({ length: 1_000 }, () => newLogId().slice(24));
    expect(new Set(parts).size).toBe(parts.length);
  });
});
