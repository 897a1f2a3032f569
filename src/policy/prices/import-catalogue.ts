import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { LongContextPrices, Price, TierPrices, TokenPrices } from '../../core/settings.js';
import type { Catalogue, CatalogueModel } from './catalogue.js';

/*
 * Reads the price list of the project genai-prices (MIT, github.com/pydantic/genai-prices): a list of providers with
 * their models in `prices/new_data/v2/data.json`, the same as `{ providers }` in `v3/data.json`. A price is a number, or
 * `{ base, tiers: [{ start, price }] }` for long contexts; prices that changed are a list with dates. Service tiers are
 * among `price_variants`, which only `v3` has.
 */

const FIELDS: Record<string, keyof TokenPrices> = {
  input_mtok: 'input_per_mtok',
  output_mtok: 'output_per_mtok',
  cache_read_mtok: 'cached_input_per_mtok',
  cache_audio_read_mtok: 'cached_audio_input_per_mtok',
  cache_write_mtok: 'cache_write_per_mtok',
  cache_write_1h_mtok: 'cache_write_1h_per_mtok',
  output_reasoning_mtok: 'reasoning_per_mtok',
  input_audio_mtok: 'audio_input_per_mtok',
  output_audio_mtok: 'audio_output_per_mtok',
};

/** Resellers, whose lists would make up most of the catalogue. */
const LEFT_OUT = /^(huggingface_|openrouter$)/;

/** The prices on `date` (`YYYY-MM-DD`). Throws an Error where the text is not such a list. */
export function importCatalogue(text: string, source: string, date: string): Catalogue {
  const list = JSON.parse(text) as JsonValue;
  const providers = isJsonObject(list) ? list.providers : list;
  if (!Array.isArray(providers)) throw new Error('expected a list of providers, as genai-prices has it');
  const models: Catalogue['models'] = {};
  for (const provider of providers.filter(isJsonObject)) {
    if (typeof provider.id !== 'string' || LEFT_OUT.test(provider.id)) continue;
    for (const model of Array.isArray(provider.models) ? provider.models.filter(isJsonObject) : []) {
      const entry = importModel(model, date);
      if (entry !== undefined) models[`${provider.id}/${String(model.id)}`] = entry;
    }
  }
  if (Object.keys(models).length === 0) throw new Error('no provider in it has a model with a price');
  return { date, source, models };
}

function importModel(model: JsonObject, date: string): CatalogueModel | undefined {
  const price = importPrice(pricesOn(model.prices, date));
  if (price === undefined) return undefined;
  const tiers = importTiers(model.price_variants, date);
  if (Object.keys(tiers).length > 0) price.tiers = tiers;
  const also = exactNames(model.match).filter((name) => name !== model.id);
  const { context_window: context } = model;
  return {
    ...(also.length === 0 ? {} : { also }),
    ...(typeof context === 'number' ? { context_tokens: context } : {}),
    price,
  };
}

/**
 * Of prices that changed over time, the one that is valid on the date. Of prices by time of day, the highest, so that
 * a budget is never exceeded: the price without a time is that of the rest of the day and may be lower.
 */
function pricesOn(prices: JsonValue | undefined, date: string): JsonObject | undefined {
  if (!Array.isArray(prices)) return isJsonObject(prices) ? prices : undefined;
  const begun = prices.filter(isJsonObject).filter(({ constraint }) => {
    if (!isJsonObject(constraint) || hasTime(constraint)) return true;
    return typeof constraint.start_date === 'string' && constraint.start_date <= date;
  });
  const last = begun.findLastIndex(({ constraint }) => !hasTime(constraint));
  const inForce = begun.filter(({ constraint }, index) => index === last || hasTime(constraint));
  const [dearest] = inForce
    .map(({ prices: listed }) => listed)
    .filter(isJsonObject)
    .sort((one, other) => plainPrice(other) - plainPrice(one));
  return dearest;
}

function hasTime(constraint: JsonValue | undefined): boolean {
  return isJsonObject(constraint) && constraint.start_time !== undefined;
}

/** The price of a million tokens of input and of output together. */
function plainPrice(prices: JsonObject): number {
  const of = (value: JsonValue | undefined) => Number(isJsonObject(value) ? value.base : value) || 0;
  return of(prices.input_mtok) + of(prices.output_mtok);
}

/** Prices by the name of the tier. Other variants, such as those of batches, cannot be recognized in an answer. */
function importTiers(variants: JsonValue | undefined, date: string): Record<string, TierPrices> {
  const byTier = new Map<string, JsonObject[]>();
  for (const variant of Array.isArray(variants) ? variants.filter(isJsonObject) : []) {
    const { when } = variant;
    if (!isJsonObject(when) || Object.keys(when).length !== 1) continue;
    const { service_tier: tier } = when;
    if (typeof tier === 'string') byTier.set(tier, [...(byTier.get(tier) ?? []), variant]);
  }
  const tiers: Record<string, TierPrices> = {};
  for (const [tier, dated] of byTier) {
    const prices = importTokenPrices(pricesOn(dated, date) ?? {});
    // The default tier of a model has no prices of its own.
    if (Object.keys(prices).length > 0) tiers[tier] = prices;
  }
  return tiers;
}

function importPrice(prices: JsonObject | undefined): Price | undefined {
  if (prices === undefined) return undefined;
  const { input_per_mtok, ...rest } = importTokenPrices(prices);
  // Embeddings have no output.
  return input_per_mtok === undefined ? undefined : { input_per_mtok, output_per_mtok: 0, ...rest };
}

function importTokenPrices(prices: JsonObject): TierPrices {
  const base: TierPrices = {};
  const steps = new Map<number, LongContextPrices>();
  for (const [name, field] of Object.entries(FIELDS)) {
    const value = prices[name];
    const plain = isJsonObject(value) ? value.base : value;
    if (typeof plain === 'number') base[field] = plain;
    for (const { start, price } of tiersOf(value)) {
      const step = steps.get(start) ?? { above_input_tokens: start };
      step[field] = price;
      steps.set(start, step);
    }
  }
  return steps.size === 0 ? base : { ...base, long_context: [...steps.values()] };
}

function tiersOf(value: JsonValue | undefined): { start: number; price: number }[] {
  const tiers = isJsonObject(value) && Array.isArray(value.tiers) ? value.tiers.filter(isJsonObject) : [];
  return tiers.flatMap(({ start, price }) =>
    typeof start === 'number' && typeof price === 'number' ? [{ start, price }] : [],
  );
}

function exactNames(match: JsonValue | undefined): string[] {
  if (!isJsonObject(match)) return [];
  if (typeof match.equals === 'string') return [match.equals];
  return Array.isArray(match.or) ? match.or.flatMap(exactNames) : [];
}

/** One line per model, so that price changes are readable diffs. */
export function printCatalogue({ date, source, models }: Catalogue): string {
  const lines = Object.entries(models).map(
    ([name, model]) => `    ${JSON.stringify(name)}: ${JSON.stringify(model)}`,
  );
  const head = `  "date": ${JSON.stringify(date)},\n  "source": ${JSON.stringify(source)},\n`;
  return `{\n${head}  "models": {\n${lines.join(',\n')}\n  }\n}\n`;
}
