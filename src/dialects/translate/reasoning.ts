import type { NeutralRequest, ReasoningEffort } from '../../core/answer.js';
import type { JsonValue } from '../../core/json.js';

const EFFORTS: readonly ReasoningEffort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** Thinking budgets up to this many tokens count as this effort. Larger ones count as `high`. */
const LOW_BUDGET = 2048;
const MEDIUM_BUDGET = 8192;

/** The effort of a request. An unknown value counts as absent, so that the model uses its default. */
export function readEffort(value: JsonValue | undefined): ReasoningEffort | undefined {
  return EFFORTS.find((effort) => effort === value);
}

/** The effort, or the one that corresponds to a token budget. */
export function effortOf(reasoning: NeutralRequest['reasoning']): ReasoningEffort | undefined {
  if (reasoning?.effort !== undefined) return reasoning.effort;
  const tokens = reasoning?.budgetTokens;
  if (tokens === undefined) return undefined;
  if (tokens <= LOW_BUDGET) return 'low';
  return tokens <= MEDIUM_BUDGET ? 'medium' : 'high';
}
