import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findInCatalogue, parseCatalogue } from './catalogue.js';
import { importCatalogue, printCatalogue } from './import-catalogue.js';

const own = parseCatalogue(readFileSync(new URL('./models.json', import.meta.url), 'utf8'));

const LIST = JSON.stringify([
  {
    id: 'one',
    models: [
      {
        id: 'large',
        match: { or: [{ equals: 'large' }, { equals: 'large-2026' }, { starts_with: 'large-' }] },
        context_window: 1_000,
        prices: {
          input_mtok: { base: 1, tiers: [{ start: 200_000, price: 2 }] },
          output_mtok: { base: 4, tiers: [{ start: 200_000, price: 6 }] },
          cache_write_1h_mtok: 3,
          web_searches_kcount: 10,
        },
      },
      { id: 'embed', match: { equals: 'embed' }, prices: { input_mtok: 0.1 } },
      {
        id: 'changed',
        prices: [
          { prices: { input_mtok: 10, output_mtok: 10 } },
          { constraint: { start_date: '2026-02-01' }, prices: { input_mtok: 5, output_mtok: 5 } },
          {
            constraint: { start_time: '16:30:00', end_time: '00:30:00' },
            prices: { input_mtok: 1, output_mtok: 1 },
          },
        ],
      },
      {
        id: 'by-time',
        prices: [
          { prices: { input_mtok: 1, output_mtok: 2 } },
          {
            constraint: { start_time: '00:30:00', end_time: '16:30:00' },
            prices: { input_mtok: 3, output_mtok: 4 },
          },
        ],
      },
      {
        id: 'by-tier',
        prices: { input_mtok: 2, output_mtok: 8 },
        price_variants: [
          { when: { service_tier: 'default' }, prices: {} },
          { when: { service_tier: 'flex' }, prices: { input_mtok: 9 } },
          {
            when: { service_tier: 'flex' },
            constraint: { start_date: '2026-02-01' },
            prices: { input_mtok: { base: 1, tiers: [{ start: 1_000, price: 2 }] }, output_mtok: 4 },
          },
          {
            when: { service_tier: 'priority' },
            constraint: { start_date: '2026-12-01' },
            prices: { input_mtok: 9 },
          },
          { when: { processing: 'batch' }, prices: { input_mtok: 1 } },
        ],
      },
      { id: 'by-call', prices: { requests_kcount: 5 } },
    ],
  },
  { id: 'openrouter', models: [{ id: 'large', prices: { input_mtok: 1, output_mtok: 1 } }] },
]);

describe('the catalogue of models', () => {
  it('that comes with this version has its date, its source and prices of every kind', () => {
    expect(own.date).toMatch(/^2026-/);
    expect(own.source).toContain('MIT');
    const prices = Object.values(own.models).map(({ price }) => price);
    expect(prices.length).toBeGreaterThan(400);
    for (const kind of [
      'cached_input_per_mtok',
      'cache_write_1h_per_mtok',
      'audio_input_per_mtok',
      'long_context',
      'tiers',
    ] as const) {
      expect(prices.some((price) => price[kind] !== undefined)).toBe(true);
    }
  });

  it('finds a model by its name and by its aliases', () => {
    expect(findInCatalogue(own, 'openai/gpt-5-mini')?.price.input_per_mtok).toBe(0.25);
    expect(findInCatalogue(own, 'openai/gpt-5.1-2025-11-13')).toBe(findInCatalogue(own, 'openai/gpt-5.1'));
    expect(findInCatalogue(own, 'anthropic/gpt-5.1-2025-11-13')).toBeUndefined();
    expect(findInCatalogue(own, 'toString')).toBeUndefined();
  });

  it('is made from a price list, with long contexts, embeddings and changed prices, without resellers', () => {
    const made = importCatalogue(LIST, 'a list', '2026-03-01');
    expect(made).toEqual({
      date: '2026-03-01',
      source: 'a list',
      models: {
        'one/large': {
          also: ['large-2026'],
          context_tokens: 1_000,
          price: {
            input_per_mtok: 1,
            output_per_mtok: 4,
            cache_write_1h_per_mtok: 3,
            long_context: [{ above_input_tokens: 200_000, input_per_mtok: 2, output_per_mtok: 6 }],
          },
        },
        'one/embed': { price: { input_per_mtok: 0.1, output_per_mtok: 0 } },
        'one/changed': { price: { input_per_mtok: 5, output_per_mtok: 5 } },
        'one/by-tier': {
          price: {
            input_per_mtok: 2,
            output_per_mtok: 8,
            tiers: {
              flex: {
                input_per_mtok: 1,
                output_per_mtok: 4,
                long_context: [{ above_input_tokens: 1_000, input_per_mtok: 2 }],
              },
            },
          },
        },
        // The dearest hours of the day, so that no budget is passed.
        'one/by-time': { price: { input_per_mtok: 3, output_per_mtok: 4 } },
      },
    });
    expect(importCatalogue(LIST, 'a list', '2026-01-31').models['one/changed']?.price.input_per_mtok).toBe(
      10,
    );
    expect(parseCatalogue(printCatalogue(made))).toEqual(made);
    const newer = JSON.stringify({ units: {}, providers: JSON.parse(LIST) });
    expect(importCatalogue(newer, 'a list', '2026-03-01')).toEqual(made);
  });

  it.each([
    ['{}', 'expected `date`'],
    ['{"date":"2026-01-01","source":"a","models":{"a/b":{}}}', 'models["a/b"]: expected `price`'],
    [
      '{"date":"2026-01-01","source":"a","models":{"a/b":{"price":{"input_per_mtok":1,"output_per_mtok":-1}}}}',
      'models["a/b"]: expected `price.output_per_mtok`',
    ],
  ])('is refused with what is wrong (%s)', (text, message) => {
    expect(() => parseCatalogue(text)).toThrow(message);
  });
});
