import type { NeutralRequest } from '../../core/answer.js';
import type { JsonObject } from '../../core/json.js';
import { asObjects } from '../wire/values.js';

/** The API wants a limit of each request; other APIs do not, so a request without one gets this. */
export const DEFAULT_MAX_TOKENS = 8192;
/** Thinking counts towards the limit too. */
export const DEFAULT_MAX_TOKENS_WITH_THINKING = 32_768;
/** The API takes no smaller budget. */
const LEAST_BUDGET = 1024;

interface Thinking {
  thinking?: JsonObject;
  effort?: string;
  /** The limit of a request that says none. */
  maxTokens?: number;
}

/** How the model may think. One that must call a tool cannot think before, so thinking is then left out. */
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

/** The API takes a budget only below the limit, and only where a turn with calls begins with what was thought. */
function withBudget(wanted: number, limit: number | undefined, turns: readonly JsonObject[]): Thinking {
  const most = limit === undefined ? Number.POSITIVE_INFINITY : limit - 1;
  const budget = Math.min(Math.max(wanted, LEAST_BUDGET), most);
  if (budget < LEAST_BUDGET || callsWithoutThinking(turns)) return {};
  return {
    thinking: { type: 'enabled', budget_tokens: budget },
    maxTokens: Math.max(DEFAULT_MAX_TOKENS_WITH_THINKING, budget + DEFAULT_MAX_TOKENS),
  };
}

/**
 * Whether the turns with calls came without their thinking: the client, or a model of another API, did not keep it.
 */
function callsWithoutThinking(turns: readonly JsonObject[]): boolean {
  const blocks = asObjects(turns.findLast(({ role }) => role === 'assistant')?.content);
  return blocks.some(({ type }) => type === 'tool_use') && !/thinking$/.test(String(blocks[0]?.type));
}
