import type { JsonObject } from '../../src/core/json.js';

const WORDS = Array.from({ length: 2_000 }, (_none, number) =>
  Math.floor(1e6 * Math.abs(Math.sin(number + 1))).toString(36),
);

/** Text of about `length` characters. Each seed gives another text. */
export function wordsOf(seed: number, length: number): string {
  let text = '';
  for (let index = seed * 31; text.length < length; index += 1 + (index % 7))
    text += `${WORDS[(index * 7919) % WORDS.length]} `;
  return text.slice(0, length);
}

export interface AgentConversation {
  /** Conversations with different seeds have different texts. */
  seed: number;
  turns: number;
  /** Lengths in characters: of the system prompt, of each tool, and of each tool's result. */
  system?: number;
  tool?: number;
  result?: number;
}

const TOOLS = 30;

/** The requests of a coding agent in OpenAI's chat API, one for each turn. The twentieth has about 60 KB. */
export function agentRequests({
  seed,
  turns,
  system = 9_000,
  tool = 900,
  result = 1_000,
}: AgentConversation): JsonObject[] {
  const tools = Array.from({ length: TOOLS }, (_none, index) => toolOf(index, tool));
  const messages: JsonObject[] = [
    { role: 'system', content: wordsOf(1, system) },
    { role: 'user', content: wordsOf(seed * 1_000, 300) },
  ];
  return Array.from({ length: turns }, (_none, turn) => {
    if (turn > 0) messages.push(...turnOf(seed * 1_000 + turn, result));
    return { model: 'coder', stream: true, messages: [...messages], tools };
  });
}

function toolOf(index: number, length: number): JsonObject {
  const parameters = {
    type: 'object',
    properties: {
      path: { type: 'string', description: wordsOf(index + 100, 80) },
      limit: { type: 'integer' },
    },
    required: ['path'],
  };
  const description = wordsOf(index, length - 250);
  return { type: 'function', function: { name: `tool_${index}`, description, parameters } };
}

/** One turn: what the model said, and the result of the call that it made. */
function turnOf(seed: number, length: number): JsonObject[] {
  const id = `call_${seed}`;
  const call = {
    id,
    type: 'function',
    function: { name: 'tool_1', arguments: `{"path":"${wordsOf(seed, 60)}"}` },
  };
  return [
    { role: 'assistant', content: wordsOf(seed + 1, 120), tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: wordsOf(seed + 2, length) },
  ];
}
