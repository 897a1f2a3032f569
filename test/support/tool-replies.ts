import type { ConversationId } from '../../src/core/dialect-ids.js';
import type { JsonObject } from '../../src/core/json.js';
import { dialectOfRequest, isStream } from './dialect-provider.js';
import { jsonReply, type Reply, streamReply } from './replies.js';

/* Providers that call a tool, in the API of the request, as a complete answer or as a stream. */

interface CallForms {
  whole(name: string, text: string): JsonObject;
  events(name: string, text: string): JsonObject[];
}

const chatHead = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'real-model' };

function chatChunk(delta: JsonObject, finish: string | null = null): JsonObject {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return { ...chatHead, object: 'chat.completion.chunk', choices };
}

const callPiece = (text: string): JsonObject => ({
  tool_calls: [{ index: 0, function: { arguments: text } }],
});

function response(status: string, output: JsonObject[]): JsonObject {
  const usage = { input_tokens: 7, output_tokens: 3, total_tokens: 10 };
  return { id: 'resp_1', object: 'response', created_at: 1, model: 'real-model', status, output, usage };
}

function message(content: JsonObject[], stopReason: string | null): JsonObject {
  const usage = { input_tokens: 7, output_tokens: 3 };
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'real-model' };
  return { ...head, content, stop_reason: stopReason, stop_sequence: null, usage };
}

const FORMS: Record<ConversationId, CallForms> = {
  'openai.chat': {
    whole: (name, text) => {
      const call = { id: 'call_1', type: 'function', function: { name, arguments: text } };
      const said = { role: 'assistant', content: null, tool_calls: [call] };
      const choices = [{ index: 0, message: said, finish_reason: 'tool_calls' }];
      return { ...chatHead, object: 'chat.completion', choices };
    },
    events: (name, text) => [
      chatChunk({
        role: 'assistant',
        content: null,
        tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name, arguments: '' } }],
      }),
      ...halves(text).map((half) => chatChunk(callPiece(half))),
      chatChunk({}, 'tool_calls'),
    ],
  },
  'openai.responses': {
    whole: (name, text) =>
      response('completed', [
        { id: 'fc_1', type: 'function_call', call_id: 'call_1', name, arguments: text },
      ]),
    events: (name, text) => {
      const item = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name };
      const at = { item_id: 'fc_1', output_index: 0 };
      const done = { ...item, arguments: text, status: 'completed' };
      const events: JsonObject[] = [
        { type: 'response.created', response: response('in_progress', []) },
        { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
        ...halves(text).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
        { type: 'response.function_call_arguments.done', ...at, name, arguments: text },
        { type: 'response.output_item.done', output_index: 0, item: done },
        { type: 'response.completed', response: response('completed', [done]) },
      ];
      return events.map((event, index) => ({ ...event, sequence_number: index }));
    },
  },
  'anthropic.messages': {
    whole: (name, text) =>
      message([{ type: 'tool_use', id: 'toolu_1', name, input: JSON.parse(text) }], 'tool_use'),
    events: (name, text) => {
      const block = { type: 'tool_use', id: 'toolu_1', name, input: {} };
      const deltas = halves(text).map((half) => ({ type: 'input_json_delta', partial_json: half }));
      const delta = { stop_reason: 'tool_use', stop_sequence: null };
      const events: JsonObject[] = [
        { type: 'message_start', message: message([], null) },
        { type: 'content_block_start', index: 0, content_block: block },
        ...deltas.map((piece) => ({ type: 'content_block_delta', index: 0, delta: piece })),
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta, usage: { output_tokens: 3 } },
        { type: 'message_stop' },
      ];
      return events;
    },
  },
  'gemini.generate': {
    whole: content,
    events: (name, text) => [content(name, text)],
  },
};

function content(name: string, text: string): JsonObject {
  const parts: JsonObject[] = [{ functionCall: { name, args: JSON.parse(text) } }];
  const usage = { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 };
  const candidate = { content: { role: 'model', parts }, finishReason: 'STOP', index: 0 };
  return { candidates: [candidate], usageMetadata: usage, modelVersion: 'real-model', responseId: 'r1' };
}

/** A call of this tool, whose arguments are this text. */
export function callReply(name: string, text: string): Reply {
  return (received, request) => {
    const dialect = dialectOfRequest(request);
    const forms = FORMS[dialect];
    if (!isStream(request)) return jsonReply(forms.whole(name, text))(received, request);
    const frames = forms.events(name, text).map((event) => {
      const line = typeof event.type === 'string' ? `event: ${event.type}\n` : '';
      return `${line}data: ${JSON.stringify(event)}\n\n`;
    });
    const end = dialect === 'openai.chat' ? ['data: [DONE]\n\n'] : [];
    return streamReply([...frames, ...end])(received, request);
  };
}

function halves(text: string): string[] {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

const PARAMETERS = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
};

/** How the tool `person` is offered: the model must call it, must keep to its schema, or may call it. */
export type Offer = 'forced' | 'strict' | 'free';

/** A request with the tool `person`, whose one argument is a name. */
export function toolRequest(dialect: ConversationId, model: string, offer: Offer): JsonObject {
  const strict: JsonObject = offer === 'strict' ? { strict: true } : {};
  const asked = { role: 'user', content: 'Who is it?' };
  switch (dialect) {
    case 'openai.chat':
      return {
        model,
        messages: [asked],
        tools: [{ type: 'function', function: { name: 'person', parameters: PARAMETERS, ...strict } }],
        ...(offer === 'forced' ? { tool_choice: { type: 'function', function: { name: 'person' } } } : {}),
      };
    case 'openai.responses':
      return {
        model,
        input: [asked],
        tools: [{ type: 'function', name: 'person', parameters: PARAMETERS, strict: offer === 'strict' }],
        ...(offer === 'forced' ? { tool_choice: { type: 'function', name: 'person' } } : {}),
      };
    case 'anthropic.messages':
      return {
        model,
        max_tokens: 100,
        messages: [asked],
        tools: [{ name: 'person', input_schema: PARAMETERS, ...strict }],
        ...(offer === 'forced' ? { tool_choice: { type: 'tool', name: 'person' } } : {}),
      };
    case 'gemini.generate': {
      const modes: Record<Offer, JsonObject> = {
        forced: { mode: 'ANY', allowedFunctionNames: ['person'] },
        strict: { mode: 'VALIDATED' },
        free: { mode: 'AUTO' },
      };
      return {
        model,
        contents: [{ role: 'user', parts: [{ text: 'Who is it?' }] }],
        tools: [{ functionDeclarations: [{ name: 'person', parametersJsonSchema: PARAMETERS }] }],
        toolConfig: { functionCallingConfig: modes[offer] },
      };
    }
  }
}
