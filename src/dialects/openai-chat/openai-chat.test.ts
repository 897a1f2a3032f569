import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import type { EncoderContext, RenderTarget } from '../dialect.js';
import { callDeltas } from './decode.js';
import { openaiChat } from './index.js';
import { guardedMessages } from './messages.js';

const USER = { role: 'user', content: 'Hi' };
const TARGET: RenderTarget = { model: 'large', outputSchema: 'native', askForUsage: false };
const CONTEXT: EncoderContext = { logId: 'log-1', streamUsage: false, created: 1, model: 'large' };

function documentOf(value: JsonObject) {
  return { text: JSON.stringify(value), value };
}

function request(more: JsonObject) {
  return documentOf({ model: 'support', messages: [USER], ...more });
}

describe('a Chat Completions request', () => {
  it.each<[string, JsonObject, string]>([
    ['messages', { messages: [] }, "'messages' must be an array that is not empty, but is an empty array."],
    [
      'messages',
      { messages: 'Hi' },
      '\'messages\' must be an array that is not empty, but is the string "Hi".',
    ],
    ['messages[0]', { messages: ['Hi'] }, '\'messages[0]\' must be an object, but is the string "Hi".'],
    ['messages[0].role', { messages: [{ content: 'Hi' }] }, "'messages[0].role' is required."],
    [
      'messages[1].role',
      { messages: [USER, { role: 'robot', content: 'Hi' }] },
      "'messages[1].role' must be one of 'developer', 'system', 'user', 'assistant', 'tool', 'function', but is the string \"robot\".",
    ],
    ['messages[0].content', { messages: [{ role: 'user' }] }, "'messages[0].content' is required."],
    [
      'messages[0].content',
      { messages: [{ role: 'user', content: null }] },
      "'messages[0].content' must be a string or an array of content parts, but is null.",
    ],
    [
      'messages[0].content[0].type',
      { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
      "'messages[0].content[0].type' must be a string, but it is missing.",
    ],
    [
      'messages[0].content[0].image_url.url',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
      "'messages[0].content[0].image_url.url' is required.",
    ],
    [
      'messages[0].tool_calls[0].function.arguments',
      {
        messages: [
          {
            role: 'assistant',
            tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: {} } }],
          },
        ],
      },
      "'messages[0].tool_calls[0].function.arguments' must be a string, but is an object.",
    ],
    [
      'messages[0].tool_call_id',
      { messages: [{ role: 'tool', content: '' }] },
      "'messages[0].tool_call_id' is required.",
    ],
    ['n', { n: 0 }, "'n' must be an integer of at least 1, but is the number 0."],
    ['n', { n: 1.5 }, "'n' must be an integer of at least 1, but is the number 1.5."],
    ['stream', { stream: 1 }, "'stream' must be true or false, but is the number 1."],
    [
      'response_format',
      { response_format: 'json' },
      '\'response_format\' must be an object, but is the string "json".',
    ],
    [
      'response_format.json_schema',
      { response_format: { type: 'json_schema' } },
      "'response_format.json_schema' is required.",
    ],
    [
      'tools[0].function.name',
      { tools: [{ type: 'function', function: {} }] },
      "'tools[0].function.name' is required.",
    ],
  ])('is refused for its %s', (param, more, message) => {
    expect(() => atOnce(openaiChat.readRequest(request(more)))).toThrow(
      expect.objectContaining({ code: 'invalid_request', param, message }),
    );
  });

  it('is refused for an invalid schema', () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'x', schema: 'x' } };
    expect(() => atOnce(openaiChat.readRequest(request({ response_format })))).toThrow(
      expect.objectContaining({
        code: 'invalid_json_schema',
        param: 'response_format.json_schema.schema',
        message:
          '\'response_format.json_schema.schema\' must be a JSON Schema, which is an object, true or false, but is the string "x".',
      }),
    );
  });

  it('is refused with errors that repeat no long strings', () => {
    const secret = 'x'.repeat(100);
    expect(() => atOnce(openaiChat.readRequest(request({ messages: secret })))).toThrow(
      expect.objectContaining({ message: "'messages' must be an array that is not empty, but is a string." }),
    );
  });

  it.each<[string, JsonObject]>([
    ['content of null for an assistant', { messages: [{ role: 'assistant', content: null }] }],
    ['an assistant without content', { messages: [{ role: 'assistant', tool_calls: [] }] }],
    ['parts that it does not know', { messages: [{ role: 'user', content: [{ type: 'hologram', x: 1 }] }] }],
    ['a format that it does not know', { response_format: { type: 'grammar' } }],
    ['tools that it does not know', { tools: [{ type: 'custom', custom: {} }] }],
    [
      'null where a field may be left out',
      { n: null, stream: null, metadata: null, stop: null, tools: null },
    ],
    [
      'a schema of true',
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: true } } },
    ],
    ['the deprecated role of functions', { messages: [{ role: 'function', name: 'f', content: 'x' }] }],
  ])('may have %s', (_name, more) => {
    expect(atOnce(openaiChat.readRequest(request(more))).model).toBe('support');
  });

  it('has the same messages whether or not they are plain texts', () => {
    const text = fc.constantFrom('', 'Hi', 'Ada Lovelace');
    const message = fc.record(
      {
        role: fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool', 'robot'),
        content: fc.oneof(
          { weight: 5, arbitrary: text },
          fc.constantFrom(null, [], [{ type: 'text', text: 'Hi' }]),
        ),
        name: text,
        refusal: fc.option(text),
        tool_calls: fc.constantFrom(
          [],
          [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        ),
        unknown: fc.oneof(text, fc.constant(3)),
      },
      { requiredKeys: ['role', 'content'] },
    );
    const body = fc.record(
      { model: text, messages: fc.array(message), stop: text, user: text, temperature: fc.constant(1) },
      { requiredKeys: ['model', 'messages'] },
    ) as fc.Arbitrary<object> as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(body, (value) => {
        const guarded = atOnce(guardedMessages(value)).map(({ message }) => message);
        expect(atOnce(openaiChat.readMessages(documentOf(value)))).toEqual(guarded);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has the texts of calls that are not functions checked by guards', () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
    const messages = atOnce(
      openaiChat.readMessages(
        request({ messages: [{ role: 'assistant', content: 'x', tool_calls: [call], refusal: 'no' }] }),
      ),
    );
    expect(messages[0]!.parts.map((part) => part.type)).toEqual(['text', 'refusal', 'tool-call']);
  });
});

describe('usage in a stream', () => {
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const told = { data: JSON.stringify({ id: 'x', choices: [], usage }) };
  const within = { data: JSON.stringify({ id: 'x', choices: [{ index: 0, delta: {} }], usage }) };
  const quoted = {
    data: '{"id":"x","choices":[{"index":0,"delta":{"content":"\\"usage\\": null}"}}]}',
  };

  it('is asked for where the client did not ask', () => {
    const ask = { ...TARGET, askForUsage: true };
    const adapt = (more: JsonObject) => {
      const document = request(more);
      return JSON.parse(openaiChat.adaptRequest(document, atOnce(openaiChat.readRequest(document)), ask))
        .stream_options;
    };
    expect(adapt({ stream: true })).toEqual({ include_usage: true });
    expect(adapt({ stream: true, stream_options: null })).toEqual({ include_usage: true });
    expect(adapt({ stream: true, stream_options: { include_obfuscation: false } })).toEqual({
      include_obfuscation: false,
      include_usage: true,
    });
    expect(adapt({ stream: true, stream_options: { include_usage: false } })).toEqual({
      include_usage: true,
    });
    expect(adapt({})).toBeUndefined();
  });

  it('is removed again where the client did not ask', () => {
    const context = { ...CONTEXT, first: false };
    expect(openaiChat.adaptFrame(told, context)).toBeUndefined();
    expect(openaiChat.adaptFrame(within, context)).toBe(within);
    expect(openaiChat.adaptFrame(quoted, context)).toBe(quoted);
    expect(openaiChat.adaptFrame({ data: '[DONE]' }, context)).toEqual({ data: '[DONE]' });
  });

  it.each([
    ['last', '{"id":"x","choices":[],"usage":null}', '{"id":"x","choices":[]}'],
    ['spaced', '{"id": "x", "choices": [] , "usage" : null }\n', '{"id": "x", "choices": [] }'],
    [
      'before another',
      '{"choices":[{"usage":null}],"usage":null,"obfuscation":"a"}',
      '{"choices":[{"usage":null}],"obfuscation":"a"}',
    ],
    ['in a choice alone', '{"choices":[{"usage":null}]}', '{"choices":[{"usage":null}]}'],
  ])('leaves no empty member where the client did not ask: %s', (_name, data, adapted) => {
    const later = openaiChat.adaptFrame({ data }, { ...CONTEXT, first: false });
    expect(later).toEqual({ data: adapted });
    const first = openaiChat.adaptFrame({ data }, { ...CONTEXT, first: true });
    const { inference_log_id, ...rest } = JSON.parse(first!.data);
    expect(rest).toEqual(JSON.parse(adapted));
    expect(inference_log_id).toBe(CONTEXT.logId);
  });

  it('is kept where the client asked', () => {
    const context = { ...CONTEXT, streamUsage: true, first: false };
    expect(openaiChat.adaptFrame(told, context)).toBe(told);
    const none = { data: '{"id":"x","choices":[],"usage":null}' };
    expect(openaiChat.adaptFrame(none, context)).toBe(none);
  });

  it('is written last, and only for a client that asked', () => {
    const frames = (streamUsage: boolean) => {
      const encoder = openaiChat.createEncoder({ ...CONTEXT, streamUsage });
      encoder.encode({ type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } });
      return encoder.encode({ type: 'end' }).map(({ data }) => data);
    };
    expect(frames(false)).toEqual(['[DONE]']);
    const [chunk, done] = frames(true);
    expect(JSON.parse(chunk!)).toMatchObject({ choices: [], usage });
    expect(done).toBe('[DONE]');
  });
});

