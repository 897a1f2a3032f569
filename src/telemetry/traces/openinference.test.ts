import { SemanticConventions } from '@arizeai/openinference-semantic-conventions';
import { describe, expect, it } from 'vitest';
import { directory } from '../../../test/contract/telemetry/support.js';
import type { Answer, NeutralRequest } from '../../core/answer.js';
import type { AttemptRecord } from '../../core/log-record.js';
import { OPENINFERENCE } from '../names.js';
import { contentAttributes, llmAttributes } from './openinference.js';

const attempt: AttemptRecord = {
  provider: 'claude',
  model: 'opus',
  status: 'success',
  http_status: 200,
  error: null,
  duration_ms: 5,
  usage: { input_tokens: 10, output_tokens: 20, cached_input_tokens: 4, reasoning_tokens: 3 },
};
const request: NeutralRequest = {
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'assistant', parts: [{ type: 'tool-call', id: 'c1', name: 'find', arguments: '{"a":1}' }] },
    {
      role: 'user',
      parts: [
        { type: 'tool-result', callId: 'c1', parts: [{ type: 'text', text: 'found' }] },
        { type: 'text', text: 'And now?' },
      ],
    },
  ],
  stream: false,
  streamUsage: false,
  temperature: 0.5,
  maxOutputTokens: 9,
  user: 'u-1',
  tools: [{ name: 'find', parameters: { type: 'object' } }],
};
const answer: Answer = {
  id: 'msg_1',
  model: 'opus-2026',
  choices: [{ index: 0, parts: [{ type: 'text', text: 'Here.' }], finishReason: 'stop' }],
};

describe('the attributes of OpenInference', () => {
  it('name the model that was asked, its settings, and the tokens used', () => {
    expect(llmAttributes(attempt, { request }, answer, directory)).toEqual({
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'opus-2026',
      'llm.provider': 'anthropic',
      'llm.system': 'anthropic',
      'llm.invocation_parameters': '{"temperature":0.5,"maxOutputTokens":9}',
      'llm.token_count.prompt': 10,
      'llm.token_count.completion': 20,
      'llm.token_count.total': 30,
      'llm.token_count.prompt_details.cache_read': 4,
      'llm.token_count.completion_details.reasoning': 3,
    });
  });

  it('have no figures that nobody counted', () => {
    const usage = { input_tokens: 1, output_tokens: 2, estimated: true };
    const attributes = llmAttributes({ ...attempt, usage }, {}, undefined, directory);
    expect(attributes).toMatchObject({ 'llm.model_name': 'opus' });
    expect(attributes['llm.token_count.total']).toBeUndefined();
  });

  it('have the messages as flat keys, with each result of a tool as a message of its own', () => {
    const { 'input.value': input, 'output.value': output, ...flat } = contentAttributes({ request, answer });
    expect(JSON.parse(input as string)).toMatchObject({ system: [{ content: 'Be brief.' }] });
    expect(JSON.parse(output as string)).toMatchObject([{ role: 'assistant', finish_reason: 'stop' }]);
    expect(flat).toEqual({
      'input.mime_type': 'application/json',
      'output.mime_type': 'application/json',
      'llm.tools.0.tool.json_schema':
        '{"type":"function","function":{"name":"find","parameters":{"type":"object"}}}',
      'llm.input_messages.0.message.role': 'system',
      'llm.input_messages.0.message.content': 'Be brief.',
      'llm.input_messages.1.message.role': 'assistant',
      'llm.input_messages.1.message.tool_calls.0.tool_call.id': 'c1',
      'llm.input_messages.1.message.tool_calls.0.tool_call.function.name': 'find',
      'llm.input_messages.1.message.tool_calls.0.tool_call.function.arguments': '{"a":1}',
      'llm.input_messages.2.message.role': 'tool',
      'llm.input_messages.2.message.tool_call_id': 'c1',
      'llm.input_messages.2.message.content': 'found',
      'llm.input_messages.3.message.role': 'user',
      'llm.input_messages.3.message.content': 'And now?',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'Here.',
    });
  });

  it('have the same names as in its package', () => {
    const known = new Set<string>(Object.values(SemanticConventions));
    expect(Object.values(OPENINFERENCE).filter((name) => !known.has(name))).toEqual([]);
  });
});
