import { describe, expect, it } from 'vitest';
import { fillBuckets, type Row, spanOf, sumOf } from './ranges.ts';

const row = (changes: Partial<Row>): Row => ({
  at: '2026-01-01T00:00:00.000Z',
  key: null,
  requests: 1,
  errors: 0,
  fallbacks: 0,
  invalid: 0,
  rejected: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost: null,
  p50_ms: null,
  p95_ms: null,
  p99_ms: null,
  ttft_p50_ms: null,
  score: null,
  feedback: 0,
  ...changes,
});

describe('the overview', () => {
  it('shows whole hours with the running one, and a gap where nothing happened', () => {
    const span = spanOf('24h', Date.parse('2026-01-02T10:20:00Z'));
    expect([span.from.toISOString(), span.to.toISOString()]).toEqual([
      '2026-01-01T11:00:00.000Z',
      '2026-01-02T11:00:00.000Z',
    ]);
    const buckets = fillBuckets(span, [row({ at: '2026-01-02T10:00:00Z', requests: 3 })]);
    expect(buckets).toHaveLength(24);
    expect(buckets.at(-1)?.row?.requests).toBe(3);
    expect(buckets[0]?.row).toBeUndefined();
  });

  it('adds up, with no cost where none is known', () => {
    expect(sumOf([row({ cost: null }), row({ requests: 2 })])).toMatchObject({ requests: 3, cost: null });
    expect(sumOf([row({ cost: 0.5 }), row({ cost: null })]).cost).toBe(0.5);
  });
});
