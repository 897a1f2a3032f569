import type { NeutralRequest } from '../core/answer.js';
import type { JsonValue } from '../core/json.js';
import { asString } from './reading.js';

/*
 * How much a model shall think: OpenAI says it in words, Anthropic in tokens.
 */

type Reasoning = NonNullable<NeutralRequest['reasoning']>;
type Effort = NonNullable<Reasoning['effort']>;

const BUDGETS: Record<Exclude<Effort, 'none'>, number> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16384,
};

export function readEffort(value: JsonValue | undefined): Effort | undefined {
  const text = asString(value);
  if (text === 'none' || (text !== undefined && Object.hasOwn(BUDGETS, text))) return text as Effort;
  // Names above `high` differ from model to model.
  return text === 'xhigh' || text === 'max' ? 'high' : undefined;
}

/** The effort, or the one whose budget is next to the tokens that were given. */
export function effortOf(reasoning: Reasoning | undefined): Effort | undefined {
  if (reasoning?.effort !== undefined) return reasoning.effort;
  const tokens = reasoning?.budgetTokens;
  if (tokens === undefined) return undefined;
  if (tokens <= BUDGETS.low) return 'low';
  return tokens <= BUDGETS.medium ? 'medium' : 'high';
}

/** The tokens to think with, or undefined for no thinking. */
export function budgetOf(reasoning: Reasoning | undefined): number | undefined {
  if (reasoning?.budgetTokens !== undefined) return reasoning.budgetTokens;
  const effort = reasoning?.effort;
  return effort === undefined || effort === 'none' ? undefined : BUDGETS[effort];
}
