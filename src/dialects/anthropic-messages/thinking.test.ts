import { describe, expect, it } from 'vitest';
import type { NeutralRequest } from '../../core/answer.js';
import type { JsonObject } from '../../core/json.js';
import { DEFAULT_MAX_TOKENS, writeThinking } from './thinking.js';

const asked = (changes: Partial<NeutralRequest>): NeutralRequest => ({
  messages: [],
  stream: false,
  streamUsage: true,
  ...changes,
});
const budget = (tokens: number, maxOutputTokens?: number) =>
  writeThinking(
    asked({
      reasoning: { budgetTokens: tokens },
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    }),
    [],
  );
const turn = (...content: JsonObject[]): JsonObject => ({ role: 'assistant', content });
const call = { type: 'tool_use', id: 'a', name: 'f', input: {} };

describe('a budget for thinking', () => {
  it.each([
    ['is raised to the least that the API takes', 128, undefined, 1024],
    ['goes on where it is below the limit', 4000, 8000, 4000],
    ['is lowered to below the limit', 8000, 8000, 7999],
    ['is left out where the limit leaves no room for one', 2000, 1024, undefined],
  ])('%s', (_name, wanted, limit, written) => {
    expect(budget(wanted, limit).thinking?.budget_tokens).toBe(written);
  });

  it('leaves room for the answer in a request without a limit', () => {
    const { thinking, maxTokens } = budget(60_000);
    expect(maxTokens).toBe(Number(thinking!.budget_tokens) + DEFAULT_MAX_TOKENS);
  });

  it.each<[string, JsonObject[], boolean]>([
    ['behind calls before which nothing is known of what was thought', [turn(call)], false],
    [
      'behind calls with what was thought',
      [turn({ type: 'thinking', thinking: 'a', signature: 's' }, call)],
      true,
    ],
    [
      'behind calls with what was thought, encrypted',
      [turn({ type: 'redacted_thinking', data: 's' }, call)],
      true,
    ],
    ['behind a turn without calls', [turn({ type: 'text', text: 'a' })], true],
    ['behind an earlier turn with calls', [turn(call), turn({ type: 'text', text: 'a' })], true],
  ])('%s: %#', (_name, turns, thinks) => {
    const { thinking } = writeThinking(asked({ reasoning: { budgetTokens: 2000 } }), turns);
    expect(thinking !== undefined).toBe(thinks);
  });

  it.each(['required', 'tool'] as const)('is left out where a call is forced (%s)', (type) => {
    const toolChoice = type === 'tool' ? { type, name: 'f' } : { type };
    expect(writeThinking(asked({ toolChoice, reasoning: { budgetTokens: 2000 } }), [])).toEqual({});
  });
});
