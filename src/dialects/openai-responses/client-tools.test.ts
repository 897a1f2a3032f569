import { describe, expect, it } from 'vitest';
import type { Answer } from '../../core/answer.js';
import type { JsonObject } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import { eventsOf } from '../../pipeline/answer/replayed-events.js';
import type { EncoderContext, RenderTarget } from '../dialect.js';
import { openaiChat } from '../openai-chat/index.js';
import { openaiResponses } from './index.js';

const TARGET: RenderTarget = { model: 'large', outputSchema: 'native', askForUsage: false };

const TOOLS: JsonObject[] = [
  { type: 'function', name: 'exec_command', parameters: { type: 'object' } },
  {
    type: 'namespace',
    name: 'multi_agent',
    tools: [{ type: 'function', name: 'close_agent', parameters: { type: 'object' } }],
  },
  {
    type: 'custom',
    name: 'apply_patch',
    description: 'Patches.',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
  },
  { type: 'local_shell' },
];

function translated(more: JsonObject): JsonObject {
  const value = { model: 'support', input: 'Hi', tools: TOOLS, ...more };
  const document = { text: JSON.stringify(value), value };
  const neutral = atOnce(openaiResponses.toNeutral(document, atOnce(openaiResponses.readRequest(document))));
  return JSON.parse(atOnce(openaiChat.fromNeutral(neutral, TARGET))) as JsonObject;
}

describe('the tools that a client runs itself', () => {
  it('are functions with a name each for other APIs', () => {
    const tools = translated({}).tools as {
      function: { name: string; description?: string; parameters: JsonObject };
    }[];
    expect(tools.map((tool) => tool.function.name)).toEqual([
      'exec_command',
      'multi_agent__close_agent',
      'apply_patch',
      'local_shell',
    ]);
    expect(tools[2]!.function).toMatchObject({
      description: 'Patches.\n\nThe input must match this grammar (lark):\nstart: "x"',
      parameters: { required: ['input'] },
    });
  });

  it('can be chosen, one alone or from a list', () => {
    const chosen = { type: 'function', namespace: 'multi_agent', name: 'close_agent' };
    expect(translated({ tool_choice: chosen }).tool_choice).toEqual({
      type: 'function',
      function: { name: 'multi_agent__close_agent' },
    });
    const listed = translated({ tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [chosen] } });
    expect(listed).toMatchObject({
      tool_choice: 'auto',
      tools: [{ function: { name: 'multi_agent__close_agent' } }],
    });
    expect(listed.tools).toHaveLength(1);
  });

  it('keep their calls and results in the conversation', () => {
    const input: JsonObject[] = [
      { role: 'user', content: 'Go' },
      { type: 'function_call', call_id: 'a', namespace: 'multi_agent', name: 'close_agent', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'closed' },
      { type: 'custom_tool_call', call_id: 'b', name: 'apply_patch', input: '*** Begin' },
      { type: 'custom_tool_call_output', call_id: 'b', output: 'done' },
      { type: 'local_shell_call', call_id: 'c', action: { type: 'exec', command: ['ls'] } },
      { type: 'local_shell_call_output', call_id: 'c', output: 'a.txt' },
    ];
    const messages = translated({ input }).messages as JsonObject[];
    expect(
      messages
        .flatMap((message) => (message.tool_calls as { function: JsonObject }[]) ?? [])
        .map((call) => call.function),
    ).toEqual([
      { name: 'multi_agent__close_agent', arguments: '{}' },
      { name: 'apply_patch', arguments: '{"input":"*** Begin"}' },
      { name: 'local_shell', arguments: '{"type":"exec","command":["ls"]}' },
    ]);
    expect(messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
      'closed',
      'done',
      'a.txt',
    ]);
  });
});

const CONTEXT: EncoderContext = {
  logId: 'l',
  streamUsage: true,
  created: 1,
  model: 'large',
  request: { tools: TOOLS },
};
const ANSWER: Answer = {
  id: 'x',
  model: 'm',
  choices: [
    {
      index: 0,
      finishReason: 'tool-calls',
      parts: [
        { type: 'tool-call', id: 'a', name: 'multi_agent__close_agent', arguments: '{"id":1}' },
        { type: 'tool-call', id: 'b', name: 'apply_patch', arguments: '{"input":"*** Begin"}' },
        { type: 'tool-call', id: 'c', name: 'local_shell', arguments: '{"command":["ls","-l"]}' },
        { type: 'tool-call', id: 'd', name: 'exec_command', arguments: '{}' },
      ],
    },
  ],
};
const ITEMS = [
  {
    type: 'function_call',
    call_id: 'a',
    namespace: 'multi_agent',
    name: 'close_agent',
    arguments: '{"id":1}',
  },
  { type: 'custom_tool_call', call_id: 'b', name: 'apply_patch', input: '*** Begin' },
  { type: 'local_shell_call', call_id: 'c', action: { type: 'exec', command: ['ls', '-l'] } },
  { type: 'function_call', call_id: 'd', name: 'exec_command', arguments: '{}' },
];

describe('calls in the answer of another API', () => {
  it('are returned as the items of their tools', () => {
    const body = JSON.parse(atOnce(openaiResponses.writeAnswer(ANSWER, CONTEXT))) as JsonObject;
    expect(body.output).toMatchObject(ITEMS);
    expect(body.output).toSatisfy((output: JsonObject[]) => !('namespace' in output[3]!));
  });

  it('are returned in a stream in the same way', () => {
    const encoder = openaiResponses.createEncoder(CONTEXT);
    const frames = eventsOf(ANSWER).flatMap((event) => encoder.encode(event));
    const values = frames.map(({ data }) => JSON.parse(data) as JsonObject);
    const done = values.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
    expect(done).toMatchObject(ITEMS);
    expect(values.find(({ type }) => type === 'response.custom_tool_call_input.done')).toMatchObject({
      input: '*** Begin',
    });
    const completed = values.at(-1)!.response as JsonObject;
    const whole = JSON.parse(atOnce(openaiResponses.writeAnswer(ANSWER, CONTEXT))) as JsonObject;
    expect(completed.output).toEqual(whole.output);
  });
});

describe('a stream of this API', () => {
  it('contains calls of free-text tools, and of functions in a namespace', () => {
    const encoder = openaiResponses.createEncoder(CONTEXT);
    const decoder = openaiResponses.createDecoder();
    const events = eventsOf(ANSWER)
      .flatMap((event) => encoder.encode(event))
      .flatMap((frame) => decoder.decode(frame));
    const starts = events.filter(({ type }) => type === 'tool-call-start');
    expect(starts).toMatchObject([
      { name: 'multi_agent__close_agent', callId: 'a' },
      { name: 'apply_patch', callId: 'b', freeform: true },
      { name: 'exec_command', callId: 'd' },
    ]);
  });
});
