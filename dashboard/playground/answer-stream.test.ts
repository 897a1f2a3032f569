import { describe, expect, it } from 'vitest';
import { AnswerStream } from './answer-stream.ts';

const CHAT =
  'data: {"choices":[{"delta":{"role":"assistant","content":"Hé"}}]}\n\ndata: {"choices":[{"delta":{"content":"llo"}}]}\n\ndata: [DONE]\n\n';
const RESPONSES =
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"Héllo"}\n\n';
const MESSAGES =
  'event: content_block_delta\r\ndata: {"type":"content_block_delta","delta":{"type":"text_delta","text":"Héllo"}}\r\n\r\n';

describe('the text of a stream', () => {
  it.each([
    ['Chat Completions', CHAT],
    ['Responses', RESPONSES],
    ['Messages', MESSAGES],
  ])('is read from %s, however it is cut', (_, text) => {
    const bytes = new TextEncoder().encode(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const stream = new AnswerStream();
      stream.add(bytes.slice(0, cut));
      stream.add(bytes.slice(cut));
      expect(stream.text).toBe('Héllo');
    }
  });

  it.each([
    [
      'Chat Completions',
      [
        {
          choices: [
            { delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'find', arguments: '' } }] } },
          ],
        },
        { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '{"id":' } }] } }] },
        { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '7}' } }] } }] },
        {
          choices: [
            { delta: { tool_calls: [{ index: 1, id: 'b', function: { name: 'ping', arguments: '{}' } }] } },
          ],
        },
      ],
    ],
    [
      'Responses',
      [
        {
          type: 'response.output_item.added',
          output_index: 1,
          item: { type: 'function_call', name: 'find' },
        },
        { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"id":' },
        { type: 'response.function_call_arguments.delta', output_index: 1, delta: '7}' },
        {
          type: 'response.output_item.added',
          output_index: 2,
          item: { type: 'function_call', name: 'ping' },
        },
        { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{}' },
      ],
    ],
    [
      'Messages',
      [
        {
          type: 'content_block_start',
          index: 1,
          content_block: { type: 'tool_use', name: 'find', input: {} },
        },
        {
          type: 'content_block_delta',
          index: 1,
          delta: { type: 'input_json_delta', partial_json: '{"id":' },
        },
        { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '7}' } },
        {
          type: 'content_block_start',
          index: 2,
          content_block: { type: 'tool_use', name: 'ping', input: {} },
        },
        { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{}' } },
      ],
    ],
  ])('has the tool calls of %s', (_, events) => {
    const stream = new AnswerStream();
    for (const event of events) stream.add(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
    expect(stream.turns).toEqual([
      {
        role: 'assistant',
        parts: [
          { kind: 'tool-call', name: 'find', text: '{\n  "id": 7\n}' },
          { kind: 'tool-call', name: 'ping', text: '{}' },
        ],
      },
    ]);
  });

  it('contains the error of a stream', () => {
    const stream = new AnswerStream();
    stream.add(new TextEncoder().encode('data: {"error":{"message":"gone"}}\n\n'));
    expect(stream.error).toBe('gone');
  });
});
