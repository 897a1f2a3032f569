import { describe, expect, it } from 'vitest';
import { FindingCache } from './finding-cache.js';

const found = [{ type: 'PERSON', start: 0, end: 3, score: 0.9 }];

describe('the findings of texts seen before', () => {
  it('are stored under the content of the text', async () => {
    const cache = new FindingCache();
    const [first, same, other] = await cache.keysOf(['Ada', 'Ad'.concat('a'), 'ada']);
    cache.set(first!, found);
    expect(cache.get(same!)).toEqual(found);
    expect(cache.get(other!)).toBeUndefined();
  });

  it('are looked up in turns where there are many texts, however short', async () => {
    const texts = Array.from({ length: 20_000 }, (_, index) => String(index));
    const keys = new FindingCache().keysOf(texts);
    expect(keys).toBeInstanceOf(Promise);
    expect(new Set(await keys).size).toBe(20_000);
  });

  it('are stored under the whole of a long text', async () => {
    const long = 'a'.repeat(1_000_000);
    const [all, end, again] = await new FindingCache().keysOf([long, `${long}b`, long]);
    expect(all).not.toBe(end);
    expect(again).toBe(all);
  });

  it('are kept apart for texts that differ in half a surrogate pair', async () => {
    const [one, other] = await new FindingCache().keysOf(['Ada \ud800', 'Ada \ud801']);
    expect(one).not.toBe(other);
  });

  it('are not shared by two configurations', async () => {
    const cache = new FindingCache();
    const [[key], [foreign]] = [await cache.keysOf(['Ada']), await new FindingCache().keysOf(['Ada'])];
    cache.set(key!, found);
    expect(cache.get(foreign!)).toBeUndefined();
  });

  it('are limited in number: the oldest are dropped', async () => {
    const cache = new FindingCache();
    cache.set('first', found);
    for (let index = 0; index < 70_000; index++) cache.set(`${index}`, []);
    expect(cache.get('first')).toBeUndefined();
    expect(cache.get('69999')).toEqual([]);
  });
});
