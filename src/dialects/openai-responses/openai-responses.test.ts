import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import { atOnce } from '../../core/pacing/steps.js';
import { anthropicMessages } from '../anthropic-messages/index.js';
import type { RenderTarget } from '../dialect.js';
import { openaiChat } from '../openai-chat/index.js';
import { openaiResponses } from './index.js';

const TARGET: RenderTarget = { model: 'large', outputSchema: 'native', askForUsage: false };
const CONTEXT = {
  logId: '01936f5c-8a3e-7c4d-9b2f-1a2b3c4d5e6f',
  streamUsage: true,
  created: 1,
  model: 'large',
};

function request(more: JsonObject) {
  const value = { model: 'support', input: 'Hi', ...more };
  return { text: JSON.stringify(value), value };
}

function adapt(more: JsonObject, target = TARGET): JsonObject {
  const document = request(more);
  return JSON.parse(
    openaiResponses.adaptRequest(document, atOnce(openaiResponses.readRequest(document)), target),
  );
}

describe('a Responses request', () => {
  it.each<[string, JsonObject]>([
    ['input', { input: 3 }],
    ['input', { input: null }],
    ['input[0]', { input: ['Hi'] }],
    ['input[0].type', { input: [{}] }],
    ['input[0].role', { input: [{ role: 'tool', content: 'x' }] }],
    ['input[0].content', { input: [{ role: 'user' }] }],
    ['input[0].content[0].text', { input: [{ role: 'user', content: [{ type: 'input_text' }] }] }],
    ['input[0].call_id', { input: [{ type: 'function_call', name: 'x', arguments: '' }] }],
    ['input[0].output', { input: [{ type: 'function_call_output', call_id: 'x' }] }],
    ['text.format.schema', { text: { format: { type: 'json_schema', name: 'x' } } }],
    ['tools[0].name', { tools: [{ type: 'function' }] }],
    ['store', { store: 'no' }],
    ['previous_response_id', { previous_response_id: 3 }],
    ['background', { background: true }],
  ])('is refused for its %s', (param, more) => {
    expect(() => atOnce(openaiResponses.readRequest(request(more)))).toThrow(
      expect.objectContaining({ code: 'invalid_request', param }),
    );
  });

  it.each<[string, JsonObject]>([
    ['no input', { input: null, previous_response_id: 'resp_1' }],
    ['items that nobody knows', { input: [{ type: 'hologram' }] }],
    ['references to stored items', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['tools of the provider', { tools: [{ type: 'web_search' }] }],
    [
      'what is stored at the provider',
      { previous_response_id: 'x', store: true, background: false, conversation: 'y' },
    ],
  ])('may have %s', (_name, more) => {
    const { metadata: _metadata, ...passed } = more;
    expect(adapt(more)).toEqual({ input: 'Hi', ...passed, model: 'large' });
  });

  it.each([undefined, null, false, true])(
    'is translated with `store: %s`, since that changes no answer',
    (store) => {
      const document = request(store === undefined ? {} : { store });
      const neutral = atOnce(
        openaiResponses.toNeutral(document, atOnce(openaiResponses.readRequest(document))),
      );
      expect(JSON.parse(atOnce(openaiChat.fromNeutral(neutral, TARGET)))).toEqual({
        model: 'large',
        messages: [{ role: 'user', content: 'Hi' }],
      });
    },
  );

  it('has a correction after a plain input', () => {
    const body = adapt({}, { ...TARGET, correction: { answer: 'x', problem: 'y' } });
    expect(body.input).toMatchObject([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'x' }] },
      { role: 'user', content: [{ type: 'input_text', text: expect.stringContaining('y') }] },
    ]);
  });

  it('has a correction where there was no input', () => {
    const body = adapt(
      { input: null, previous_response_id: 'x' },
      { ...TARGET, correction: { answer: 'x', problem: 'y' } },
    );
    expect(body.input).toHaveLength(2);
  });

  it('keeps the other text settings where the schema is removed', () => {
    const format = { type: 'json_schema', name: 'x', schema: {} };
    const omit: RenderTarget = { ...TARGET, outputSchema: 'omit' };
    expect(adapt({ text: { verbosity: 'low', format } }, omit).text).toEqual({ verbosity: 'low' });
    expect(adapt({ text: { format } }, omit)).not.toHaveProperty('text');
  });

  it('has the texts of free-text tools checked by guards', () => {
    const input: JsonObject[] = [
      { type: 'custom_tool_call', call_id: 'a', name: 'sh', input: 'ls' },
      { type: 'custom_tool_call_output', call_id: 'a', output: 'secret' },
    ];
    const [call, result] = atOnce(openaiResponses.readMessages(request({ input })));
    expect(call!.parts).toEqual([
      { type: 'tool-call', id: 'a', name: 'sh', arguments: 'ls', freeform: true },
    ]);
    expect(result!.parts).toEqual([
      { type: 'tool-result', callId: 'a', parts: [{ type: 'text', text: 'secret' }] },
    ]);
  });

  it('keeps its reasoning effort at other APIs', () => {
    const document = request({ reasoning: { effort: 'high', summary: 'auto' } });
    const neutral = atOnce(
      openaiResponses.toNeutral(document, atOnce(openaiResponses.readRequest(document))),
    );
    expect(JSON.parse(atOnce(anthropicMessages.fromNeutral(neutral, TARGET))).output_config).toEqual({
      effort: 'high',
    });
  });
});

