import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { piecesOf } from './answer.js';
import { CREATED, frame, type MockApi } from './api.js';
import { type Answer, countWords, isBold, type Prompt, readMessages } from './prompt.js';

const MESSAGE_ID = 'msg_mock';

export const openaiResponses: MockApi = {
  path: '/responses',

  read(body) {
    return {
      model: String(body.model),
      ...readInput(body.input),
      schema: schemaOf(body.text),
      bold: isBold(body),
      stream: body.stream === true,
      streamUsage: true,
    };
  },

  whole(prompt, answer) {
    return {
      ...head(prompt, 'completed'),
      output: [messageItem('completed', [textPart(answer.text)])],
      usage: usageOf(answer),
    };
  },

  frames(prompt, answer) {
    const place = { item_id: MESSAGE_ID, output_index: 0, content_index: 0 };
    const events: JsonObject[] = [
      { type: 'response.created', response: { ...head(prompt, 'in_progress'), output: [] } },
      { type: 'response.in_progress', response: { ...head(prompt, 'in_progress'), output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: messageItem('in_progress', []) },
      { type: 'response.content_part.added', ...place, part: textPart('') },
      ...piecesOf(answer.text).map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
      { type: 'response.output_text.done', ...place, text: answer.text },
      { type: 'response.content_part.done', ...place, part: textPart(answer.text) },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: messageItem('completed', [textPart(answer.text)]),
      },
      { type: 'response.completed', response: openaiResponses.whole(prompt, answer) },
    ];
    return events.map((event, index) => frame({ ...event, sequence_number: index }, String(event.type)));
  },
};

function head(prompt: Prompt, status: string): JsonObject {
  return {
    id: 'resp_mock',
    object: 'response',
    created_at: CREATED,
    status,
    error: null,
    model: prompt.model,
  };
}

function messageItem(status: string, content: JsonObject[]): JsonObject {
  return { type: 'message', id: MESSAGE_ID, status, role: 'assistant', content };
}

function textPart(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [] };
}

function usageOf({ inputTokens, outputTokens }: Answer): JsonObject {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

/** Reads `input`, which is a text or a list of items. Only the messages among the items count. */
function readInput(input: JsonValue | undefined): { lastUserText: string; inputTokens: number } {
  if (typeof input === 'string') return { lastUserText: input, inputTokens: countWords(input) };
  return readMessages(input);
}

function schemaOf(text: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(text) || !isJsonObject(text.format)) return undefined;
  return isJsonObject(text.format.schema) ? text.format.schema : undefined;
}
