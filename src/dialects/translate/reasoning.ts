import type { NeutralRequest, ReasoningEffort } from '../../core/answer.js';
import type { JsonValue } from '../../core/json.js';

const EFFORTS: readonly ReasoningEffort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** Thinking tokens up to which a budget counts as this effort; what is above is `high`. */
const LOW_BUDGET = 2048;
const MEDIUM_BUDGET = 8192;

/** A word that is not known is as if absent: the model then thinks as much as it does by itself. */
export function readEffort(value: JsonValue | undefined): ReasoningEffort | undefined {
  return EFFORTS.find((effort) => effort === value);
}

/** The effort, or the one that a budget in tokens amounts to. */
export function effortOf(reasoning: NeutralRequest['reasoning']): ReasoningEffort | undefined {
  if (reasoning?.effort !== undefined) return reasoning.effort;
  const tokens = reasoning?.budgetTokens;
  if (tokens === undefined) return undefined;
  if (tokens <= LOW_BUDGET) return 'low';
  return tokens <= MEDIUM_BUDGET ? 'medium' : 'high';
}
