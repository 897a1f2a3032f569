import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import type { RenderTarget } from '../dialect.js';
import { openaiChat } from '../openai-chat/index.js';
import { openaiResponses } from '../openai-responses/index.js';
import { counting } from './count-tokens.js';
import { anthropicMessages } from './index.js';
import { writeAnthropicModels } from './models.js';
import { DEFAULT_MAX_TOKENS, DEFAULT_MAX_TOKENS_WITH_THINKING } from './thinking.js';

const USER = { role: 'user', content: 'Hi' };
const TARGET: RenderTarget = { model: 'large', outputSchema: 'native', askForUsage: false };

function documentOf(value: JsonObject) {
  return { text: JSON.stringify(value), value };
}

function request(more: JsonObject) {
  return documentOf({ model: 'support', max_tokens: 9, messages: [USER], ...more });
}

function adapt(more: JsonObject, target = TARGET): JsonObject {
  const document = request(more);
  return JSON.parse(
    anthropicMessages.adaptRequest(document, atOnce(anthropicMessages.readRequest(document)), target),
  );
}

/** What an Anthropic provider gets for a Chat Completions request. */
function fromChat(more: JsonObject, target = TARGET): JsonObject {
  const document = documentOf({ model: 'support', messages: [USER], ...more });
  const neutral = atOnce(openaiChat.toNeutral(document, atOnce(openaiChat.readRequest(document))));
  return JSON.parse(atOnce(anthropicMessages.fromNeutral(neutral, target)));
}

describe('a Messages request', () => {
  it.each<[string, JsonObject]>([
    ['max_tokens', { max_tokens: '9' }],
    ['messages', { messages: [] }],
    ['messages[0].role', { messages: [{ role: 'tool', content: 'x' }] }],
    ['messages[0].content', { messages: [{ role: 'user' }] }],
    ['messages[0].content[0].text', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    [
      'messages[0].content[0].source.data',
      {
        messages: [
          { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png' } }] },
        ],
      },
    ],
    [
      'messages[0].content[0].input',
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: 'x', input: '{}' }] }] },
    ],
    ['system', { system: 3 }],
    ['tools[0].name', { tools: [{ name: '' }] }],
    ['thinking.budget_tokens', { thinking: { type: 'enabled' } }],
    ['output_config.format.schema', { output_config: { format: { type: 'json_schema' } } }],
    ['stop_sequences[0]', { stop_sequences: [1] }],
  ])('is refused for its %s', (param, more) => {
    expect(() => atOnce(anthropicMessages.readRequest(request(more)))).toThrow(
      expect.objectContaining({ code: 'invalid_request', param }),
    );
  });

  it('requires max_tokens', () => {
    expect(() => atOnce(anthropicMessages.readRequest(documentOf({ model: 'x', messages: [USER] })))).toThrow(
      expect.objectContaining({ param: 'max_tokens', message: "'max_tokens' is required." }),
    );
  });

  it.each<[string, JsonObject]>([
    ['a system message within', { messages: [USER, { role: 'system', content: 'Be brief.' }] }],
    ['blocks that nobody knows', { messages: [{ role: 'user', content: [{ type: 'hologram' }] }] }],
    ['tools of the provider', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    [
      'tool results without content',
      { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x' }] }] },
    ],
    ['the tool of its choice', { tool_choice: { type: 'any' } }],
  ])('may have %s', (_name, more) => {
    expect(atOnce(anthropicMessages.readRequest(request(more))).model).toBe('support');
  });

  it('keeps the other output settings where the schema is removed', () => {
    const format = { type: 'json_schema', schema: { type: 'object' } };
    const omit: RenderTarget = { ...TARGET, outputSchema: 'omit' };
    expect(adapt({ output_config: { effort: 'low', format } }, omit).output_config).toEqual({
      effort: 'low',
    });
    expect(adapt({ output_config: { format } }, omit)).not.toHaveProperty('output_config');
  });

  it('is passed on without `store` and without metadata that this API does not have', () => {
    const user = { user_id: 'u' };
    expect(adapt({ store: true, metadata: { ...user, a: 1 } }, { ...TARGET, metadata: user })).toEqual({
      model: 'large',
      max_tokens: 9,
      messages: [USER],
      metadata: user,
    });
  });

  it('is passed on without thinking blocks that this API did not make', () => {
    const text = { type: 'text', text: 'Yes.' };
    const own = { type: 'thinking', thinking: 'a', signature: 'Eq' };
    const unsigned = { type: 'thinking', thinking: 'b', signature: '' };
    const foreign = { type: 'thinking', thinking: 'c', signature: 'openai.responses:gAAA' };
    const history = [USER, { role: 'assistant', content: [own, unsigned, text, foreign] }, USER];
    expect(adapt({ messages: history }).messages).toEqual([
      USER,
      { role: 'assistant', content: [own, text] },
      USER,
    ]);
  });
});

