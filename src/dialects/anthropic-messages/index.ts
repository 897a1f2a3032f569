import type { Dialect, TokenCounting } from '../dialect.js';
import { counting } from './count-tokens.js';
import { readError, translateError, writeError, writeStreamError } from './errors.js';
import { fromNeutral } from './from-neutral.js';
import { answer, frame, request } from './members.js';
import { readTools } from './offered-tools.js';
import { readAnswer, readMessages, readRequest } from './parse.js';
import { adaptAnswer, adaptRequest, writeAnswer, writeMessages } from './render.js';
import { adaptFrame, createDecoder, createEncoder, growingText, replaceDeltas } from './stream.js';
import { toNeutral } from './to-neutral.js';

/** Anthropic's Messages. */
export const anthropicMessages: Dialect<'anthropic.messages'> & { counting: TokenCounting } = {
  id: 'anthropic.messages',
  members: { request, answer, frame },
  conversation: { standing: ['system'], turns: ['messages'], beside: ['model', 'tools', 'max_tokens'] },
  tokenProbabilities: [],
  counting,
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
  growingText,
  createDecoder,
  createEncoder,
  adaptFrame,
  replaceDeltas,
  writeError,
  writeStreamError,
  readError,
  translateError,
};
