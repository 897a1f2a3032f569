import { id, Members, media, schema, text, whole, word } from '../../src/dialects/members/members.js';

/* What is no text in Cohere's Chat API; all else is. */

const call = new Members(() => ({ id, type: word, function: new Members(() => ({ name: word })) }));
export const part: Members = new Members(() => ({
  type: word,
  text,
  thinking: text,
  image_url: new Members(() => ({ url: media, detail: word })),
}));
export const message: Members = new Members(() => ({
  role: word,
  content: part,
  tool_plan: text,
  tool_calls: call,
  tool_call_id: id,
}));
const tool = new Members(() => ({
  type: word,
  function: new Members(() => ({ name: word, description: text, parameters: schema })),
}));
export const request = new Members(() => ({
  model: id,
  messages: message,
  tools: tool,
  tool_choice: word,
  response_format: new Members(() => ({ type: word, json_schema: schema })),
  metadata: whole('kept on the log'),
  safety_mode: word,
  stream: word,
}));
const usage = whole('counts');
const citation = new Members(() => ({ start: word, end: word, type: word, text, sources: text }));
/** A whole answer. */
export const answer: Members = new Members(() => ({
  id,
  finish_reason: word,
  message: new Members(() => ({
    role: word,
    content: part,
    tool_plan: text,
    tool_calls: call,
    citations: citation,
  })),
  usage,
  inference_log_id: id,
}));
export const frame: Members = new Members(() => ({
  type: word,
  id,
  delta: new Members(() => ({ message, finish_reason: word, usage, error: whole('an error') })),
}));
