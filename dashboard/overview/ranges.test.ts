import { describe, expect, it } from 'vitest';
import { changeOf, fillBuckets, ownSpan, type Row, spanBefore, spanOf } from './ranges.ts';

const NOW = Date.parse('2026-03-02T10:20:30Z');

describe('the time of the overview', () => {
  it.each([
    ['15m', '2026-03-02T10:06:00.000Z', '2026-03-02T10:21:00.000Z', 15],
    ['1h', '2026-03-02T09:21:00.000Z', '2026-03-02T10:21:00.000Z', 60],
    ['24h', '2026-03-01T11:00:00.000Z', '2026-03-02T11:00:00.000Z', 24],
    ['30d', '2026-02-01T00:00:00.000Z', '2026-03-03T00:00:00.000Z', 30],
  ] as const)('%s ends with the current interval', (name, from, to, buckets) => {
    const span = spanOf(name, NOW);
    expect([span.from.toISOString(), span.to.toISOString()]).toEqual([from, to]);
    expect(fillBuckets(span, []).length).toBe(buckets);
  });

  it.each([
    ['2026-03-02T09:10:30Z', '2026-03-02T09:40:10Z', 'minute'],
    ['2026-02-01T09:10:30Z', '2026-02-01T09:40:10Z', 'hour'],
    ['2026-01-01', '2026-03-01', 'day'],
  ])('from %s to %s, chosen by hand, has intervals of a %s', (from, to, bucket) => {
    const span = ownSpan(from, to, NOW)!;
    expect(span.bucket).toBe(bucket);
    expect(span.from.getTime()).toBeLessThanOrEqual(Date.parse(from));
    expect(span.to.getTime()).toBeGreaterThanOrEqual(Date.parse(to));
  });

  it('is invalid where it ends before it begins', () => {
    expect(ownSpan('2026-03-02', '2026-03-01', NOW)).toBeUndefined();
    expect(ownSpan('soon', null, NOW)).toBeUndefined();
  });

  it('is compared with the time of the same length before it', () => {
    const before = spanBefore(spanOf('1h', NOW));
    expect([before.from.toISOString(), before.to.toISOString()]).toEqual([
      '2026-03-02T08:21:00.000Z',
      '2026-03-02T09:21:00.000Z',
    ]);
  });

  it('puts each row into its interval', () => {
    const row = { at: '2026-03-02T10:10:00.000Z' } as Row;
    expect(fillBuckets(spanOf('15m', NOW), [row])[4]?.row).toBe(row);
  });

  it.each([
    [125, 100, '+25 %'],
    [50, 100, '−50 %'],
    [100, 100, '±0 %'],
    [5, 0, 'new'],
    [0, 0, undefined],
    [null, 5, undefined],
  ])('shows a change from %s to %s as %s', (now, before, text) => {
    expect(changeOf(now, before)).toBe(text);
  });
});
