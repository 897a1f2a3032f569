import type { LogUsage } from '../../core/log-record.js';
import type { Usage } from '../../core/message.js';

/** Token counts as the log has them; null where the provider told none. */
export function toLogUsage(usage: Usage | undefined): LogUsage | null {
  if (usage === undefined) return null;
  const log: LogUsage = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
  if (usage.cachedInputTokens !== undefined) log.cached_input_tokens = usage.cachedInputTokens;
  if (usage.cacheCreationInputTokens !== undefined) {
    log.cache_creation_input_tokens = usage.cacheCreationInputTokens;
  }
  if (usage.reasoningTokens !== undefined) log.reasoning_tokens = usage.reasoningTokens;
  return log;
}
