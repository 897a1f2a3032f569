import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { piecesOf } from './answer.js';
import { CREATED, frame, type MockApi } from './api.js';
import { type Answer, isBold, type Prompt, readMessages } from './prompt.js';

export const openaiChat: MockApi = {
  path: '/chat/completions',

  read(body) {
    const options = body.stream_options;
    return {
      model: String(body.model),
      ...readMessages(body.messages),
      schema: schemaOf(body.response_format),
      bold: isBold(body),
      stream: body.stream === true,
      streamUsage: isJsonObject(options) && options.include_usage === true,
    };
  },

  whole(prompt, answer) {
    const message = { role: 'assistant', content: answer.text, refusal: null };
    return {
      ...head(prompt, 'chat.completion'),
      choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
      usage: usageOf(answer),
    };
  },

  frames(prompt, answer) {
    const chunk = (delta: JsonObject, finish: string | null): JsonObject => ({
      ...head(prompt, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(prompt.streamUsage ? { usage: null } : {}),
    });
    const chunks = [
      chunk({ role: 'assistant', content: '' }, null),
      ...piecesOf(answer.text).map((content) => chunk({ content }, null)),
      chunk({}, 'stop'),
    ];
    if (prompt.streamUsage) {
      chunks.push({ ...head(prompt, 'chat.completion.chunk'), choices: [], usage: usageOf(answer) });
    }
    return [...chunks.map((value) => frame(value)), frame('[DONE]')];
  },
};

function head(prompt: Prompt, object: string): JsonObject {
  return { id: 'chatcmpl-mock', object, created: CREATED, model: prompt.model };
}

function usageOf({ inputTokens, outputTokens }: Answer): JsonObject {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

function schemaOf(format: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(format) || !isJsonObject(format.json_schema)) return undefined;
  return isJsonObject(format.json_schema.schema) ? format.json_schema.schema : undefined;
}