describe('a Response that failed', () => {
  const failed = {
    id: 'resp_1',
    object: 'response',
    status: 'failed',
    error: { code: 'server_error', message: 'The model is busy.' },
    output: [] as JsonObject[],
  };

  it('is an error and not an answer', () => {
    expect(atOnce(openaiResponses.readAnswer(failed))).toBeUndefined();
    expect(openaiResponses.readError(failed)).toMatchObject({ message: 'The model is busy.' });
  });

  it('is an error even where the model sent some text before', () => {
    const output = [
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Ann L', annotations: [] }],
      },
    ];
    expect(atOnce(openaiResponses.readAnswer({ ...failed, output }))).toBeUndefined();
  });
});

describe('a Responses stream', () => {
  it('numbers its events and its items', () => {
    const encoder = openaiResponses.createEncoder(CONTEXT);
    const channel = (kind: 'text' | 'tool-arguments', part: number) => ({ kind, choice: 0, part });
    const frames = [
      ...encoder.encode({ type: 'start', id: 'x', model: 'm' }),
      ...encoder.encode({ type: 'delta', channel: channel('text', 0), text: 'a' }),
      ...encoder.encode({
        type: 'tool-call-start',
        channel: channel('tool-arguments', 0),
        callId: 'c',
        name: 'f',
      }),
      ...encoder.encode({ type: 'finish', choice: 0, reason: 'tool-calls' }),
      ...encoder.encode({ type: 'end' }),
    ];
    const values = frames.map(({ data }) => JSON.parse(data));
    expect(frames.map(({ event }) => event)).toEqual(values.map(({ type }) => type));
    expect(values.map(({ sequence_number: number }) => number)).toEqual(values.map((_value, index) => index));
    expect(values.map(({ type, output_index: index }) => `${type} ${index ?? ''}`.trim())).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added 0',
      'response.content_part.added 0',
      'response.output_text.delta 0',
      'response.output_text.done 0',
      'response.content_part.done 0',
      'response.output_item.done 0',
      'response.output_item.added 1',
      'response.function_call_arguments.delta 1',
      'response.function_call_arguments.done 1',
      'response.output_item.done 1',
      'response.completed',
    ]);
    expect(values.at(-1).response.output.map(({ id }: JsonObject) => id)).toEqual([
      'msg_01936f5c8a3e7c4d9b2f1a2b3c4d5e6f0',
      'fc_01936f5c8a3e7c4d9b2f1a2b3c4d5e6f1',
    ]);
  });

  it('ends as incomplete where the model reached its limit', () => {
    for (const [reason, told] of [
      ['length', 'max_output_tokens'],
      ['content-filter', 'content_filter'],
    ] as const) {
      const encoder = openaiResponses.createEncoder(CONTEXT);
      encoder.encode({ type: 'finish', choice: 0, reason });
      const last = JSON.parse(encoder.encode({ type: 'end' }).at(-1)!.data);
      expect(last.type).toBe('response.incomplete');
      expect(last.response.incomplete_details).toEqual({ reason: told });
    }
  });

  it('contains a text that its provider sent only at the end', () => {
    const decoder = openaiResponses.createDecoder();
    const done = { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'all of it' };
    const frame = { event: done.type, data: JSON.stringify(done) };
    expect(decoder.decode(frame)).toMatchObject([{ type: 'delta', text: 'all of it' }, { type: 'part-end' }]);
    expect(openaiResponses.replaceDeltas(frame, ['less']).data).toContain('"less"');
  });

  it.each([
    ['function_call', 'arguments', '{"a":1}', '{"a":2}'],
    ['custom_tool_call', 'input', 'ls', 'pwd'],
  ])('contains a %s that its provider sent only at the end of its item', (type, field, text, other) => {
    const decoder = openaiResponses.createDecoder();
    const item = { type, call_id: 'c1', name: 'f', [field]: text };
    const done = { type: 'response.output_item.done', output_index: 1, item };
    const frame = { event: done.type, data: JSON.stringify(done) };
    expect(decoder.decode(frame)).toMatchObject([
      { type: 'tool-call-start', callId: 'c1', name: 'f' },
      { type: 'delta', text },
      { type: 'part-end' },
    ]);
    expect(decoder.decode(frame)).toEqual([]);
    const completed = { type: 'response.completed', response: { status: 'completed' } };
    expect(decoder.decode({ data: JSON.stringify(completed) })).toMatchObject([
      { type: 'start' },
      { type: 'finish', reason: 'tool-calls' },
      { type: 'end' },
    ]);
    const replaced = JSON.parse(openaiResponses.replaceDeltas(frame, [other]).data);
    expect(replaced).toEqual({ ...done, item: { ...item, [field]: other } });
    expect(openaiResponses.replaceDeltas(frame, [text])).toBe(frame);
  });

  it('has errors in both forms that clients expect', () => {
    const [frame] = openaiResponses.writeStreamError(new SluiceError('pii_detected', 'No.'), 'log-1');
    expect(frame!.event).toBe('error');
    expect(JSON.parse(frame!.data)).toEqual({
      type: 'error',
      sequence_number: 0,
      code: 'pii_detected',
      message: 'No.',
      param: null,
      error: { message: 'No.', type: 'invalid_request_error', code: 'pii_detected', param: null },
    });
  });
});
