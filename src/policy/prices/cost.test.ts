import { describe, expect, it } from 'vitest';
import { costOf } from './cost.js';

const PRICE = { input_per_mtok: 2, output_per_mtok: 10 };
const USAGE = { input_tokens: 1_000_000, output_tokens: 500_000 };

describe('the cost of a try', () => {
  it('is the price of its tokens', () => {
    expect(costOf(USAGE, PRICE)).toBe(7);
    expect(costOf({ input_tokens: 0, output_tokens: 0 }, PRICE)).toBe(0);
  });

  it('uses a separate price for cached input, where one is set', () => {
    const usage = { ...USAGE, cached_input_tokens: 400_000 };
    expect(costOf(usage, { ...PRICE, cached_input_per_mtok: 0.5 })).toBeCloseTo(0.6 * 2 + 0.4 * 0.5 + 5, 12);
    expect(costOf(usage, PRICE)).toBe(7);
    expect(costOf(usage, { ...PRICE, cached_input_per_mtok: 0 })).toBeCloseTo(0.6 * 2 + 5, 12);
  });

  it('is unknown without a price or without a usage', () => {
    expect(costOf(null, PRICE)).toBeNull();
    expect(costOf(USAGE, undefined)).toBeNull();
  });
});