describe('a request that comes from another API', () => {
  it('gets max_tokens where it has no limit', () => {
    expect(fromChat({}).max_tokens).toBe(DEFAULT_MAX_TOKENS);
    expect(fromChat({ reasoning_effort: 'high' }).max_tokens).toBe(DEFAULT_MAX_TOKENS_WITH_THINKING);
    expect(fromChat({ max_tokens: 7 }).max_tokens).toBe(7);
    expect(fromChat({ max_tokens: 7, max_completion_tokens: 8 }).max_tokens).toBe(8);
  });

  it('thinks as much as it asked for, and then has no sampling settings', () => {
    expect(fromChat({ reasoning_effort: 'xhigh', temperature: 0 })).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'xhigh' },
    });
    expect(fromChat({ reasoning_effort: 'high', temperature: 0 })).not.toHaveProperty('temperature');
    expect(fromChat({ reasoning_effort: 'minimal' }).output_config).toEqual({ effort: 'low' });
    expect(fromChat({ reasoning_effort: 'none', temperature: 0 })).toMatchObject({
      thinking: { type: 'disabled' },
      temperature: 0,
    });
  });

  it('does not think where a tool call is forced', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const body = fromChat({ reasoning_effort: 'high', tools, tool_choice: 'required' });
    expect(body).not.toHaveProperty('thinking');
    expect(body.tool_choice).toEqual({ type: 'any' });
  });

  it('puts "one tool call at a time" into the tool choice', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }];
    expect(fromChat({ tools, parallel_tool_calls: false }).tool_choice).toEqual({
      type: 'auto',
      disable_parallel_tool_use: true,
    });
    expect(fromChat({ tools, parallel_tool_calls: true })).not.toHaveProperty('tool_choice');
    expect(fromChat({ tool_choice: 'auto' })).not.toHaveProperty('tool_choice');
    expect(fromChat({ tools, tool_choice: 'none' }).tool_choice).toEqual({ type: 'none' });
  });

  it('has no temperature above 1', () => {
    expect(fromChat({ temperature: 1.7 }).temperature).toBe(1);
  });

  it('has all system prompts at the top', () => {
    const messages = [
      { role: 'system', content: 'A' },
      USER,
      { role: 'developer', content: [{ type: 'text', text: 'B' }] },
    ];
    const body = fromChat({ messages });
    expect(body.system).toEqual([
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B' },
    ]);
    expect(body.messages).toEqual([USER]);
  });

  it('has no empty messages', () => {
    const messages = [{ role: 'system', content: ' ' }, USER, { role: 'assistant', content: '' }, USER];
    const body = fromChat({ messages });
    expect(body).not.toHaveProperty('system');
    expect(body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'text', text: 'Hi' },
        ],
      },
    ]);
  });

  it('wraps arguments that are not an object into one', () => {
    const call = (text: string) => ({
      id: 'a.b',
      type: 'function',
      function: { name: 'f', arguments: text },
    });
    const inputs = ['{"a":1}', '', '[1]', '{"a"'].map((text) => {
      const body = fromChat({ messages: [USER, { role: 'assistant', tool_calls: [call(text)] }] });
      return (body.messages as JsonObject[])[1]!.content as JsonObject[];
    });
    expect(inputs.map(([block]) => block!.input)).toEqual([
      { a: 1 },
      {},
      { arguments: '[1]' },
      { arguments: '{"a"' },
    ]);
    expect(inputs[0]![0]!.id).toBe('a_b');
  });

  it('asks for JSON in the system prompt', () => {
    expect(fromChat({ response_format: { type: 'json_object' } }).system).toContain('one JSON object');
  });

  it('has text documents as text', () => {
    const data = Buffer.from('Grüße').toString('base64');
    const file = { filename: 'a.txt', file_data: `data:text/plain;base64,${data}` };
    const body = fromChat({ messages: [{ role: 'user', content: [{ type: 'file', file }] }] });
    expect((body.messages as JsonObject[])[0]!.content).toEqual([
      { type: 'document', title: 'a.txt', source: { type: 'text', media_type: 'text/plain', data: 'Grüße' } },
    ]);
  });

  it('has the user that the client named', () => {
    expect(fromChat({ user: 'u' }).metadata).toEqual({ user_id: 'u' });
    expect(fromChat({ user: 'u' }, { ...TARGET, metadata: { user_id: 'v' } }).metadata).toEqual({
      user_id: 'v',
    });
  });
});

