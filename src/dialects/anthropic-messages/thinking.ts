import type { NeutralRequest } from '../../core/answer.js';
import type { JsonObject } from '../../core/json.js';
import { asObjects } from '../wire/values.js';

/** The API requires a token limit in each request. A request of another API that has none gets this one. */
export const DEFAULT_MAX_TOKENS = 8192;
/** The token limit where the model thinks, because thinking counts towards it. */
export const DEFAULT_MAX_TOKENS_WITH_THINKING = 32_768;
/** The smallest budget that the API accepts. */
const LEAST_BUDGET = 1024;

interface Thinking {
  thinking?: JsonObject;
  effort?: string;
  /** The token limit for a request that has none. */
  maxTokens?: number;
}

/**
 * How the model may think. A model that is forced to call a tool cannot think first, so thinking is then left out.
 */
export function writeThinking(
  { toolChoice, reasoning, maxOutputTokens }: NeutralRequest,
  turns: readonly JsonObject[],
): Thinking {
  const { effort, budgetTokens } = reasoning ?? {};
  if (toolChoice?.type === 'required' || toolChoice?.type === 'tool') return {};
  if (budgetTokens !== undefined) return withBudget(budgetTokens, maxOutputTokens, turns);
  if (effort === undefined) return {};
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  return {
    thinking: { type: 'adaptive' },
    effort: effort === 'minimal' ? 'low' : effort,
    maxTokens: DEFAULT_MAX_TOKENS_WITH_THINKING,
  };
}

/**
 * The API accepts a budget only below the token limit, and only where each turn with calls begins with its thinking.
 */
function withBudget(wanted: number, limit: number | undefined, turns: readonly JsonObject[]): Thinking {
  const most = limit === undefined ? Number.POSITIVE_INFINITY : limit - 1;
  const budget = Math.min(Math.max(wanted, LEAST_BUDGET), most);
  if (budget < LEAST_BUDGET || callsWithoutThinking(turns)) return {};
  return {
    thinking: { type: 'enabled', budget_tokens: budget },
    maxTokens: Math.max(DEFAULT_MAX_TOKENS_WITH_THINKING, budget + DEFAULT_MAX_TOKENS),
  };
}

/** Whether turns with calls lack their thinking, because the client or the model of another API did not keep it. */
function callsWithoutThinking(turns: readonly JsonObject[]): boolean {
  const blocks = asObjects(turns.findLast(({ role }) => role === 'assistant')?.content);
  return blocks.some(({ type }) => type === 'tool_use') && !/thinking$/.test(String(blocks[0]?.type));
}
