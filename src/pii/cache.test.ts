import { describe, expect, it } from 'vitest';
import { FindingCache } from './cache.js';

const finding = { entityType: 'PERSON', start: 0, end: 3, score: 0.9 } as const;

describe('the cache of texts', () => {
  it('gives back what was found, as a copy', () => {
    const cache = new FindingCache();
    const key = cache.keyOf('Ada');
    cache.set(key, [finding]);
    cache.get(key)!.pop();
    expect(cache.get(key)).toEqual([finding]);
  });

  it('keys texts by their content', () => {
    const cache = new FindingCache();
    expect(cache.keyOf('Ada')).toBe(cache.keyOf('Ad'.concat('a')));
    expect(cache.keyOf('Ada')).not.toBe(cache.keyOf('ada'));
    expect(cache.get(cache.keyOf('Bob'))).toBeUndefined();
  });

  it('is bounded by texts and by findings', () => {
    const cache = new FindingCache();
    for (let i = 0; i < 5000; i++) cache.set(`${i}`, []);
    const kept = Array.from({ length: 5000 }, (_, i) => cache.get(`${i}`)).filter(
      (found) => found !== undefined,
    );
    expect(kept).toHaveLength(2000);
    cache.set('many', new Array(19_000).fill(finding));
    expect(cache.get('0')).toBeUndefined();
    expect(cache.get('many')).toHaveLength(19_000);
  });
});
