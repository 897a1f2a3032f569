import type { LogUsage } from '../core/log-record.js';
import type { Price } from '../core/settings.js';

/** US dollars for the tokens used, or null where price or usage is not known. Cached input has its own price where one is set. */
export function costOf(usage: LogUsage | null, price: Price | undefined): number | null {
  if (usage === null || price === undefined) return null;
  const cached = price.cached_input_per_mtok === undefined ? 0 : (usage.cached_input_tokens ?? 0);
  const input = (usage.input_tokens - cached) * price.input_per_mtok;
  const cachedInput = cached * (price.cached_input_per_mtok ?? 0);
  return (input + cachedInput + usage.output_tokens * price.output_per_mtok) / 1_000_000;
}
