import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Histogram, percentiles, stepOf } from './latency-histogram.js';

function histogramOf(values: number[]): Histogram {
  const histogram: Histogram = {};
  for (const value of values) histogram[stepOf(value)] = (histogram[stepOf(value)] ?? 0) + 1;
  return histogram;
}

describe('a histogram of durations', () => {
  it('gives each percentile to within 5 %, whatever the durations', () => {
    const durations = fc.array(fc.double({ min: 1, max: 20_000_000, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(durations, (values) => {
        const shares = [0.5, 0.95, 0.99];
        const sorted = [...values].sort((a, b) => a - b);
        const found = percentiles(histogramOf(values), shares);
        for (const [index, share] of shares.entries()) {
          const exact = sorted[Math.ceil(values.length * share) - 1] as number;
          expect(Math.abs((found[index] as number) - exact) / exact).toBeLessThan(0.05);
        }
      }),
    );
  });

  it('has no percentiles without durations', () => {
    expect(percentiles({}, [0.5, 0.99])).toEqual([null, null]);
  });

  it.each([
    [0, 0],
    [-5, 0],
    [Number.NaN, 0],
    [1, 0],
    [1.01, 1],
    [2, 8],
    [1e12, 199],
  ])('puts %d ms into step %d', (ms, step) => {
    expect(stepOf(ms)).toBe(step);
  });
});
