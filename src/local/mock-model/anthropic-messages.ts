import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { piecesOf } from './answer.js';
import { frame, type MockApi } from './api.js';
import { countWords, isBold, type Prompt, readMessages, textOf } from './prompt.js';

export const anthropicMessages: MockApi = {
  path: '/messages',

  read(body) {
    const { lastUserText, inputTokens } = readMessages(body.messages);
    return {
      model: String(body.model),
      lastUserText,
      inputTokens: inputTokens + countWords(textOf(body.system)),
      schema: schemaOf(body.output_config),
      bold: isBold(body),
      stream: body.stream === true,
      streamUsage: true,
    };
  },

  whole(prompt, answer) {
    return {
      ...head(prompt),
      content: [{ type: 'text', text: answer.text }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: answer.inputTokens, output_tokens: answer.outputTokens },
    };
  },

  frames(prompt, answer) {
    const message = {
      ...head(prompt),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: answer.inputTokens, output_tokens: 1 },
    };
    const events: JsonObject[] = [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'ping' },
      ...piecesOf(answer.text).map((text) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      })),
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: answer.outputTokens },
      },
      { type: 'message_stop' },
    ];
    return events.map((event) => frame(event, String(event.type)));
  },
};

function head(prompt: Prompt): JsonObject {
  return { id: 'msg_mock', type: 'message', role: 'assistant', model: prompt.model };
}

function schemaOf(config: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(config) || !isJsonObject(config.format)) return undefined;
  return isJsonObject(config.format.schema) ? config.format.schema : undefined;
}
