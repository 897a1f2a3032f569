import type { Dialect } from '../dialect.js';
import { guardedRequests } from '../texts/guarded-requests.js';
import { COMMENT } from '../wire/frames.js';
import { createDecoder } from './decode.js';
import { disguisedError, readError, translateError, writeError, writeStreamError } from './errors.js';
import { fromNeutral } from './from-neutral.js';
import { answer, request } from './members.js';
import { guardedMessages } from './messages.js';
import { readTools } from './offered-tools.js';
import { readAnswer, readParts, readRequest } from './parse.js';
import { plainLog, plainRequests } from './plain.js';
import { adaptAnswer, adaptRequest, writeAnswer } from './render.js';
import { adaptFrame, createEncoder, growingText, replaceDeltas } from './stream.js';
import { toNeutral } from './to-neutral.js';

/** OpenAI's Chat Completions API, which many other servers speak too. */
export const openaiChat: Dialect<'openai.chat'> = {
  id: 'openai.chat',
  members: { request, answer, frame: answer },
  conversation: { standing: [], turns: ['messages'], needed: ['model', 'tools', 'parallel_tool_calls'] },
  endsForSure: true,
  tokenProbabilities: ['logprobs'],
  plainLog,
  readRequest,
  readTools,
  ...guardedRequests(guardedMessages, plainRequests),
  adaptRequest,
  toNeutral,
  fromNeutral,
  readAnswer,
  readParts,
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
  disguisedError,
  translateError,
};