describe('thinking', () => {
  const blocks: JsonObject[] = [
    { type: 'thinking', thinking: 'Hm.', signature: 'EqQ' },
    { type: 'redacted_thinking', data: 'Emw' },
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
  ];
  const answer = atOnce(
    anthropicMessages.readAnswer({
      id: 'msg_1',
      type: 'message',
      model: 'x',
      content: blocks,
      stop_reason: 'tool_use',
    }),
  )!;
  const extras = { logId: 'log-1', created: 1, model: 'x' };

  it('is sent back with its signature by a client of Chat Completions', () => {
    const { choices } = JSON.parse(atOnce(openaiChat.writeAnswer(answer, extras)));
    const body = fromChat({ messages: [USER, choices[0].message] });
    expect((body.messages as JsonObject[])[1]!.content).toEqual(blocks);
  });

  it('is sent back with its signature by a client of Responses', () => {
    const { output } = JSON.parse(atOnce(openaiResponses.writeAnswer(answer, extras)));
    const document = documentOf({ model: 'support', input: [USER, ...output] });
    const neutral = atOnce(
      openaiResponses.toNeutral(document, atOnce(openaiResponses.readRequest(document))),
    );
    const body = JSON.parse(atOnce(anthropicMessages.fromNeutral(neutral, TARGET)));
    expect(body.messages[1].content).toEqual(blocks);
  });

  it('is not sent to a provider of another API', () => {
    const { output } = JSON.parse(atOnce(openaiResponses.writeAnswer(answer, extras)));
    const document = documentOf({ model: 'support', input: [USER, ...output] });
    const body = openaiResponses.adaptRequest(
      document,
      atOnce(openaiResponses.readRequest(document)),
      TARGET,
    );
    expect(JSON.parse(body).input).toEqual([USER, output[2]]);
    expect(body).not.toContain('EqQ');
  });
});

describe('errors of Messages', () => {
  it('have the code at the front of their message, and the id of the request', () => {
    const error = new SluiceError('pii_detected', 'No.');
    expect(JSON.parse(anthropicMessages.writeError(error, 'log-1'))).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'pii_detected: No.' },
      request_id: 'log-1',
    });
  });
});

describe('counting tokens', () => {
  it('accepts a request without the settings for an answer', () => {
    const document = documentOf({ model: 'support', messages: [USER], metadata: { a: 1 } });
    const view = atOnce(
      anthropicMessages.readRequest(documentOf({ model: 'support', max_tokens: 1, messages: [USER] })),
    );
    expect(atOnce(counting.readRequest(document))).toEqual({ model: 'support', metadata: { a: 1 } });
    expect(JSON.parse(counting.adaptRequest(document, 'large', view))).toEqual({
      model: 'large',
      messages: [USER],
    });
    expect(JSON.parse(counting.writeCount(7))).toEqual({ input_tokens: 7 });
  });

  it.each([
    ['messages', { model: 'support' }],
    ['metadata', { model: 'support', messages: [USER], metadata: 'a' }],
  ])('refuses an invalid request for its %s', (param, value) => {
    expect(() => atOnce(counting.readRequest(documentOf(value)))).toThrow(expect.objectContaining({ param }));
  });
});

describe('the list of models', () => {
  const named = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
  const page = (query: string) => {
    const { data, ...more } = JSON.parse(writeAnthropicModels.list(named, new URLSearchParams(query)));
    return [data.map(({ id }: { id: string }) => id).join(''), more.has_more, more.first_id, more.last_id];
  };

  it.each([
    ['', ['abcd', false, 'a', 'd']],
    ['limit=2', ['ab', true, 'a', 'b']],
    ['limit=4', ['abcd', false, 'a', 'd']],
    ['limit=2&after_id=b', ['cd', false, 'c', 'd']],
    ['after_id=a&limit=2', ['bc', true, 'b', 'c']],
    ['after_id=d', ['', false, null, null]],
    ['before_id=d&limit=2', ['bc', true, 'b', 'c']],
    ['before_id=c', ['ab', false, 'a', 'b']],
  ])('is the page that ?%s asks for', (query, expected) => {
    expect(page(query)).toEqual(expected);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=x', 'limit'],
    ['after_id=z', 'after_id'],
    ['before_id=z', 'before_id'],
    ['after_id=a&before_id=c', 'before_id'],
  ])('refuses ?%s', (query, param) => {
    expect(() => page(query)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });

  it('is one page', () => {
    expect(
      JSON.parse(writeAnthropicModels.list([{ name: 'a' }, { name: 'b' }], new URLSearchParams())),
    ).toEqual({
      data: [
        { type: 'model', id: 'a', display_name: 'a', created_at: '2026-01-01T00:00:00.000Z' },
        { type: 'model', id: 'b', display_name: 'b', created_at: '2026-01-01T00:00:00.000Z' },
      ],
      has_more: false,
      first_id: 'a',
      last_id: 'b',
    });
    expect(JSON.parse(writeAnthropicModels.list([], new URLSearchParams()))).toMatchObject({
      data: [],
      first_id: null,
      last_id: null,
    });
  });
});
