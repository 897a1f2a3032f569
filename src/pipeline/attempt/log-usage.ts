import type { AttemptRecord, LogUsage } from '../../core/log-record.js';
import type { Usage } from '../../core/message.js';

/** The tokens that a provider reported for an attempt; `usage` is null where it reported none. */
export type ReportedUsage = Pick<AttemptRecord, 'usage' | 'service_tier'>;

const NAMES = {
  cachedInputTokens: 'cached_input_tokens',
  cachedAudioInputTokens: 'cached_audio_input_tokens',
  cacheCreationInputTokens: 'cache_creation_input_tokens',
  cacheCreation1hInputTokens: 'cache_creation_1h_input_tokens',
  reasoningTokens: 'reasoning_tokens',
  audioInputTokens: 'audio_input_tokens',
  audioOutputTokens: 'audio_output_tokens',
} as const satisfies Partial<Record<keyof Usage, keyof LogUsage>>;
const OPTIONAL = Object.entries(NAMES) as [keyof typeof NAMES, (typeof NAMES)[keyof typeof NAMES]][];

/** Counts that only some providers report, by their names in logs. */
export const OPTIONAL_COUNTS = Object.values(NAMES);

/** Token counts in the form of the log. */
export function toLogUsage(usage: Usage | undefined): ReportedUsage {
  if (usage === undefined) return { usage: null };
  const log: LogUsage = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
  for (const [field, name] of OPTIONAL) {
    const count = usage[field];
    if (count !== undefined) log[name] = count;
  }
  const { serviceTier } = usage;
  return serviceTier === undefined ? { usage: log } : { usage: log, service_tier: serviceTier };
}
