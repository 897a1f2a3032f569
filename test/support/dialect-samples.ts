import type { ConversationId } from '../../src/core/dialect-ids.js';
import type { JsonObject } from '../../src/core/json.js';

/** What tests need to know about an API in addition to its fixtures. */
export interface DialectSample {
  /** The smallest valid request. */
  smallest: JsonObject;
  /** A request for output that fits this schema. */
  structured(schema: JsonObject): JsonObject;
  /** The tool `search`, in the form of the API's `tools`. */
  tool: JsonObject;
  /** The frames of a stream that contain the log id. */
  markedFrames(frames: string[]): string[];
}

const USER = { role: 'user', content: 'Weather as JSON' };

function smallest(id: ConversationId): JsonObject {
  return DIALECT_SAMPLES[id].smallest;
}

/** The samples of each API. The code does not compile while one is missing. */
export const DIALECT_SAMPLES: Record<ConversationId, DialectSample> = {
  'openai.chat': {
    smallest: { model: 'support', messages: [USER] },
    structured: (schema) => ({
      ...smallest('openai.chat'),
      response_format: { type: 'json_schema', json_schema: { name: 'weather', schema } },
    }),
    tool: { type: 'function', function: { name: 'search' } },
    markedFrames: (frames) => frames.slice(0, 1),
  },
  'openai.responses': {
    smallest: { model: 'support', input: [USER] },
    structured: (schema) => ({
      ...smallest('openai.responses'),
      text: { format: { type: 'json_schema', name: 'weather', schema } },
    }),
    tool: { type: 'function', name: 'search' },
    markedFrames: (frames) => frames.filter((frame) => frame.includes('"response":{')),
  },
  'anthropic.messages': {
    smallest: { model: 'support', max_tokens: 9, messages: [USER] },
    structured: (schema) => ({
      ...smallest('anthropic.messages'),
      output_config: { format: { type: 'json_schema', schema } },
    }),
    tool: { name: 'search', input_schema: { type: 'object' } },
    markedFrames: (frames) => frames.filter((frame) => frame.includes('"type":"message_start"')),
  },
  'gemini.generate': {
    smallest: { contents: [{ role: 'user', parts: [{ text: USER.content }] }] },
    structured: (schema) => ({
      ...smallest('gemini.generate'),
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
    }),
    tool: { functionDeclarations: [{ name: 'search' }] },
    markedFrames: (frames) => frames.slice(0, 1),
  },
};
