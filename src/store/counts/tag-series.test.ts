import { describe, expect, it } from 'vitest';
import type { TagSeriesDocument } from '../mongodb/collections.js';
import { admitTags, createKnownSeries, mayBeCounted } from './tag-series.js';

const NONE: TagSeriesDocument = { _id: 'p', tags: [], refused: [], admitted: 0, full: false };
const values = (key: string, count: number) => Array.from({ length: count }, (_, index) => `${key}:${index}`);

describe('the tags that are counted by the hour', () => {
  it('are those that occur, each once', () => {
    const series = admitTags(NONE, ['tier:pro', 'beta', 'tier:pro']);
    expect(series.tags).toEqual(['tier:pro', 'beta']);
    expect(admitTags(series, ['beta'])).toBe(series);
  });

  it('exclude a key that has had more than 12 values, for good', () => {
    const series = admitTags(NONE, ['tier:pro', ...values('user', 13)]);
    expect(series).toMatchObject({ tags: ['tier:pro'], refused: ['user'] });
    expect(admitTags(series, ['user:0']).tags).toEqual(['tier:pro']);
    expect(mayBeCounted(series, 'user:0')).toBe(false);
    expect(mayBeCounted(series, 'tier:free')).toBe(true);
  });

  it('are no more than 100, and then always the same ones', () => {
    const many = Array.from({ length: 30 }, (_, key) => values(`k${key}`, 10)).flat();
    const series = admitTags(NONE, many);
    expect(series.tags).toEqual(many.slice(0, 100));
    expect(mayBeCounted(series, 'k0:0')).toBe(true);
    expect(mayBeCounted(series, 'new')).toBe(false);
  });

  it('are limited against what clients make up: in keys and tags', () => {
    const ids = Array.from({ length: 50 }, (_, key) => values(`id${key}`, 30)).flat();
    const series = admitTags(admitTags(NONE, ids), ['x'.repeat(201)]);
    expect(series.tags.length).toBeLessThanOrEqual(100);
    expect(series.refused.length).toBeLessThanOrEqual(200);
    expect(series.full).toBe(true);
  });
});

describe('the copy of a writer of them', () => {
  it('is renewed within a second while they are being decided, and every half minute after that', async () => {
    let at = 0;
    let series = NONE;
    let reads = 0;
    const read = async () => {
      reads++;
      return series;
    };
    const known = createKnownSeries(read, { now: () => at, monotonic: () => at });
    const pass = async (ms: number) => {
      for (const end = at + ms; at < end; at += 100) await known.load('p');
    };
    await pass(100);
    expect(known.isCounted('p', 'user:0')).toBe(true);
    series = admitTags(NONE, ['tier:pro', ...values('user', 13)]);
    await pass(1_000);
    expect(known.isCounted('p', 'user:0')).toBe(false);
    expect(known.isCounted('p', 'tier:pro')).toBe(true);

    await pass(60_000);
    const before = reads;
    await pass(300_000);
    expect(reads - before).toBe(10);
  });
});
