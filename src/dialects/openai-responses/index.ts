import type { Dialect } from '../dialect.js';
import { readError, translateError, writeError, writeStreamError } from './errors.js';
import { fromNeutral } from './from-neutral.js';
import { frame } from './members.js';
import { readTools } from './offered-tools.js';
import { readAnswer, readMessages, readRequest } from './parse.js';
import { adaptAnswer, adaptRequest, writeAnswer, writeMessages } from './render.js';
import { adaptFrame, createDecoder, createEncoder, replaceDeltas } from './stream.js';
import { toNeutral } from './to-neutral.js';

/** OpenAI's Responses. */
export const openaiResponses: Dialect = {
  id: 'openai.responses',
  conversationKeys: ['model', 'input', 'instructions', 'tools', 'parallel_tool_calls'],
  readRequest,
  readTools,
  readMessages,
  writeMessages,
  adaptRequest,
  toNeutral,
  fromNeutral,
  readAnswer,
  adaptAnswer,
  writeAnswer,
  frame,
  createDecoder,
  createEncoder,
  adaptFrame,
  replaceDeltas,
  writeError,
  writeStreamError,
  readError,
  translateError,
};