describe('tool calls of servers that do not number them', () => {
  const chunk = (call: JsonObject) => ({
    data: JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { tool_calls: [call] } }] }),
  });

  it('are told apart by their ids', () => {
    const decoder = openaiChat.createDecoder();
    const calls: JsonObject[] = [
      { id: 'a', function: { name: 'f', arguments: '{"a"' } },
      { function: { arguments: ':1}' } },
      { id: 'b', function: { name: 'f', arguments: '{}' } },
    ];
    const events = calls.flatMap((call) => decoder.decode(chunk(call)));
    const deltas = events.flatMap((event) =>
      event.type === 'delta' ? [[event.channel.part, event.text]] : [],
    );
    expect(deltas).toEqual([
      [0, '{"a"'],
      [0, ':1}'],
      [1, '{}'],
    ]);
    expect(events.filter((event) => event.type === 'tool-call-start')).toHaveLength(2);
  });
});

describe('a chunk with many pieces of calls', () => {
  it('is read one piece at a time, so that other work has its turn between them', () => {
    let read = 0;
    const call = (id: string) => ({
      get id() {
        read++;
        return id;
      },
      function: { name: 'find', arguments: '{}' },
    });
    const pieces = callDeltas({ index: 0, delta: { tool_calls: ['a', 'b', 'c'].map(call) } }, []);
    for (const { callId } of pieces) if (callId === 'b') break;
    expect(read).toBe(2);
  });
});

describe('the system prompt of a request', () => {
  it('is extended in its array of parts too', () => {
    const document = request({
      messages: [{ role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] }, USER],
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
    });
    const view = atOnce(openaiChat.readRequest(document));
    const body = JSON.parse(openaiChat.adaptRequest(document, view, { ...TARGET, outputSchema: 'prompt' }));
    expect(body.response_format).toBeUndefined();
    expect(body.messages).toHaveLength(2);
    expect(body.messages[0].content).toHaveLength(2);
    expect(body.messages[0].content[1].text).toContain('{"type":"object"}');
  });
});
