import type { LogUsage } from '../../core/log-record.js';
import { ownProperty } from '../../core/own-property.js';
import type { LongContextPrices, Price, TokenPrices } from '../../core/settings.js';

const TOKENS_PER_PRICE = 1_000_000;

/**
 * US dollars for the used tokens, or null where price or usage is unknown. `serviceTier` is the provider's name for
 * the tier that served the call.
 */
export function costOf(
  usage: LogUsage | null,
  price: Price | undefined,
  serviceTier?: string,
): number | null {
  if (usage === null || price === undefined) return null;
  const prices = pricesFor(price, usage.input_tokens, serviceTier);
  return (inputCost(usage, prices) + outputCost(usage, prices)) / TOKENS_PER_PRICE;
}

/** The effective prices: the model's own, overridden by its long-context step, then by the tier and the tier's step. */
function pricesFor(price: Price, inputTokens: number, serviceTier: string | undefined): TokenPrices {
  const tier = serviceTier === undefined ? undefined : ownProperty(price.tiers ?? {}, serviceTier);
  if (tier === undefined && price.long_context === undefined) return price;
  const step = stepFor(price.long_context, inputTokens);
  return Object.assign({}, price, step, tier, stepFor(tier?.long_context, inputTokens));
}

/** Of the steps that this much input exceeds, the highest one. */
function stepFor(
  steps: readonly LongContextPrices[] | undefined,
  inputTokens: number,
): LongContextPrices | undefined {
  let found: LongContextPrices | undefined;
  for (const step of steps ?? []) {
    const applies = inputTokens > step.above_input_tokens;
    if (applies && (found === undefined || step.above_input_tokens > found.above_input_tokens)) found = step;
  }
  return found;
}

/** The cost of input. Each token is paid once: `take` returns at most what is left, whatever a provider reports. */
function inputCost(usage: LogUsage, prices: TokenPrices): number {
  let left = usage.input_tokens;
  const take = (tokens: number) => {
    const taken = Math.min(Math.max(0, tokens), left);
    left -= taken;
    return taken;
  };
  const plain = prices.input_per_mtok;
  const audio = prices.audio_input_per_mtok ?? plain;
  const cached = prices.cached_input_per_mtok ?? plain;
  const written = prices.cache_write_per_mtok ?? plain;
  const writtenForAnHour = usage.cache_creation_1h_input_tokens ?? 0;
  const cachedAudio = take(usage.cached_audio_input_tokens ?? 0);
  return (
    cachedAudio * (prices.cached_audio_input_per_mtok ?? cached) +
    take((usage.cached_input_tokens ?? 0) - cachedAudio) * cached +
    take(writtenForAnHour) * (prices.cache_write_1h_per_mtok ?? written) +
    take((usage.cache_creation_input_tokens ?? 0) - writtenForAnHour) * written +
    take((usage.audio_input_tokens ?? 0) - cachedAudio) * audio +
    left * plain
  );
}

function outputCost(usage: LogUsage, prices: TokenPrices): number {
  const plain = prices.output_per_mtok;
  const audio = Math.min(usage.audio_output_tokens ?? 0, usage.output_tokens);
  const reasoning = Math.min(usage.reasoning_tokens ?? 0, usage.output_tokens - audio);
  return (
    audio * (prices.audio_output_per_mtok ?? plain) +
    reasoning * (prices.reasoning_per_mtok ?? plain) +
    (usage.output_tokens - audio - reasoning) * plain
  );
}

/**
 * What the cache saved: the cost of `usage` without cache, minus its actual cost. Negative where writing cost more
 * than reading saved.
 */
export function cacheSavings(
  usage: LogUsage | null,
  price: Price | undefined,
  serviceTier?: string,
): number | null {
  if (usage === null || !(usage.cached_input_tokens || usage.cache_creation_input_tokens)) return null;
  const cost = costOf(usage, price, serviceTier);
  if (cost === null) return null;
  const {
    cached_input_tokens: _read,
    cached_audio_input_tokens: _audio,
    cache_creation_input_tokens: _written,
    cache_creation_1h_input_tokens: _hour,
    ...uncached
  } = usage;
  return costOf(uncached, price, serviceTier)! - cost;
}
