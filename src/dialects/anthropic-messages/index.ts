import type { Dialect } from '../dialect.js';
import { readError, translateError, writeError, writeStreamError } from './errors.js';
import { fromNeutral } from './from-neutral.js';
import { frame } from './members.js';
import { readTools } from './offered-tools.js';
import { readAnswer, readMessages, readRequest } from './parse.js';
import { adaptAnswer, adaptRequest, writeAnswer, writeMessages } from './render.js';
import { adaptFrame, createDecoder, createEncoder, replaceDeltas } from './stream.js';
import { toNeutral } from './to-neutral.js';

/** Anthropic's Messages. */
export const anthropicMessages: Dialect = {
  id: 'anthropic.messages',
  conversationKeys: ['model', 'system', 'messages', 'tools', 'max_tokens'],
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
