import type { Dialect } from '../dialect.js';
import { readError, translateError, writeError, writeStreamError } from './errors.js';
import { fromNeutral } from './from-neutral.js';
import { readTools } from './offered-tools.js';
import { readAnswer, readMessages, readRequest } from './parse.js';
import { adaptAnswer, adaptRequest, writeAnswer, writeMessages } from './render.js';
import { adaptFrame, createDecoder, createEncoder, replaceDeltas } from './stream.js';
import { toNeutral } from './to-neutral.js';

/** OpenAI's Chat Completions, and the many servers that speak the same. */
export const openaiChat: Dialect = {
  id: 'openai.chat',
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
  createDecoder,
  createEncoder,
  adaptFrame,
  replaceDeltas,
  writeError,
  writeStreamError,
  readError,
  translateError,
};
