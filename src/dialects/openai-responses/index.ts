import type { Dialect, TokenCounting } from '../dialect.js';
import { guardedRequests } from '../texts/guarded-requests.js';
import { COMMENT } from '../wire/frames.js';
import { counting } from './count-tokens.js';
import { createDecoder } from './decode.js';
import { readError, translateError, writeError, writeStreamError } from './errors.js';
import { fromNeutral } from './from-neutral.js';
import { answer, frame, request } from './members.js';
import { readTools } from './offered-tools.js';
import { guardedMessages, readAnswer, readRequest } from './parse.js';
import { adaptAnswer, adaptRequest, writeAnswer } from './render.js';
import { adaptFrame, createEncoder, growingText, replaceDeltas } from './stream.js';
import { toNeutral } from './to-neutral.js';

/** OpenAI's Responses. */
export const openaiResponses: Dialect<'openai.responses'> & { counting: TokenCounting } = {
  id: 'openai.responses',
  members: { request, answer, frame },
  conversation: {
    standing: ['instructions'],
    turns: ['input'],
    kept: ['previous_response_id', 'conversation'],
    needed: ['model', 'tools', 'parallel_tool_calls'],
  },
  endsForSure: true,
  tokenProbabilities: ['logprobs'],
  counting,
  readRequest,
  readTools,
  ...guardedRequests(guardedMessages),
  adaptRequest,
  toNeutral,
  fromNeutral,
  readAnswer,
  adaptAnswer,
  writeAnswer,
  growingText,
  keepAlive: COMMENT,
  createDecoder,
  createEncoder,
  adaptFrame,
  replaceDeltas,
  writeError,
  writeStreamError,
  readError,
  translateError,
};
